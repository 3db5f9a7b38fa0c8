#include "wish.hpp"

#include <algorithm>
#include <array>
#include <parley/language.hpp>
#include <utility>

#include "list_in_sentence.hpp"
#include "sentence_words.hpp"
#include "things_in_sentence.hpp"

namespace parley::lists {
namespace {

using Kind = Wish::Kind;

constexpr std::ptrdiff_t kLongestThings = 25;  // words

/// One utterance that may be about a list.
class Sentence {
 public:
  Sentence(const std::string& text, const std::string& lang, const WishWords& by, const Around& around)
      : by_(by), around_(around), words_(text, lang, by), list_(words_, by, around.names, lang) {}

  std::optional<Wish> read() {
    if (words_.size() < 2 || is_of_others()) return std::nullopt;
    if (!list_.found()) return around_.is_spoken_of ? about_latest() : std::nullopt;
    const auto kind = kind_of();
    if (!kind) return std::nullopt;
    const bool is_told = occurs(by_.add) || occurs(by_.also) || list_.is_same;
    // "Somebody is on camping, we need gas" is not about the list of that name.
    if (!list_.has_word && *kind == Kind::kAdd && !is_told) return std::nullopt;
    if (list_.name.empty() && (*kind == Kind::kRead || *kind == Kind::kHas))
      list_.name = list_.named_elsewhere();
    Wish wish(*kind);
    wish.key = list_.key;
    wish.list = words_.surface_of(list_.name);
    wish.is_latest = list_.is_same || (around_.is_spoken_of && is_this_list());
    wish.is_count = occurs(by_.count);
    return filled(std::move(wish));
  }

 private:
  ThingsInSentence things() const { return {words_, by_, list_}; }
  Part find(const PhraseSet& set) const { return words_.find(set, words_.all(), list_.place); }
  bool occurs(const PhraseSet& set) const { return !find(set).empty(); }

  /// Whether it is no matter of lists; "and, how is it called, baking soda" only looks for a word.
  bool is_of_others() const {
    for (std::size_t at = 0; at < words_.size(); ++at) {
      const std::size_t other = words_.at_phrase(by_.other, at);
      const std::size_t noise = words_.at_phrase(by_.noise, at);
      if (other > 0 && noise <= other && !is_errand(at)) return true;
      if (noise > 1) at += noise - 1;
    }
    return false;
  }

  /// "Put send the invoice on my tasks", "on the to-do list print the tickets".
  bool is_errand(std::size_t at) const {
    if (!list_.found() || words_.at_phrase(by_.errand, at) == 0) return false;
    const auto ends_here = [&](const PhraseSet& does) { return !words_.before(does, at).empty(); };
    return list_.place.end == at || ends_here(by_.add) || ends_here(by_.remove);
  }

  /// "Add glue to this list".
  bool is_this_list() const {
    return list_.name.empty() && list_.key.empty() && !words_.find(by_.this_list, words_.all()).empty();
  }

  // ---- where no list is named

  /// "Cross it off", "put jam on it", "what's left": of the list that was spoken of.
  std::optional<Wish> about_latest() {
    list_.take_there();
    const bool is_there = list_.found();
    auto kind = kind_of();
    const bool is_put = kind == Kind::kAdd && around_.is_near && !is_of_here() &&
                        (is_there ? occurs(by_.add) && (!is_anywhere() || around_.is_fresh) : adds_too());
    const bool asks_count = is_there && occurs(by_.count);
    const bool asks_rest =
        !words_.find(by_.rest, words_.all()).empty() && (is_there || around_.is_fresh || occurs(by_.count));
    const bool is_asked = around_.is_near && (asks_count || asks_rest);
    if (is_asked && kind != Kind::kRemove) kind = Kind::kRead;
    if (kind == Kind::kRead && !is_asked) return std::nullopt;
    if ((!kind || kind == Kind::kAdd) && !is_put) return further();
    if (!kind || kind == Kind::kClear || kind == Kind::kCreate) return std::nullopt;
    Wish wish(*kind);
    wish.is_latest = true;
    wish.is_count = occurs(by_.count);
    auto made = filled(std::move(wish));
    if (made && *kind == Kind::kHas && !is_there) made->things.clear();  // "is it cold outside"
    return made;
  }

  /// "Ponle la tapa", "give me the spoon, too": such a thing is here, and is no groceries.
  bool is_of_here() const {
    const Part adds = find(by_.add);
    for (std::size_t at = adds.end; !adds.empty() && at < words_.size(); ++at) {
      if (words_.at_phrase(by_.there, at) > 0 || words_.at_phrase(by_.also, at) > 0) continue;
      return is_definite(words_.bare({at, words_.size()}));
    }
    return false;
  }

  /// "Bota um forró aí", which may be said of any place.
  bool is_anywhere() const { return words_.is(by_.anywhere, list_.place) && !things().has_groceries(); }

