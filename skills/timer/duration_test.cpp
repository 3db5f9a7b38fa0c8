#include "duration.hpp"

#include <doctest/doctest.h>

#include <map>
#include <memory>
#include <string>

using namespace std::chrono_literals;
using parley::timer::DurationReader;
using parley::timer::Spoken;

namespace {

const DurationReader& reader(const std::string& lang) {
  static std::map<std::string, std::unique_ptr<DurationReader>> readers;
  auto& known = readers[lang];
  if (!known) {
    parley::LocaleFolders folders;
    folders.skill = PARLEY_TIMER_FOLDER;
    known = std::make_unique<DurationReader>(parley::LocaleResources(folders), lang);
  }
  return *known;
}

/// "600", "600 pasta", "- pasta": the seconds, and the rest.
std::string shown(const Spoken& spoken) {
  std::string text = spoken.duration ? std::to_string(spoken.duration->count()) : "-";
  if (!spoken.rest.empty()) text += " " + spoken.rest;
  return text;
}
std::string english(const std::string& text) {
  return shown(reader("en-US").read(text));
}
std::string german(const std::string& text) {
  return shown(reader("de-DE").read(text));
}

}  // namespace

TEST_CASE("duration: English words and digits") {
  CHECK(english("ten minutes") == "600");
  CHECK(english("10 minutes") == "600");
  CHECK(english("twenty-five seconds") == "25");
  CHECK(english("a minute") == "60");
  CHECK(english("an hour") == "3600");
  CHECK(english("one hundred and twenty minutes") == "7200");
  CHECK(english("a hundred seconds") == "100");
  CHECK(english("two days") == "172800");
  CHECK(english("a couple of minutes") == "120");
  CHECK(english("ten-minute") == "600");
  CHECK(english("TEN MINUTES!") == "600");
}

TEST_CASE("duration: English fractions") {
  CHECK(english("half an hour") == "1800");
  CHECK(english("a half hour") == "1800");
  CHECK(english("an hour and a half") == "5400");
  CHECK(english("two hours and a half") == "9000");
  CHECK(english("one and a half hours") == "5400");
  CHECK(english("two and a half minutes") == "150");
  CHECK(english("a minute and a half") == "90");
  CHECK(english("a quarter of an hour") == "900");
  CHECK(english("three quarters of an hour") == "2700");
  CHECK(english("quarter hour") == "900");
  CHECK(english("half a minute") == "30");
  CHECK(english("1.5 hours") == "5400");
  CHECK(english("two point five minutes") == "150");
}

TEST_CASE("duration: several units, from large to small") {
  CHECK(english("an hour and ten minutes") == "4200");
  CHECK(english("one hour, ten minutes and five seconds") == "4205");
  CHECK(english("an hour twenty") == "4800");
  CHECK(english("a minute thirty") == "90");
  CHECK(english("1h30") == "5400");
  CHECK(english("1h 30m 15s") == "5415");
  CHECK(english("1h30m") == "5400");
  CHECK(english("90s") == "90");
  CHECK(english("2.5h") == "9000");
  CHECK(english("an hour and a half minute") == "3630");
  // A correction is not a sum.
  CHECK(english("five minutes ten minutes") == "300 ten minutes");
}

TEST_CASE("duration: German words, compounds and digits") {
  CHECK(german("zehn Minuten") == "600");
  CHECK(german("eine Minute") == "60");
  CHECK(german("fünfundzwanzig Sekunden") == "25");
  CHECK(german("einer Stunde") == "3600");
  CHECK(german("hundertzwanzig Minuten") == "7200");
  CHECK(german("10-Minuten") == "600");
  CHECK(german("zehnminütigen") == "600");
  CHECK(german("10min") == "600");
  CHECK(german("1 Std 20 Min") == "4800");
  CHECK(german("eine Stunde und zwanzig Minuten") == "4800");
  CHECK(german("eine Stunde zwanzig") == "4800");
}

TEST_CASE("duration: German fractions") {
  CHECK(german("eine halbe Stunde") == "1800");
  CHECK(german("halbe Stunde") == "1800");
  CHECK(german("eineinhalb Stunden") == "5400");
  CHECK(german("anderthalb Stunden") == "5400");
  CHECK(german("zweieinhalb Minuten") == "150");
  CHECK(german("eine Viertelstunde") == "900");
  CHECK(german("eine Dreiviertelstunde") == "2700");
  CHECK(german("drei viertel Stunden") == "2700");
  CHECK(german("eine dreiviertel Stunde") == "2700");
  CHECK(german("2,5 Stunden") == "9000");
  CHECK(german("zwei Komma fünf Minuten") == "150");
  CHECK(german("zwei Stunden und eine halbe") == "9000");
}

TEST_CASE("duration: French, Spanish and Portuguese") {
  const auto french = [](const std::string& text) { return shown(reader("fr-FR").read(text)); };
  CHECK(french("dix minutes") == "600");
  CHECK(french("d'une heure et demie") == "5400");
  CHECK(french("un quart d’heure pour les pâtes") == "900 pâtes");
  CHECK(french("trois quarts d'heure") == "2700");
  CHECK(french("une demi-heure") == "1800");
  CHECK(french("quatre-vingt-dix secondes") == "90");
  CHECK(french("1h30") == "5400");
  const auto spanish = [](const std::string& text) { return shown(reader("es-ES").read(text)); };
  CHECK(spanish("veinticinco minutos") == "1500");
  CHECK(spanish("hora y media") == "5400");
  CHECK(spanish("una hora y cuarto") == "4500");
  CHECK(spanish("media hora para la pasta") == "1800 pasta");
  CHECK(spanish("tres cuartos de hora") == "2700");
  const auto portuguese = [](const std::string& text) { return shown(reader("pt-PT").read(text)); };
  CHECK(portuguese("trinta e cinco minutos") == "2100");
  CHECK(portuguese("hora e meia") == "5400");
  CHECK(portuguese("uma hora e um quarto") == "4500");
  CHECK(portuguese("meia hora para a massa") == "1800 massa");
  CHECK(portuguese("três quartos de hora") == "2700");
}

