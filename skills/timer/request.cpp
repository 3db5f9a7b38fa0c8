#include "request.hpp"

#include <algorithm>
#include <parley/durations.hpp>
#include <parley/link_words.hpp>
#include <parley/numbers.hpp>
#include <parley/text.hpp>
#include <parley/utterance_words.hpp>
#include <span>

namespace parley::timer {
namespace {

using std::chrono::seconds;

/// More is a story in which somebody may mean anything.
constexpr std::size_t kMostWords = 30;
/// Between "make me" and how long.
constexpr std::size_t kMostBetween = 2;
constexpr std::size_t kLongestName = 3;
/// "Pause it".
constexpr std::size_t kShortClause = 4;

using Found = std::optional<WordRun>;

class Reading {
 public:
  Reading(std::string_view text, const LocaleResources& locale, const RequestReader& reader,
          const DurationReader& durations, const std::vector<Timer>& running)
      : text_(text),
        lang_(durations.lang()),
        locale_(locale),
        reader_(reader),
        durations_(durations),
        running_(running),
        said_(text, lang_, locale) {}

  /// What takes the place of the duration in front of it.
  struct PutRight {
    WordRun slip;
    seconds time{};
  };
  bool has_timer() const { return timer_word().has_value(); }
  std::string_view surface_of(WordRun run) const { return said_.surface_of(run); }
  std::optional<PutRight> put_right() const {
    for (std::size_t from = 1; from < said_.size();) {
      const auto slip = said_.find("wish_slip", WordRun(from, said_.size()));
      if (!slip || slip->end == said_.size()) return std::nullopt;
      const std::string_view before = text_.substr(0, said_[slip->begin].begin);
      std::size_t at = slip->end;
      auto right = length_at(at);
      while (!right && at + 1 < said_.size() && links(at)) right = length_at(++at);
      if (right && (find_duration(before, lang_) || is_behind_number(slip->begin)))
        return PutRight{*slip, *right};
      from = slip->end;
    }
    return std::nullopt;
  }

  std::optional<Request> request() const {
    if (said_.empty() || said_.size() > kMostWords || said_.find("wish_other")) return std::nullopt;
    if (said_.find("wish_list")) return Request(Wish::kList);
    if (auto named = renamed()) return named;
    if (is_held()) return Request(Wish::kPause);
    const auto length = length_said();
    if (length) {
      if (auto changed = changed_by(*length)) return changed;
    }
    if (auto asked = asked_of_one()) return asked;
    return length ? set_for(*length) : std::nullopt;
  }

 private:
  Found timer_word() const {
    if (const auto found = said_.find("timer")) return found;
    for (std::size_t at = 0; at < said_.size(); ++at)
      if (!durations_.compound_name(said_.surface_of({at, at + 1})).empty()) return WordRun(at, at + 1);
    return std::nullopt;
  }

  // ---- how long

  /// "Set one for twelve, no, thirteen minutes": the slip has no unit of its own.
  bool is_behind_number(std::size_t at) const {
    constexpr std::size_t kLongestNumber = 4;
    for (std::size_t n = 1; n <= std::min(kLongestNumber, at); ++n) {
      const auto number = leading_number(said_.in({at - n, at}), lang_);
      if (number && number->words == n) return true;
    }
    return false;
  }

  /// Words between a slip and the duration that counts: "actually, make it fifty minutes".
  bool links(std::size_t at) const {
    return said_.is("wish_set", {at, at + 1}) || said_.is("wish_it", {at, at + 1}) ||
           said_.is("wish_slip", {at, at + 1}) || said_.is("wish_aside", {at, at + 1}) ||
           said_.is("link", {at, at + 1});
  }

  /// Of a duration that begins there.
  std::optional<seconds> length_at(std::size_t at) const {
    const std::string_view behind = text_.substr(said_[at].begin);
    const auto found = find_duration(behind, lang_);
    if (!found || found->begin != 0) return std::nullopt;
    return durations_.read(behind).duration;
  }

  struct Length {
    WordRun where;
    seconds time{};
  };

