#include "settings/values.hpp"

#include <doctest/doctest.h>

#include "settings/text.hpp"

using parley::format_duration;
using parley::format_size;
using parley::nearest;
using parley::parse_duration;
using parley::parse_size;
using namespace std::chrono_literals;

TEST_CASE("config values: a duration is a whole number and a unit") {
  CHECK(parse_duration("500ms") == 500ms);
  CHECK(parse_duration("5s") == 5s);
  CHECK(parse_duration("30min") == 30min);
  CHECK(parse_duration("2h") == 2h);
  CHECK(parse_duration("1d") == 24h);
  CHECK(parse_duration("0s") == 0ms);
}

TEST_CASE("config values: what is no duration gives nothing") {
  for (const char* const text : {"", "5", "soon", "ms", "-5s", "+5s", "5 s", " 5s", "5s ", "1.5s", "5S",
                                 "5sec", "5m", "99999999999999999999s", "9223372036854775807s", "0x5s"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_duration(text).has_value());
  }
}

TEST_CASE("config values: a duration is written with the largest unit that divides it, and read back") {
  CHECK(format_duration(500ms) == "500ms");
  CHECK(format_duration(1500ms) == "1500ms");
  CHECK(format_duration(5s) == "5s");
  CHECK(format_duration(90s) == "90s");
  CHECK(format_duration(60s) == "1min");
  CHECK(format_duration(48h) == "2d");
  CHECK(format_duration(0ms) == "0ms");
  for (const auto span : {0ms, 1ms, 999ms, 61'000ms, 7'200'000ms}) {
    CHECK(parse_duration(format_duration(span)) == span);
  }
}

TEST_CASE("config values: a size is bytes, or KiB, MiB, GiB") {
  CHECK(parse_size("4096") == 4096);
  CHECK(parse_size("64KiB") == 65'536);
  CHECK(parse_size("1MiB") == 1'048'576);
  CHECK(parse_size("2GiB") == 2'147'483'648);
  for (const char* const text : {"", "-1", "1kB", "1M", "1 MiB", "MiB", "1.5MiB", "9999999999GiB"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_size(text).has_value());
  }
  CHECK(format_size(0) == "0");
  CHECK(format_size(1000) == "1000");
  CHECK(format_size(65'536) == "64KiB");
}

TEST_CASE("config values: the nearest word is the one with the fewest slips") {
  CHECK(nearest("prot", {"host", "port"}) == "port");
  CHECK(nearest("match_timout", {"handler_timeout", "match_timeout"}) == "match_timeout");
  CHECK_FALSE(nearest("zebra", {"host", "port"}).has_value());
  CHECK_FALSE(nearest("", {"a"}).has_value());
  CHECK_FALSE(nearest("x", {"y"}).has_value());
  CHECK_FALSE(nearest(std::string(100'000, 'a'), {"a"}).has_value());
}

TEST_CASE("config values: names have the characters of M-2") {
  for (const char* const id : {"intent", "timer.parley", "a-b_c.9"}) CHECK(parley::is_id(id));
  for (const char* const id : {"", ".", ".a", "a.", "a..b", "a:b", "a b", "ä"})
    CHECK_FALSE(parley::is_id(id));
}

TEST_CASE("config values: what is quoted in a report is one short line of UTF-8") {
  CHECK(parley::in_quotes("a\nb\x01\xff") == R"('a?b?)"
                                             "?'");
  const std::string shown = parley::in_quotes(std::string(59, 'a') + "ääää");
  CHECK(shown == "'" + std::string(59, 'a') + "…'");
  CHECK_FALSE(parley::config::find_bad_text(shown).has_value());
}
