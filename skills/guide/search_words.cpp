#include "search_words.hpp"

#include <libstemmer.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <parley/durations.hpp>
#include <parley/language.hpp>
#include <parley/numbers.hpp>
#include <parley/text.hpp>
#include <parley/yaml.hpp>
#include <span>

namespace parley::guide {
namespace {

std::vector<std::string> phrases(const YAML::Node& list, const std::string& lang) {
  std::vector<std::string> found;
  for (const auto& one : list) found.push_back(normalise(one.as<std::string>(), lang));
  std::stable_sort(found.begin(), found.end(),
                   [](const std::string& a, const std::string& b) { return a.size() > b.size(); });
  return found;
}

/// Where a phrase stands in a normalised text as whole words; npos: nowhere.
std::size_t find_words(const std::string& text, const std::string& phrase, std::size_t from = 0) {
  for (auto at = text.find(phrase, from); at != std::string::npos; at = text.find(phrase, at + 1)) {
    const bool begins = at == 0 || text[at - 1] == ' ';
    const std::size_t end = at + phrase.size();
    if (begins && (end == text.size() || text[end] == ' ')) return at;
  }
  return std::string::npos;
}

}  // namespace

void SearchWords::DeleteStemmer::operator()(sb_stemmer* stemmer) const noexcept {
  sb_stemmer_delete(stemmer);
}

SearchWords::SearchWords(const std::filesystem::path& folder, std::string lang)
    : lang_(std::move(lang)), stemmer_(sb_stemmer_new(primary_language(lang_).c_str(), "UTF_8")) {
  const auto file = language_file(folder, lang_, ".yaml");
  if (!file) return;
  read_yaml_file(*file, [this](const YAML::Node& root) {
    for (const auto& one : root["ignore"])
      for (const Word& word : words(one.as<std::string>(), lang_)) ignored_.insert(stem(word.norm));
    for (const auto& set : root["synonyms"]) {
      std::string first;
      for (const auto& one : set) {
        const std::string other = stem(normalise(one.as<std::string>(), lang_));
        if (first.empty()) first = other;
        synonyms_[other] = first;
      }
    }
    for (const auto& tag : root["filters"]) tags_[tag.first.as<std::string>()] = phrases(tag.second, lang_);
    without_ = phrases(root["without"], lang_);
    under_ = phrases(root["under"], lang_);
    for_ = phrases(root["for"], lang_);
    people_ = phrases(root["people"], lang_);
  });
}

std::string SearchWords::stem(const std::string& word) const {
  if (!stemmer_) return word;
  const auto* const bytes = reinterpret_cast<const sb_symbol*>(word.data());
  const sb_symbol* const found = sb_stemmer_stem(stemmer_.get(), bytes, static_cast<int>(word.size()));
  if (found == nullptr) return word;  // out of memory
  return {reinterpret_cast<const char*>(found), static_cast<std::size_t>(sb_stemmer_length(stemmer_.get()))};
}

std::string SearchWords::canonical(const std::string& word) const {
  std::string made = stem(word);
  if (ignored_.contains(made)) return {};
  const auto found = synonyms_.find(made);
  return found == synonyms_.end() ? made : found->second;
}

std::vector<std::string> SearchWords::stems(const std::string& text) const {
  std::vector<std::string> found;
  for (const Word& word : words(text, lang_)) {
    std::string one = canonical(word.norm);
    if (!one.empty() && std::find(found.begin(), found.end(), one) == found.end())
      found.push_back(std::move(one));
  }
  return found;
}

bool SearchWords::cut(std::string& text, const std::string& phrase) const {
  const std::size_t at = find_words(text, phrase);
  if (phrase.empty() || at == std::string::npos) return false;
  text.erase(at, phrase.size());
  text = normalise(text, lang_);
  return true;
}

void SearchWords::cut_without(std::string& text, Filters& filters) const {
  for (const std::string& phrase : without_) {
    for (auto at = find_words(text, phrase); at != std::string::npos; at = find_words(text, phrase)) {
      const std::string behind = text.substr(at + phrase.size());
      std::string name;
      for (const Word& word : words(behind, lang_)) {
        name = word.norm;
        if (!ignored_.contains(stem(name))) break;
        name.clear();
      }
      std::string rest = text.substr(0, at);
      if (!name.empty()) {
        filters.without.push_back(canonical(name));
        const std::size_t where = find_words(behind, name);
        rest += " " + behind.substr(where + name.size());
      }
      text = normalise(rest, lang_);
    }
  }
}

void SearchWords::cut_time(std::string& text, Filters& filters) const {
  const auto found = find_duration(text, lang_);
  if (!found) return;
  for (const std::string& phrase : under_) {
    const std::string before = normalise(text.substr(0, found->begin), lang_);
    if (!before.ends_with(phrase)) continue;
    if (before.size() > phrase.size() && before[before.size() - phrase.size() - 1] != ' ') continue;
    filters.most_time = std::chrono::duration_cast<std::chrono::seconds>(found->length);
    text = normalise(before.substr(0, before.size() - phrase.size()) + " " + text.substr(found->end), lang_);
    return;
  }
}

void SearchWords::cut_people(std::string& text, Filters& filters) const {
  for (const std::string& phrase : for_) {
    const std::size_t at = find_words(text, phrase);
    if (at == std::string::npos) continue;
    const std::string behind = text.substr(at + phrase.size());
    const auto said = words(behind, lang_);
    const auto number = leading_number(std::span(said), lang_);
    if (!number || number->value < 1 || number->value > 100) continue;
    filters.serves = static_cast<int>(number->value);
    std::string rest = behind.substr(said[number->words - 1].end);
    rest = normalise(rest, lang_);
    for (const std::string& people : people_) {
      if (find_words(rest, people) != 0) continue;
      rest.erase(0, people.size());
      break;
    }
    text = normalise(text.substr(0, at) + " " + rest, lang_);
    return;
  }
}

void SearchWords::read_filters(std::string& text, Filters& filters) const {
  for (const auto& [tag, all] : tags_) {
    for (const std::string& phrase : all)
      while (cut(text, phrase)) filters.tags.insert(tag);
  }
  cut_time(text, filters);
  cut_people(text, filters);
  cut_without(text, filters);
}

Wanted SearchWords::read(const std::string& text) const {
  Wanted wanted;
  std::string left = normalise(text, lang_);
  read_filters(left, wanted.filters);
  wanted.stems = stems(left);
  return wanted;
}

}  // namespace parley::guide