  std::optional<Length> length_said() const {
    const auto time = reader_.duration_in(text_);
    if (!time) return std::nullopt;
    Length length;
    length.time = *time;
    const auto found = find_duration(text_, lang_);
    if (!found) return length_in_pieces(*time);
    std::size_t from = 0;
    while (from < said_.size() && said_[from].end <= found->begin) ++from;
    std::size_t to = from;
    while (to < said_.size() && said_[to].begin < found->end) ++to;
    length.where = WordRun(from, to);
    if (const auto instead = said_instead(length.where))
      length.time = *instead;
    else if (const auto right = put_right())
      length.time = right->time;
    return length;
  }

  /// "Ten minutes, no, twelve": in the same unit where none is said.
  std::optional<seconds> said_instead(WordRun first) const {
    const auto slip = said_.find(
        "wish_slip", WordRun(first.end, std::min(first.end + UtteranceWords::kLongestPhrase, said_.size())));
    if (!slip || slip->begin != first.end || slip->end == said_.size()) return std::nullopt;
    const std::string behind(text_.substr(said_[slip->end].begin));
    const auto number = leading_number(said_.in({slip->end, said_.size()}), lang_);
    if (!number) return std::nullopt;
    if (const auto told = durations_.read(behind).duration) return told;
    const std::string count(said_.surface_of({slip->end, slip->end + number->words}));
    return durations_.read(count + ' ' + std::string(said_.surface_of({first.end - 1, first.end}))).duration;
  }

  /// "Five more minutes": from the number on.
  std::optional<Length> length_in_pieces(seconds time) const {
    for (std::size_t at = 0; at < said_.size(); ++at) {
      const auto number = leading_number(said_.in({at, said_.size()}), lang_);
      if (!number) continue;
      Length length;
      length.time = time;
      length.where = WordRun(at, std::min(at + number->words + 2, said_.size()));
      return length;
    }
    return std::nullopt;
  }

  // ---- what is wanted

  /// "That timer there, name it bread".
  std::optional<Request> renamed() const {
    if (auto other = named_otherwise()) return other;
    const auto cue = said_.find("wish_name");
    if (!cue || cue->end == said_.size() || !timer_word() || length_said()) return std::nullopt;
    Request request(Wish::kRename);
    request.name = bare(WordRun(cue->end, said_.clause_of(cue->end).end));
    return request.name.empty() ? std::nullopt : std::optional(request);
  }

  /// "It's not pizza, it's lasagna, can you change the name on that timer": what it is, and not what it
  /// isn't.
  std::optional<Request> named_otherwise() const {
    const auto cue = said_.find("wish_new_name");
    if (!cue || (!timer_word() && running_.empty())) return std::nullopt;
    std::size_t from = cue->begin;
    while (from > 0 && !said_.is("wish_is", {from - 1, from})) --from;
    if (from == 0 || from == cue->begin) return std::nullopt;
    WordRun name(from, std::min(said_.clause_of(from).end, cue->begin));
    if (const auto denied = said_.find("wish_not", name)) name.end = denied->begin;
    Request request(Wish::kRename);
    request.name = name.size() <= kLongestName ? bare(name) : "";
    return request.name.empty() ? std::nullopt : std::optional(request);
  }

  /// "Hold the egg timer a sec": no second is counted.
  bool is_held() const {
    const auto cue = said_.find("wish_hold");
    const auto timer = timer_word();
    if (!cue || (!timer && !names_one())) return false;
    const WordRun clause = said_.clause_of(cue->begin);
    const bool is_of_it = !timer || clause.has(timer->begin);
    return is_of_it && !said_.find("wish_set", WordRun(clause.begin, cue->begin)) &&
           said_.find("wish_moment", WordRun(cue->end, clause.end));
  }

  /// "Give it five more minutes", "take ten minutes off": where there is something to change.
  std::optional<Request> changed_by(const Length& length) const {
    if (!timer_word() && running_.empty()) return std::nullopt;
    const WordRun clause = said_.clause_of(length.where.begin);
    for (const auto& [vocabulary, wish] :
         {std::pair("wish_less", Wish::kShorten), std::pair("wish_more", Wish::kExtend)}) {
      if (!said_.find(vocabulary, clause)) continue;
      Request request(wish);
      request.duration = length.time;
      return request;
    }
    return std::nullopt;
  }

