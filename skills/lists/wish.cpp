#include "wish.hpp"

#include <algorithm>
#include <parley/language.hpp>
#include <parley/text.hpp>
#include <span>
#include <string_view>
#include <utility>

namespace parley::lists {
namespace {

using Kind = Wish::Kind;

constexpr std::size_t kLongestPhrase = 6;
constexpr std::size_t kLongestListName = 3;
constexpr std::size_t kLongestThings = 25;

/// Some words of a sentence, from one to before another.
struct Part {
  Part() = default;
  Part(std::size_t from, std::size_t until) : begin(from), end(until) {}
  bool empty() const { return begin >= end; }
  std::size_t begin = 0, end = 0;
};

PhraseSet phrases(const LocaleResources& locale, const std::string& tag, const char* name) {
  const auto* const found = locale.vocabulary(tag, name);
  return found == nullptr ? PhraseSet() : PhraseSet(*found, tag);
}

/// Names that lists have without an article: "shopping list", "packing list".
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

Wishes::Language::Language(const LocaleResources& locale, const std::string& tag)
    : other(phrases(locale, tag, "wish_other")),
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
      before(phrases(locale, tag, "wish_before")),
      after(phrases(locale, tag, "wish_after")),
      shopping(phrases(locale, tag, "wish_shopping")),
      from(phrases(locale, tag, "wish_from")),
      todo(phrases(locale, tag, "wish_todo")),
      count(phrases(locale, tag, "wish_count")),
      reads(phrases(locale, tag, "wish_read")),
      on(phrases(locale, tag, "wish_on")),
      pronoun(phrases(locale, tag, "wish_pronoun")),
      noise(phrases(locale, tag, "wish_noise")),
      known(known_names(locale, tag)) {
  if (const auto* const found = locale.vocabulary(tag, "compound")) endings = *found;
}

/// One utterance: its words, its clauses, and where in it a list is named.
class Wishes::Sentence {
 public:
  Sentence(const std::string& text, const std::string& lang, const Language& by, const Around& around)
      : text_(text),
        by_(by),
        is_spoken_of_(around.is_spoken_of),
        names_(around.names, lang),
        words_(words(text, lang)) {
    for (std::size_t at = 0; at < words_.size(); ++at) {
      const std::string_view between =
          at == 0 ? std::string_view()
                  : std::string_view(text).substr(words_[at - 1].end, words_[at].begin - words_[at - 1].end);
      const bool is_next = between.find_first_of(",;:.?!") != std::string_view::npos;
      clauses_.push_back(at == 0 ? 0 : clauses_.back() + (is_next ? 1 : 0));
    }
  }

  std::optional<Wish> read() {
    if (words_.size() < 2 || is_of_others()) return std::nullopt;
    const bool has_word = find_list();
    if (!has_word && !find_known()) {
      if (!is_spoken_of_) return std::nullopt;
      list_ = {words_.size(), words_.size()};
    }
    if (const auto kind = kind_of()) {
      // "Somebody is on camping, we need gas" is not about the list of that name.
      if (!has_word && !list_.empty() && *kind == Kind::kAdd && !occurs(by_.add)) return std::nullopt;
      if (name_.empty() && (*kind == Kind::kRead || *kind == Kind::kHas)) name_ = named_elsewhere();
      Wish wish(*kind);
      wish.key = key_;
      wish.list = surface_of(name_);
      wish.is_count = asks_count();
      return filled(std::move(wish));
    }
    return std::nullopt;
  }

  std::string bare_all() const { return surface_of(bare({0, words_.size()})); }

 private:
  std::optional<Wish> filled(Wish wish) const {
    if (wish.kind == Kind::kCreate) return named(std::move(wish));
    if (wish.kind == Kind::kRead || wish.kind == Kind::kClear) return wish;
    Part things = wish.kind == Kind::kHas ? things_beside(by_.whether) : things_beside(by_.remove);
    if (wish.kind == Kind::kAdd) things = things_to_add();
    if (wish.kind == Kind::kRemove && things.empty() && takes_list()) wish.kind = Kind::kClear;
    wish.wants_rest = wish.kind == Kind::kRemove && occurs(by_.what);
    wish.is_lacking = wish.kind == Kind::kAdd && occurs(by_.lacks);
    if (things.end - std::min(things.begin, things.end) > kLongestThings) return std::nullopt;
    wish.things = things.empty() ? std::string() : surface_of(things);
    if (wish.kind == Kind::kAdd && wish.things.empty()) return std::nullopt;
    return wish;
  }

