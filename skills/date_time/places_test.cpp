#include "places.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <parley/zone.hpp>
#include <set>
#include <string>
#include <utility>

using parley::Zone;
using parley::date_time::Places;

namespace {

Places& places() {
  static Places known(std::filesystem::path(PARLEY_DATE_TIME_DATA) / "places");
  return known;
}

std::string zone(const char* name) {
  const auto place = places().find(name, "en-US");
  return place ? place->zone : "unknown";
}

std::string where(const char* name, const char* language) {
  const auto place = places().find(name, language);
  return place ? places().where(*place, language) : "unknown";
}

// What a folder with these files is refused for, when a place is asked for that none of them has.
std::string complaint(const std::string& english, const std::string& french = "") {
  const auto folder =
      std::filesystem::temp_directory_path() / ("parley_places_test_" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "en.txt") << english;
  std::ofstream(folder / "fr.txt") << french;
  std::string problem = "none";
  try {
    Places broken(folder);
    broken.find("atlantis", "fr-FR");
  } catch (const std::runtime_error& failure) {
    problem = std::string(failure.what()).substr(folder.string().size());
  }
  std::filesystem::remove_all(folder);
  return problem;
}

}  // namespace

TEST_CASE("places: cities by their English and German names") {
  const std::pair<const char*, const char*> expected[] = {{"tokyo", "Asia/Tokyo"},
                                                          {"Tokio", "Asia/Tokyo"},
                                                          {"New York", "America/New_York"},
                                                          {"new york city", "America/New_York"},
                                                          {"München", "Europe/Berlin"},
                                                          {"muenchen", "Europe/Berlin"},
                                                          {"munchen", "Europe/Berlin"},
                                                          {"MUNICH", "Europe/Berlin"},
                                                          {"Köln", "Europe/Berlin"},
                                                          {"koeln", "Europe/Berlin"},
                                                          {"rio", "America/Sao_Paulo"},
                                                          {"peking", "Asia/Shanghai"},
                                                          {"mumbai", "Asia/Kolkata"},
                                                          {"san francisco", "America/Los_Angeles"},
                                                          {"the hague", "Europe/Amsterdam"},
                                                          {"st. petersburg", "Europe/Moscow"},
                                                          {"sankt petersburg", "Europe/Moscow"},
                                                          {"Łódź", "Europe/Warsaw"},
                                                          {"washington d.c.", "America/New_York"},
                                                          {"xi'an", "Asia/Shanghai"}};
  for (const auto& row : expected) CHECK_MESSAGE(zone(row.first) == row.second, std::string(row.first));
}

TEST_CASE("places: cities that only the time zone data names") {
  for (const char* name : {"addis ababa", "Addis Abeba", "ushuaia", "kuala lumpur", "reykjavik", "Reykjavík",
                           "yerevan", "Eriwan", "port au prince", "st johns", "St. John's"}) {
    CHECK_MESSAGE(zone(name) != "unknown", std::string(name));
  }
}

TEST_CASE("places: countries with one time, in both languages") {
  const std::pair<const char*, const char*> expected[] = {
      {"japan", "Asia/Tokyo"},          {"france", "Europe/Paris"},
      {"Frankreich", "Europe/Paris"},   {"germany", "Europe/Berlin"},
      {"deutschland", "Europe/Berlin"}, {"österreich", "Europe/Vienna"},
      {"oesterreich", "Europe/Vienna"}, {"the netherlands", "Europe/Amsterdam"},
      {"der Schweiz", "Europe/Zurich"}, {"uk", "Europe/London"},
      {"kenya", "Africa/Nairobi"},      {"Neuseeland", "Pacific/Auckland"}};
  for (const auto& row : expected) CHECK_MESSAGE(zone(row.first) == row.second, std::string(row.first));
}

TEST_CASE("places: a country with several times is told by its main city's, and says so") {
  CHECK(where("the united states", "en-US") == "In Washington");
  CHECK(where("den usa", "de-DE") == "In Washington");
  CHECK(where("russia", "en-US") == "In Moscow");
  CHECK(where("australien", "de-DE") == "In Sydney");
}