  bool is_definite(Part thing) const {
    const bool has_article = !thing.empty() && !words_.before(by_.pronoun, thing.begin).empty();
    return has_article && !words_.is(by_.groceries, thing);
  }

  /// "Ajoutez aussi du papier", which begins with the verb.
  bool adds_too() const {
    const Part adds = find(by_.add);
    return !adds.empty() && occurs(by_.also) && words_.bare({0, adds.begin}).empty();
  }

  /// "Glue as well", "oh and a lemon": what comes to what was just put on the list.
  std::optional<Wish> further() const {
    constexpr std::size_t kMost = 8;
    if (!around_.is_fresh) return std::nullopt;
    const Part left_out = not_wanted();
    const Part told = left_out.empty() ? words_.all() : left_out;
    for (const PhraseSet* const asks : {&by_.what, &by_.whether, &by_.count, &by_.verb, &by_.remove})
      if (!words_.find(*asks, told).empty()) return std::nullopt;
    const Part thing = words_.bare(told);
    if (thing.empty() || thing.size() > kMost) return std::nullopt;
    if (!left_out.empty()) {
      Wish wish(Kind::kRemove);
      wish.is_latest = true;
      wish.things = words_.surface_of(thing);
      return wish;
    }
    const bool is_swap = occurs(by_.swap);
    if (!is_swap && (is_definite(thing) || (!is_said_too() && !is_led_on()))) return std::nullopt;
    Wish wish(Kind::kAdd);
    wish.is_latest = true;
    wish.is_swap = is_swap;
    wish.is_further = !is_swap && !is_said_too();
    wish.is_grocery = !words_.before(by_.groceries, thing.end).empty();
    wish.things = occurs(by_.add) ? things().to_add() : words_.surface_of(thing);
    return wish;
  }

  /// "Actually, not the eggs"; "no, eggs" puts something right.
  Part not_wanted() const {
    const Part cue = words_.find(by_.negated, words_.all());
    const bool leads = !cue.empty() && cue.end < words_.size() && words_.bare({0, cue.begin}).empty() &&
                       words_.clause_of(cue.end - 1) == words_.clause_of(cue.end);
    return leads ? Part(cue.end, words_.size()) : Part();
  }

  bool is_said_too() const {
    const Part also = words_.find(by_.also, words_.all());
    return !also.empty() &&
           (words_.bare({also.end, words_.size()}).empty() || words_.bare({0, also.begin}).empty());
  }

  /// "And a lemon", "and tequila": what begins so, and then with what things begin with, or groceries.
  bool is_led_on() const {
    bool is_and = false;
    std::size_t at = 0;
    while (at < words_.size()) {
      const std::size_t joint = words_.at_phrase(by_.conjunction, at);
      const std::size_t skipped = joint > 0 ? joint : words_.at_phrase(by_.noise, at);
      const bool is_thing = words_.at_phrase(by_.some, at) > 0 || words_.at_phrase(by_.groceries, at) > 0;
      if (is_and && is_thing) return true;
      if (skipped == 0) return false;
      is_and = is_and || joint > 0;
      at += skipped;
    }
    return false;
  }

  // ---- what is wanted

  std::optional<Kind> kind_of() const {
    const bool adds = occurs(by_.add), lacks = occurs(by_.lacks);
    if (!list_.found() && occurs(by_.remove)) return Kind::kRemove;
    if (adds && lacks && !occurs(by_.or_not)) return Kind::kAdd;
    if (!list_.key.empty() && words_.is(by_.buy, list_.place)) return Kind::kRead;
    if (occurs(by_.count)) return Kind::kRead;
    if (!things().begins_with(by_.what).empty() || is_right_before(by_.what)) return Kind::kRead;
    if (!things().begins_with(by_.whether).empty()) return Kind::kHas;
    if (occurs(by_.or_not) && occurs(by_.whether)) return Kind::kHas;
    if (is_said_after(by_.whether)) return Kind::kHas;
    if (is_begun()) return Kind::kCreate;
    if (occurs(by_.what) && !does_first()) return Kind::kRead;
    const Part clears = find(by_.clear);
    if (!clears.empty() &&
        (!list_.found() || words_.clause_of(clears.begin) == words_.clause_of(list_.place.begin)))
      return Kind::kClear;
    if (occurs(by_.remove)) return Kind::kRemove;
    if (adds || lacks || things().is_heading() || things().is_said_first() || is_put_too()) return Kind::kAdd;
    return std::nullopt;
  }

  /// "Take the garlands off the list and read me what's left": what is done first is wanted first.
  bool does_first() const {
    const Part asks = find(by_.what);
    const auto is_first = [&](const PhraseSet& does) {
      const Part done = find(does);
      return !done.empty() && done.begin < asks.begin;
    };
    return (is_first(by_.remove) && occurs(by_.rest)) || (is_first(by_.add) && reads_behind());
  }

