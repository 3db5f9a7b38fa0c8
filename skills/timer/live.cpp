#include "live.hpp"

#include <algorithm>
#include <array>
#include <parley/durations.hpp>
#include <parley/link_words.hpp>
#include <parley/numbers.hpp>
#include <parley/text.hpp>
#include <parley/utterance_words.hpp>
#include <span>

#include "which.hpp"

namespace parley::timer {
namespace {

using std::chrono::seconds;
using Found = std::optional<WordRun>;

/// Vocabularies of words that say nothing of what is wanted.
constexpr std::array kLinks{"link",     "known",    "next",  "wish_aside",
                            "live_can", "live_one", "timer", "wish_it"};

/// More is a story in which somebody may mean anything.
constexpr std::size_t kLongestSaid = 24;
/// Beside what is wanted of a timer that is not named.
constexpr std::size_t kMostBeside = 6;
/// Of a name for a new timer.
constexpr std::size_t kLongestNewName = 4;

class LiveReading {
 public:
  LiveReading(std::string_view text, const LocaleResources& locale, const DurationReader& durations,
              const std::vector<Timer>& running, const Talk* talk)
      : text_(text),
        lang_(durations.lang()),
        locale_(locale),
        durations_(durations),
        running_(running),
        talk_(talk),
        said_(text, lang_, locale),
        names_(said_, running, locale, durations),
        length_(find_length()) {}

  std::optional<Request> request() const {
    if (said_.empty() || said_.size() > kLongestSaid || is_of_other_matters()) return std::nullopt;
    if (length_ && (count_numbers() > 1 || says_a_timer())) return std::nullopt;
    if (names_another()) return std::nullopt;
    if (auto another = new_one()) return another;
    if (running_.empty()) return std::nullopt;
    if (auto named = renamed()) return about(std::move(*named));
    if (auto changed = with_length()) return about(std::move(*changed));
    if (length_ && !length_->is_bare && is_named()) return std::nullopt;  // some other time
    if (auto asked = question()) return about(std::move(*asked));
    if (auto changed = without_length()) return about(std::move(*changed));
    if (auto again = same_of_another()) return about(std::move(*again));
    return std::nullopt;
  }

  std::vector<Id> meant() const {
    if (!names_.none() || !said_.find("all")) return names_.ids();
    return everything();
  }

  bool is_of_somebody_else() const {
    constexpr std::size_t kMostOthers = 1;
    std::size_t others = 0;
    for (std::size_t at = 0; at < said_.size(); ++at)
      if (!says_nothing({at, at + 1}) && !said_.is("wish_cancel", {at, at + 1})) ++others;
    return others > kMostOthers && !is_clear() && !said_.find("live_off");
  }

 private:
  /// How long, and where that is said.
  struct Length {
    WordRun where;
    seconds time{};
    bool is_bare = false;  ///< A number of minutes without a unit.
  };

  // ---- how long

  std::optional<Length> find_length() const {
    // "Put the eggs on hold for a second".
    if (said_.find("wish_moment") && (said_.find("live_hold") || said_.find("wish_pause")))
      return std::nullopt;
    const RequestReader reader(locale_, durations_);
    Length length;
    if (const auto right = reader.put_right(text_)) {
      length.time = right->time;
      length.where = WordRun(0, 0);
      if (const auto found = find_duration(text_, lang_)) length.where = run_of(found->begin, found->end);
      return length;
    }
    if (const auto found = find_duration(text_, lang_)) {
      const auto time = durations_.read(text_.substr(found->begin)).duration;
      if (!time) return std::nullopt;
      length.where = run_of(found->begin, found->end);
      length.time = *time;
      return length;
    }
    if (const auto time = reader.duration_in(text_)) {  // "five more minutes"
      length.time = *time;
      if (const auto number = last_number()) length.where = *number;
      return length;
    }
    const auto number = last_number();
    if (!number) return std::nullopt;
    const auto told = durations_.read_answer(said_.surface_of(*number)).duration;
    if (!told || !ends_behind(number->end)) return std::nullopt;
    length.where = *number;
    length.time = *told;
    length.is_bare = true;
    return length;
  }

