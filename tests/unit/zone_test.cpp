#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <parley/zone.hpp>
#include <string>
#include <utility>

#include "language/posix_rule.hpp"
#include "language/zone_rules.hpp"

using namespace std::chrono;
using parley::parse_tzif;
using parley::PosixRule;
using parley::Zone;

namespace {

sys_seconds utc(year_month_day day, int hour, int minute = 0, int second = 0) {
  return sys_days(day) + hours(hour) + minutes(minute) + seconds(second);
}

local_seconds wall(year_month_day day, int hour, int minute = 0, int second = 0) {
  return local_days(day) + hours(hour) + minutes(minute) + seconds(second);
}

local_seconds at(const char* zone, sys_seconds moment, const char* files = "/usr/share/zoneinfo") {
  const auto found = Zone::named(zone, files);
  REQUIRE_MESSAGE(found, zone);
  return found->local(moment);
}

std::string big_endian(std::uint64_t value, int bytes) {
  std::string out;
  for (int i = bytes - 1; i >= 0; --i) out += static_cast<char>(value >> (8 * i));
  return out;
}

// A zone file with one change (to two hours ahead, in 2000) and a footer.
std::string zone_file(const std::string& footer, char type = '\1', std::uint64_t change = 946684800) {
  const auto header = [](std::uint64_t changes, std::uint64_t types) {
    return "TZif2" + std::string(27, '\0') + big_endian(changes, 4) + big_endian(types, 4) + big_endian(0, 4);
  };
  const std::string local_types =
      big_endian(3600, 4) + std::string(2, '\0') + big_endian(7200, 4) + std::string(2, '\0');
  return header(0, 0) + header(1, 2) + big_endian(change, 8) + type + local_types + "\n" + footer + "\n";
}

}  // namespace

TEST_CASE("zone: summer time begins and ends at the second") {
  CHECK(at("Europe/Berlin", utc(2026y / 3 / 29, 0, 59, 59)) == wall(2026y / 3 / 29, 1, 59, 59));
  CHECK(at("Europe/Berlin", utc(2026y / 3 / 29, 1)) == wall(2026y / 3 / 29, 3));
  CHECK(at("Europe/Berlin", utc(2026y / 10 / 25, 0, 59, 59)) == wall(2026y / 10 / 25, 2, 59, 59));
  CHECK(at("Europe/Berlin", utc(2026y / 10 / 25, 1)) == wall(2026y / 10 / 25, 2));
  CHECK(at("America/New_York", utc(2026y / 3 / 8, 6, 59, 59)) == wall(2026y / 3 / 8, 1, 59, 59));
  CHECK(at("America/New_York", utc(2026y / 3 / 8, 7)) == wall(2026y / 3 / 8, 3));
}

TEST_CASE("zone: the southern half of the world has summer time at the turn of the year") {
  CHECK(at("Australia/Sydney", utc(2027y / 1 / 1, 0)) == wall(2027y / 1 / 1, 11));
  CHECK(at("Australia/Sydney", utc(2027y / 7 / 1, 0)) == wall(2027y / 7 / 1, 10));
  CHECK(at("Australia/Brisbane", utc(2027y / 1 / 1, 0)) == wall(2027y / 1 / 1, 10));
}

TEST_CASE("zone: both sides of the date line have their own day") {
  const auto moment = utc(2026y / 11 / 21, 10, 30);
  CHECK(at("Pacific/Kiritimati", moment) == wall(2026y / 11 / 22, 0, 30));
  CHECK(at("Pacific/Apia", moment) == wall(2026y / 11 / 21, 23, 30));
  CHECK(at("Pacific/Pago_Pago", moment) == wall(2026y / 11 / 20, 23, 30));
  CHECK(Zone::named("Pacific/Kiritimati")->today(moment) == local_days(2026y / 11 / 22));
  CHECK(Zone::named("Pacific/Pago_Pago")->today(moment) == local_days(2026y / 11 / 20));
}

TEST_CASE("zone: halves and quarters of an hour count") {
  const auto moment = utc(2026y / 11 / 21, 18, 30);
  CHECK(at("Asia/Kolkata", moment) == wall(2026y / 11 / 22, 0, 0));
  CHECK(at("Asia/Kathmandu", moment) == wall(2026y / 11 / 22, 0, 15));
  CHECK(at("Pacific/Chatham", moment) == wall(2026y / 11 / 22, 8, 15));
  CHECK(at("America/St_Johns", moment) == wall(2026y / 11 / 21, 15, 0));
}

TEST_CASE("zone: the time of years to come follows the present rule") {
  CHECK(at("Europe/Berlin", utc(2060y / 7 / 1, 0)) == wall(2060y / 7 / 1, 2));
  CHECK(at("Europe/Berlin", utc(2060y / 12 / 1, 0)) == wall(2060y / 12 / 1, 1));
  CHECK(at("Europe/Dublin", utc(2060y / 7 / 1, 0)) == wall(2060y / 7 / 1, 1));
  CHECK(at("Europe/Dublin", utc(2060y / 12 / 1, 0)) == wall(2060y / 12 / 1, 0));
}

