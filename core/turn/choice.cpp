#include "turn/choice.hpp"

#include <unicode/rbnf.h>

#include <parley/phrases.hpp>
#include <parley/text.hpp>

namespace parley {
namespace {

/// The index of the highest score above zero, unless several share it.
template <class Score>
std::optional<std::size_t> best(std::size_t count, Score&& score) {
  std::size_t most = 0;
  std::optional<std::size_t> found;
  for (std::size_t index = 0; index < count; ++index) {
    const std::size_t points = score(index);
    if (points == 0 || points < most) continue;
    found = points == most ? std::nullopt : std::optional(index);
    most = points;
  }
  return found;
}

/// Spells numbers out in all the ways a language has for them.
class Speller {
 public:
  explicit Speller(const std::string& lang)
      : format_(icu::URBNF_SPELLOUT, icu::Locale::forLanguageTag(lang, status_), status_) {}

  /// @param kind  "%spellout-ordinal" or "%spellout-cardinal": the rule sets that begin so
  std::vector<std::string> spell(std::size_t number, const char* kind) {
    std::vector<std::string> texts;
    for (int i = 0; U_SUCCESS(status_) && i < format_.getNumberOfRuleSetNames(); ++i) {
      const icu::UnicodeString rules = format_.getRuleSetName(i);
      if (!rules.startsWith(icu::UnicodeString::fromUTF8(kind))) continue;
      icu::UnicodeString text;
      icu::FieldPosition ignored;
      format_.format(static_cast<std::int32_t>(number), rules, text, ignored, status_);
      text.toUTF8String(texts.emplace_back());
    }
    return texts;
  }

 private:
  UErrorCode status_ = U_ZERO_ERROR;
  icu::RuleBasedNumberFormat format_;
};

}  // namespace

std::optional<std::size_t> choice_of(const std::vector<std::string>& choices, const std::string& answer,
                                     std::string_view lang, bool says_last) {
  const auto said = words(answer, lang);
  if (said.empty()) return std::nullopt;
  const auto named =
      best(choices.size(), [&](std::size_t i) { return PhraseSet({choices[i]}, lang).longest_in(said); });
  if (named) return named;
  const PhraseSet part({answer}, lang);
  const auto named_in_part =
      best(choices.size(), [&](std::size_t i) { return part.longest_in(words(choices[i], lang)); });
  if (named_in_part) return named_in_part;
  Speller speller{std::string(lang)};
  const auto counted = [&](const char* kind, bool digits) {
    return best(choices.size(), [&](std::size_t i) {
      std::vector<std::string> forms = speller.spell(i + 1, kind);
      if (digits) forms.push_back(std::to_string(i + 1));
      return PhraseSet(forms, lang).longest_in(said);
    });
  };
  if (const auto ordinal = counted("%spellout-ordinal", false)) return ordinal;
  if (says_last) return choices.size() - 1;
  return counted("%spellout-cardinal", true);
}

}  // namespace parley