  WordRun run_of(std::size_t begin, std::size_t end) const {
    std::size_t from = 0;
    while (from < said_.size() && said_[from].end <= begin) ++from;
    std::size_t to = from;
    while (to < said_.size() && said_[to].begin < end) ++to;
    return {from, to};
  }

  /// How many there are, but for a slip: of two, each may be of a timer of its own.
  std::size_t count_numbers() const {
    if (RequestReader(locale_, durations_).put_right(text_)) return 1;
    std::size_t count = 0;
    for (std::size_t at = 0; at < said_.size();) {
      const auto number = leading_number(said_.in({at, said_.size()}), lang_);
      const bool counts =
          number && !said_.is("new", {at, at + 1}) && !said_.is("all", {at > 0 ? at - 1 : at, at + 1});
      if (counts && !(length_->where.has(at) && at > length_->where.begin)) ++count;
      at += number ? std::max<std::size_t>(number->words, 1) : 1;
    }
    return count;
  }

  /// "A pasta timer", "an eight minute rice timer", which is none of those that run.
  bool says_a_timer() const {
    constexpr std::size_t kMostBetween = 2;
    const Found timer = said_.find("timer");
    if (!timer || said_.find("live_new")) return false;
    std::size_t between = 0;
    for (std::size_t at = timer->begin; at-- > 0 && between <= kMostBetween;) {
      if (said_.is("new", {at, at + 1})) return true;
      if (!length_->where.has(at)) ++between;
    }
    return false;
  }

  /// "The rice timer" where none of that name runs.
  bool names_another() const {
    const Found timer = said_.find("timer");
    if (!timer || timer->begin < 2) return false;
    const std::size_t name = timer->begin - 1;
    const auto is_length = [this](std::size_t at) { return length_ && length_->where.has(at); };
    const bool is_told =
        is_length(name - 1) || said_.is("known", {name - 1, name}) || said_.is("new", {name - 1, name});
    return is_told && !is_length(name) && !says_nothing({name, name + 1});
  }

  /// The last number there is, from its first word on. "A" is none.
  Found last_number() const {
    Found last;
    for (std::size_t at = 0; at < said_.size();) {
      const auto number = leading_number(said_.in({at, said_.size()}), lang_);
      if (!number || said_.is("new", {at, at + 1}) || said_.is("all", {at > 0 ? at - 1 : at, at + 1})) {
        ++at;
        continue;
      }
      last = WordRun(at, at + number->words);
      at += number->words;
    }
    return last;
  }

  /// Whether nothing follows that the number could count: the end, a word of politeness, a reason.
  bool ends_behind(std::size_t at) const {
    if (at >= said_.size() || said_.clause_of(at).begin == at) return true;
    if (said_.is("wish_aside", {at, said_.size()})) return true;
    for (std::size_t n = 1; n <= UtteranceWords::kLongestPhrase && at + n <= said_.size(); ++n) {
      for (const char* vocabulary : {"wish_aside", "wish_for", "live_why", "live_change", "wish_name"})
        if (said_.is(vocabulary, {at, at + n})) return true;
    }
    return false;
  }

  // ---- what is spoken of

  bool is_of_other_matters() const {
    for (const char* vocabulary : {"wish_other", "live_other"}) {
      for (WordRun rest = said_.all(); rest.begin < rest.end;) {
        const Found found = said_.find(vocabulary, rest);
        if (!found) break;
        if (!names_.have(*found)) return true;
        rest.begin = found->end;
      }
    }
    return false;
  }

  /// The word for a timer, or "that one".
  bool says_timer() const {
    if (said_.find("timer") || said_.find("live_one")) return true;
    for (std::size_t at = 0; at < said_.size(); ++at)
      if (!durations_.compound_name(said_.surface_of({at, at + 1})).empty()) return true;
    return false;
  }

