#include "talk.hpp"

#include <algorithm>
#include <array>
#include <parley/text.hpp>
#include <span>
#include <utility>

#include "entries.hpp"
#include "said_moments.hpp"

namespace parley::reminder {
namespace {

namespace ch = std::chrono;

constexpr std::size_t kMostInTalk = 30;
/// Words that are about something, in the clause with the time: more tell of something else.
constexpr std::size_t kMostTold = 3;
/// In an answer to a question that was asked just now more may be told.
constexpr std::size_t kMostToldInAnswer = 6;

class TalkReading final : SaidMoments {
 public:
  TalkReading(std::string_view text, const LocaleResources& locale, const std::string& lang,
              const RequestReader::FindWhen& find_when, const Talk& talk)
      : SaidMoments(text, locale, lang, find_when), talk_(talk) {}

  std::optional<Request> request() {
    if (is_of_something_else()) return std::nullopt;
    name_those_meant();
    if (asks_when()) return Request(Wish::kWhen);
    if (is_cancelled_by_name()) return Request(Wish::kCancel);
    if (talk_.asked_first) return plainly_changed();
    if (auto answer = answered()) return answer;
    return changed();
  }

  std::optional<Request> answer() {
    if (is_of_something_else()) return std::nullopt;
    name_those_meant();
    return answered();
  }

 private:
  bool is_of_something_else() const {
    return said_.empty() || said_.size() > kMostInTalk || said_.find("wish_other");
  }

  // ---- what it is about

  /// Short words, such as articles, name nothing.
  bool names(const std::string& what) const {
    const auto named = words(what, lang_);
    const auto said = said_.in(said_.all());
    return std::any_of(named.begin(), named.end(), [&](const Word& one) {
      if (says_nothing(one)) return false;
      return std::any_of(said.begin(), said.end(),
                         [&](const Word& word) { return are_akin(one, word, lang_); });
    });
  }

  bool says_nothing(const Word& word) const {
    constexpr std::array<const char*, 4> kEmpty{"article", "talk_filler", "wish_empty", "wish_aside"};
    return std::any_of(kEmpty.begin(), kEmpty.end(), [&](const char* vocabulary) {
      return locale_.vocabulary_equals(lang_, vocabulary, std::span(&word, 1));
    });
  }

  Found thing() const {
    const auto reminder = said_.find("reminder_words");
    return reminder ? reminder : said_.find("alarm_words");
  }

  /// "The reminder"; "a reminder" is a new one.
  bool is_reminder_there() const {
    const auto reminder = said_.find("reminder_words");
    return reminder && reminder->begin > 0 && said_.is("wish_the", {reminder->begin - 1, reminder->begin});
  }

  /// "The alarm", "my alarm"; "an alarm" is a new one.
  bool is_alarm_there() const {
    const auto alarm = said_.find("alarm_words");
    return alarm && !(alarm->begin > 0 && said_.is("talk_new", {alarm->begin - 1, alarm->begin}));
  }

  void name_those_meant() {
    for (const Known& one : talk_.entries)
      if (names(one.what)) meant_.push_back(one);
    is_named_by_name_ = !meant_.empty();
    is_named_ = is_named_by_name_ || is_reminder_there() || is_alarm_there();
    if (meant_.empty() && talk_.latest) meant_.push_back(*talk_.latest);
    if (talk_.asked) is_asked_named_ = thing() || names(*talk_.asked);
  }

  // ---- questions

  std::size_t front_of(WordRun clause) const {
    constexpr std::array<const char*, 3> kInFront{"talk_no", "wish_aside", "wish_empty"};
    for (std::size_t at = clause.begin; at < clause.end;) {
      std::size_t length = 0;
      for (const char* vocabulary : kInFront) length = std::max(length, phrase_at(vocabulary, at));
      if (length == 0) return at;
      at += length;
    }
    return clause.end;
  }

  std::size_t phrase_at(std::string_view vocabulary, std::size_t at) const {
    for (std::size_t n = std::min(UtteranceWords::kLongestPhrase, said_.size() - at); n > 0; --n)
      if (said_.is(vocabulary, {at, at + n})) return n;
    return 0;
  }