  /// "Delete the shopping list", "so, the shopping list can go": nothing stands between the two.
  bool takes_list() const {
    const Part cue = find(by_.remove);
    return (cue.end == list_.begin || bare({list_.end, cue.begin}).empty()) &&
           at_phrase(by_.from, list_.begin) == 0;
  }

  /// A list that is begun has a name, behind what leads to it or beside the word for a list.
  std::optional<Wish> named(Wish wish) const {
    for (std::size_t at = list_.end; at < words_.size(); ++at) {
      const std::size_t length = at_phrase(by_.called, at);
      if (length == 0) continue;
      Part name(at + length, at + length);
      while (name.end < words_.size() && clauses_[name.end] == clause_of(name.begin) &&
             at_phrase(by_.begin, name.end) == 0)
        ++name.end;
      name = bare(name);
      if (!name.empty()) wish.list = surface_of(name);
      break;
    }
    if (wish.list.empty()) return std::nullopt;
    return wish;
  }

  // ---- phrases

  /// Whether it is no matter of lists; "and, how is it called, baking soda" only looks for a word.
  bool is_of_others() const {
    for (std::size_t at = 0; at < words_.size(); ++at) {
      const std::size_t other = at_phrase(by_.other, at);
      const std::size_t noise = at_phrase(by_.noise, at);
      if (other > 0 && noise <= other) return true;
      if (noise > 1) at += noise - 1;
    }
    return false;
  }

  /// Words of the longest phrase that begins there; 0: none.
  std::size_t at_phrase(const PhraseSet& set, std::size_t at) const {
    for (std::size_t n = std::min(kLongestPhrase, words_.size() - at); n > 0; --n)
      if (set.equals(std::span(words_).subspan(at, n))) return n;
    return 0;
  }

  bool is_listed(std::size_t at) const { return at >= list_.begin && at < list_.end; }

  /// Where such a phrase stands outside of the list's own words; empty: nowhere.
  Part find(const PhraseSet& set, std::size_t from = 0) const {
    for (std::size_t at = from; at < words_.size(); ++at) {
      if (is_listed(at)) continue;
      if (const std::size_t length = at_phrase(set, at); length > 0) return {at, at + length};
    }
    return {};
  }

  bool occurs(const PhraseSet& set) const { return !find(set).empty(); }

  /// Such a phrase that begins the clause with the list, but for words that say nothing.
  Part begins_with(const PhraseSet& set) const {
    std::size_t at = clause_begin(list_.begin);
    while (at < list_.begin) {
      if (const std::size_t length = at_phrase(set, at); length > 0) return {at, at + length};
      const std::size_t skipped = at_phrase(by_.noise, at);
      if (skipped == 0) break;
      at += skipped;
    }
    return {};
  }

  /// Behind the last word it is the last clause.
  std::size_t clause_of(std::size_t at) const { return clauses_[std::min(at, clauses_.size() - 1)]; }

  std::size_t clause_begin(std::size_t at) const {
    const std::size_t clause = clause_of(at);
    while (at > 0 && clauses_[at - 1] == clause) --at;
    return at;
  }
  /// Behind the last word of the clause that has this one.
  std::size_t clause_end(std::size_t at) const {
    const std::size_t clause = clause_of(at);
    while (at < words_.size() && clauses_[at] == clause) ++at;
    return at;
  }

  std::string surface_of(Part part) const {
    if (part.empty()) return {};
    return std::string(surface(text_, std::span(words_).subspan(part.begin, part.end - part.begin)));
  }

  // ---- the list

  std::size_t ending_of(std::size_t at) const {
    const std::string& word = words_[at].norm;
    for (const std::string& one : by_.endings)
      if (word.ends_with(one)) return one.size();
    return 0;
  }

  bool find_list() {
    for (std::size_t at = words_.size(); at-- > 0;)
      if (is_list_at(at)) return true;
    for (const auto& [set, key] : {std::pair(&by_.todo, "todo"), std::pair(&by_.shopping, "shopping")}) {
      list_ = Part();
      if (const Part found = find(*set); !found.empty()) {
        list_ = found;
        key_ = key;
        return true;
      }
    }
    return false;
  }

  /// How many words before the word for a list are a name that lists have: "to do".
  std::size_t known_before(std::size_t at) const {
    for (std::size_t n = std::min(kLongestListName, at); n > 0; --n)
      if (is_known(at - n, n)) return n;
    return 0;
  }

  bool is_known(std::size_t at, std::size_t count) const {
    const auto some = std::span(words_).subspan(at, count);
    return by_.known.equals(some) || names_.equals(some);
  }

