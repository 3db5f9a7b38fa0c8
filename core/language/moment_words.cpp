#include "language/moment_words.hpp"

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <parley/fold.hpp>
#include <parley/numbers.hpp>
#include <span>
#include <utility>

#include "language/amounts.hpp"
#include "language/ascii.hpp"
#include "language/date_words.hpp"
#include "language/number_phrases.hpp"
#include "language/value_file.hpp"

namespace parley {
namespace {

/// What is between spaces.
std::vector<std::string_view> parts_of(std::string_view text) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    if (end > 0) parts.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

}  // namespace

MomentWords::MomentWords(const std::filesystem::path& file, std::string lang)
    : lang_(std::move(lang)), amounts_(*words_for<Amounts>(lang_)) {
  read_value_file(file, [this](const YAML::Node& root) {
    for (const char* const section : {"numbers", "durations", "times", "repeats", "dates"}) {
      if (root[section]) add_all(root[section]);
    }
  });
  for (const std::string& phrase : words_for<DateWords>(lang_)->phrases()) add(phrase);
  for (const std::string& phrase : number_phrases(lang_)) add(phrase);
}

void MomentWords::add_all(const YAML::Node& node) {
  if (node.IsScalar()) return add(node.as<std::string>());
  for (const auto& item : node) add_all(node.IsMap() ? item.second : item);
}

/// As it is said alone, and folded as a whole: what is one word there may be two here ("aujourd'hui").
void MomentWords::add(const std::string& phrase) {
  for (const Word& word : words(phrase, lang_)) words_.insert(word.norm);
  const std::string folded = text::fold(phrase);
  for (const std::string_view word : parts_of(folded)) words_.emplace(word);
}

bool MomentWords::has_part(std::string_view folded) const {
  const auto parts = parts_of(folded);
  return parts.empty() || std::any_of(parts.begin(), parts.end(), [this](std::string_view part) {
           return words_.contains(std::string(part));
         });
}

bool MomentWords::contains(const Word& word) const {
  if (words_.contains(word.norm) || std::any_of(word.norm.begin(), word.norm.end(), &is_ascii_digit))
    return true;
  const std::string folded = text::fold(word.norm);
  return has_part(folded) || has_part(text::fold_umlaut_spelling(folded)) ||
         leading_number(std::span(&word, 1), lang_) || amounts_.is_compound(word);
}

}  // namespace parley
