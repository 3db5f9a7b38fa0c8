#include "ellipsis.hpp"

#include <algorithm>
#include <array>

namespace parley::follow_up {
namespace {

constexpr std::size_t kLongestPhrase = 5;  // words

struct Lead {
  Form form;
  std::string_view vocabulary;
};
constexpr std::array<Lead, 4> kLeads{Lead{Form::kCorrect, "follow_up_correct"},
                                     Lead{Form::kAbout, "follow_up_about"}, Lead{Form::kNo, "follow_up_no"},
                                     Lead{Form::kAnd, "follow_up_and"}};

/// Without what stands behind the value, and without the verb that goes with it.
std::span<const Word> without_end(std::span<const Word> said, const LocaleResources& common,
                                  const std::string& lang, std::optional<Form>& form) {
  for (;;) {
    std::size_t n = phrase_at(said, false, common, lang, "follow_up_instead");
    if (n > 0 && !form) form = Form::kNo;
    // "Make fifteen instead", "mach fünfzehn draus".
    const std::size_t verb = n > 0 ? phrase_at(said, true, common, lang, "follow_up_make") : 0;
    if (verb > 0 && verb + n < said.size()) {
      form = Form::kCorrect;
      said = said.subspan(verb);
    }
    const std::size_t too = n > 0 ? 0 : phrase_at(said, false, common, lang, "follow_up_too");
    if (too > 0 && !form) form = Form::kAnd;
    n += too;
    if (n == 0) n = phrase_at(said, false, common, lang, "skip");
    if (n == 0) return said;
    said = said.first(said.size() - n);
  }
}

}  // namespace

std::size_t phrase_at(std::span<const Word> said, bool front, const LocaleResources& common,
                      const std::string& lang, std::string_view vocabulary) {
  for (std::size_t n = std::min(kLongestPhrase, said.size()); n > 0; --n)
    if (common.vocabulary_equals(lang, vocabulary, front ? said.first(n) : said.last(n))) return n;
  return 0;
}

std::optional<Ellipsis> ellipsis_in(std::span<const Word> said, const LocaleResources& common,
                                    const std::string& lang) {
  if (said.size() < 2 || said.size() > kMostWords + 2 * kLongestPhrase) return std::nullopt;
  std::optional<Form> form;
  for (bool more = true; more && !said.empty();) {
    more = false;
    for (const Lead& lead : kLeads) {
      const std::size_t n = phrase_at(said, true, common, lang, lead.vocabulary);
      if (n == 0) continue;
      said = said.subspan(n);
      form = std::max(form.value_or(lead.form), lead.form);
      more = true;
      break;
    }
    if (more) continue;
    const std::size_t filler = phrase_at(said, true, common, lang, "skip");  // "hmm, better at five"
    said = said.subspan(filler);
    more = filler > 0;
  }
  said = without_end(said, common, lang, form);
  if (!form || said.empty() || said.size() > kMostWords) return std::nullopt;
  const auto value = said.subspan(link_at(said, common, lang));
  if (value.empty() || phrase_at(value, true, common, lang, "follow_up_never") > 0) return std::nullopt;
  const bool is_answer = common.vocabulary_equals(lang, "no", said) ||
                         common.vocabulary_equals(lang, "yes", said) ||
                         common.vocabulary_equals(lang, "cancel", said);
  if (is_answer) return std::nullopt;
  return Ellipsis(*form, said);
}

std::size_t link_at(std::span<const Word> said, const LocaleResources& common, const std::string& lang) {
  return phrase_at(said, true, common, lang, "follow_up_link");
}

std::size_t end_at(std::span<const Word> said, const LocaleResources& common, const std::string& lang) {
  return phrase_at(said, false, common, lang, "follow_up_it_end");
}

std::optional<Pronoun> pronoun_in(std::span<const Word> said, const LocaleResources& common,
                                  const std::string& lang) {
  std::size_t place = phrase_at(said, false, common, lang, "follow_up_there");
  if (place == 0 && said.size() > 2) {  // "womit wird da bezahlt"
    const auto before_verb = said.first(said.size() - 1);
    place = phrase_at(before_verb, false, common, lang, "follow_up_there");
    if (place > 0 && place < before_verb.size())
      return Pronoun(before_verb.size() - place, before_verb.size(), true);
    place = 0;
  }
  // "What does it mean", "use it in a sentence".
  const std::size_t behind = place > 0 ? 0 : end_at(said, common, lang);
  if (behind > 0) {
    const auto before = said.first(said.size() - behind);
    const std::size_t it = phrase_at(before, false, common, lang, "follow_up_it");
    if (it > 0 && it < before.size()) return Pronoun(before.size() - it, before.size(), false);
  }
  const std::size_t length = place > 0 ? place : phrase_at(said, false, common, lang, "follow_up_it");
  if (length == 0 || length == said.size()) return std::nullopt;
  if (phrase_at(said, false, common, lang, "follow_up_not") > 0) return std::nullopt;
  return Pronoun(said.size() - length, said.size(), place > 0);
}

}  // namespace parley::follow_up