  bool asks() const {
    for (std::size_t at = 0; at < said_.size(); at = said_.clause_of(at).end) {
      const WordRun clause = said_.clause_of(at);
      const std::size_t front = front_of(clause);
      if (phrase_at("talk_asks", clause.begin) > 0) return true;
      if (front < clause.end && phrase_at("talk_asks", front) > 0) return true;
    }
    return false;
  }

  /// "So at what hour is my alarm tomorrow", "when do you tell me that about the pills".
  bool asks_when() {
    const bool is_asked_of_it = is_named_by_name_ && !talk_.asked_first && said_.find("wish_when");
    if (!is_asked_of_it && (!said_.find("talk_time") || said_.find("wish_move"))) return false;
    const bool is_known = is_asked_of_it || (is_named_ && said_.find("talk_say"));
    if (!is_known && (!thing() || talk_.asked_first)) return false;
    start_over(false);
    find_moments();
    return std::none_of(moments_.begin(), moments_.end(),
                        [&](const WordRun& one) { return !lacks_time(*when(said_.surface_of(one))); });
  }

  /// "Cancel the bread", and nothing else; before others are asked only right behind what was said of it: a
  /// list may have bread, too.
  bool is_cancelled_by_name() {
    const auto cue = said_.find("wish_cancel");
    if (!cue || thing() || !is_named_by_name_ || (talk_.asked_first && !talk_.spoke_last)) return false;
    start_over(false);
    take_what_says_nothing();
    take(*cue);
    return left(said_.all()) == 0;
  }

  // ---- when?

  std::optional<Request> answered() {
    if (!talk_.asked || (said_.find("wish_remind") && !is_asked_named_)) return std::nullopt;
    Request request(Wish::kAnswer);
    WordRun last;
    for (const bool is_number_enough : {true, false}) {
      if (is_number_enough && !talk_.spoke_last && !is_asked_named_) continue;
      start_over(is_number_enough);
      find_moments();
      if (moments_.empty()) continue;
      last = moments_.front();
      start_over(is_number_enough);
      read_moment(request);
      if (request.moment) break;
    }
    if (!request.moment) return std::nullopt;
    return is_answer(*request.moment, last) ? std::optional(request) : std::nullopt;
  }

  bool is_answer(const SpokenMoment& moment, WordRun at) {
    take_what_says_nothing();
    const std::size_t told = left(said_.all());
    const bool is_bare = told == 0;
    if (is_bare) return talk_.spoke_last || is_asked_named_ || !moment.span;
    if (asks()) return false;
    if (is_asked_named_) return true;
    if (!talk_.spoke_last) return false;
    if (left(said_.clause_of(at.begin)) == 0 && !moment.span) return true;
    return told <= (moment.span ? 1 : kMostToldInAnswer);
  }

  void take_what_says_nothing() {
    for (const char* vocabulary :
         {"talk_filler", "talk_rather", "talk_no", "wish_aside", "wish_empty", "link", "wish_put",
          "wish_move", "reminder_words", "alarm_words", "wish_remind"})
      take_all(vocabulary);
    if (talk_.asked) take_named(*talk_.asked);
    for (const Known& one : meant_) take_named(one.what);
  }

  void take_named(const std::string& what) {
    const auto named = words(what, lang_);
    for (std::size_t at = 0; at < said_.size(); ++at)
      for (const Word& one : named)
        if (one.norm == said_[at].norm || are_akin(one, said_[at], lang_)) take({at, at + 1});
  }

  std::size_t left(WordRun within) const {
    return static_cast<std::size_t>(std::count(taken_.begin() + static_cast<std::ptrdiff_t>(within.begin),
                                               taken_.begin() + static_cast<std::ptrdiff_t>(within.end),
                                               false));
  }

  // ---- to another time

