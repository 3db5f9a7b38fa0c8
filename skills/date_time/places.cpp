#include "places.hpp"

#include <fmt/format.h>
#include <unicode/locid.h>
#include <unicode/strenum.h>
#include <unicode/timezone.h>
#include <unicode/tznames.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <memory>
#include <parley/files.hpp>
#include <parley/fold.hpp>
#include <parley/language.hpp>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "words.hpp"

namespace parley::date_time {
namespace {

namespace fs = std::filesystem;

constexpr const char* kEnglish = "en";

std::string trim(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(" \t\r") - first + 1));
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (true) {
    const auto end = text.find(separator);
    if (auto part = trim(text.substr(0, end)); !part.empty() || separator == ';') {
      parts.push_back(std::move(part));
    }
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

std::optional<Coordinates> coordinates_in(const std::string& text) {
  std::istringstream numbers(text);
  double lat = 0, lon = 0;
  if (!(numbers >> lat >> lon) || !numbers.eof() || std::abs(lat) > 90 || std::abs(lon) > 180)
    return std::nullopt;
  return Coordinates(lat, lon);
}

std::string plain_name(icu::UnicodeString text) {
  constexpr char16_t kSoftHyphen = 0xAD;
  text.findAndReplace(icu::UnicodeString(kSoftHyphen), icu::UnicodeString());
  std::string out;
  text.toUTF8String(out);
  return out;
}

}  // namespace

Places::Places(const fs::path& folder) {
  languages_.push_back(Language{kEnglish, folder / "en.txt", {}});
  std::error_code unreadable;  // en.txt says so
  for (const auto& file : fs::directory_iterator(folder, unreadable)) {
    const std::string tag = file.path().stem().string();
    if (file.path().extension() == ".txt" && tag != kEnglish)
      languages_.push_back(Language{tag, file.path(), {}});
  }
  std::sort(languages_.begin() + 1, languages_.end(),
            [](const Language& a, const Language& b) { return a.tag < b.tag; });
  read(languages_.front());
}

Places::Language& Places::language(std::string_view tag) {
  const std::string wanted = primary_language(tag);
  const auto found = std::ranges::find(languages_, wanted, &Language::tag);
  return found == languages_.end() ? languages_.front() : *found;
}

void Places::read(Language& language) {
  if (std::exchange(language.read, true)) return;
  const auto text = read_file(language.file, kLargestDataFile);
  if (!text) {
    throw std::runtime_error(
        fmt::format("{}: {}; it belongs to the skill", language.file.string(), text.error().message));
  }
  std::istringstream in(*text);
  std::string line;
  for (int number = 1; std::getline(in, line); ++number) {
    try {
      read_line(language, trim(line));
    } catch (const std::runtime_error& problem) {
      throw std::runtime_error(fmt::format("{}:{}: {}", language.file.string(), number, problem.what()));
    }
  }
}

void Places::read_line(Language& language, const std::string& line) {
  if (line.empty() || line.front() == '#') return;
  const auto fields = split(line, ';');
  if (fields.front() != "-") return read_place(language, fields);
  const auto words = split(fields.size() == 3 ? fields[1] : "", ',');
  if (words.empty()) throw std::runtime_error("expected '-; words; what they are'");
  if (fields[2] == "here") {
    entries_.push_back(Entry{"", "", Kind::kHere, false});
    language.names.add(words, entries_.size() - 1);
  } else if (!language.names.add_words(fields[2], words)) {
    throw std::runtime_error(fmt::format(
        "'{}' is unknown; expected prefix, here, city, region, preposition, saint, other or icu", fields[2]));
  }
}

void Places::read_place(Language& language, const std::vector<std::string>& fields) {
  const bool english = language.tag == kEnglish;
  if (fields.size() < 2 || fields.size() > (english ? 3 : 2) || fields[0].empty()) {
    throw std::runtime_error(english ? "expected 'zone; names; kind'" : "expected 'English name; names'");
  }
  auto names = split(fields[1], ',');
  if (names.empty()) throw std::runtime_error("a name is missing");
  if (!english) {
    const auto* const entry = languages_.front().names.find(text::fold(fields[0]));
    if (entry != nullptr && !entries_[*entry].of_icu) return language.names.add(names, *entry);
    return language.names.add_for_icu(fields[0], std::move(names));
  }
  constexpr std::array<std::string_view, 3> kKinds{"", "region", "country"};
  const std::string third = fields.size() == 3 ? fields[2] : "";
  const auto at = coordinates_in(third);
  const auto* const kind = std::ranges::find(kKinds, at ? "" : third);
  if (kind == kKinds.end()) {
    throw std::runtime_error(
        fmt::format("unknown kind '{}'; expected region, country, or degrees such as 41.39 2.17", third));
  }
  entries_.push_back(Entry{fields[0], "", static_cast<Kind>(kind - kKinds.begin()), false, at});
  language.names.add(names, entries_.size() - 1);
}

void Places::find_icu_entries() {
  if (std::exchange(icu_entries_found_, true)) return;
  UErrorCode status = U_ZERO_ERROR;
  const std::unique_ptr<icu::StringEnumeration> zones(icu::TimeZone::createTimeZoneIDEnumeration(
      UCAL_ZONE_TYPE_CANONICAL_LOCATION, nullptr, nullptr, status));
  first_icu_entry_ = entries_.size();
  if (U_FAILURE(status) != 0) return;
  std::map<std::string, std::vector<std::string>> zones_of;
  while (const icu::UnicodeString* id = zones->snext(status)) {
    entries_.push_back(Entry{plain_name(*id), "", Kind::kCity, true});
    std::array<char, 8> region{};
    icu::TimeZone::getRegion(*id, region.data(), region.size(), status);
    zones_of[region.data()].push_back(entries_.back().zone);
  }
  for (const auto& [code, its_zones] : zones_of) {
    if (its_zones.size() != 1) continue;  // the file has those
    entries_.push_back(Entry{its_zones.front(), code, Kind::kRegion, true});
  }
}

void Places::read_icu(Language& language) {
  if (std::exchange(language.icu_read, true)) return;
  find_icu_entries();
  auto locales = language.names.icu_locales();
  if (locales.empty()) locales.push_back(language.tag);
  locales.insert(locales.begin(), kEnglish);
  std::vector<std::unique_ptr<icu::TimeZoneNames>> cities;
  cities.reserve(locales.size());
  UErrorCode status = U_ZERO_ERROR;
  for (const auto& locale : locales) {
    cities.emplace_back(
        icu::TimeZoneNames::createInstance(icu::Locale::forLanguageTag(locale, status), status));
  }
  if (U_FAILURE(status) != 0) return;
  const auto name = [&](const Entry& entry, std::size_t locale) {
    icu::UnicodeString out;
    if (entry.region.empty()) {
      cities[locale]->getExemplarLocationName(icu::UnicodeString::fromUTF8(entry.zone), out);
    } else {
      icu::Locale("", entry.region.c_str()).getDisplayCountry(icu::Locale(locales[locale].c_str()), out);
    }
    return plain_name(out);
  };
  for (std::size_t i = first_icu_entry_; i < entries_.size() && entries_[i].of_icu; ++i) {
    const std::string english = name(entries_[i], 0);
    for (std::size_t locale = 1; locale < locales.size(); ++locale) {
      language.names.add_of_icu(english, name(entries_[i], locale), i);
    }
  }
}

const Places::Entry* Places::look_up(std::string_view name, const Search& search) const {
  for (const PlaceNames* names : search) {
    for (const auto& key : names->keys(name)) {
      if (const auto* const entry = names->find(key)) return &entries_[*entry];
    }
  }
  return nullptr;
}

// "austin texas", "portland maine", "punta gorda florida": the last words say where, and where one time
// holds they settle it. "new england" is not in England.
const Places::Entry* Places::look_up_with_region(const std::string& key, const Search& search,
                                                 bool city_needed) const {
  constexpr int kMostWords = 12;
  if (std::ranges::count(key, ' ') >= kMostWords) return nullptr;
  for (auto space = key.find(' '); space != std::string::npos; space = key.find(' ', space + 1)) {
    const Entry* region = look_up(key.substr(space + 1), search);
    if (region == nullptr || (region->kind != Kind::kRegion && region->kind != Kind::kCountry)) continue;
    const std::string before = key.substr(0, space);
    const Entry* city = look_up(before, search);
    if (city != nullptr && (region->kind == Kind::kCountry || city->zone == region->zone)) return city;
    const auto other = [&before](const PlaceNames* names) { return names->makes_another(before); };
    if (city_needed || region->kind == Kind::kCountry || std::ranges::any_of(search, other)) return nullptr;
    return region;
  }
  return nullptr;
}

std::optional<Place> Places::find(std::string_view name, std::string_view lang) {
  if (text::fold(name).empty()) return std::nullopt;
  std::vector<Language*> order{&language(lang)};
  for (Language& other : languages_) {
    if (&other != order.front()) order.push_back(&other);
  }
  Search search;
  const auto found = [&](bool city_needed) -> std::optional<Place> {
    const Entry* entry = look_up(name, search);
    const auto bare = entry == nullptr ? search.front()->keys(name).back() : std::string();
    if (entry == nullptr) entry = look_up_with_region(bare, search, city_needed);
    if (entry == nullptr) return std::nullopt;
    return Place{entry->zone, static_cast<std::size_t>(entry - entries_.data()),
                 entry->of_icu && entry->region.empty(), entry->at};
  };
  for (Language* each : order) {
    read(*each);
    search.push_back(&each->names);
    if (auto place = found(true)) return place;
    read_icu(*each);
    if (auto place = found(true)) return place;
  }
  return found(false);  // a city that nobody knows, of a region
}

std::string Places::where(const Place& place, std::string_view lang) {
  Language& speaking = language(lang);
  Language& english = languages_.front();
  const Entry& entry = entries_[place.entry];
  const bool city = entry.kind != Kind::kRegion;
  for (Language* each : {&speaking, &english}) {
    read(*each);
    if (entry.of_icu) read_icu(*each);
  }
  std::string said = speaking.names.where(place.entry, city);
  if (said.empty()) said = speaking.names.where(english.names.name(place.entry), city);
  return begin_sentence(said);
}

}  // namespace parley::date_time