  bool is_named() const { return !names_.none(); }
  bool was_spoken_of() const { return talk_ != nullptr && talk_->is_last; }
  bool is_clear() const { return is_named() || says_timer() || said_.find("all").has_value(); }

  std::vector<Id> everything() const {
    std::vector<Id> ids;
    for (const Timer& one : running_) ids.push_back(one.id);
    return ids;
  }

  bool runs(Id id) const {
    return std::ranges::any_of(running_, [id](const Timer& one) { return one.id == id; });
  }

  /// Fills in which are meant, as far as that is known.
  std::optional<Request> about(Request request) const {
    request.which = meant();
    if (!request.which.empty() || running_.size() == 1) {
      if (request.which.empty()) request.which = everything();
      return request;
    }
    const bool asks =
        request.wish == Wish::kLeft || request.wish == Wish::kList || request.wish == Wish::kFirst;
    if (asks) return request;
    if (was_spoken_of() && talk_->which.size() == 1 && runs(talk_->which.front()))
      request.which = talk_->which;
    return request;
  }

  // ---- a new one

  /// "And another one of four for the garlic", "and for the rice twelve".
  std::optional<Request> new_one() const {
    if (!length_) return std::nullopt;
    const Found cue = said_.find("live_new");
    if (!cue && !goes_on_with_another()) return std::nullopt;
    if (cue && !was_spoken_of() && running_.empty()) return std::nullopt;
    Request request(Wish::kSet);
    request.duration = length_->time;
    request.name = new_name();
    const bool is_told = !request.name.empty() || cue;
    return is_told ? std::optional(request) : std::nullopt;
  }

  /// "And for the rice twelve" right after another was set.
  bool goes_on_with_another() const {
    const bool was_set = was_spoken_of() && talk_->wish == Wish::kSet;
    return was_set && !is_named() && said_.is("next", {0, 1}) && !said_.find("wish_more") &&
           !said_.find("wish_less") && said_.find("live_for") && said_.size() <= kMostBeside * 2;
  }

  /// What stands behind "call it", else behind "for", as far as how long, a reason or the end.
  std::string new_name() const {
    const Found called = said_.find("wish_name");
    if (called && called->end < said_.size()) return name_in(WordRun(called->end, said_.size()));
    for (WordRun rest = said_.all(); rest.begin < rest.end;) {
      const Found cue = said_.find("live_for", rest);
      if (!cue || cue->end == said_.size()) return "";
      if (const std::string name = name_in(WordRun(cue->end, said_.size())); !name.empty()) return name;
      rest.begin = cue->end;
    }
    return "";
  }

  std::string name_in(WordRun run) const {
    run.end = std::min(run.end, said_.clause_of(run.begin).end);
    if (length_->where.has(run.begin)) return "";
    if (length_->where.begin > run.begin) run.end = std::min(run.end, length_->where.begin);
    if (const Found why = said_.find("live_why", WordRun(run.begin + 1, run.end))) run.end = why->begin;
    const std::string inner = LinkWords(locale_, lang_, "wish_aside").strip(said_.surface_of(run));
    std::string name = LinkWords(locale_, lang_, "link").strip(inner);
    return words(name, lang_).size() <= kLongestNewName ? name : std::string();
  }

  // ---- changes

  std::optional<Request> renamed() const {
    const Found cue = said_.find("wish_name");
    if (!cue || cue->end == said_.size() || length_ || !is_clear()) return std::nullopt;
    Request request(Wish::kRename);
    const WordRun run(cue->end, said_.clause_of(cue->end).end);
    const std::string inner = LinkWords(locale_, lang_, "wish_aside").strip(said_.surface_of(run));
    request.name = LinkWords(locale_, lang_, "link").strip(inner);
    const std::size_t count = words(request.name, lang_).size();
    return count > 0 && count <= kLongestNewName ? std::optional(request) : std::nullopt;
  }