TEST_CASE("places: a city with its country or state") {
  CHECK(zone("paris france") == "Europe/Paris");
  CHECK(zone("Austin, Texas") == "America/Chicago");
  CHECK(zone("portland oregon") == "America/Los_Angeles");
  CHECK(zone("portland maine") == "America/New_York");
  CHECK(zone("houston usa") == "America/Chicago");
  CHECK(zone("el paso texas") == "America/Denver");
  CHECK(where("punta gorda florida", "en-US") == "In Florida");
}

TEST_CASE("places: named time zones, universal time and here") {
  CHECK(zone("utc") == "UTC");
  CHECK(zone("GMT") == "Etc/GMT");
  CHECK(zone("the eastern time zone") == "America/New_York");
  CHECK(zone("pst") == "America/Los_Angeles");
  CHECK(zone("MEZ") == "Europe/Berlin");
  for (const char* name : {"here", "hier", "bei mir", "Here!"}) {
    const auto place = places().find(name, "en-US");
    REQUIRE_MESSAGE(place, std::string(name));
    CHECK(place->is_here());
  }
}

TEST_CASE("places: the name is spoken in the language of the answer, with the right preposition") {
  CHECK(where("tokio", "en-US") == "In Tokyo");
  CHECK(where("tokyo", "de-DE") == "In Tokio");
  CHECK(where("netherlands", "en-GB") == "In the Netherlands");
  CHECK(where("niederlande", "de-AT") == "In den Niederlanden");
  CHECK(where("hawaii", "de-DE") == "Auf Hawaii");
  CHECK(where("iran", "de-DE") == "Im Iran");
  CHECK(where("easter island", "en-US") == "On Easter Island");
  CHECK(where("reykjavik", "de-DE") == "In Reykjavík");
}

TEST_CASE("places: French, Spanish and Portuguese names, with what stands before them") {
  CHECK(where("tokyo", "fr-FR") == "À Tokyo");
  CHECK(where("Japon", "fr-FR") == "Au Japon");
  CHECK(where("pays-bas", "fr-FR") == "Aux Pays-Bas");
  CHECK(where("l'île Maurice", "fr-FR") == "À l'île Maurice");
  CHECK(where("l’Inde", "fr-FR") == "En Inde");
  CHECK(where("le caire", "fr-FR") == "Au Caire");
  CHECK(where("états-unis", "fr-FR") == "À Washington");
  CHECK(where("Austin, Texas", "fr-FR") == "À Austin");
  CHECK(where("Punta Gorda, Floride", "fr-FR") == "En Floride");
  CHECK(where("suède", "fr-FR") == "En Suède");
  CHECK(where("tokio", "es-ES") == "En Tokio");
  CHECK(where("maldivas", "es-ES") == "En las Maldivas");
  CHECK(where("el salvador", "es-ES") == "En El Salvador");
  CHECK(where("japão", "pt-PT") == "No Japão");
  CHECK(where("Nova Iorque", "pt-PT") == "Em Nova Iorque");
  CHECK(where("moscou", "pt-BR") == "Em Moscovo");
  CHECK(where("vietnã", "pt-BR") == "No Vietname");
}

TEST_CASE("places: a name of several places is that of the asker's language") {
  const auto zone_for = [](const char* name, const char* language) {
    const auto place = places().find(name, language);
    return place ? place->zone : "unknown";
  };
  CHECK(zone_for("Georgia", "en-US") == "America/New_York");
  CHECK(zone_for("Georgia", "es-ES") == "Asia/Tbilisi");
  CHECK(zone_for("Géorgie", "fr-FR") == "Asia/Tbilisi");
  CHECK(zone_for("Granada", "es-ES") == "Europe/Madrid");
  CHECK(zone_for("Salvador", "pt-PT") == "America/Bahia");
  CHECK(zone_for("Salvador", "fr-FR") == "America/El_Salvador");
}

TEST_CASE("places: a place is spoken of in another language than it was asked for in") {
  const auto tokyo = places().find("tokio", "de-DE");
  REQUIRE(tokyo);
  CHECK(places().where(*tokyo, "en-US") == "In Tokyo");
  CHECK(places().where(*tokyo, "pt-PT") == "Em Tóquio");
  CHECK(places().where(*tokyo, "xx-XX") == "In Tokyo");
}