  /// "Candles on the birthday list as well", "sandpaper on the same list", "soil on the list and cream".
  bool is_put_too() const {
    const bool is_put = occurs(by_.also) || list_.is_same || things().has_more();
    return list_.found() && is_put && !occurs(by_.what) && !occurs(by_.whether);
  }

  /// "We leave soon, so what's on camping".
  bool is_right_before(const PhraseSet& cues) const {
    return !words_.before(cues, list_.place.begin).empty();
  }

  /// "Did I put cheese on there, on the shopping list I mean": a sentence that begins so, and then only the
  /// list.
  bool is_said_after(const PhraseSet& cues) const {
    const Part place = list_.place;
    if (place.empty() || words_.clause_of(place.begin) == 0) return false;
    const bool is_alone = words_.bare({words_.clause_begin(place.begin), place.begin}).empty() &&
                          words_.bare({place.end, words_.clause_end(place.begin)}).empty();
    std::size_t at = 0;
    while (is_alone && at < words_.clause_end(0) && words_.at_phrase(cues, at) == 0) {
      const std::size_t skipped = words_.at_phrase(by_.noise, at);
      if (skipped == 0) return false;
      at += skipped;
    }
    return is_alone && at < words_.clause_end(0);
  }

  /// "Make me a list", "a new list called camping".
  bool is_begun() const {
    bool is_one = false;
    for (std::size_t at = list_.place.begin; at < list_.place.end; ++at)
      is_one = is_one || words_.at_phrase(by_.one, at) > 0;
    const bool is_said =
        occurs(by_.begin) || occurs(by_.called) || occurs(by_.called_end) || things().is_filled_there();
    return is_one && is_said;
  }

  // ---- what it is about

  std::optional<Wish> filled(Wish wish) const {
    if (wish.kind == Kind::kCreate) return begun(std::move(wish));
    if (wish.kind == Kind::kRead || wish.kind == Kind::kClear) return wish;
    if (wish.kind == Kind::kAdd)
      wish.things = things().to_add();
    else
      wish.things = words_.surface_of(things().beside(wish.kind == Kind::kHas ? by_.whether : by_.remove));
    if (wish.kind == Kind::kRemove && wish.things.empty() && takes_list()) wish.kind = Kind::kClear;
    wish.wants_rest = wish.kind == Kind::kRemove && (occurs(by_.what) || occurs(by_.rest));
    if (wish.kind == Kind::kAdd) wish.wants_rest = reads_behind();
    wish.is_lacking = wish.kind == Kind::kAdd && occurs(by_.lacks);
    const bool is_thing = std::ranges::count(wish.things, ' ') < kLongestThings;
    if (!is_thing || (wish.kind == Kind::kAdd && wish.things.empty())) return std::nullopt;
    return wish;
  }

  /// "Put cheese on the list and read it to me".
  bool reads_behind() const {
    const Part reads = words_.find(by_.reads, {std::min(list_.place.end, words_.size()), words_.size()});
    return !reads.empty() && !words_.before(by_.conjunction, reads.begin).empty();
  }

  /// "Delete the shopping list", "so, the shopping list can go": nothing stands between the two.
  bool takes_list() const {
    if (!list_.found()) return false;
    const Part cue = find(by_.remove);
    return (cue.end == list_.place.begin || words_.bare({list_.place.end, cue.begin}).empty()) &&
           words_.at_phrase(by_.from, list_.place.begin) == 0;
  }

  /// A list that is begun has a name, behind what leads to it or beside the word for a list, and perhaps
  /// things at once.
  std::optional<Wish> begun(Wish wish) const {
    const Part name = things().new_name();
    if (name.empty()) return std::nullopt;
    wish.list = words_.surface_of(name);
    wish.things = words_.surface_of(things().on_new(name.end));
    return wish;
  }

  const WishWords& by_;
  const Around& around_;
  SentenceWords words_;
  ListInSentence list_;
};

}  // namespace

Wishes::Wishes(const LocaleResources& locale) : locale_(locale) {}

const WishWords* Wishes::language(const std::string& lang) const {
  const auto tag = closest_language(lang, locale_.languages());
  return tag ? &languages_.try_emplace(*tag, locale_, *tag).first->second : nullptr;
}

std::optional<Wish> Wishes::read(const std::string& text, const std::string& lang,
                                 const Around& around) const {
  const WishWords* const by = language(lang);
  return by == nullptr ? std::nullopt : Sentence(text, lang, *by, around).read();
}

std::string Wishes::bare(const std::string& things, const std::string& lang) const {
  const WishWords* const by = language(lang);
  if (by == nullptr) return things;
  const SentenceWords said(things, lang, *by);
  return said.surface_of(said.bare(said.all()));
}

bool Wishes::tells(const std::string& things, const std::string& lang) const {
  const WishWords* const by = language(lang);
  if (by == nullptr) return false;
  const SentenceWords said(things, lang, *by);
  return !said.find(by->add, said.all()).empty();
}

}  // namespace parley::lists
