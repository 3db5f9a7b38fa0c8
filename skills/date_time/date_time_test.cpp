#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>

#include "knowledge.hpp"

using namespace std::chrono;
using parley::date_time::HourCycle;
using parley::date_time::Knowledge;
using parley::date_time::Language;

namespace {

Knowledge& knowledge() {
  static Knowledge known{std::filesystem::path(PARLEY_DATE_TIME_DATA)};
  return known;
}

std::string time(const char* tag, int hour, int minute, HourCycle cycle = HourCycle::kOfRegion) {
  const auto local = local_days(2026y / 11 / 21) + hours(hour) + minutes(minute) + seconds(59);
  return knowledge().tongue(tag).speech.time(local, cycle);
}

}  // namespace

TEST_CASE("speech: the time as people of the region say it") {
  CHECK(time("en-US", 10, 35) == "10:35 AM");
  CHECK(time("en-US", 22, 5) == "10:05 PM");
  CHECK(time("en-US", 0, 5) == "12:05 AM");
  CHECK(time("en-US", 10, 0) == "10 AM");
  CHECK(time("en-GB", 22, 5) == "22:05");
  CHECK(time("de-DE", 22, 35) == "22:35 Uhr");
  CHECK(time("de-DE", 9, 5) == "9:05 Uhr");
  CHECK(time("de-DE", 9, 0) == "9 Uhr");
  CHECK(time("de-DE", 0, 5) == "0:05 Uhr");
}

TEST_CASE("speech: either clock on demand") {
  CHECK(time("en-US", 22, 35, HourCycle::k24) == "22:35");
  CHECK(time("en-US", 22, 0, HourCycle::k24) == "22:00");
  CHECK(time("en-GB", 22, 35, HourCycle::k12) == "10:35 pm");
  CHECK(time("de-DE", 22, 35, HourCycle::k12) == "10:35 Uhr abends");
  CHECK(time("de-DE", 10, 0, HourCycle::k12) == "10 Uhr vormittags");
}

TEST_CASE("speech: noon and midnight have names, the minutes beside them do not") {
  CHECK(time("en-US", 12, 0) == "noon");
  CHECK(time("en-US", 0, 0) == "midnight");
  CHECK(time("en-US", 12, 1) == "12:01 PM");
  CHECK(time("en-US", 23, 59) == "11:59 PM");
  CHECK(time("de-DE", 12, 0) == "12 Uhr mittags");
  CHECK(time("de-DE", 0, 0) == "Mitternacht");
}

TEST_CASE("speech: dates and weekdays") {
  const local_days day(2026y / 11 / 21);
  const auto& english = knowledge().tongue("en-US").speech;
  const auto& german = knowledge().tongue("de-DE").speech;
  CHECK(english.date(day) == "Saturday, November 21, 2026");
  CHECK(german.date(day) == "Samstag, der 21. November 2026");
  CHECK(english.weekday(day) == "Saturday");
  CHECK(german.weekday(day) == "Samstag");
  CHECK(english.day(day, false) == "November 21");
  CHECK(german.day(day, true) == "21. November 2026");
  CHECK(english.date(local_days(1969y / 7 / 20)) == "Sunday, July 20, 1969");
  CHECK(knowledge().tongue("en-GB").speech.day(day, true) == "21 November 2026");
}

TEST_CASE("speech: how far away a day is") {
  const auto& english = knowledge().tongue("en-US").speech;
  CHECK(english.days_from_today(0) == "today");
  CHECK(english.days_from_today(1) == "tomorrow");
  CHECK(english.days_from_today(-1) == "yesterday");
  CHECK(english.days_from_today(34) == "in 34 days");
  CHECK(english.days_from_today(-34) == "34 days ago");
  const auto& german = knowledge().tongue("de-DE").speech;
  CHECK(german.days_from_today(2) == "übermorgen");
  CHECK(german.days_from_today(34) == "in 34 Tagen");
  CHECK(german.days_from_today(-34) == "vor 34 Tagen");
}

TEST_CASE("knowledge: from a question to the words of its answer") {
  const system_clock::time_point now = sys_days(2026y / 11 / 21) + hours(10) + minutes(35);
  const auto answer = [&](const char* tag, const char* name) {
    const auto place = knowledge().places().find(name, tag);
    REQUIRE_MESSAGE(place, name);
    const auto zone = knowledge().zone(place->zone);
    REQUIRE_MESSAGE(zone, place->zone);
    return knowledge().places().where(*place, tag) + ": " +
           knowledge().tongue(tag).speech.time(zone->local(now));
  };
  CHECK(answer("en-US", "tokyo") == "In Tokyo: 7:35 PM");
  CHECK(answer("de-DE", "tokio") == "In Tokio: 19:35 Uhr");
  CHECK(answer("en-US", "kathmandu") == "In Kathmandu: 4:20 PM");
  CHECK(answer("de-DE", "neu delhi") == "In Neu-Delhi: 16:05 Uhr");
  CHECK(answer("en-US", "new york") == "In New York: 5:35 AM");
}

