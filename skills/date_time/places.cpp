#include "places.hpp"

#include <fmt/format.h>
#include <unicode/locid.h>
#include <unicode/strenum.h>
#include <unicode/timezone.h>
#include <unicode/tznames.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <memory>
#include <parley/fold.hpp>
#include <stdexcept>
#include <utility>

namespace parley::date_time {
namespace {

constexpr std::array kColumns{"en", "de"};
constexpr std::array<std::string_view, 4> kOtherPrepositions{"on ", "at ", "auf ", "an "};
constexpr std::array<std::string_view, 2> kContracted{"im ", "am "};

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

std::string spoken_name(icu::UnicodeString text) {
  constexpr char16_t kSoftHyphen = 0xAD;
  text.findAndReplace(icu::UnicodeString(kSoftHyphen), icu::UnicodeString());
  std::string out;
  text.toUTF8String(out);
  return out;
}

bool starts_with_any(std::string_view text, const auto& beginnings) {
  return std::ranges::any_of(beginnings, [text](std::string_view word) { return text.starts_with(word); });
}

}  // namespace

Places::Places(const std::filesystem::path& file) {
  std::ifstream in(file);
  if (!in) {
    throw std::runtime_error(fmt::format("{}: can't be read; it belongs to the skill", file.string()));
  }
  std::string line;
  for (int number = 1; std::getline(in, line); ++number) {
    try {
      read_line(trim(line));
    } catch (const std::runtime_error& problem) {
      throw std::runtime_error(fmt::format("{}:{}: {}", file.string(), number, problem.what()));
    }
  }
  std::ranges::sort(prefixes_, [](const auto& a, const auto& b) { return a.size() > b.size(); });
}

void Places::read_line(const std::string& line) {
  if (line.empty() || line.front() == '#') return;
  constexpr std::array<std::string_view, 5> kKinds{"", "region", "country", "here", "prefix"};
  const auto fields = split(line, ';');
  if (fields.size() < 3 || fields.size() > 4 || fields[0].empty() || fields[1].empty()) {
    throw std::runtime_error("expected 'zone; English names; German names; kind'");
  }
  const auto* const kind = std::ranges::find(kKinds, fields.size() == 4 ? fields[3] : "");
  if (kind == kKinds.end()) {
    throw std::runtime_error(
        fmt::format("unknown kind '{}'; expected region, country, here, prefix or none", fields[3]));
  }
  Entry entry;
  entry.kind = static_cast<Kind>(kind - kKinds.begin());
  const std::array names{split(fields[1], ','), split(fields[2].empty() ? fields[1] : fields[2], ',')};
  if (names[0].empty() || names[1].empty()) throw std::runtime_error("a name is missing");
  if (entry.kind == Kind::kPrefix) {
    for (const auto& words : names) {
      for (const auto& word : words) prefixes_.push_back(text::fold(word) + ' ');
    }
    return;
  }
  if (entry.kind != Kind::kHere) entry.zone = fields[0];
  for (std::size_t i = 0; i < kLanguages; ++i) entry.spoken[i] = names[i].front();
  entries_.push_back(std::move(entry));
  for (const auto& list : names) add_names(list, entries_.size() - 1);
}

void Places::add_names(const std::vector<std::string>& names, std::size_t entry) {
  for (const auto& name : names) add(name, entry);
}

void Places::add(std::string_view name, std::size_t entry) {
  by_name_.try_emplace(text::fold(name), entry);
  by_name_.try_emplace(key(name), entry);
}

void Places::read_zone_names() {
  zone_names_read_ = true;
  UErrorCode status = U_ZERO_ERROR;
  std::array<std::unique_ptr<icu::TimeZoneNames>, kLanguages> names;
  for (std::size_t i = 0; i < kLanguages; ++i) {
    names[i].reset(icu::TimeZoneNames::createInstance(icu::Locale(kColumns[i]), status));
  }
  const std::unique_ptr<icu::StringEnumeration> zones(icu::TimeZone::createTimeZoneIDEnumeration(
      UCAL_ZONE_TYPE_CANONICAL_LOCATION, nullptr, nullptr, status));
  if (U_FAILURE(status) != 0) return;
  std::unordered_map<std::string, std::vector<std::string>> zones_of;
  while (const icu::UnicodeString* id = zones->snext(status)) {
    Entry entry;
    entry.zone = spoken_name(*id);
    for (std::size_t i = 0; i < kLanguages; ++i) {
      icu::UnicodeString city;
      entry.spoken[i] = spoken_name(names[i]->getExemplarLocationName(*id, city));
    }
    std::array<char, 8> region{};
    icu::TimeZone::getRegion(*id, region.data(), region.size(), status);
    zones_of[region.data()].push_back(entry.zone);
    entries_.push_back(entry);
    for (const auto& city : entry.spoken) add(city, entries_.size() - 1);
  }
  read_countries(zones_of);
}

void Places::read_countries(const std::unordered_map<std::string, std::vector<std::string>>& zones_of) {
  for (const auto& [code, zones] : zones_of) {
    if (zones.size() != 1) continue;  // the file has those
    Entry entry;
    entry.zone = zones.front();
    entry.kind = Kind::kRegion;
    for (std::size_t i = 0; i < kLanguages; ++i) {
      icu::UnicodeString country;
      icu::Locale("", code.c_str()).getDisplayCountry(icu::Locale(kColumns[i]), country);
      entry.spoken[i] = spoken_name(country);
    }
    entries_.push_back(entry);
    for (const auto& country : entry.spoken) add(country, entries_.size() - 1);
  }
}

std::string Places::key(std::string_view name) const {
  std::string folded = text::fold(name);
  for (bool again = true; again;) {
    const auto prefix =
        std::ranges::find_if(prefixes_, [&](const auto& word) { return folded.starts_with(word); });
    again = prefix != prefixes_.end();
    if (again) folded.erase(0, prefix->size());
  }
  constexpr std::array<std::string_view, 2> kSaints{"saint ", "sankt "};
  for (const auto saint : kSaints) {
    if (folded.starts_with(saint)) folded.replace(0, saint.size(), "st ");
  }
  return folded;
}

const Places::Entry* Places::look_up(const std::string& key) const {
  const auto found = by_name_.find(key);
  return found == by_name_.end() ? nullptr : &entries_[found->second];
}

const Places::Entry* Places::look_up_spelling(const std::string& key) const {
  const Entry* entry = look_up(key);
  return entry != nullptr ? entry : look_up(text::fold_umlaut_spelling(key));
}

// "austin texas", "portland maine", "punta gorda florida": the last words say where, and where one time
// holds they settle it. "new england" is not in England.
const Places::Entry* Places::look_up_with_region(const std::string& key) const {
  constexpr std::array<std::string_view, 4> kOtherPlace{"new", "neu", "little", "old"};
  for (auto space = key.find(' '); space != std::string::npos; space = key.find(' ', space + 1)) {
    const Entry* region = look_up_spelling(this->key(key.substr(space + 1)));
    if (region == nullptr || (region->kind != Kind::kRegion && region->kind != Kind::kCountry)) continue;
    const std::string before = key.substr(0, space);
    const Entry* city = look_up_spelling(before);
    if (city != nullptr && (region->kind == Kind::kCountry || city->zone == region->zone)) return city;
    if (region->kind == Kind::kCountry || std::ranges::find(kOtherPlace, before) != kOtherPlace.end())
      return nullptr;
    return region;
  }
  return nullptr;
}

const Places::Entry* Places::look_up_everywhere(const std::string& key) const {
  const Entry* entry = look_up_spelling(key);
  return entry != nullptr ? entry : look_up_with_region(key);
}

Place Places::to_place(const Entry& entry, std::string_view language) const {
  const std::size_t column = language.starts_with(kColumns[1]) ? 1 : 0;
  const std::string& spoken = entry.spoken[column];
  if (entry.kind == Kind::kHere) return Place{"", spoken, spoken};
  const bool complete = starts_with_any(spoken, kOtherPrepositions) || starts_with_any(spoken, kContracted);
  const std::size_t name_at = complete ? spoken.find(' ') + 1 : 0;
  std::string where = complete ? spoken : "in " + spoken;
  where.front() =
      static_cast<char>(where.front() - 'a' + 'A');  // every preposition begins with such a letter
  return Place{entry.zone, spoken.substr(name_at), std::move(where)};
}

std::optional<Place> Places::find(std::string_view name, std::string_view language) {
  const std::string wanted = key(name);
  if (wanted.empty()) return std::nullopt;
  const Entry* entry = look_up_everywhere(wanted);
  if (entry == nullptr && !zone_names_read_) {
    read_zone_names();
    entry = look_up_everywhere(wanted);
  }
  if (entry == nullptr) return std::nullopt;
  return to_place(*entry, language);
}

}  // namespace parley::date_time