  /// What is asked or wanted of a timer that runs.
  std::optional<Request> asked_of_one() const {
    const auto timer = timer_word();
    for (const auto& [vocabulary, wish] :
         {std::pair("wish_resume", Wish::kResume), std::pair("wish_pause", Wish::kPause),
          std::pair("wish_cancel", Wish::kCancel), std::pair("wish_left", Wish::kLeft)}) {
      const auto cue = said_.find(vocabulary);
      if (!cue) continue;
      const WordRun clause = said_.clause_of(cue->begin);
      const bool of_timer =
          timer && (clause.has(timer->begin) || !said_.find("wish_set", said_.clause_of(timer->begin)));
      const bool is_paused_one = wish == Wish::kResume && any_paused();
      if (of_timer || is_paused_one || (!running_.empty() && (names_one() || is_short(clause, *cue, wish))))
        return Request(wish);
    }
    return std::nullopt;
  }

  /// Whether a clause says little beside what is wanted: "how long still to go", and "pause it" where a story
  /// goes with it.
  bool is_short(WordRun clause, WordRun cue, Wish wish) const {
    const bool is_beside = wish == Wish::kLeft || clause.size() < said_.size();
    return is_beside && clause.size() - cue.size() < kShortClause - 1;
  }

  /// What is said of going on is mostly said of that one.
  bool any_paused() const {
    return std::any_of(running_.begin(), running_.end(),
                       [](const Timer& one) { return one.paused.has_value(); });
  }

  bool names_one() const { return !named_within(running_, reader_.without_what_stays(text_), lang_).empty(); }

  std::optional<Request> set_for(const Length& length) const {
    const bool is_wanted = timer_word() || said_.find("wish_count") || is_told_to(length) ||
                           is_all_but_a_name(length) || is_put_on(length) || is_called(length) ||
                           is_let_run(length) || ends_a_story(length);
    if (!is_wanted) return std::nullopt;
    Request request(Wish::kSet);
    request.duration = length.time;
    request.name = name_for(length);
    return request;
  }

  /// "Make me forty five seconds", and nothing behind it but what for.
  bool is_told_to(const Length& length) const {
    const WordRun clause = said_.clause_of(length.where.begin);
    const auto cue = cue_before(length.where.begin, clause);
    if (!cue) return false;
    if (!running_.empty() && said_.find("wish_it", WordRun(cue->begin, length.where.begin))) return false;
    for (std::size_t at = cue->end; at < length.where.begin; ++at)
      if (!said_.is("link", {at, at + 1}) && !said_.is("new", {at, at + 1})) return false;
    return ends_there(length, clause);
  }

  /// What asks for a timer, right in front of how long or with few words between.
  Found cue_before(std::size_t place, WordRun clause) const {
    for (std::size_t end = place; end > clause.begin && place - end <= kMostBetween; --end) {
      for (std::size_t n = std::min(UtteranceWords::kLongestPhrase, end - clause.begin); n > 0; --n) {
        if (said_.is("wish_set", {end - n, end})) return WordRun(end - n, end);
      }
    }
    return std::nullopt;
  }

  bool ends_there(const Length& length, WordRun clause) const {
    const std::size_t behind = length.where.end;
    return behind >= clause.end ||
           said_.find("wish_slip", WordRun(behind, std::min(behind + 1, clause.end))) ||
           said_.find("wish_for", WordRun(behind, std::min(behind + 1, clause.end))) ||
           said_.is("wish_aside", {behind, clause.end});
  }

  /// "The eggs are in the water, six minutes": what was put on, and nothing but how long.
  bool is_put_on(const Length& length) const {
    constexpr std::size_t kMostInFront = 10;
    const WordRun clause = said_.clause_of(length.where.begin);
    const bool is_bare =
        clause.begin == length.where.begin && clause.begin > 0 &&
        (length.where.end >= clause.end || said_.is("wish_aside", {length.where.end, clause.end}));
    return is_bare && clause.end == said_.size() && clause.begin <= kMostInFront &&
           said_.find("wish_heat", WordRun(0, clause.begin));
  }

