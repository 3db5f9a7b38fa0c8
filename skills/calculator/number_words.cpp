#include "number_words.hpp"

#include <unicode/rbnf.h>

#include <algorithm>

namespace parley::calculator {
namespace {

constexpr std::size_t kMaxWords = 16;
constexpr Integer kNoLimit = Integer{1} << 100;

std::string without_spaces(const icu::UnicodeString& spelled) {
  std::string utf8;
  spelled.toUTF8String(utf8);
  std::string out;
  for (const Piece& piece : scan(utf8)) out += piece.text;
  return out;
}

}  // namespace

NumberWords::NumberWords(const std::string& tag, NumberWordRules rules) : rules_(std::move(rules)) {
  add_all_of(tag);
  for (const std::string& region : rules_.also) add_all_of(region);
}

void NumberWords::add_all_of(const std::string& tag) {
  UErrorCode status = U_ZERO_ERROR;
  const icu::RuleBasedNumberFormat spell(icu::URBNF_SPELLOUT, icu::Locale::forLanguageTag(tag, status),
                                         status);
  if (U_FAILURE(status) != 0) return;
  for (std::int32_t i = 0; i < spell.getNumberOfRuleSetNames(); ++i) {
    const icu::UnicodeString name = spell.getRuleSetName(i);
    const bool whole_range = name == u"%spellout-numbering" || name.endsWith(u"-verbose");
    if (name.indexOf(u"ordinal") >= 0 || name.indexOf(u"-year") >= 0) continue;
    for (int value = 0; value < (whole_range ? 1000 : 10); ++value) {
      icu::UnicodeString spelled;
      icu::FieldPosition nowhere;
      spell.format(std::int64_t{value}, name, spelled, nowhere, status);
      if (U_SUCCESS(status) != 0) add(without_spaces(spelled), value);
    }
  }
}

void NumberWords::add(const std::string& spelled, int value) {
  small_.try_emplace(spelled, value);
  for (const std::string& word : rules_.conjunctions) {  // "siebenachtzig"
    const auto at = word.size() > 1 && value > 20 ? spelled.rfind(word) : std::string::npos;
    if (at != std::string::npos && at > 0)
      small_.try_emplace(std::string(spelled).erase(at, word.size()), value);
  }
  if (value < 100 || value > 199) return;
  for (const std::string& one : rules_.one) {
    if (spelled.starts_with(one) && spelled.size() > one.size())
      small_.try_emplace(spelled.substr(one.size()), value);
  }
}

std::optional<NumberWords::Found> NumberWords::read(std::span<const Piece> said) const {
  std::string letters;
  std::optional<Found> longest;
  for (std::size_t count = 0; count < std::min(said.size(), kMaxWords) && !said[count].digits; ++count) {
    letters += said[count].text;
    if (const auto value = whole(letters, kNoLimit)) longest = Found{Number(*value), count + 1};
  }
  return longest;
}

// Reads "[group] scale [and] rest", the scales falling from left to right.
std::optional<Integer> NumberWords::whole(std::string_view letters, Integer below) const {
  if (const auto value = below_thousand(letters); value && *value < below) return value;
  for (const auto& [word, scale] : rules_.scales) {
    if (scale >= below || scale < 1000) continue;
    for (auto at = letters.find(word); at != std::string_view::npos; at = letters.find(word, at + 1)) {
      const auto group = at == 0 ? std::optional<Integer>(1) : below_thousand(letters.substr(0, at));
      if (!group || *group == 0) continue;
      if (const auto rest = after_scale(letters.substr(at + word.size()), scale))
        return *group * scale + *rest;
    }
  }
  return std::nullopt;
}

std::optional<Integer> NumberWords::after_scale(std::string_view letters, Integer scale) const {
  if (letters.empty()) return 0;
  if (const auto rest = whole(letters, scale)) return rest;
  for (const std::string& word : rules_.conjunctions) {
    if (!letters.starts_with(word)) continue;
    if (const auto rest = whole(letters.substr(word.size()), scale)) return rest;
  }
  return std::nullopt;
}

std::optional<Integer> NumberWords::below_thousand(std::string_view letters) const {
  if (const auto found = small_.find(std::string(letters)); found != small_.end()) return found->second;
  const auto is_one = [&](const std::string& one) { return one == letters; };
  return std::ranges::any_of(rules_.one, is_one) ? std::optional<Integer>(1) : std::nullopt;
}

}  // namespace parley::calculator
