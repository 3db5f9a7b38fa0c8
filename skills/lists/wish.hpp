#pragma once

#include <map>
#include <optional>
#include <parley/locale.hpp>
#include <string>
#include <vector>

#include "wish_words.hpp"

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
  bool is_further = false;  ///< Only what came just before shows that it wants anything: "and a lemon".
  bool is_swap = false;     ///< It comes in place of what was just added or taken off: "oat milk instead".
  bool is_grocery = false;  ///< And what it wants is what a household buys: "and milk".
  std::string things;       ///< As they were said; empty: none, or a word that stands for them.
};

/// What is known beside a sentence.
struct Around {
  bool is_spoken_of = false;       ///< A list was: then it need not be named.
  bool is_near = false;            ///< And hardly anything else was since then.
  bool is_fresh = false;           ///< Nothing was.
  std::vector<std::string> names;  ///< Of the lists there are: they need no word for a list.
};

/// Reads such sentences in every language of the skill, by its `WishWords`. One thread at a time.
class Wishes {
 public:
  explicit Wishes(const LocaleResources& locale);
  /// Nothing: it names no list, or what is wanted of it isn't plain.
  std::optional<Wish> read(const std::string& text, const std::string& lang,
                           const Around& around = Around()) const;
  /// Without words in front and behind that are no part of a thing: "doch bitte"; empty: there is nothing
  /// else.
  std::string bare(const std::string& things, const std::string& lang) const;
  /// Whether that says by itself what to do: "mom says to put syrup".
  bool tells(const std::string& things, const std::string& lang) const;

 private:
  const WishWords* language(const std::string& lang) const;

  LocaleResources locale_;
  mutable std::map<std::string, WishWords> languages_;  ///< Those that were spoken.
};

}  // namespace parley::lists