TEST_CASE("knowledge: a language without a file is taken for English") {
  CHECK(knowledge().tongue("xx-XX").language.tag() == "en-US");
  CHECK(knowledge().tongue("../../etc").language.tag() == "en-US");
  CHECK(knowledge().tongue("").language.tag() == "en-US");
}

namespace {

namespace fs = std::filesystem;

std::set<std::string> slots_of(const std::string& phrase) {
  std::set<std::string> slots;
  for (auto open = phrase.find('{'); open != std::string::npos; open = phrase.find('{', open + 1)) {
    slots.insert(phrase.substr(open, phrase.find('}', open) + 1 - open));
  }
  return slots;
}

// File name → the slots that its phrases have, every phrase the same.
std::map<std::string, std::set<std::string>> dialogs(const char* language) {
  std::map<std::string, std::set<std::string>> found;
  for (const auto& entry : fs::directory_iterator(fs::path(PARLEY_DATE_TIME_LOCALE) / language)) {
    if (entry.path().extension() != ".dialog") continue;
    const std::string name = entry.path().filename().string();
    std::ifstream file(entry.path());
    for (std::string phrase; std::getline(file, phrase);) {
      const auto& slots = found.try_emplace(name, slots_of(phrase)).first->second;
      CHECK_MESSAGE(slots == slots_of(phrase), (name + ": " + phrase));
    }
    CHECK_MESSAGE(found.contains(name), name);
  }
  return found;
}

}  // namespace

TEST_CASE(
    "T-8 dialogs: all phrases of a file have the same slots, and both languages have the same dialogs") {
  const auto english = dialogs("en-US");
  CHECK(english.size() > 10);
  CHECK(english == dialogs("de-DE"));
}

TEST_CASE("speech: the words for a date") {
  const auto words = [](const char* tag, const char* text) {
    const auto date = knowledge().tongue(tag).find_date(text, local_days(2026y / 11 / 21));
    return date ? date->subject + " | " + date->until : "none";
  };
  CHECK(words("en-US", "xmas") == "Christmas | Christmas");
  CHECK(words("en-US", "christmas 2027") == "Christmas 2027 | Christmas 2027");
  CHECK(words("en-US", "december 24") == "December 24 | December 24");
  CHECK(words("en-US", "march 3") == "March 3, 2027 | March 3, 2027");
  CHECK(words("en-GB", "march 3") == "3 March 2027 | 3 March 2027");
  CHECK(words("en-US", "next friday") == "Friday | Friday");
  CHECK(words("de-DE", "valentinstag") == "Der Valentinstag | zum Valentinstag");
  CHECK(words("de-DE", "24. dezember") == "Der 24. Dezember | zum 24. Dezember");
  CHECK(words("de-DE", "freitag") == "Freitag | Freitag");
  CHECK(words("de-DE", "weihnachten") == "Weihnachten | Weihnachten");
}

TEST_CASE("language file: what is wrong is named with its line") {
  const auto folder =
      std::filesystem::temp_directory_path() / ("parley_languages_test_" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  const auto complaint = [&](const std::string& text) {
    std::ofstream(folder / "en.yaml") << text;
    try {
      const Language language(folder, "en-US");
    } catch (const std::runtime_error& problem) {
      return std::string(problem.what()).substr((folder / "en.yaml").string().size());
    }
    return std::string("none");
  };
  const std::string end = " 24h: { rules: [ { say: '{H:mm}' } ] } }\n";
  const std::string time = "time: { 12h: { rules: [ { say: '{h:mm}' } ] },\n" + end;
  CHECK(complaint(time) == "none");
  CHECK(complaint(time + "days: { Easter: { subject: [] } }\n").substr(0, 3) == ":3:");
  CHECK(complaint(time + "days: { Easter: {\n").substr(0, 1) == ":");
  CHECK(complaint("date: {}\n") == ":1: the section 'time' is missing");
  CHECK(complaint("time: {\n" + end) == ":1: 'time: { 12h: { rules: … } }' is missing");
  const auto rule = [&](const std::string& text) {
    return complaint("time: { 12h: {\n rules: [ " + text + " ] },\n" + end);
  };
  CHECK(rule("{ hour: 0, say: midnight }") == ":2: the last rule must fit every time: { say: … }");
  CHECK(rule("{ hour: 24, say: never }, { say: now }") == ":2: expected numbers from 0 to 23");
  CHECK(rule("{ minute: 0 }") == ":2: a rule needs what to say: { hour: 0, minute: 0, say: midnight }");
  CHECK(rule("{ say: '{hour}' }") == ":2: {hour} and {next} need a list 'hours' beside 'rules'");
  CHECK(rule("{ say: '{h' }") == ":2: '{h': a brace has no partner");
  CHECK(rule("{ say: '{}' }") == ":2: '{}': nothing stands between the braces");
  CHECK(complaint("time: { 12h: { rules: [ { say: now } ],\n hours: [one, two] },\n" + end) ==
        ":2: expected 12 or 24 hours, from midnight on; there are 2");
  CHECK(complaint("time: { usual: 13h, 12h: { rules: [ { say: now } ] },\n" + end) ==
        ":1: expected 12h or 24h; without it the region decides");
  CHECK_THROWS(Language(folder, "fr-FR"));
  std::filesystem::remove_all(folder);
}