  /// "Seven minutes for the eggs".
  bool is_all_but_a_name(const Length& length) const {
    constexpr std::size_t kMostBehind = 5;
    const std::size_t behind = length.where.end;
    const auto right = put_right();
    std::size_t end = right ? right->slip.begin : said_.size();
    // "…, so that they soak"
    if (const auto why = said_.find("live_why", WordRun(std::min(behind + 2, end), end))) end = why->begin;
    // "…, be so kind"
    while (end > behind && said_.is("wish_aside", said_.clause_of(end - 1)))
      end = said_.clause_of(end - 1).begin;
    if (!says_little({0, length.where.begin}) || behind >= end || end - behind > kMostBehind) return false;
    return (right || said_.find("wish_for", WordRun(behind, behind + 1))) &&
           !find_duration(said_.surface_of({behind, end}), lang_);
  }

  /// "The dough rests two hours, call it dough".
  bool is_called(const Length& length) const {
    const Found cue = said_.find("wish_name");
    return cue && cue->begin >= length.where.end && cue->end < said_.size() && !said_.find("wish_asks");
  }

  /// "Ten minutes bath time please, then she has to come out": nothing in front, and behind it that it is to
  /// run.
  bool is_let_run(const Length& length) const { return let_run(length).has_value(); }

  Found let_run(const Length& length) const {
    constexpr std::size_t kMostBehind = 10;
    constexpr std::size_t kLongestPurpose = 4;  // "bath time for Alfie"
    const std::size_t behind = length.where.end;
    if (!says_little({0, length.where.begin}) || said_.size() - behind > kMostBehind ||
        said_.find("wish_asks"))
      return std::nullopt;
    const Found cue = said_.find("wish_begin", WordRun(behind, said_.size()));
    return cue && cue->begin - behind <= kLongestPurpose ? cue : std::nullopt;
  }

  /// "The laundry's in, so half an hour please".
  bool ends_a_story(const Length& length) const {
    const WordRun front(0, length.where.begin), behind(length.where.end, said_.size());
    if (front.size() < 2 || said_.find("wish_asks") ||
        !(behind.size() == 0 || said_.is("wish_aside", behind) || said_.is("wish_begin", behind)))
      return false;
    const bool is_asked = said_.find("wish_begin", behind) || said_.find("wish_begin", front);
    for (std::size_t n = 1; n <= std::min<std::size_t>(3, front.size()); ++n)
      if (said_.is("wish_so", {front.end - n, front.end}) &&
          (is_asked || said_.find("wish_heat", front) || n > 1))
        return true;
    return is_asked && says_little(front);
  }

  /// "The laundry's in".
  std::string put_on_name(const Length& length) const {
    const Found cue = said_.find("wish_heat", WordRun(0, length.where.begin));
    const std::string name = cue ? bare(WordRun(0, cue->begin)) : std::string();
    return words(name, lang_).size() <= kLongestName ? name : std::string();
  }

  bool says_little(WordRun run) const {
    for (std::size_t at = run.begin; at < run.end; ++at)
      if (!said_.is("wish_aside", {at, at + 1}) && !said_.is("next", {at, at + 1}) &&
          !said_.is("link", {at, at + 1}))
        return false;
    return true;
  }

  // ---- names

  std::string name_for(const Length& length) const {
    if (const auto cue = said_.find("wish_name"); cue && cue->end < said_.size())
      return bare(WordRun(cue->end, end_of_name(cue->end, length)));
    const std::string compound = durations_.compound_name(text_);
    if (!compound.empty()) return compound;
    if (ends_a_story(length)) return put_on_name(length);
    if (const auto begin = let_run(length); begin && begin->begin > length.where.end)
      return bare(WordRun(length.where.end, begin->begin));
    if (const auto timer = said_.find("timer")) {
      const std::string before = bare(WordRun(name_begin(timer->begin), timer->begin));
      if (!before.empty() && !find_duration(before, lang_)) return before;
      const std::string behind = name_between(timer->end, length);
      if (!behind.empty()) return behind;
    }
    WordRun clause = said_.clause_of(length.where.begin);
    // "Two hours for the lamb and give me a shout when it's done".
    for (const char* vocabulary : {"wish_count", "live_why", "wish_begin"}) {
      const auto told =
          said_.find(vocabulary, WordRun(std::min(length.where.end + 2, clause.end), clause.end));
      if (told) clause.end = told->begin;
    }
    for (std::size_t at = length.where.end; at < clause.end; ++at) {
      if (!said_.is("wish_for", {at, at + 1}) || at + 1 == clause.end) continue;
      if (said_.is("wish_aside", {at, clause.end})) return "";   // "y me avisas"
      if (said_.is("wish_for", {at + 1, clause.end})) continue;  // "pour que", which says why
      const std::string name = bare(WordRun(at + 1, clause.end));
      if (words(name, lang_).size() <= kLongestName) return name;
    }
    return "";
  }