  std::optional<Request> changed() {
    // "Remind me of the pills at eight instead": of what there is already.
    const bool is_changed = is_named_by_name_ && said_.find("talk_instead");
    if ((said_.find("wish_remind") && !is_changed) || asks()) return std::nullopt;
    if (!is_named_ && !talk_.latest) return std::nullopt;
    const bool is_sure = is_named_ || talk_.spoke_last;
    std::vector<WordRun> cues = cues_in(is_sure);
    if (cues.empty() || (talk_.leaves_corrections && is_mere_correction())) return std::nullopt;
    for (const WordRun& cue : cues) {
      // Behind it a number alone is a time.
      if (auto request = moved_to({cue.end, said_.clause_of(cue.begin).end}, is_sure))
        if (is_sure_of(*request, cue)) return request;
    }
    for (const bool is_number_enough : {false, true}) {
      if (is_number_enough && !is_sure) break;
      if (auto request = moved_to(said_.all(), is_number_enough))
        if (is_sure_of(*request, WordRun())) return request;
    }
    return std::nullopt;
  }

  /// "No, it's on at eight, let's say nine for the drops": begins as what takes something back, and names it
  /// or says nothing else.
  std::optional<Request> plainly_changed() {
    constexpr std::size_t kLatest = 2;
    constexpr std::size_t kMostLeft = 1;
    if (!talk_.spoke_last || !talk_.latest) return std::nullopt;
    const auto no = said_.find("talk_no");
    if (!no || no->begin > kLatest) return std::nullopt;
    auto request = changed();
    if (!request || is_named_by_name_) return request;
    taken_.assign(said_.size(), false);
    for (const WordRun& one : all_moments_) take(one);
    take_what_says_nothing();
    return left(said_.all()) <= kMostLeft ? request : std::nullopt;
  }

  /// "No, on Monday" right behind what it corrects: what was said then is understood anew with it, mostly.
  bool is_mere_correction() {
    if (is_named_) return false;
    start_over(true);
    find_moments();
    if (std::ranges::any_of(moments_, [&](const WordRun& one) { return is_said_to_be(one); })) return false;
    for (const WordRun& one : moments_) take(one);
    take_what_says_nothing();
    return left(said_.all()) == 0;
  }

  /// What says that something is to be otherwise, the plainest first.
  std::vector<WordRun> cues_in(bool is_sure) const {
    std::vector<WordRun> cues;
    for (const char* vocabulary : {"wish_move", "wish_put", "talk_rather", "talk_no"}) {
      const std::string_view name = vocabulary;
      if (!is_sure && (name == "wish_put" || name == "talk_no")) continue;
      // "Set the alarm to eight" may be a new one.
      if (name == "wish_put" && said_.find("alarm_words")) continue;
      for (WordRun rest = said_.all(); rest.size() > 0;) {
        const auto cue = said_.find(vocabulary, rest);
        if (!cue) break;
        cues.push_back(*cue);
        rest.begin = cue->end;
      }
    }
    return cues;
  }

  std::optional<Request> moved_to(WordRun within, bool is_number_enough) {
    start_over(is_number_enough);
    shut_out(within);
    find_moments();
    const auto meant = those_meant(within.size() == said_.size());
    if (meant.empty()) return std::nullopt;
    start_over(is_number_enough);
    shut_out(within);
    for (const WordRun& one : all_moments_)
      if (std::none_of(meant.begin(), meant.end(),
                       [&](const WordRun& other) { return other.begin == one.begin; }))
        take(one);
    Request request(Wish::kMove);
    read_moment(request);
    moved_at_ = meant.front();
    // "To in an hour"; an hour alone is by how much.
    const bool is_some_time =
        request.moment && (!request.moment->span || begins_with("talk_in", request.when));
    return is_some_time ? std::optional(request) : std::nullopt;
  }

  void shut_out(WordRun within) {
    for (std::size_t at = 0; at < said_.size(); ++at)
      if (!within.has(at)) take({at, at + 1});
  }

  /// The first moment that is none of those that are there, or not meant, or a reason; of a day and a time of
  /// day both.
  std::vector<WordRun> those_meant(bool is_all) {
    all_moments_ = moments_;
    std::vector<WordRun> some;
    for (const WordRun& one : moments_)
      if (!is_denied(one) && !was_before(one) && !is_reason(one) && !is_said_to_be(one)) some.push_back(one);
    // "No a las diez": "no, at ten".
    if (some.empty() && is_all && moments_.size() == 1) some = moments_;
    if (some.size() < 2) return some;
    const auto other = std::find_if(some.begin() + 1, some.end(),
                                    [&](const WordRun& one) { return lacks(one) != lacks(some.front()); });
    if (other == some.end()) return {some.front()};
    return {some.front(), *other};
  }

