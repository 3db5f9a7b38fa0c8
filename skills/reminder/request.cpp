#include "request.hpp"

#include <algorithm>
#include <parley/link_words.hpp>
#include <parley/numbers.hpp>
#include <parley/text.hpp>
#include <parley/utterance_words.hpp>
#include <span>
#include <utility>
#include <vector>

#include "entries.hpp"

namespace parley::reminder {
namespace {

constexpr std::size_t kMostWords = 36;
/// "On the last day of each month at nine".
constexpr std::size_t kLongestMoment = 9;

using Found = std::optional<WordRun>;

class Reading {
 public:
  Reading(std::string_view text, const LocaleResources& locale, const std::string& lang,
          const RequestReader::FindWhen& find_when)
      : text_(text),
        locale_(locale),
        lang_(lang),
        find_when_(find_when),
        said_(text, lang, locale),
        taken_(said_.size(), false) {}

  std::optional<Request> request(const std::vector<std::string>& known) {
    known_ = names_one_of(known);
    if (said_.empty() || said_.size() > kMostWords || said_.find("wish_other")) return std::nullopt;
    if (said_.find("wish_list")) return Request(Wish::kList);
    if (known_ && said_.find("wish_when")) return Request(Wish::kWhen);
    if (is_to_be_cancelled()) return cancel();
    if (auto moved = move()) return moved;
    if (auto alarm = wake()) return alarm;
    const auto cue = said_.find("wish_remind");
    const auto maybe = cue ? cue : said_.find("wish_tell");
    if (!maybe) return done_again();
    Request reminder = remind(*maybe);
    // Without a time it is no more than a guess: "tell us a joke, a clean one" is not for the first.
    if (!reminder.moment || (!cue && reminder.what.empty())) return std::nullopt;
    if (!cue && lacks_time(*reminder.moment) && !has_moment(said_.clause_of(maybe->begin)))
      return std::nullopt;
    // "What day is it tomorrow, could you tell me".
    const bool is_beside = !cue && said_.clause_of(maybe->begin).size() == maybe->size();
    if (is_beside && (lacks_time(*reminder.moment) || said_.find("wish_question"))) return std::nullopt;
    return reminder;
  }

  bool has_moment(const WordRun& clause) const {
    return std::any_of(moments_.begin(), moments_.end(),
                       [&](const auto& one) { return clause.has(one.begin); });
  }

  /// "On the fifth of each month at nine pay the rent": what is to be done again and again, and when.
  std::optional<Request> done_again() {
    if (said_.find("wish_question") || !said_.find("wish_do")) return std::nullopt;
    start_over(false);
    Request request(Wish::kRemind);
    read_moment(request);
    if (!request.moment || !request.moment->repeat || lacks_time(*request.moment)) return std::nullopt;
    take_all("wish_aside");
    for (std::size_t at = 0; at < said_.size() && request.what.empty(); at = said_.clause_of(at).end)
      if (begins_or_ends_with_deed(said_.clause_of(at))) request.what = left_in(said_.clause_of(at));
    return request.what.empty() ? std::nullopt : std::optional(request);
  }

  Request reminder() {
    const auto cue = said_.find("wish_remind");
    return remind(cue ? *cue : said_.find("wish_tell").value_or(WordRun()));
  }

  std::optional<SpokenMoment> day() {
    find_moments();
    for (const WordRun& one : moments_) {
      auto moment = when(said_.surface_of(one));
      if (moment && moment->date && !moment->date->time && !said_.is("wish_now", one)) return moment;
    }
    return std::nullopt;
  }

 private:
  // ---- words

  void take(WordRun which) {
    for (std::size_t at = which.begin; at < which.end; ++at) taken_[at] = true;
  }

  // ---- when

  std::optional<SpokenMoment> when(std::string_view said) const {
    return find_when_(std::string(said), of_alarm_);
  }

  void start_over(bool of_alarm) {
    of_alarm_ = of_alarm;
    taken_.assign(said_.size(), false);
    moments_.clear();
  }

  /// What says a time or a day all by itself, the longest runs first.
  void find_moments() {
    for (std::size_t at = 0; at < said_.size();) {
      const std::size_t length = moment_at(at);
      const std::size_t day = length > 1 ? day_before_time({at, at + length}) : 0;
      if (day > 0) moments_.emplace_back(at, at + day);
      if (length > 0) moments_.emplace_back(at + day, at + length);
      at += std::max<std::size_t>(length, 1);
    }
  }