TEST_CASE("places: the files of other languages name places that exist") {
  for (const char* language : {"de", "fr", "es", "pt"}) {
    std::ifstream file(std::filesystem::path(PARLEY_DATE_TIME_DATA) / "places" /
                       (std::string(language) + ".txt"));
    int count = 0;
    for (std::string line; std::getline(file, line);) {
      if (line.empty() || line.front() == '#' || line.front() == '-') continue;
      const std::string english = line.substr(0, line.find(';'));
      const auto place = places().find(english, "en-US");
      REQUIRE_MESSAGE(place, (language + (": " + english)));
      // Its own name, but for the first letter (two bytes of "à"): the line reached the place.
      auto spoken = line.substr(line.find(';') + 2);
      spoken.erase(std::min(spoken.find(','), spoken.size()));
      CHECK_MESSAGE(places().where(*place, language).ends_with(spoken.substr(2)), line);
      ++count;
    }
    CHECK(count > 100);
  }
}

TEST_CASE("places: what English speaks of with an article has a name in every language") {
  std::ifstream file(std::filesystem::path(PARLEY_DATE_TIME_DATA) / "places/en.txt");
  for (std::string line; std::getline(file, line);) {
    if (line.find("; the ") == line.npos || line.front() == '#' || line.front() == '-') continue;
    auto name = line.substr(line.find(';') + 2);
    name.erase(std::min(name.find_first_of(",;"), name.size()));
    const auto place = places().find(name, "en-US");
    REQUIRE_MESSAGE(place, line);
    for (const char* language : {"de", "fr", "es", "pt"}) {
      const auto spoken = places().where(*place, language);
      CHECK_MESSAGE(spoken.find(" the ") == spoken.npos, spoken);
    }
  }
}

TEST_CASE("places: what is no place is unknown") {
  for (const char* name :
       {"", " ", "?!", "atlantis", "the", "in", "flurb", "new england town", "new", "tokyo london",
        "\xFF\xFE", "the the the", "mars", "東京都庁の隣", "\xF0\x9F\x98\x80"}) {
    CHECK_MESSAGE(!places().find(name, "en-US"), std::string(name));
  }
  CHECK(!places().find(std::string(100000, 'a'), "en-US"));
  CHECK(!places().find(std::string(3000, ' ') + "x", "de-DE"));
}

TEST_CASE("places: every zone of the file exists") {
  std::ifstream file(std::filesystem::path(PARLEY_DATE_TIME_DATA) / "places/en.txt");
  std::set<std::string> seen;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line.front() == '#' || line.front() == '-') continue;
    const std::string id = line.substr(0, line.find(';'));
    if (seen.insert(id).second) CHECK_MESSAGE(Zone::named(id), std::string(id));
  }
  CHECK(seen.size() > 100);
}

TEST_CASE("places: a broken file is refused with its line") {
  CHECK(complaint("# fine\nEurope/Berlin; Bonn\n-; in; city\n", "Bonn; Bonn la belle\n") == "none");
  CHECK(complaint("Europe/Berlin\n") == "/en.txt:1: expected 'zone; names; kind'");
  CHECK(complaint("\n\nEurope/Berlin; Bonn; village\n") ==
        "/en.txt:3: unknown kind 'village'; expected region, country, or degrees such as 41.39 2.17");
  CHECK(complaint("Europe/Berlin; ,\n") == "/en.txt:1: a name is missing");
  CHECK(complaint("Europe/Berlin; Bonn\n", "\nBonn; Bonn; region\n") ==
        "/fr.txt:2: expected 'English name; names'");
  CHECK(complaint("-; ; prefix\n") == "/en.txt:1: expected '-; words; what they are'");
  CHECK(complaint("-; in; suffix\n") ==
        "/en.txt:1: 'suffix' is unknown; expected prefix, here, city, region, preposition, saint, other or "
        "icu");
  CHECK_THROWS_WITH(Places("/nowhere"),
                    "/nowhere/en.txt: can't be read: No such file or directory; it belongs to the skill");
}
