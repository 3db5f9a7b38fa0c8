#include <parley/choices.hpp>

#include <parley/phrases.hpp>
#include <parley/text.hpp>
#include <span>

#include "language/number_speller.hpp"

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
  const NumberSpeller speller{std::string(lang)};
  const auto counted = [&](const char* kind, bool digits) {
    return best(choices.size(), [&](std::size_t i) {
      std::vector<std::string> forms;
      for (const std::string& way : speller.ways(kind))
        forms.push_back(speller.spell(static_cast<std::int64_t>(i + 1), way));
      // "The blue one" counts nothing.
      if (digits && i == 0 && said.size() > 2 && PhraseSet(forms, lang).equals(std::span(said).last(1)))
        return std::size_t{0};
      if (digits) forms.push_back(std::to_string(i + 1));
      return PhraseSet(forms, lang).longest_in(said);
    });
  };
  if (const auto ordinal = counted("%spellout-ordinal", false)) return ordinal;
  if (says_last) return choices.size() - 1;
  return counted("%spellout-cardinal", true);
}

}  // namespace parley