  bool lacks(const WordRun& one) const { return lacks_time(*when(said_.surface_of(one))); }

  bool begins_with(std::string_view vocabulary, std::string_view text) const {
    const auto said = words(text, lang_);
    for (std::size_t n = 1; n <= std::min(UtteranceWords::kLongestPhrase, said.size()); ++n)
      if (locale_.vocabulary_equals(lang_, vocabulary, std::span(said).first(n))) return true;
    return false;
  }

  /// "Tomorrow is Sunday": both only say what day that is.
  bool is_said_to_be(const WordRun& one) const {
    constexpr std::size_t kMostBetween = 3;
    const auto is_told = [&](const WordRun& first, const WordRun& second) {
      if (first.end >= second.begin || second.begin - first.end > kMostBetween) return false;
      // "No es el lunes es el martes"; "no, mañana es domingo" denies nothing of it.
      if (is_denied(first, 2) || !said_.clause_of(first.begin).has(second.begin)) return false;
      const auto is = said_.find("talk_is", {first.end, second.begin});
      return is && is->begin == first.end && lacks(first) && lacks(second);
    };
    const auto at = std::ranges::find(moments_, one.begin, &WordRun::begin) - moments_.begin();
    const auto i = static_cast<std::size_t>(at);
    return (i + 1 < moments_.size() && is_told(moments_[i], moments_[i + 1])) ||
           (i > 0 && is_told(moments_[i - 1], moments_[i]));
  }

  /// "Not at nine", "no es el lunes".
  bool is_denied(const WordRun& one, std::size_t fewest_words = 1) const {
    for (std::size_t n = std::min<std::size_t>(3, one.begin); n >= fewest_words; --n) {
      const WordRun before(one.begin - n, one.begin);
      if (said_.is("talk_not", before) && said_.clause_of(one.begin).has(before.begin)) return true;
    }
    return false;
  }

  bool was_before(const WordRun& one) const {
    constexpr ch::hours kHalf(12);
    const auto time = time_of_day(when(said_.surface_of(one)));
    return time && std::any_of(meant_.begin(), meant_.end(), [&](const Known& known) {
             return known.time && *known.time % kHalf == *time % kHalf;
           });
  }

  bool is_reason(const WordRun& one) const {
    const auto why = said_.find("talk_why", {0, one.begin});
    return why && moments_.front().begin < why->begin;
  }

  /// What was spoken of just before may be named by nothing but a time; where much else is told it is a
  /// guess.
  bool is_sure_of(const Request& request, WordRun cue) {
    if (is_named_) return true;
    if (lacks_time(*request.moment) && (!talk_.spoke_last || (cue.size() == 0 && told_beside_it() > 0)))
      return false;
    const bool is_right_behind =
        cue.size() > 0 && moved_at_.begin <= cue.end + 1 && !said_.is("talk_no", cue);
    if (is_right_behind && talk_.spoke_last) return true;
    return told_beside_it() <= (talk_.spoke_last ? kMostTold : 1);
  }

  /// Words of the clause with the time that are about something; why it is to be so does not count.
  std::size_t told_beside_it() {
    const WordRun clause = said_.clause_of(moved_at_.begin);
    taken_.assign(said_.size(), false);
    take_what_says_nothing();
    for (const WordRun& one : all_moments_) take(one);
    if (const auto why = said_.find("talk_why", {moved_at_.end, clause.end})) take({why->begin, clause.end});
    return left(clause);
  }

  const Talk& talk_;
  std::vector<Known> meant_;  ///< Those that are named, else the latest.
  std::vector<WordRun> all_moments_;
  WordRun moved_at_;
  bool is_named_ = false, is_named_by_name_ = false, is_asked_named_ = false;
};

}  // namespace

std::optional<Request> TalkReader::read(std::string_view text, const Talk& talk) const {
  return TalkReading(text, locale_, lang_, find_when_, talk).request();
}

std::optional<Request> TalkReader::answer(std::string_view text, const Talk& talk) const {
  return TalkReading(text, locale_, lang_, find_when_, talk).answer();
}

}  // namespace parley::reminder
