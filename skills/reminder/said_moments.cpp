#include "said_moments.hpp"

#include <algorithm>
#include <parley/link_words.hpp>
#include <parley/numbers.hpp>
#include <parley/text.hpp>
#include <span>
#include <utility>

#include "entries.hpp"

namespace parley::reminder {
namespace {

/// "On the last day of each month at nine".
constexpr std::size_t kLongestMoment = 9;

}  // namespace

void SaidMoments::take(WordRun which) {
  for (std::size_t at = which.begin; at < which.end; ++at) taken_[at] = true;
}

void SaidMoments::take_all(std::string_view vocabulary) {
  for (std::size_t at = 0; at < said_.size(); ++at) {
    for (std::size_t n = std::min(UtteranceWords::kLongestPhrase, said_.size() - at); n > 0; --n) {
      if (!said_.is(vocabulary, {at, at + n})) continue;
      take({at, at + n});
      at += n - 1;
      break;
    }
  }
}

std::optional<SpokenMoment> SaidMoments::when(std::string_view said) const {
  return find_when_(std::string(said), of_alarm_);
}

void SaidMoments::start_over(bool of_alarm) {
  of_alarm_ = of_alarm;
  taken_.assign(said_.size(), false);
  moments_.clear();
}

void SaidMoments::find_moments() {
  for (std::size_t at = 0; at < said_.size();) {
    std::size_t length = moment_at(at);
    if (length > 0 && is_cut_off({at, at + length})) length = 0;
    const std::size_t day = length > 1 ? day_before_time({at, at + length}) : 0;
    if (day > 0) moments_.emplace_back(at, at + day);
    if (length > 0) moments_.emplace_back(at + day, at + length);
    at += std::max<std::size_t>(length, 1);
  }
}

std::size_t SaidMoments::moment_at(std::size_t at) const {
  for (std::size_t n = std::min(kLongestMoment, said_.size() - at); n > 0; --n) {
    // "An" of "an alarm" is the first of a month, too.
    if (crosses_cue({at, at + n}) || said_.is("article", {at, at + n})) continue;
    if (said_.is("talk_order", {at, at + n})) continue;  // "first" is a day only as "the first"
    const auto moment = when(said_.surface_of({at, at + n}));
    if (!moment || !words(moment->rest, lang_).empty()) continue;
    // "Dix heures pour" is ten hours, "dix heures" a time of day.
    const bool is_time = moment->span && n > 1 && is_time_alone({at, at + n - 1});
    return is_time ? n - 1 : n;
  }
  return 0;
}

bool SaidMoments::is_time_alone(WordRun which) const {
  const auto moment = find_when_(std::string(said_.surface_of(which)), false);  // "ten" is none
  return moment && moment->date && moment->date->time && words(moment->rest, lang_).empty();
}

bool SaidMoments::is_cut_off(WordRun which) const {
  const std::size_t next = which.begin + 1;
  const std::size_t length = next < said_.size() ? moment_at(next) : 0;
  if (next + length <= which.end) return false;
  return lacks_time(*when(said_.surface_of(which))) &&
         !lacks_time(*when(said_.surface_of({next, next + length})));
}

std::size_t SaidMoments::day_before_time(WordRun which) const {
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

bool SaidMoments::crosses_cue(WordRun which) const {
  for (std::size_t at = which.begin; at < which.end; ++at)
    if (taken_[at]) return true;
  return false;
}

void SaidMoments::read_moment(Request& request) {
  const auto weekly = said_.find("every_week");
  if (weekly) take(*weekly);
  const auto morning = said_.find("every_morning");
  const auto evening = said_.find("every_evening");
  if (morning) take(*morning);
  if (evening) take(*evening);
  const auto next_week = week_of_day();
  if (next_week) take(*next_week);
  find_moments();
  leave_out_taken_back();
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
  for (const WordRun& one : parts) together.append(together.empty() ? "" : " ").append(said_.surface_of(one));
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

bool SaidMoments::is_any_taken_back() const {
  for (std::size_t i = 1; i < moments_.size(); ++i)
    if (takes_back({moments_[i - 1].end, moments_[i].begin})) return true;
  return false;
}

void SaidMoments::leave_out_taken_back() {
  for (std::size_t i = moments_.size(); i-- > 1;) {
    const WordRun between(moments_[i - 1].end, moments_[i].begin);
    if (!takes_back(between)) continue;
    const std::vector<WordRun> before(moments_.begin(), moments_.begin() + static_cast<std::ptrdiff_t>(i));
    const std::vector<WordRun> after(moments_.begin() + static_cast<std::ptrdiff_t>(i), moments_.end());
    const auto has_time = [&](const WordRun& one) { return !lacks_time(*when(said_.surface_of(one))); };
    const auto has_day = [&](const WordRun& one) { return !has_time(one) || day_in(one); };
    const bool says_time = std::ranges::any_of(after, has_time);
    const bool says_day = std::ranges::any_of(after, has_day);
    moments_.clear();
    for (const WordRun& one : before) {
      // The day stays where only another time was said, and the time where only another day was.
      const auto day = has_time(one) ? day_in(one) : Found(one);
      if (!says_day && day) moments_.push_back(*day);
      if (!says_time && has_time(one)) moments_.push_back(day ? time_beside(one, *day) : one);
      take(one);
    }
    take(between);
    moments_.insert(moments_.end(), after.begin(), after.end());
    return;
  }
}

bool SaidMoments::takes_back(WordRun between) const {
  if (!said_.find("talk_no", between)) return false;
  for (std::size_t at = between.begin; at < between.end;) {
    std::size_t length = 0;
    for (const char* vocabulary : {"talk_no", "talk_filler", "talk_rather", "talk_is", "wish_aside"})
      for (std::size_t n = std::min(UtteranceWords::kLongestPhrase, between.end - at); n > length; --n)
        if (said_.is(vocabulary, {at, at + n})) length = n;
    if (length == 0) return false;
    at += length;
  }
  return true;
}

SaidMoments::Found SaidMoments::day_in(WordRun moment) const {
  for (std::size_t n = moment.size() - 1; n > 0; --n) {
    for (std::size_t at = moment.begin; at + n <= moment.end; ++at) {
      if (said_.is("article", {at, at + n}) || said_.is("talk_order", {at, at + n})) continue;
      const auto day = when(said_.surface_of({at, at + n}));
      const bool is_day = day && day->date && lacks_time(*day) && words(day->rest, lang_).empty();
      if (is_day && !said_.find("half_of_day", {at, at + n})) return WordRun(at, at + n);
    }
  }
  return std::nullopt;
}

WordRun SaidMoments::time_beside(WordRun moment, WordRun day) {
  return day.begin > moment.begin ? WordRun(moment.begin, day.begin) : WordRun(day.end, moment.end);
}

SaidMoments::Found SaidMoments::week_of_day() const {
  const auto week = said_.find("next_week");
  const auto monday = week ? when(said_.surface_of(*week)) : std::nullopt;
  if (!monday || !monday->date) return std::nullopt;
  for (std::size_t at = 0; at < said_.size(); ++at)
    if (!week->has(at) && names_weekday({at, at + 1})) return week;
  return std::nullopt;
}

bool SaidMoments::names_weekday(WordRun which) const {
  if (said_.is("article", which) || said_.is("wish_now", which)) return false;
  const auto day = when(said_.surface_of(which));
  return day && day->date && !day->date->time && words(day->rest, lang_).empty();
}

void SaidMoments::put_into_week(WordRun week, Request& request) const {
  namespace ch = std::chrono;
  auto& date = *request.moment->date;
  const auto any_of_it = when(said_.surface_of(week))->date->day;
  const auto from_monday = [](ch::local_days day) { return ch::weekday(day) - ch::Monday; };
  if (date.time && !of_alarm_) to_morning(*date.time);
  date.day = any_of_it - from_monday(any_of_it) + from_monday(date.day);
  request.when = std::string(said_.surface_of(week)) + ' ' + request.when;
}

void SaidMoments::repeat_daily(Request& request, bool is_late) {
  constexpr std::chrono::hours kHalf(12);
  auto time = *request.moment->date->time;
  if (is_late && time < kHalf && time.count() > 0) time += kHalf;
  if (!is_late && time >= kHalf) time -= kHalf;
  SpokenRepeat again(ScheduleRule::Kind::kDaily);
  again.time = time;
  request.moment.emplace(again);
}

void SaidMoments::put_together(const std::vector<WordRun>& parts, Request& request) const {
  const WordRun timed = surest(parts);
  request.moment = when(said_.surface_of(timed));
  request.when = said_.surface_of(timed);
  if (!request.moment->date || !request.moment->date->time) return;
  for (const WordRun& one : parts) {
    auto day = when(said_.surface_of(one));
    if (!day || !lacks_time(*day)) continue;
    if (day->date) day->date->time = request.moment->date->time;
    if (day->date && day->date->day != request.moment->date->day) to_morning(*day->date->time);
    if (day->repeat) day->repeat->time = request.moment->date->time;
    request.when = std::string(said_.surface_of(one)) + ' ' + request.when;
    request.moment = std::move(day);
    return;
  }
}

WordRun SaidMoments::surest(const std::vector<WordRun>& parts) const {
  for (const WordRun& one : parts) {
    const auto moment = when(said_.surface_of(one));
    if (moment && !lacks_time(*moment)) return one;
  }
  return parts.front();
}

void SaidMoments::repeat_weekly(Request& request) {
  const std::chrono::weekday day(request.moment->date->day);
  SpokenRepeat again(ScheduleRule::Kind::kWeekly, day.iso_encoding());
  again.time = request.moment->date->time;
  request.moment.emplace(again);
}

void SaidMoments::to_morning(std::chrono::minutes& time) const {
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

std::string SaidMoments::left_in(WordRun clause) const {
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

}  // namespace parley::reminder