  /// "A lista escola tem quantas coisas": words of a name that no list has, behind the word for one and
  /// before the verb of a question; 0: none.
  std::size_t unknown_at(std::size_t at) const {
    if (!occurs(by_.count) && !occurs(by_.what)) return 0;
    for (std::size_t n = 0; n < kLongestListName && at + n < words_.size(); ++n) {
      if (at_phrase(by_.whether, at + n) > 0) return n;
      for (const PhraseSet* const cue :
           {&by_.noise, &by_.pronoun, &by_.what, &by_.count, &by_.add, &by_.lacks})
        if (at_phrase(*cue, at + n) > 0) return 0;
    }
    return 0;
  }

  /// "How many things are on spare parts", "read me the camping one": the name of a list that there is,
  /// without the word for one, but with what leads to a list.
  bool find_known() {
    for (std::size_t at = 0; at < words_.size(); ++at) {
      const std::size_t length = at_phrase(names_, at);
      if (length == 0) continue;
      const Part reads = find(by_.reads, clause_begin(at));
      const bool is_read = !reads.empty() && clause_of(reads.begin) == clause_of(at);
      if (!is_led_to(by_.on, at) && !is_read) continue;
      name_ = {at, at + length};
      list_ = name_;
      while (list_.begin > 0 && at_phrase(by_.before, list_.begin - 1) > 0) --list_.begin;
      return true;
    }
    return false;
  }

  /// "Read me what we need for the workshop, the list I mean".
  Part named_elsewhere() const {
    for (std::size_t at = 0; at < words_.size(); ++at) {
      const std::size_t length = is_listed(at) ? 0 : at_phrase(names_, at);
      if (length > 0 && (is_led_to(by_.on, at) || is_led_to(by_.after, at))) return {at, at + length};
    }
    return {};
  }

  /// Whether such a phrase stands before a word, but for an article.
  bool is_led_to(const PhraseSet& by, std::size_t at) const {
    for (std::size_t n = 1; n <= std::min(kLongestListName, at); ++n) {
      if (const std::size_t length = at_phrase(by, at - n); length > 0)
        return length == n || at_phrase(by_.before, at - n + length) > 0;
    }
    return false;
  }

  /// "The christmas gifts list": what stands between an article and the word is a name. Nothing: no article.
  std::optional<std::size_t> name_before(std::size_t at) const {
    for (std::size_t n = 0; n <= kLongestListName && n < at; ++n)
      if (at_phrase(by_.before, at - n - 1) > 0) return n;
    // "Christmas gifts list, a scarf for Rosie".
    if (at > 0 && at <= kLongestListName && at + 1 == clause_end(0)) return at;
    return std::nullopt;
  }

  bool is_list_at(std::size_t at) {
    const std::size_t ending = ending_of(at);
    if (ending == 0) return false;
    const bool is_compound = ending < words_[at].norm.size();
    Part name(at, is_compound ? at + 1 : at);
    Part list(at, at + 1);
    bool is_plain = is_compound;
    if (!is_compound) {
      if (const std::size_t known = known_before(at); known > 0) {
        name.begin = list.begin = at - known;
        is_plain = true;
      } else if (const auto length = name_before(at)) {
        name.begin = list.begin = at - *length;
        is_plain = true;
      }
    }
    // "Lista de la compra", "list for the supermarket", "Liste Urlaub".
    if (!is_compound && name.empty() && at + 1 < words_.size() && clauses_[at + 1] == clauses_[at]) {
      std::size_t next = at + 1;
      const std::size_t links = at_phrase(by_.after, next);
      next += links;
      std::size_t end = next;
      for (std::size_t n = std::min(kLongestListName, words_.size() - next); n > 0 && end == next; --n)
        if (is_known(next, n)) end = next + n;
      if (end == next && links == 0) end += unknown_at(next);
      if (end == next && links > 0 && next < words_.size() && at_phrase(by_.noise, next) == 0) end = next + 1;
      if (end > next) {
        name = Part(next, end);
        list.end = end;
        is_plain = is_plain || links > 0;
      }
    }
    if (!is_plain) return false;
    // "Put that on the list": what stands before a preposition is none of the list's words.
    bool has_preposition = false;
    while (list.begin > 0 && at_phrase(by_.before, list.begin - 1) > 0) {
      const bool is_article = by_.pronoun.equals(std::span(words_).subspan(list.begin - 1, 1));
      if (has_preposition && is_article) break;
      has_preposition = !is_article;
      --list.begin;
    }
    list_ = list;
    name_ = name;
    return true;
  }

  // ---- what is wanted