  /// The words of the longest moment that begins there.
  std::size_t moment_at(std::size_t at) const {
    for (std::size_t n = std::min(kLongestMoment, said_.size() - at); n > 0; --n) {
      // "An" of "an alarm" is the first of a month, too.
      if (crosses_cue({at, at + n}) || said_.is("article", {at, at + n})) continue;
      const auto moment = when(said_.surface_of({at, at + n}));
      if (moment && words(moment->rest, lang_).empty()) return n;
    }
    return 0;
  }

  /// The words of a day with a time of day behind it that were read as a day without one ("sábado às onze").
  std::size_t day_before_time(WordRun which) const {
    const auto whole = when(said_.surface_of(which));
    if (!whole || !lacks_time(*whole)) return 0;
    for (std::size_t at = which.begin + 1; at < which.end; ++at) {
      const auto day = when(said_.surface_of({which.begin, at}));
      const auto time = when(said_.surface_of({at, which.end}));
      if (day && time && words(day->rest, lang_).empty() && words(time->rest, lang_).empty() &&
          lacks_time(*day) && time->date && time->date->time)
        return at - which.begin;
    }
    return 0;
  }

  bool crosses_cue(WordRun which) const {
    for (std::size_t at = which.begin; at < which.end; ++at)
      if (taken_[at]) return true;
    return false;
  }

  /// All that was said of when, together: "tuesdays" in one clause, "at 8 PM" in another.
  void read_moment(Request& request) {
    const auto weekly = said_.find("every_week");
    if (weekly) take(*weekly);
    const auto morning = said_.find("every_morning");
    const auto evening = said_.find("every_evening");
    if (morning) take(*morning);
    if (evening) take(*evening);
    const auto next_week = week_of_day();
    if (next_week) take(*next_week);
    find_moments();
    std::string together;
    std::optional<SpokenMoment> span;
    WordRun span_at;
    std::vector<WordRun> parts;
    for (const WordRun& one : moments_) {
      auto moment = when(said_.surface_of(one));
      if (moment->span && !span) {
        span = std::move(moment);
        span_at = one;
      } else if (!moment->span) {
        parts.push_back(one);
      }
    }
    for (const WordRun& one : parts)
      together.append(together.empty() ? "" : " ").append(said_.surface_of(one));
    if (!parts.empty()) {
      request.moment = when(together);
      request.when = together;
      if (!request.moment || lacks_time(*request.moment) || !words(request.moment->rest, lang_).empty())
        put_together(parts, request);
      for (const WordRun& one : parts) take(one);
    } else if (span) {
      request.moment = std::move(span);
      request.when = said_.surface_of(span_at);
      take(span_at);
    }
    if (next_week && request.moment && request.moment->date) put_into_week(*next_week, request);
    if (weekly && request.moment && request.moment->date) repeat_weekly(request);
    const bool is_once = request.moment && request.moment->date && request.moment->date->time;
    if ((morning || evening) && is_once) repeat_daily(request, evening.has_value());
    const bool repeats = request.moment && request.moment->repeat && request.moment->repeat->time;
    if (repeats && !evening && !of_alarm_) to_morning(*request.moment->repeat->time);
  }

  /// The words for the next week where a day of it is named: "Tuesday next week".
  Found week_of_day() const {
    const auto week = said_.find("next_week");
    const auto monday = week ? when(said_.surface_of(*week)) : std::nullopt;
    if (!monday || !monday->date) return std::nullopt;
    for (std::size_t at = 0; at < said_.size(); ++at)
      if (!week->has(at) && names_weekday({at, at + 1})) return week;
    return std::nullopt;
  }

  bool names_weekday(WordRun which) const {
    if (said_.is("article", which) || said_.is("wish_now", which)) return false;
    const auto day = when(said_.surface_of(which));
    return day && day->date && !day->date->time && words(day->rest, lang_).empty();
  }

  /// The same weekday in that week.
  void put_into_week(WordRun week, Request& request) const {
    namespace ch = std::chrono;
    auto& date = *request.moment->date;
    const auto any_of_it = when(said_.surface_of(week))->date->day;
    const auto from_monday = [](ch::local_days day) { return ch::weekday(day) - ch::Monday; };
    if (date.time && !of_alarm_) to_morning(*date.time);
    date.day = any_of_it - from_monday(any_of_it) + from_monday(date.day);
    request.when = std::string(said_.surface_of(week)) + ' ' + request.when;
  }

