#include "names.hpp"

#include <fmt/format.h>
#include <unicode/locid.h>
#include <unicode/unistr.h>

#include <algorithm>
#include <parley/fold.hpp>

#include "records.hpp"

namespace parley::countries {
namespace {

std::string icu_name(const std::string& code, const std::string& tag) {
  UErrorCode status = U_ZERO_ERROR;
  const auto language = icu::Locale::forLanguageTag(tag, status);
  icu::UnicodeString name;
  icu::Locale("", code.c_str()).getDisplayCountry(language, name);
  std::string out;
  return name.toUTF8String(out);
}

std::string filled(const std::string& pattern, std::string_view name, const Record& record) {
  try {
    return fmt::format(fmt::runtime(pattern), name);
  } catch (const fmt::format_error&) {
    record.fail(fmt::format("'{}' is no pattern; expected one such as 'in {{0}}'", pattern));
  }
}

}  // namespace

Names::Names(const std::filesystem::path& data, const std::string& tag, const Atlas& atlas)
    : atlas_(&atlas), tag_(tag), patterns_{"{0}", "{0}", "{0}", "{0}"} {
  const auto records = read_records(file(data, tag));
  for (const Record& record : records) read_line(record);
  for (const auto& [code, country] : atlas.all()) {
    if (!spoken_.contains(code)) add_country(country, Record{file(data, tag).string(), {code}});
    add_capital(country);
  }
}

std::filesystem::path Names::file(const std::filesystem::path& data, std::string_view tag) {
  return data / fmt::format("names.{}.txt", text::fold(tag.substr(0, tag.find_first_of("-_"))));
}

void Names::read_line(const Record& record) {
  const std::string_view what = record.field(0);
  if (what == "articles") {
    for (const std::string& word : record.list(1)) articles_.push_back(text::fold(word) + ' ');
  } else if (what == "*") {
    patterns_ = Spoken{record.fields.at(1), std::string(record.field(3)), std::string(record.field(4)),
                       std::string(record.field(5))};
  } else if (what == "city") {
    auto& names = cities_[std::string(record.field(1))];
    names.emplace_back(record.field(2).empty() ? record.field(1) : record.field(2));
    for (auto& other : record.list(3)) names.push_back(std::move(other));
  } else if (what == "region") {
    add_region(record);
  } else if (what == "color") {
    colors_.emplace(record.field(1), record.field(2));
  } else if (what == "ending") {
    endings_.emplace_back(text::fold(record.field(1)), text::fold(record.field(2)));
  } else if (what == "adjective") {
    const Country* const country = atlas_->find(record.field(1));
    if (country == nullptr) record.fail(fmt::format("'{}' is not in countries.txt", record.field(1)));
    for (const std::string& stem : record.list(2)) adjectives_.emplace_back(text::fold(stem), country);
  } else if (const Country* const country = atlas_->find(what)) {
    add_country(*country, record);
  } else {
    record.fail(fmt::format("'{}' is not in countries.txt", what));
  }
}

void Names::add_country(const Country& country, const Record& record) {
  const std::string usual = icu_name(country.code, tag_);
  const std::string name = record.field(1).empty() ? usual : std::string(record.field(1));
  const auto form = [&](std::size_t index, const std::string& pattern) {
    return record.field(index).empty() ? filled(pattern, name, record) : std::string(record.field(index));
  };
  Spoken spoken{filled(patterns_.subject, name, record), form(3, patterns_.in), form(4, patterns_.of),
                form(5, patterns_.object)};
  for (const auto& known : {usual, spoken.subject, spoken.object}) add_name(known, country);
  for (const std::string& known : record.list(2)) add_name(known, country);
  spoken_.emplace(country.code, std::move(spoken));
}

void Names::add_region(const Record& record) {
  if (record.fields.size() != 6) record.fail("expected 'region; code; name; other names; in; of'");
  const std::string code(record.field(1));
  Spoken spoken{std::string(record.field(2)), std::string(record.field(4)), std::string(record.field(5)),
                std::string(record.field(2))};
  by_region_.try_emplace(key(spoken.subject), code);
  for (const std::string& known : record.list(3)) by_region_.try_emplace(key(known), code);
  regions_.emplace(code, std::move(spoken));
}

std::string Names::region(std::string_view name) const {
  std::string folded = key(name);
  auto found = by_region_.find(folded);
  if (found == by_region_.end() && folded.ends_with('s')) {  // "Africa's", "Afrikas"
    folded.pop_back();
    found = by_region_.find(folded);
  }
  return found == by_region_.end() ? std::string() : found->second;
}

const Country* Names::of_adjective(std::string_view word) const {
  constexpr std::size_t kLongestEnding = 3;
  const std::string folded = text::fold(word);
  const auto found = std::ranges::find_if(adjectives_, [&](const auto& adjective) {
    return folded.starts_with(adjective.first) && folded.size() <= adjective.first.size() + kLongestEnding;
  });
  return found == adjectives_.end() ? nullptr : found->second;
}

std::string Names::color(const std::string& english) const {
  const auto found = colors_.find(english);
  return found == colors_.end() ? english : found->second;
}

void Names::add_capital(const Country& country) {
  for (const std::string& capital : country.capitals) {
    add(by_capital_, capital, country);
    const auto others = cities_.find(capital);
    if (others == cities_.end()) continue;
    for (const std::string& name : others->second) add(by_capital_, name, country);
  }
}

void Names::add_name(std::string_view name, const Country& country) {
  add(by_name_, name, country);
  for (const auto& [said, written] : endings_) {  // "Australie"
    if (name.ends_with(written))
      add(by_name_, std::string(name.substr(0, name.size() - written.size())) + said, country);
  }
}

// An earlier name stays.
void Names::add(Index& names, std::string_view name, const Country& country) {
  names.try_emplace(key(name), &country);
  names.try_emplace(text::fold_umlaut_spelling(key(name)), &country);
}

// As names are compared: folded, "St." for saints, without an article.
std::string Names::key(std::string_view name) const {
  std::string folded = text::fold(name);
  const auto article =
      std::ranges::find_if(articles_, [&](const auto& word) { return folded.starts_with(word); });
  if (article != articles_.end()) folded.erase(0, article->size());
  if (folded.starts_with("st ")) folded.replace(0, 2, "saint");
  return folded;
}

const Country* Names::find(const Index& names, std::string_view name) const {
  std::string folded = key(name);
  auto found = names.find(folded);
  if (found == names.end()) found = names.find(text::fold_umlaut_spelling(folded));
  if (found == names.end() && folded.ends_with('s')) {  // "Germany's", "Frankreichs"
    folded.pop_back();
    found = names.find(folded);
  }
  return found == names.end() ? nullptr : found->second;
}

std::string Names::city(const std::string& english) const {
  const auto found = cities_.find(english);
  return found == cities_.end() ? english : found->second.front();
}

}  // namespace parley::countries
