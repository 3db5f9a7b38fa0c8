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

TEST_CASE("speech: French tells the time in hours, by words") {
  CHECK(time("fr-FR", 15, 30) == "quinze heures trente");
  CHECK(time("fr-FR", 1, 0) == "une heure");
  CHECK(time("fr-FR", 21, 21) == "vingt et une heures vingt-et-une");
  CHECK(time("fr-FR", 12, 0) == "midi");
  CHECK(time("fr-FR", 12, 30) == "midi trente");
  CHECK(time("fr-FR", 0, 5) == "minuit cinq");
  CHECK(time("fr-FR", 15, 30, HourCycle::k12) == "trois heures et demie de l’après-midi");
  CHECK(time("fr-FR", 11, 45, HourCycle::k12) == "midi moins le quart");
  CHECK(time("fr-FR", 0, 30, HourCycle::k12) == "minuit et demi");
  CHECK(time("fr-FR", 8, 5, HourCycle::k12) == "huit heures cinq du matin");
}

TEST_CASE("speech: Spanish tells the time with its verb, quarters and the hour to come") {
  CHECK(time("es-ES", 15, 30) == "son las tres y media de la tarde");
  CHECK(time("es-ES", 13, 0) == "es la una de la tarde");
  CHECK(time("es-ES", 12, 45) == "es la una menos cuarto del mediodía");
  CHECK(time("es-ES", 23, 40) == "son las doce menos veinte de la noche");
  CHECK(time("es-ES", 9, 21) == "son las nueve y veintiuno de la mañana");
  CHECK(time("es-MX", 1, 15) == "es la una y cuarto de la madrugada");
  CHECK(time("es-ES", 12, 0) == "es mediodía");
  CHECK(time("es-ES", 0, 0) == "es medianoche");
  CHECK(time("es-ES", 22, 5, HourCycle::k24) == "son las veintidós y cinco");
  CHECK(time("es-ES", 22, 0, HourCycle::k24) == "son las veintidós horas");
  CHECK(time("es-ES", 1, 0, HourCycle::k24) == "es la una");
}

TEST_CASE("speech: Portuguese tells the time with its verb") {
  CHECK(time("pt-PT", 15, 30) == "são três e meia da tarde");
  CHECK(time("pt-PT", 13, 0) == "é uma da tarde");
  CHECK(time("pt-PT", 12, 0) == "é meio-dia");
  CHECK(time("pt-PT", 12, 30) == "é meio-dia e meia");
  CHECK(time("pt-PT", 0, 5) == "é meia-noite e cinco");
  CHECK(time("pt-PT", 21, 16) == "são nove e dezasseis da noite");
  CHECK(time("pt-PT", 15, 30, HourCycle::k24) == "são quinze e trinta");
  CHECK(time("pt-PT", 21, 0, HourCycle::k24) == "são vinte e uma horas");
  CHECK(time("pt-PT", 1, 0, HourCycle::k24) == "é uma hora");
}

TEST_CASE("speech: every minute of the day can be told on both clocks in every language") {
  for (const char* tag : {"en-US", "de-DE", "fr-FR", "es-ES", "pt-PT"}) {
    for (const auto cycle : {HourCycle::k12, HourCycle::k24}) {
      std::set<std::string> said;
      for (int minute = 0; minute < 24 * 60; ++minute) {
        const std::string text = time(tag, minute / 60, minute % 60, cycle);
        CHECK_MESSAGE(text.find_first_of("{}") == text.npos, text);
        CHECK_MESSAGE(said.insert(text).second, text);  // no two minutes are told alike
      }
    }
  }
}

TEST_CASE("speech: where a sentence begins with the time, it begins with a capital") {
  const auto alone = [](const char* tag, int hour) {
    return knowledge().tongue(tag).speech.time_alone(local_days(2026y / 11 / 21) + hours(hour));
  };
  CHECK(alone("es-ES", 15) == "Son las tres de la tarde");
  CHECK(alone("pt-PT", 13) == "É uma da tarde");
  CHECK(alone("fr-FR", 12) == "midi");
  CHECK(alone("en-US", 12) == "noon");
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
  const auto& french = knowledge().tongue("fr-FR").speech;
  CHECK(french.date(day) == "samedi 21 novembre 2026");
  CHECK(french.date(local_days(2027y / 1 / 1)) == "vendredi 1er janvier 2027");
  CHECK(french.day(local_days(2027y / 1 / 1), false) == "1er janvier");
  CHECK(knowledge().tongue("es-ES").speech.date(day) == "sábado 21 de noviembre de 2026");
  CHECK(knowledge().tongue("pt-PT").speech.day(day, true) == "21 de novembro de 2026");
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
  CHECK(knowledge().tongue("fr-FR").speech.days_from_today(-2) == "avant-hier");
  CHECK(knowledge().tongue("es-ES").speech.days_from_today(-34) == "hace 34 días");
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

TEST_CASE("T-8 dialogs: all phrases of a file have the same slots, and all languages have the same dialogs") {
  const auto english = dialogs("en-US");
  CHECK(english.size() > 10);
  for (const char* other : {"de-DE", "fr-FR", "es-ES", "pt-PT"})
    CHECK_MESSAGE(english == dialogs(other), other);
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
  CHECK(words("fr-FR", "la saint-valentin") == "La Saint-Valentin | la Saint-Valentin");
  CHECK(words("fr-FR", "l’épiphanie 2027") == "L'Épiphanie 2027 | l'Épiphanie 2027");
  CHECK(words("fr-FR", "24 décembre") == "Le 24 décembre | le 24 décembre");
  CHECK(words("es-ES", "viernes") == "El viernes | el viernes");
  CHECK(words("es-ES", "24 de diciembre") == "El 24 de diciembre | el 24 de diciembre");
  CHECK(words("pt-PT", "natal") == "O Natal | o Natal");
  CHECK(words("pt-PT", "sexta-feira") == "Sexta-feira | sexta-feira");
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
