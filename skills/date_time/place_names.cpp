#include "place_names.hpp"

#include <algorithm>
#include <parley/fold.hpp>

namespace parley::date_time {
namespace {

std::string put_before(const std::string& preposition, const std::string& name) {
  return preposition.empty() || preposition.ends_with('\'') ? preposition + name : preposition + ' ' + name;
}

}  // namespace

bool PlaceNames::add_words(std::string_view meaning, const std::vector<std::string>& words) {
  const auto fold_all = [&words](std::vector<std::string>& into, const char* end) {
    for (const auto& word : words) into.push_back(text::fold(word) + end);
  };
  if (meaning == "prefix") {
    fold_all(prefixes_, " ");
    std::ranges::stable_sort(prefixes_, [](const auto& a, const auto& b) { return a.size() > b.size(); });
  } else if (meaning == "saint") {
    fold_all(saints_, " ");
  } else if (meaning == "other") {
    fold_all(others_, "");
  } else if (meaning == "city" || meaning == "region" || meaning == "preposition") {
    if (meaning == "city") before_cities_ = words.front();
    if (meaning == "region") before_regions_ = words.front();
    for (const auto& word : words) prepositions_.push_back(put_before(word, ""));
  } else if (meaning == "icu") {
    icu_ = words;
  } else {
    return false;
  }
  return true;
}

std::string PlaceNames::normal(std::string_view name) const {
  std::string folded = text::fold(name);
  for (const auto& saint : saints_) {
    if (folded.starts_with(saint)) folded.replace(0, saint.size(), "st ");
  }
  return folded;
}

std::vector<std::string> PlaceNames::keys(std::string_view name) const {
  std::vector<std::string> keys{text::fold(name)};
  std::string key = normal(name);
  for (bool again = true; again;) {
    if (key != keys.back()) keys.push_back(key);
    const auto begins = [&key](const auto& word) { return key.starts_with(word); };
    const auto prefix = std::ranges::find_if(prefixes_, begins);
    again = prefix != prefixes_.end();
    if (again) key = normal(key.substr(prefix->size()));
  }
  return keys;
}

void PlaceNames::add_name(const std::string& name, std::size_t entry) {
  for (auto& key : keys(name)) by_name_.try_emplace(std::move(key), entry);
}

void PlaceNames::add(const std::vector<std::string>& names, std::size_t entry) {
  spoken_.try_emplace(entry, names.front());
  for (const auto& name : names) add_name(name, entry);
}

void PlaceNames::add_for_icu(std::string_view english, std::vector<std::string> names) {
  for_icu_.try_emplace(text::fold(english), std::move(names));
}

void PlaceNames::add_of_icu(std::string_view english, const std::string& name, std::size_t entry) {
  if (const auto own = for_icu_.find(text::fold(english)); own != for_icu_.end()) add(own->second, entry);
  add({name}, entry);
}

const std::size_t* PlaceNames::find(const std::string& key) const {
  auto found = by_name_.find(key);
  if (found == by_name_.end()) found = by_name_.find(text::fold_umlaut_spelling(key));
  return found == by_name_.end() ? nullptr : &found->second;
}

bool PlaceNames::makes_another(std::string_view word) const {
  return std::ranges::find(others_, word) != others_.end();
}

bool PlaceNames::has_preposition(std::string_view name) const {
  return std::ranges::any_of(prepositions_, [name](const auto& word) { return name.starts_with(word); });
}

std::string PlaceNames::where(const std::string& name, bool city) const {
  return has_preposition(name) ? name : put_before(city ? before_cities_ : before_regions_, name);
}

std::string PlaceNames::where(std::size_t entry, bool city) const {
  const auto found = spoken_.find(entry);
  return found == spoken_.end() ? std::string() : where(found->second, city);
}

std::string PlaceNames::name(std::size_t entry) const {
  const auto found = spoken_.find(entry);
  if (found == spoken_.end()) return {};
  for (const auto& word : prepositions_) {
    if (found->second.starts_with(word)) return found->second.substr(word.size());
  }
  return found->second;
}

}  // namespace parley::date_time
