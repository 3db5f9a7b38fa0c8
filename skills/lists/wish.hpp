#pragma once

#include <map>
#include <optional>
#include <parley/locale.hpp>
#include <parley/phrases.hpp>
#include <string>
#include <vector>

namespace parley::lists {

/// What somebody wants of a list, read by the words that say so, wherever in the sentence they stand.
struct Wish {
  enum class Kind { kAdd, kRemove, kHas, kRead, kClear, kCreate };
  explicit Wish(Kind what) : kind(what) {}
  Kind kind;
  std::string key;          ///< "shopping" or "todo" where that was said without the word for a list.
  std::string list;         ///< The list's name as it was said; empty: none, or `key`.
  bool is_lacking = false;  ///< The things were said to be lacking.
  bool wants_rest = false;  ///< And what is left on the list is asked for.
  bool is_count = false;    ///< It asks how many things there are.
  bool is_latest = false;   ///< It is about the list that was spoken of last.
  std::string things;       ///< As they were said; empty: none, or a word that stands for them.
};

/// What is known beside a sentence.
struct Around {
  bool is_spoken_of = false;       ///< A list was, just before: then it need not be named.
  std::vector<std::string> names;  ///< Of the lists there are: they need no word for a list.
};

/// Reads such sentences in every language of the skill. Vocabularies, all beginning with `wish_`: `other`
/// (what is no matter of lists), `whether`, `or_not`, `what` (questions), `clear`, `remove`, `add`, `new`
/// (what is to be done), `lacks` (before or behind what is lacking), `a` and `called` (before and behind the
/// word for a new list), `before` and `after` (words beside the word for a list that belong to it),
/// `shopping`, `todo` (what means these without the word), `count` (asks how many things), `read` (asks to be
/// read to), `on` (before the name of a list that there is), `pronoun` and `noise` (words that are no thing).
class Wishes {
 public:
  explicit Wishes(const LocaleResources& locale);
  /// Nothing: it names no list, or what is wanted of it isn't plain.
  std::optional<Wish> read(const std::string& text, const std::string& lang,
                           const Around& around = Around()) const;
  /// Without words in front and behind that are no part of a thing: "doch bitte"; empty: there is nothing
  /// else.
  std::string bare(const std::string& things, const std::string& lang) const;

 private:
  struct Language {
    Language(const LocaleResources& locale, const std::string& tag);
    PhraseSet other, whether, or_not, what, clear, remove, add, begin, one, lacks, called, before, after,
        shopping, from, todo, count, reads, on, pronoun, noise, known;
    std::vector<std::string> endings;  ///< "liste": what a list's name may end in.
  };
  class Sentence;
  const Language* language(const std::string& lang) const;

  std::vector<std::string> tags_;
  std::map<std::string, Language> languages_;
};

}  // namespace parley::lists
