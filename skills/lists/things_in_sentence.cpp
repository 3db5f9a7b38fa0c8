#include "things_in_sentence.hpp"

#include <algorithm>
#include <utility>

namespace parley::lists {

Part ThingsInSentence::begins_with(const PhraseSet& cues) const {
  std::size_t at = words_.clause_begin(place_.begin);
  while (at < place_.begin) {
    if (const std::size_t length = words_.at_phrase(cues, at); length > 0) return {at, at + length};
    const std::size_t skipped = words_.at_phrase(by_.noise, at);
    if (skipped == 0) break;
    at += skipped;
  }
  return {};
}

bool ThingsInSentence::is_heading() const {
  constexpr std::size_t kMost = 12;
  const std::size_t end = words_.clause_end(0);
  return !place_.empty() && place_.begin == 0 && place_.end == end && words_.size() > end &&
         words_.size() <= end + kMost;
}

bool ThingsInSentence::is_said_first() const {
  constexpr std::size_t kMost = 18;
  const bool is_led = words_.at_phrase(by_.on, 0) > 0 || words_.at_phrase(by_.shopping, 0) > 0;
  return !place_.empty() && place_.begin == 0 && is_led && find(by_.whether).empty() &&
         words_.size() <= place_.end + kMost && !words_.bare({place_.end, words_.size()}).empty();
}

/// What stands between a cue and the list, else before, else behind them, in the clause of the list.
Part ThingsInSentence::around(Part cue) const {
  const std::size_t begin = words_.clause_begin(place_.begin);
  const std::size_t end = words_.clause_end(place_.begin);
  const bool is_here = !cue.empty() && cue.begin >= begin && cue.end <= end;
  if (!is_here) return words_.bare({begin, place_.begin});
  const bool is_first = cue.begin < place_.begin;
  const auto [first, second] = is_first ? std::pair(cue, place_) : std::pair(place_, cue);
  const Part between(first.end, second.begin), before(begin, first.begin), behind(second.end, end);
  // "The cream can come off the list, he brought me some": what tells why is none, if there is another.
  Part told;
  for (const Part part :
       {is_first ? between : behind, is_first ? before : between, is_first ? behind : before}) {
    const Part things = words_.bare(part);
    const bool tells = !is_first && part.begin == behind.begin && !words_.find(by_.verb, things).empty();
    if (!things.empty() && !tells) return things;
    if (told.empty()) told = things;
  }
  return told;
}

Part ThingsInSentence::beside(const PhraseSet& cues) const {
  Part cue = begins_with(cues);
  if (cue.empty()) cue = find(cues);
  Part things = around(cue);
  // "I'd swear I wrote oil down, see if it's on the list".
  const Part first = find(cues);
  if (things.empty() && !first.empty() && words_.clause_of(first.begin) != words_.clause_of(place_.begin))
    things = words_.bare({first.end, words_.clause_end(first.begin)});
  // "Did I already write coffee on it": the verb of what was done is none of them.
  for (std::size_t at = things.begin; at < things.end; ++at) {
    const std::size_t length = words_.at_phrase(by_.add, at);
    if (length == 0) continue;
    const Part front = words_.bare({things.begin, at}), rest = words_.bare({at + length, things.end});
    things = front.empty() ? rest : front;
    break;
  }
  return things;
}

std::string ThingsInSentence::to_add() const {
  const Part things = added();
  if (things.empty() || things.end > place_.begin) return words_.surface_of(things);
  const Part more = behind_list();
  if (more.empty()) return words_.surface_of(things);
  return words_.surface_of(things) + ", " + words_.surface_of(more);
}

/// "Beans on the shopping list and two tins of tomatoes as well", "soil on the list and a cup of cream".
Part ThingsInSentence::behind_list() const {
  constexpr std::size_t kMost = 6;
  if (words_.at_phrase(by_.conjunction, place_.end) == 0) return {};
  const Part behind(place_.end, words_.clause_end(place_.begin));
  if (!words_.find(by_.add, behind).empty()) return {};
  const Part things = words_.bare(behind);
  const bool is_more = !words_.find(by_.also, behind).empty() || is_of_groceries(things);
  return is_more && things.size() <= kMost ? things : Part();
}

/// Whether its last word, and with it what it is about, is what a household buys.
bool ThingsInSentence::is_of_groceries(Part things) const {
  const Part last = words_.before(by_.groceries, things.end);
  return !last.empty() && last.begin >= things.begin;
}

Part ThingsInSentence::added() const {
  Part cue = find(by_.add, words_.clause_begin(place_.begin));
  if (cue.empty()) cue = find(by_.add);
  const Part lacks = find(by_.lacks);
  if (is_heading() || (cue.empty() && lacks.empty() && is_said_first()))
    return words_.bare({place_.end, words_.size()});
  // "We must put honey on the list" tells what to do, "honey is out, put it on the list" what is lacking.
  const bool is_told = !cue.empty() && cue.begin >= lacks.end &&
                       words_.bare({lacks.end, cue.begin}).empty() &&
                       !words_.bare({cue.end, place_.begin}).empty();
  const bool is_lacking = !lacks.empty() && !is_told && (cue.empty() || lacks.begin < cue.begin);
  if (is_lacking) return lacking(lacks, cue);
  // "Add milk, eggs and bread to the list".
  if (cue.end < place_.begin && words_.clause_of(cue.begin) != words_.clause_of(place_.begin) && !cue.empty())
    return words_.bare({cue.end, place_.begin});
  if (const Part things = around(cue); !things.empty()) {
    // "Rüebli, Rahm und vier Gipfeli auf die Liste": the commas are between things.
    return words_.bare(with_clauses_before(things));
  }
  // "The tent pegs, put them on the list", "on the list goes: the tax return".
  const std::size_t begin = words_.clause_begin(std::min(place_.begin, cue.begin));
  if (begin > 0) {
    const Part before = words_.bare({words_.clause_begin(begin - 1), begin});
    if (before.size() > kLongestShort) return {};
    return words_.bare(with_clauses_before(before));
  }
  return words_.bare({std::max(words_.clause_end(place_.begin), cue.end), words_.size()});
}

/// "For the cake I need eggs, flour and butter, put those on the list", "milk is out, put it on the list".
Part ThingsInSentence::lacking(Part lacks, Part cue) const {
  std::size_t until = lacks.begin < place_.begin ? place_.begin : words_.size();
  if (!cue.empty())
    until = words_.clause_of(lacks.begin) == words_.clause_of(cue.begin) ? cue.begin
                                                                         : words_.clause_begin(cue.begin);
  if (const Part behind = words_.bare({lacks.end, until}); !behind.empty()) return behind;
  return words_.bare({words_.clause_begin(lacks.begin), lacks.begin});
}

/// With the short clauses before: "ham, cheese and rolls".
Part ThingsInSentence::with_clauses_before(Part part) const {
  while (part.begin > 0 && part.begin == words_.clause_begin(part.begin) && is_short(part.begin - 1))
    part.begin = words_.clause_begin(part.begin - 1);
  return part;
}

bool ThingsInSentence::is_short(std::size_t last) const {
  return last + 1 - words_.clause_begin(last) <= 3;
}

Part ThingsInSentence::new_name() const {
  std::size_t from = place_.end;
  for (std::size_t at = place_.end; at < words_.size(); ++at) {
    const std::size_t length = words_.at_phrase(by_.called, at);
    // "… para el camping y ponle una tienda" gives no second name.
    if (length == 0 || (!list_.name.empty() && leads_to_things(at))) continue;
    from = at + length;
    break;
  }
  if (from == place_.end)
    if (const Part name = name_before_verb(); !name.empty()) return name;
  if (from == place_.end && !list_.name.empty()) return list_.name;
  Part name(from, from);
  while (name.end < words_.size() && words_.clause_of(name.end) == words_.clause_of(name.begin) &&
         words_.at_phrase(by_.begin, name.end) == 0 && (name.end == from || !leads_to_things(name.end)))
    ++name.end;
  return words_.bare(name);
}

/// "Leg eine Liste an, die Putzplan heißt": the verb is last.
Part ThingsInSentence::name_before_verb() const {
  const Part verb = words_.find(by_.called_end, {place_.end, words_.size()});
  if (verb.empty()) return {};
  Part name(place_.end, verb.begin);
  while (!name.empty() && words_.at_phrase(by_.begin, name.begin) > 0) ++name.begin;
  return words_.bare(name);
}

/// "… with a tent", "… and put a tent on it", "… und ein Zelt drauf": the name of a list that is begun has
/// ended.
bool ThingsInSentence::leads_to_things(std::size_t at) const {
  if (words_.at_phrase(by_.with, at) > 0) return true;
  const std::size_t joint = words_.at_phrase(by_.conjunction, at);
  return joint > 0 && (words_.at_phrase(by_.add, at + joint) > 0 || is_up_to_there(at));
}

bool ThingsInSentence::is_filled_there() const {
  const Part joint = words_.find(by_.conjunction, {place_.end, words_.size()});
  return !joint.empty() && is_up_to_there(joint.begin);
}

bool ThingsInSentence::is_up_to_there(std::size_t at) const {
  const Part there = words_.find(by_.there, {at, words_.size()});
  return there.end == words_.size() && there.begin > at + 1;
}

Part ThingsInSentence::on_new(std::size_t end) const {
  for (std::size_t at = std::max(end, place_.end); at < words_.size(); ++at) {
    const Part with(at, at + words_.at_phrase(by_.with, at));
    const Part adds(at, at + words_.at_phrase(by_.add, at));
    if (with.empty() && adds.empty()) {
      const std::size_t joint = words_.at_phrase(by_.conjunction, at);
      const bool is_verb_next = words_.at_phrase(by_.add, at + joint) > 0;
      if (joint > 0 && !is_verb_next && is_up_to_there(at)) return words_.bare({at + joint, words_.size()});
      continue;
    }
    return words_.bare({(adds.empty() ? with : adds).end, words_.size()});
  }
  const Part cue = words_.find(by_.add, {0, place_.begin});
  return cue.empty() ? Part() : words_.bare({cue.end, place_.begin});
}

}  // namespace parley::lists