TEST_CASE("zone: a moment before 1970 with a fraction of a second rounds down") {
  const auto zone = Zone::named("UTC");
  REQUIRE(zone);
  CHECK(zone->local(system_clock::time_point(milliseconds(-1))) == wall(1969y / 12 / 31, 23, 59, 59));
}

TEST_CASE("zone: without the system's files ICU answers, and an old spelling finds the new file") {
  CHECK(at("Asia/Tokyo", utc(2026y / 11 / 21, 0), "/nowhere") == wall(2026y / 11 / 21, 9));
  CHECK(at("Asia/Calcutta", utc(2026y / 11 / 21, 0)) == wall(2026y / 11 / 21, 5, 30));
}

TEST_CASE("zone: what is no zone is none") {
  for (const char* id : {"", "Nowhere/Land", "asia/tokyo ", "../../etc/passwd", "/etc/localtime", "Asia",
                         "Europe/Ber\xC3\xBCn", "tzdata.zi", "%s%n"}) {
    CHECK_MESSAGE(!Zone::named(id), std::string(id));
  }
  CHECK(!Zone::named(std::string(5000, 'A')));
  CHECK(!Zone::named(std::string("Asia/Tokyo\0x", 12)));
}

TEST_CASE("zone file: changes, the time before them and the footer are used") {
  const auto rules = parse_tzif(zone_file("CET-1CEST,M3.5.0,M10.5.0/3"));
  REQUIRE(rules);
  CHECK(rules->offset_at(utc(1999y / 12 / 31, 23)) == hours(1));
  CHECK(rules->offset_at(utc(2026y / 7 / 1, 0)) == hours(2));
  CHECK(rules->offset_at(utc(2026y / 12 / 1, 0)) == hours(1));
  const auto no_footer = parse_tzif(zone_file(""));
  REQUIRE(no_footer);
  CHECK(no_footer->offset_at(utc(2026y / 12 / 1, 0)) == hours(2));
}

TEST_CASE("zone file: cut short or contradicting itself it is refused") {
  const std::string whole = zone_file("CET-1");
  const std::size_t body = whole.size() - std::string("\nCET-1\n").size();
  for (std::size_t length = 0; length < body; ++length) CHECK(!parse_tzif(whole.substr(0, length)));
  CHECK(parse_tzif(whole.substr(0, body)));
  CHECK(!parse_tzif(zone_file("CET-1", '\2')));
  CHECK(!parse_tzif("TZif2" + std::string(300, '\xFF')));
  CHECK(!parse_tzif(std::string(300, 'x')));
}

TEST_CASE("rule for the future: every form that TZ has") {
  const auto offset = [](const char* text, sys_seconds moment) {
    const auto rule = PosixRule::parse(text);
    REQUIRE_MESSAGE(rule, text);
    return rule->offset_at(moment);
  };
  CHECK(offset("<+0545>-5:45", utc(2040y / 1 / 1, 0)) == hours(5) + minutes(45));
  CHECK(offset("EST5EDT,M3.2.0,M11.1.0", utc(2040y / 7 / 1, 0)) == -hours(4));
  CHECK(offset("EST5EDT,M3.2.0,M11.1.0", utc(2040y / 12 / 1, 0)) == -hours(5));
  CHECK(offset("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", utc(2040y / 7 / 1, 0)) == -hours(1));
  CHECK(offset("AAA0BBB,J60,J300", utc(2040y / 3 / 1, 1, 59)) == hours(0));
  CHECK(offset("AAA0BBB,J60,J300", utc(2040y / 3 / 1, 2)) == hours(1));
  CHECK(offset("AAA0BBB,59,300", utc(2040y / 2 / 29, 2)) == hours(1));
  CHECK(offset("XXX3EDT4,0/0,J365/23", utc(2040y / 7 / 1, 0)) == -hours(4));
  CHECK(offset("AEST-10AEDT,M10.1.0,M4.1.0/3", utc(2041y / 1 / 1, 0)) == hours(11));
}

TEST_CASE("rule for the future: what is no rule is refused") {
  for (const char* text :
       {"", "CET", "-1", "<CET-1", "CET-1CEST", "CET-1CEST,", "CET-1CEST,M3.5.0", "CET-999",
        "CET-1CEST,M13.5.0,M10.5.0", "CET-1CEST,M3.6.0,M10.5.0", "CET-1CEST,M3.5.7,M10.5.0",
        "CET-1CEST,J0,J10", "CET-1CEST,M3.5.0,M10.5.0x", "CET-1:99", "CET--1"}) {
    CHECK_MESSAGE(!PosixRule::parse(text), std::string(text));
  }
}