  std::optional<Request> with_length() const {
    if (!length_) return std::nullopt;
    const auto with = [this](Wish wish) {
      Request request(wish);
      request.duration = length_->time;
      return std::optional(request);
    };
    const bool is_close = is_clear() || was_spoken_of();
    if (length_->is_bare && !is_close) return std::nullopt;
    // "I've five more minutes of this" is told, and asks for nothing, unless timers are spoken of.
    const bool is_short = said_.size() <= kMostBeside + 2 || is_close;
    if (is_close && is_set_to()) return with(Wish::kChange);
    if (is_for_another()) return std::nullopt;
    if (is_short && (said_.find("wish_less") || said_.find("live_less"))) return with(Wish::kShorten);
    if (is_short && (said_.find("wish_more") || said_.find("live_more"))) return with(Wish::kExtend);
    const bool is_meant = is_clear() || (was_spoken_of() && talk_->is_fresh);
    if (is_meant && (said_.find("live_change") || begins_with("wish_slip"))) return with(Wish::kChange);
    return std::nullopt;
  }

  /// "Put eight minutes on for the pasta", and only tea runs; not "make it eight minutes for the pasta".
  bool is_for_another() const {
    const std::size_t at = length_->where.begin;
    const bool is_of_it = at > 0 && said_.is("wish_it", {at - 1, at});
    return !is_named() && !said_.find("timer") && !is_of_it &&
           said_.find("live_for", WordRun(length_->where.end, said_.size())) && !new_name().empty();
  }

  /// "Put the rice up to fifteen".
  bool is_set_to() const {
    const std::size_t at = length_->where.begin;
    const auto is_to = [&](std::size_t n) { return at >= n && said_.is("live_to", {at - n, at}); };
    return (is_to(1) || is_to(2)) && said_.find("live_change", WordRun(0, at));
  }

  bool begins_with(const char* vocabulary) const {
    const Found found = said_.find(vocabulary);
    return found && (found->begin == 0 || said_.is("wish_aside", {0, found->begin}));
  }

  /// A phrase of a vocabulary that is said of a timer: beside its name, or with the word for one, or of what
  /// was spoken of just before.
  bool is_said_of_one(const char* vocabulary) const {
    const Found cue = said_.find(vocabulary);
    if (!cue) return false;
    if (says_timer() || (said_.find("all") && was_spoken_of())) return true;
    if (is_named()) return is_near(*cue);
    return was_spoken_of() && says_nothing({0, cue->begin}) && says_nothing({cue->end, said_.size()});
  }

  /// Whether a run has only words that link, or mean "it".
  bool says_nothing(WordRun run) const {
    for (std::size_t at = run.begin; at < run.end; ++at) {
      const bool links = names_.has(at) || std::ranges::any_of(kLinks, [&](const char* vocabulary) {
                           return said_.is(vocabulary, {at, at + 1});
                         });
      if (!links) return false;
    }
    return true;
  }

  /// Whether only words that link stand between a cue and a name.
  bool is_near(WordRun cue) const {
    if (names_.last() < cue.begin) return says_nothing({names_.last() + 1, cue.begin});
    return says_nothing({cue.end, std::max(cue.end, names_.first())});
  }

  /// "Switch it off": which is meant by that was named in front.
  bool is_off() const {
    const Found cue = said_.find("live_off");
    if (!cue) return false;
    if (said_.find("live_appliance") && !says_timer()) return false;
    // "Coupe le feu": an article, and no "it".
    const bool ends = cue->end >= said_.size() || said_.clause_of(cue->end).begin == cue->end ||
                      said_.is("wish_aside", {cue->end, cue->end + 1});
    if (!ends && said_.is("known", {cue->end - 1, cue->end})) return false;
    return is_clear() || (was_spoken_of() && said_.size() - cue->size() <= kMostBeside);
  }

  std::optional<Request> without_length() const {
    if (is_said_of_one("live_restart")) return Request(Wish::kRestart);
    const bool for_now = said_.find("wish_moment").has_value();
    if (is_said_of_one("wish_pause") || is_said_of_one("live_hold") || is_held_for_now() ||
        (for_now && (is_said_of_one("wish_hold") || is_said_of_one("wish_cancel"))))
      return Request(Wish::kPause);
    if (resumes()) return Request(Wish::kResume);
    if (is_off() || is_said_of_one("wish_cancel")) return Request(Wish::kCancel);
    return std::nullopt;
  }