  std::optional<Kind> kind_of() const {
    const bool adds = occurs(by_.add), lacks = occurs(by_.lacks);
    if (list_.empty() && occurs(by_.remove)) return Kind::kRemove;
    if (adds && lacks && !occurs(by_.or_not)) return Kind::kAdd;
    if (asks_count()) return Kind::kRead;
    if (!begins_with(by_.what).empty() || is_right_before(by_.what)) return Kind::kRead;
    if (!begins_with(by_.whether).empty()) return Kind::kHas;
    if (occurs(by_.or_not) && occurs(by_.whether)) return Kind::kHas;
    if (is_said_after(by_.whether)) return Kind::kHas;
    if (is_begun()) return Kind::kCreate;
    if (occurs(by_.what)) return Kind::kRead;
    const Part clears = find(by_.clear);
    if (!clears.empty() && (list_.empty() || clauses_[clears.begin] == clause_of(list_.begin)))
      return Kind::kClear;
    if (occurs(by_.remove)) return Kind::kRemove;
    if (adds || lacks || is_heading() || is_said_first()) return Kind::kAdd;
    return std::nullopt;
  }

  /// "How many things are there".
  bool asks_count() const { return occurs(by_.count); }

  /// "We leave soon, so what's on camping".
  bool is_right_before(const PhraseSet& cues) const {
    for (std::size_t n = 1; n <= std::min(kLongestPhrase, list_.begin); ++n)
      if (cues.equals(std::span(words_).subspan(list_.begin - n, n))) return true;
    return false;
  }

  /// "Did I put cheese on there, on the shopping list I mean": a sentence that begins so, and then only the
  /// list.
  bool is_said_after(const PhraseSet& cues) const {
    if (list_.empty() || clause_of(list_.begin) == 0) return false;
    const bool is_alone = bare({clause_begin(list_.begin), list_.begin}).empty() &&
                          bare({list_.end, clause_end(list_.begin)}).empty();
    std::size_t at = 0;
    while (is_alone && at < clause_end(0) && at_phrase(cues, at) == 0) {
      const std::size_t skipped = at_phrase(by_.noise, at);
      if (skipped == 0) return false;
      at += skipped;
    }
    return is_alone && at < clause_end(0);
  }

  /// "Christmas gifts list, a scarf for Rosie".
  bool is_heading() const {
    constexpr std::size_t kMost = 8;
    const std::size_t end = clause_end(0);
    return !list_.empty() && list_.begin == 0 && list_.end == end && words_.size() > end &&
           words_.size() <= end + kMost;
  }

  /// "On the shopping list please ten rolls".
  bool is_said_first() const {
    constexpr std::size_t kMost = 18;
    const bool is_led = at_phrase(by_.on, 0) > 0 || at_phrase(by_.shopping, 0) > 0;
    return !list_.empty() && list_.begin == 0 && is_led && !occurs(by_.whether) &&
           words_.size() <= list_.end + kMost && !bare({list_.end, words_.size()}).empty();
  }

  /// "Make me a list", "a new list called camping".
  bool is_begun() const {
    bool is_one = false;
    for (std::size_t at = list_.begin; at < list_.end; ++at) is_one = is_one || at_phrase(by_.one, at) > 0;
    return is_one && (occurs(by_.begin) || occurs(by_.called));
  }

  // ---- things

  /// Without words around it that are none.
  Part bare(Part part) const {
    const auto is_no_thing = [&](std::size_t from, std::size_t n) {
      const auto some = std::span(words_).subspan(from, n);
      return by_.noise.equals(some) || by_.pronoun.equals(some);
    };
    for (bool again = true; again && !part.empty();) {
      again = false;
      for (std::size_t n = std::min(kLongestPhrase, part.end - part.begin); n > 0 && !again; --n) {
        if (is_no_thing(part.begin, n)) {
          part.begin += n;
          again = true;
        } else if (is_no_thing(part.end - n, n)) {
          part.end -= n;
          again = true;
        }
      }
    }
    return part;
  }

  /// What stands between a cue and the list, else before, else behind them, in the clause of the list.
  Part things_around(Part cue) const {
    const std::size_t begin = clause_begin(list_.begin);
    const std::size_t end = clause_end(list_.begin);
    const bool is_here = !cue.empty() && cue.begin >= begin && cue.end <= end;
    if (!is_here) return bare({begin, list_.begin});
    const bool is_first = cue.begin < list_.begin;
    const auto [first, second] = is_first ? std::pair(cue, list_) : std::pair(list_, cue);
    const Part between(first.end, second.begin), before(begin, first.begin), behind(second.end, end);
    for (const Part part :
         {is_first ? between : behind, is_first ? before : between, is_first ? behind : before})
      if (const Part things = bare(part); !things.empty()) return things;
    return {};
  }