  /// "Every night … at nine".
  static void repeat_daily(Request& request, bool is_late) {
    constexpr std::chrono::hours kHalf(12);
    auto time = *request.moment->date->time;
    if (is_late && time < kHalf && time.count() > 0) time += kHalf;
    if (!is_late && time >= kHalf) time -= kHalf;
    SpokenRepeat again(ScheduleRule::Kind::kDaily);
    again.time = time;
    request.moment.emplace(again);
  }

  /// A day and a time of day that can't be read as one; else the first with a time of day.
  void put_together(const std::vector<WordRun>& parts, Request& request) const {
    const WordRun timed = surest(parts);
    request.moment = when(said_.surface_of(timed));
    request.when = said_.surface_of(timed);
    if (!request.moment->date || !request.moment->date->time) return;
    for (const WordRun& one : parts) {
      auto day = when(said_.surface_of(one));
      if (!day || !lacks_time(*day)) continue;
      if (day->date) day->date->time = request.moment->date->time;
      if (day->date && day->date->day != request.moment->date->day && !of_alarm_)
        to_morning(*day->date->time);
      if (day->repeat) day->repeat->time = request.moment->date->time;
      request.when = std::string(said_.surface_of(one)) + ' ' + request.when;
      request.moment = std::move(day);
      return;
    }
  }

  /// The first with a time of day.
  WordRun surest(const std::vector<WordRun>& parts) const {
    for (const WordRun& one : parts) {
      const auto moment = when(said_.surface_of(one));
      if (moment && !lacks_time(*moment)) return one;
    }
    return parts.front();
  }

  /// "On Tuesday … each week".
  static void repeat_weekly(Request& request) {
    const std::chrono::weekday day(request.moment->date->day);
    SpokenRepeat again(ScheduleRule::Kind::kWeekly, day.iso_encoding());
    again.time = request.moment->date->time;
    request.moment.emplace(again);
  }

  // ---- what

  Request remind(WordRun cue) {
    start_over(false);
    Request request(Wish::kRemind);
    take(cue);
    read_moment(request);
    take_all("wish_aside");
    const WordRun clause = cue.size() > 0 ? said_.clause_of(cue.begin) : said_.all();
    request.what = left_in(clause);
    if (!request.what.empty()) return request;
    // Told in a clause of its own: the one in front goes before one behind, which may say why.
    for (std::size_t end = clause.begin; end > 0 && request.what.empty();
         end = said_.clause_of(end - 1).begin)
      request.what = left_in(said_.clause_of(end - 1));
    for (std::size_t at = clause.end; at < said_.size() && request.what.empty(); at = said_.clause_of(at).end)
      request.what = left_in(said_.clause_of(at));
    return request;
  }

  /// "Each month at nine", "Thursday at nine" is in the morning where nobody says otherwise, also when it is
  /// later than that now.
  void to_morning(std::chrono::minutes& time) const {
    constexpr std::chrono::hours kEvening(19), kHalf(12);
    const auto said = said_.in(said_.all());
    const auto is_of_24_hours = [&] {
      for (std::size_t at = 0; at < said.size(); ++at)
        if (const auto number = leading_number(said.subspan(at), lang_); number && number->value > 12)
          return true;
      return false;
    };
    if (time >= kEvening && !said_.find("half_of_day") && !is_of_24_hours()) time -= kHalf;
  }

  /// Whether what is left of a clause begins with a deed, or ends with one ("Miete zahlen").
  bool begins_or_ends_with_deed(WordRun clause) const {
    while (clause.size() > 0 && taken_[clause.begin]) ++clause.begin;
    while (clause.size() > 0 && taken_[clause.end - 1]) --clause.end;
    return clause.size() > 1 && (said_.is("wish_do", {clause.begin, clause.begin + 1}) ||
                                 said_.is("wish_do", {clause.end - 1, clause.end}));
  }

  void take_all(std::string_view vocabulary) {
    for (std::size_t at = 0; at < said_.size(); ++at) {
      for (std::size_t n = std::min(UtteranceWords::kLongestPhrase, said_.size() - at); n > 0; --n) {
        if (!said_.is(vocabulary, {at, at + n})) continue;
        take({at, at + n});
        at += n - 1;
        break;
      }
    }
  }