TEST_CASE("duration: what is said without a count is one") {
  CHECK(english("hour and a half") == "5400");
  CHECK(english("three quarter hour") == "2700");
  CHECK(german("Dreiviertelstunde für den Kuchen") == "2700 Kuchen");
}

TEST_CASE("duration: what else is said is what the timer is for") {
  CHECK(english("ten minute pasta") == "600 pasta");
  CHECK(english("ten minutes for the green eggs please") == "600 green eggs");
  CHECK(english("for the pasta for ten minutes") == "600 pasta");
  CHECK(english("pasta") == "- pasta");
  CHECK(english("my Pasta") == "- Pasta");
  CHECK(english("7 dwarfs") == "- 7 dwarfs");
  CHECK(english("second") == "- second");
  CHECK(english("hour") == "3600");
  CHECK(german("zehn Minuten für die Nudeln") == "600 Nudeln");
  CHECK(german("Eier bitte") == "- Eier");
}

TEST_CASE("duration: nothing, no time at all and endless text give none") {
  CHECK(english("") == "-");
  CHECK(english("and") == "-");
  CHECK(english("zero minutes") == "- zero minutes");
  CHECK(english("for a while") == "- while");
  std::string endless;
  for (int i = 0; i < 100'000; ++i) endless += "and a half ";
  CHECK_FALSE(reader("en-US").read(endless).duration);
}

TEST_CASE("duration: one beyond all bounds is cut, not wrapped") {
  CHECK(reader("en-US").read("999999999999999 days").duration == std::chrono::hours(24 * 1000));
}

TEST_CASE("duration: a number alone is minutes only as an answer") {
  CHECK(english("five") == "- five");
  CHECK(shown(reader("en-US").read_answer("five")) == "300");
  CHECK(shown(reader("en-US").read_answer("five seconds")) == "5");
  CHECK(shown(reader("de-DE").read_answer("zwölf bitte")) == "720");
  CHECK(shown(reader("en-US").read_answer("what")) == "- what");
}

TEST_CASE("duration: several timers said at once") {
  const auto all = [](const std::string& text, const std::string& lang) {
    std::string line;
    for (const Spoken& one : reader(lang).read_all(text)) line += (line.empty() ? "" : "; ") + shown(one);
    return line;
  };
  CHECK(all("three minutes and one for seven", "en-US") == "180; 420");
  CHECK(all("3 minutes and a tea timer for 5", "en-US") == "180; 300 tea");
  CHECK(all("3 minutes and one for 5 minutes and another one for ten", "en-US") == "180; 300; 600");
  CHECK(all("an hour and ten minutes", "en-US") == "4200");
  CHECK(all("ten minutes for the pasta and the sauce", "en-US") == "600 pasta and the sauce");
  CHECK(all("drei Minuten und einen auf sieben", "de-DE") == "180; 420");
  CHECK(all("trois minutes et un de sept", "fr-FR") == "180; 420");
  CHECK(all("five", "en-US") == "300");
  CHECK(all("", "en-US") == "-");
  CHECK(reader("en-US").read_all("three minutes and one for minus seven").back().negative);
  const auto two = [](const std::string& first, const std::string& second) {
    const auto both = reader("en-US").read_two(first, second);
    return shown(both.front()) + "; " + shown(both.back());
  };
  CHECK(two("5", "10 seconds") == "5; 10");
  CHECK(two("5 minutes", "10") == "300; 600");
  CHECK(two("an hour", "half an hour") == "3600; 1800");
  const auto many = [](const std::string& text, const std::string& lang) {
    std::string line;
    for (const Spoken& one : reader(lang).read_many(text)) line += (line.empty() ? "" : "; ") + shown(one);
    return line;
  };
  CHECK(many("5, 10 and 15 minutes", "en-US") == "300; 600; 900");
  CHECK(many("5 minutes, 10 minutes, and one for an hour", "en-US") == "300; 600; 3600");
  CHECK(many("5, 10 and 30", "en-US") == "300; 600; 1800");
  CHECK(many("20 seconds, 5 and 10 minutes", "en-US") == "20; 300; 600");
  CHECK(many("5, 10 und 15 Minuten", "de-DE") == "300; 600; 900");
  CHECK(many("5, 10 et 15 minutes", "fr-FR") == "300; 600; 900");
  CHECK(many("5, 10 y 15 minutos", "es-ES") == "300; 600; 900");
  CHECK(many("5, 10 e 15 minutos", "pt-PT") == "300; 600; 900");
  CHECK(many("", "en-US") == "-");
}

TEST_CASE("duration: what a timer is for, in one word with it") {
  CHECK(reader("de-DE").compound_name("stell einen Nudeltimer auf zehn Minuten") == "Nudel");
  CHECK(reader("de-DE").compound_name("stell einen Timer") == "");
}

TEST_CASE("duration: another region's words are those of the language") {
  CHECK(shown(reader("en-GB").read("half an hour")) == "1800");
  CHECK(shown(reader("de-AT").read("eine Viertelstunde")) == "900");
}