  Part things_beside(const PhraseSet& cues) const {
    Part cue = begins_with(cues);
    if (cue.empty()) cue = find(cues);
    Part things = things_around(cue);
    // "I'd swear I wrote oil down, see if it's on the list".
    const Part first = find(cues);
    if (things.empty() && !first.empty() && clause_of(first.begin) != clause_of(list_.begin))
      things = bare({first.end, clause_end(first.begin)});
    // "Did I already write coffee on it": the verb of what was done is none of them.
    for (std::size_t at = things.begin; at < things.end; ++at) {
      const std::size_t length = at_phrase(by_.add, at);
      if (length == 0) continue;
      const Part front = bare({things.begin, at}), rest = bare({at + length, things.end});
      things = front.empty() ? rest : front;
      break;
    }
    return things;
  }

  Part things_to_add() const {
    Part cue = find(by_.add, clause_begin(list_.begin));
    if (cue.empty()) cue = find(by_.add);
    const Part lacks = find(by_.lacks);
    if (is_heading() || (cue.empty() && lacks.empty() && is_said_first()))
      return bare({list_.end, words_.size()});
    if (!lacks.empty() && cue.empty()) {
      const Part behind = bare({lacks.end, lacks.begin < list_.begin ? list_.begin : words_.size()});
      return behind.empty() ? bare({clause_begin(lacks.begin), lacks.begin}) : behind;
    }
    if (!lacks.empty() && lacks.begin < cue.begin) {
      // "For the cake I need eggs, flour and butter, put those on the list", "milk is out, put it on the
      // list".
      const std::size_t until =
          clause_of(lacks.begin) == clause_of(cue.begin) ? cue.begin : clause_begin(cue.begin);
      if (const Part behind = bare({lacks.end, until}); !behind.empty()) return behind;
      return bare({clause_begin(lacks.begin), lacks.begin});
    }
    // "Add milk, eggs and bread to the list".
    if (cue.end < list_.begin && clause_of(cue.begin) != clause_of(list_.begin) && !cue.empty())
      return bare({cue.end, list_.begin});
    if (const Part things = things_around(cue); !things.empty()) {
      // "Rüebli, Rahm und vier Gipfeli auf die Liste": the commas are between things.
      return bare(with_clauses_before(things));
    }
    // "The tent pegs, put them on the list", "on the list goes: the tax return".
    const std::size_t begin = clause_begin(std::min(list_.begin, cue.begin));
    if (begin > 0) {
      const Part before = bare({clause_begin(begin - 1), begin});
      if (before.end - std::min(before.begin, before.end) > kLongestShort) return {};
      return bare(with_clauses_before(before));
    }
    return bare({std::max(clause_end(list_.begin), cue.end), words_.size()});
  }

  /// With the short clauses before: "ham, cheese and rolls".
  Part with_clauses_before(Part part) const {
    while (part.begin > 0 && part.begin == clause_begin(part.begin) && is_short(part.begin - 1))
      part.begin = clause_begin(part.begin - 1);
    return part;
  }

  static constexpr std::size_t kLongestShort = 5;
  bool is_short(std::size_t last) const { return last + 1 - clause_begin(last) <= 3; }

  const std::string& text_;
  const Language& by_;
  bool is_spoken_of_;
  PhraseSet names_;
  std::vector<Word> words_;
  std::vector<std::size_t> clauses_;  ///< Of each word, the number of its clause.
  Part list_, name_;
  std::string key_;
};

Wishes::Wishes(const LocaleResources& locale) : tags_(locale.languages()) {
  for (const auto& tag : tags_) languages_.emplace(tag, Language(locale, tag));
}

const Wishes::Language* Wishes::language(const std::string& lang) const {
  const auto tag = closest_language(lang, tags_);
  const auto found = tag ? languages_.find(*tag) : languages_.end();
  return found == languages_.end() ? nullptr : &found->second;
}

std::optional<Wish> Wishes::read(const std::string& text, const std::string& lang,
                                 const Around& around) const {
  const Language* const by = language(lang);
  return by == nullptr ? std::nullopt : Sentence(text, lang, *by, around).read();
}

std::string Wishes::bare(const std::string& things, const std::string& lang) const {
  const Language* const by = language(lang);
  return by == nullptr ? things : Sentence(things, lang, *by, Around()).bare_all();
}

}  // namespace parley::lists
