#pragma once

#include <parley/locale.hpp>
#include <parley/phrases.hpp>
#include <string>
#include <vector>

namespace parley::lists {

/// The words by which sentences about lists are read, in one language. Vocabularies, all beginning with
/// `wish_`: `other` (what is no matter of lists), `errand` (what may be a thing all the same), `whether`,
/// `or_not`, `what` (questions), `clear`, `remove`, `add`, `new` (what is to be done), `lacks` (before or
/// behind what is lacking), `a` and `called` (before and behind the word for a new list), `called_end`
/// (behind its name), `with` (before what goes on it), `before` and `after` (words beside the word for a list
/// that belong to it), `shopping`, `todo` (what means these without the word), `buy` (a question that means
/// the shopping list), `count` (asks how many things), `read` (asks to be read to), `on` (before the name of
/// a list that there is), `same`, `this` and `there` (stand for the list that was spoken of last), `anywhere`
/// (those that may be any place), `rest` (asks for what is on that), `also`, `and`, `some` (what is said of a
/// further thing), `swap` (what comes in place of another thing), `not` (before what is not to be there after
/// all), `verb` (what tells something instead), `pronoun` and `noise` (words that are no thing), `clitics`
/// (pronouns that verbs end in).
struct WishWords {
  WishWords(const LocaleResources& locale, const std::string& tag);

  PhraseSet other, errand, whether, or_not, what, clear, remove, add, begin, one, lacks, called, called_end,
      with, before, after, shopping, todo, buy, from, count, reads, on, same, this_list, there, anywhere,
      rest, also, conjunction, some, swap, negated, verb, pronoun, noise;
  PhraseSet groceries;               ///< What a household buys.
  PhraseSet known;                   ///< Names that lists have without an article: "shopping", "packing".
  std::vector<std::string> endings;  ///< "liste": what a list's name may end in.
  std::vector<std::string> clitics;  ///< "la" of "quítala", the longest first.
};

}  // namespace parley::lists