  /// "Minuteur spaghettis neuf minutes".
  std::string name_between(std::size_t from, const Length& length) const {
    const WordRun run(from, length.where.begin);
    if (run.begin >= run.end || run.size() > kLongestName ||
        !said_.clause_of(run.begin).has(length.where.begin))
      return "";
    for (const char* vocabulary : {"wish_set", "wish_count", "wish_begin"})
      if (said_.find(vocabulary, run)) return "";
    return bare(run);
  }

  /// As far as a duration or the end of the clause.
  std::size_t end_of_name(std::size_t at, const Length& length) const {
    const std::size_t end = said_.clause_of(at).end;
    return length.where.begin > at ? std::min(end, length.where.begin) : end;
  }

  /// A name in front of "timer" goes as far back as an article, or a verb.
  std::size_t name_begin(std::size_t timer) const {
    const WordRun clause = said_.clause_of(timer);
    std::size_t begin = timer;
    while (begin > clause.begin && timer - begin < kLongestName && !said_.is("new", {begin - 1, begin}) &&
           !said_.is("known", {begin - 1, begin}) && !said_.is("link", {begin - 1, begin}) &&
           !said_.is("wish_set", {begin - 1, begin}))
      --begin;
    const bool is_known = begin > clause.begin &&
                          (said_.is("new", {begin - 1, begin}) || said_.is("known", {begin - 1, begin}));
    return is_known ? begin : timer;
  }

  /// Without the words around it that only link.
  std::string bare(WordRun which) const {
    if (which.begin >= which.end) return "";
    const std::string inner = LinkWords(locale_, lang_, "wish_aside").strip(said_.surface_of(which));
    return LinkWords(locale_, lang_, "link").strip(inner);
  }

  std::string_view text_;
  const std::string& lang_;
  const LocaleResources& locale_;
  const RequestReader& reader_;
  const DurationReader& durations_;
  const std::vector<Timer>& running_;
  UtteranceWords said_;
};

}  // namespace

std::optional<Request> RequestReader::read(std::string_view text, const std::vector<Timer>& running) const {
  return Reading(text, locale_, *this, durations_, running).request();
}

bool RequestReader::has_timer(std::string_view text) const {
  const std::vector<Timer> none;
  return Reading(text, locale_, *this, durations_, none).has_timer();
}

std::optional<RequestReader::PutRight> RequestReader::put_right(std::string_view text) const {
  const std::vector<Timer> none;
  const Reading reading(text, locale_, *this, durations_, none);
  const auto right = reading.put_right();
  if (!right) return std::nullopt;
  return PutRight{right->time, std::string(reading.surface_of(right->slip))};
}

std::optional<seconds> RequestReader::duration_in(std::string_view text) const {
  const Spoken whole = durations_.read(text);
  if (whole.negative) return std::nullopt;
  const auto said = words(text, durations_.lang());
  if (whole.duration) return whole.duration;
  for (std::size_t at = 1; at + 1 < said.size(); ++at) {
    // Only a number goes before what stands between.
    const auto number = leading_number(std::span(said).subspan(at - 1), durations_.lang());
    if (!number || number->words != 1) continue;
    const std::string near(surface(text, std::span(said).subspan(at - 1, 1)));
    const Spoken told = durations_.read(near + ' ' + std::string(text.substr(said[at + 1].begin)));
    if (told.duration) return told.duration;
  }
  return std::nullopt;
}

std::string_view RequestReader::without_what_stays(std::string_view text) const {
  const auto said = words(text, durations_.lang());
  for (std::size_t at = 1; at < said.size(); ++at) {
    for (std::size_t n = 1; n <= std::min(UtteranceWords::kLongestPhrase, said.size() - at); ++n) {
      if (locale_.vocabulary_equals(durations_.lang(), "wish_keep", std::span(said).subspan(at, n)))
        return text.substr(0, said[at].begin);
    }
  }
  return text;
}

}  // namespace parley::timer