  /// "Pause that a minute, we've missed a bit" right after it was spoken of: what is behind says why.
  bool is_held_for_now() const {
    const Found cue = said_.find("wish_pause");
    const Found moment = said_.find("wish_moment");
    return was_spoken_of() && cue && moment && says_nothing({0, cue->begin}) && moment->begin >= cue->end &&
           says_nothing({cue->end, moment->begin});
  }

  bool resumes() const {
    const auto is_meant = [this](const Timer& one) {
      return one.paused && (!is_named() || std::ranges::count(names_.ids(), one.id) > 0);
    };
    if (std::ranges::none_of(running_, is_meant)) return false;
    if (is_named() && (said_.find("wish_resume") || said_.find("live_resume"))) return true;
    return is_said_of_one("wish_resume") || is_said_of_one("live_resume");
  }

  // ---- questions

  std::optional<Request> question() const {
    const bool is_close = is_clear() || (was_spoken_of() && said_.size() <= kMostBeside * 2);
    if (is_close && said_.find("live_when") && said_.find("live_end")) return Request(Wish::kWhen);
    if (said_.find("live_first") && (is_close || said_.size() <= kMostBeside)) return Request(Wish::kFirst);
    if (const Found which = said_.find("live_which");
        which && said_.size() - which->size() <= kMostBeside / 2)
      return Request(Wish::kList);
    if (const Found left = said_.find("live_left")) {
      const std::size_t beside = said_.size() - left->size();
      if (is_clear() || beside <= kMostBeside / 2 || (was_spoken_of() && beside <= kMostBeside))
        return Request(Wish::kLeft);
    }
    if (is_clear() && said_.find("live_how") && said_.size() <= kMostBeside * 2) return Request(Wish::kLeft);
    if (was_spoken_of() && begins_with("live_is_over") && said_.size() <= kMostBeside)
      return Request(Wish::kLeft);
    return std::nullopt;
  }

  /// "And the bread": the same as was wanted of another just before, and nothing else is said.
  std::optional<Request> same_of_another() const {
    if (!is_named() || !was_spoken_of() || talk_->wish == Wish::kSet || talk_->wish == Wish::kRename)
      return std::nullopt;
    if (!says_nothing(said_.all())) return std::nullopt;
    Request request(talk_->wish);
    if (talk_->wish == Wish::kList || talk_->wish == Wish::kFirst) request.wish = Wish::kLeft;
    request.duration = talk_->length;
    return request;
  }

  std::string_view text_;
  const std::string& lang_;
  const LocaleResources& locale_;
  const DurationReader& durations_;
  const std::vector<Timer>& running_;
  const Talk* talk_;
  UtteranceWords said_;
  NamedTimers names_;
  std::optional<Length> length_;
};

}  // namespace

std::optional<Request> LiveReader::read(std::string_view text, const std::vector<Timer>& running,
                                        const Talk* talk) const {
  return LiveReading(text, locale_, durations_, running, talk).request();
}

std::vector<Id> LiveReader::meant(std::string_view text, const std::vector<Timer>& running) const {
  return LiveReading(text, locale_, durations_, running, nullptr).meant();
}

bool LiveReader::may_be_several(std::string_view text) const {
  constexpr std::size_t kShortestWish = 3;
  const UtteranceWords said(text, durations_.lang(), locale_);
  return said.size() > 2 * kShortestWish &&
         said.find("next", WordRun(kShortestWish, said.size() - kShortestWish)).has_value();
}

bool LiveReader::is_of_somebody_else(std::string_view text, const std::vector<Timer>& running) const {
  return LiveReading(text, locale_, durations_, running, nullptr).is_of_somebody_else();
}

}  // namespace parley::timer