  /// The words of a clause that were not taken, without those in front that only link.
  std::string left_in(WordRun clause) const {
    std::string left;
    for (std::size_t at = clause.begin; at < clause.end; ++at) {
      if (taken_[at]) continue;
      std::size_t end = at;
      while (end < clause.end && !taken_[end]) ++end;
      left.append(left.empty() ? "" : " ").append(said_.surface_of({at, end}));
      at = end;
    }
    left = LinkWords(locale_, lang_, "link").strip(left, LinkWords::Ends::kFront);
    const auto said = words(left, lang_);
    const bool says_nothing = said.empty() || locale_.vocabulary_equals(lang_, "it", said) ||
                              locale_.vocabulary_equals(lang_, "wish_empty", said);
    return says_nothing ? std::string() : left;
  }

  // ---- other wishes

  /// Short words, such as articles, name nothing.
  bool names_one_of(const std::vector<std::string>& known) const {
    constexpr std::size_t kShortest = 4;  // bytes
    const auto said = said_.in(said_.all());
    const auto is_said = [&](const Word& one) {
      return one.norm.size() >= kShortest &&
             std::any_of(said.begin(), said.end(), [&](const Word& word) { return word.norm == one.norm; });
    };
    return std::any_of(known.begin(), known.end(), [&](const std::string& what) {
      const auto named = words(what, lang_);
      return std::any_of(named.begin(), named.end(), is_said);
    });
  }

  Found thing() const {
    const auto reminder = said_.find("reminder_words");
    return reminder ? reminder : said_.find("alarm_words");
  }

  /// "Alarm off", "the vet reminder, I don't need it any more"; and none where something is asked for.
  bool is_to_be_cancelled() const {
    if (said_.find("wish_not_remind")) return true;
    const auto cue = said_.find("wish_cancel");
    const auto what = thing();
    if (!cue || !what || said_.find("wish_remind")) return false;
    const WordRun clause = said_.clause_of(cue->begin);
    return clause.has(what->begin) || said_.find("it_alone", clause);
  }

  Request cancel() {
    start_over(false);
    Request request(Wish::kCancel);
    read_moment(request);
    return request;
  }

  /// "The vet's shut at three, shift that reminder to four".
  std::optional<Request> move() {
    const auto what = thing();
    if ((!what && !known_) || said_.find("wish_remind")) return std::nullopt;
    auto cue = said_.find("wish_move");
    if (!cue && what && said_.find("reminder_words") && what->begin > 0 &&
        said_.is("wish_the", {what->begin - 1, what->begin}))
      cue = said_.find("wish_put", said_.clause_of(what->begin));
    if (!cue) return std::nullopt;
    Request request(Wish::kMove);
    // Behind the verb a number alone is a time; what was told in another clause is none that is meant.
    for (const bool is_whole : {false, true}) {
      start_over(!is_whole);
      if (!is_whole)
        for (std::size_t at = 0; at < said_.size(); ++at)
          taken_[at] = at < cue->end || at >= said_.clause_of(cue->begin).end;
      read_moment(request);
      if (request.moment) break;
    }
    return request.moment ? std::optional(request) : std::nullopt;
  }

  /// "Weekdays six thirty alarm please".
  std::optional<Request> wake() {
    auto cue = said_.find("wish_wake");
    if (!cue) cue = said_.find("alarm_words");
    if (!cue || said_.find("wish_question")) return std::nullopt;
    start_over(true);
    take(*cue);
    Request request(Wish::kAlarm);
    read_moment(request);
    if (!request.moment) return std::nullopt;
    return request;
  }

  std::string_view text_;
  const LocaleResources& locale_;
  const std::string& lang_;
  const RequestReader::FindWhen& find_when_;
  UtteranceWords said_;
  std::vector<bool> taken_;
  std::vector<WordRun> moments_;
  bool of_alarm_ = false;
  bool known_ = false;  ///< It has a word of what there is a reminder of.
};

}  // namespace

std::optional<Request> RequestReader::read(std::string_view text,
                                           const std::vector<std::string>& known) const {
  return Reading(text, locale_, lang_, find_when_).request(known);
}

Request RequestReader::read_reminder(std::string_view text) const {
  return Reading(text, locale_, lang_, find_when_).reminder();
}

std::optional<SpokenMoment> RequestReader::day_in(std::string_view text) const {
  return Reading(text, locale_, lang_, find_when_).day();
}

}  // namespace parley::reminder
