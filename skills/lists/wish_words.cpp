#include "wish_words.hpp"

#include <algorithm>

namespace parley::lists {
namespace {

PhraseSet phrases(const LocaleResources& locale, const std::string& tag, const char* name) {
  const auto* const found = locale.vocabulary(tag, name);
  return found == nullptr ? PhraseSet() : PhraseSet(*found, tag);
}

PhraseSet known_names(const LocaleResources& locale, const std::string& tag) {
  std::vector<std::string> names;
  for (const char* const one : {"shopping", "todo"})
    if (const auto* const found = locale.vocabulary(tag, one))
      names.insert(names.end(), found->begin(), found->end());
  if (const auto* const found = locale.entity(tag, "list"))
    names.insert(names.end(), found->begin(), found->end());
  return {names, tag};
}

}  // namespace

WishWords::WishWords(const LocaleResources& locale, const std::string& tag)
    : other(phrases(locale, tag, "wish_other")),
      errand(phrases(locale, tag, "wish_errand")),
      whether(phrases(locale, tag, "wish_whether")),
      or_not(phrases(locale, tag, "wish_or_not")),
      what(phrases(locale, tag, "wish_what")),
      clear(phrases(locale, tag, "wish_clear")),
      remove(phrases(locale, tag, "wish_remove")),
      add(phrases(locale, tag, "wish_add")),
      begin(phrases(locale, tag, "wish_new")),
      one(phrases(locale, tag, "wish_a")),
      lacks(phrases(locale, tag, "wish_lacks")),
      called(phrases(locale, tag, "wish_called")),
      called_end(phrases(locale, tag, "wish_called_end")),
      with(phrases(locale, tag, "wish_with")),
      before(phrases(locale, tag, "wish_before")),
      after(phrases(locale, tag, "wish_after")),
      shopping(phrases(locale, tag, "wish_shopping")),
      todo(phrases(locale, tag, "wish_todo")),
      buy(phrases(locale, tag, "wish_buy")),
      from(phrases(locale, tag, "wish_from")),
      count(phrases(locale, tag, "wish_count")),
      reads(phrases(locale, tag, "wish_read")),
      on(phrases(locale, tag, "wish_on")),
      same(phrases(locale, tag, "wish_same")),
      this_list(phrases(locale, tag, "wish_this")),
      there(phrases(locale, tag, "wish_there")),
      anywhere(phrases(locale, tag, "wish_anywhere")),
      rest(phrases(locale, tag, "wish_rest")),
      also(phrases(locale, tag, "wish_also")),
      conjunction(phrases(locale, tag, "wish_and")),
      some(phrases(locale, tag, "wish_some")),
      swap(phrases(locale, tag, "wish_swap")),
      negated(phrases(locale, tag, "wish_not")),
      verb(phrases(locale, tag, "wish_verb")),
      pronoun(phrases(locale, tag, "wish_pronoun")),
      noise(phrases(locale, tag, "wish_noise")),
      groceries(phrases(locale, tag, "groceries")),
      known(known_names(locale, tag)) {
  if (const auto* const found = locale.vocabulary(tag, "compound")) endings = *found;
  if (const auto* const found = locale.vocabulary(tag, "wish_clitics")) clitics = *found;
  std::ranges::stable_sort(clitics, [](const auto& a, const auto& b) { return a.size() > b.size(); });
}

}  // namespace parley::lists
