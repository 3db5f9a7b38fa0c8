#include "entries.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <parley/numbers.hpp>
#include <parley/phrases.hpp>
#include <parley/text.hpp>
#include <span>
#include <utility>

namespace parley::reminder {
namespace {

namespace ch = std::chrono;

/// "Seven", "seven thirty": since midnight. Nothing when that is all but a time.
std::optional<ch::minutes> as_clock(std::string_view text, std::string_view lang) {
  const auto said = words(text, lang);
  const auto whole = [](const SpokenNumber& number, int below) -> std::optional<int> {
    if (number.value >= below || std::floor(number.value) != number.value) return std::nullopt;
    return static_cast<int>(number.value);
  };
  const auto first = leading_number(said, lang);
  if (!first) return std::nullopt;
  if (const auto hour = whole(*first, 24); hour && first->words == said.size()) return ch::hours(*hour);
  // "Seven thirty" may be read as one number or as two.
  for (std::size_t count = 1; count < said.size(); ++count) {
    const auto front = leading_number(std::span(said).first(count), lang);
    const auto back = leading_number(std::span(said).subspan(count), lang);
    if (!front || front->words != count || !back || back->words != said.size() - count) continue;
    const auto hour = whole(*front, 24);
    const auto minute = whole(*back, 60);
    if (hour && minute) return ch::hours(*hour) + ch::minutes(*minute);
  }
  return std::nullopt;
}

/// The next such time; of an hour up to twelve in the morning or in the afternoon, whichever is next.
std::optional<CalendarDate> date_at(std::string_view text, std::string_view lang, ch::local_seconds now) {
  constexpr ch::hours kHalfDay(12);
  const auto time = as_clock(text, lang);
  if (!time) return std::nullopt;
  const auto today = ch::floor<ch::days>(now);
  if (today + *time >= now) return CalendarDate(today, *time);
  const bool half_known = *time < ch::hours(1) || *time >= kHalfDay + ch::hours(1);
  const ch::minutes later = *time + kHalfDay;
  if (!half_known && later < ch::days(1) && today + later >= now) return CalendarDate(today, later);
  return CalendarDate(today + ch::days(1), *time);
}

/// "Two thirty this afternoon": "thirty this afternoon" alone would be a day.
std::optional<SpokenMoment> of_clock_within(std::string_view text, std::string_view lang,
                                            ch::local_seconds now) {
  constexpr std::size_t kMost = 4;  // words: "two twenty five"
  const auto said = words(text, lang);
  for (std::size_t at = 0; at < said.size(); ++at) {
    for (std::size_t n = std::min(kMost, said.size() - at); n > 1; --n) {
      const auto run = std::span(said).subspan(at, n);
      const auto number = leading_number(run, lang);
      const auto time = number && number->words < n ? as_clock(surface(text, run), lang) : std::nullopt;
      if (!time) continue;
      auto moment = find_moment(std::string(text.substr(0, run.front().begin)) + say_clock(*time) +
                                    std::string(text.substr(run.back().end)),
                                lang, now);
      return moment && !lacks_time(*moment) ? moment : std::nullopt;
    }
  }
  return std::nullopt;
}

template <class Fits>
Entries those(const Entries& all, Fits&& fits) {
  Entries found;
  std::copy_if(all.begin(), all.end(), std::back_inserter(found), std::forward<Fits>(fits));
  return found;
}

Entries at_date(const Entries& all, const CalendarDate& date, const Here& here) {
  const auto is_on_day = [&](const Scheduled& one) { return due_on(one, date.day, here.zone).has_value(); };
  if (!date.time) return those(all, is_on_day);
  const auto time_of = [&](const Scheduled& one) {
    const ch::local_seconds due = here.zone.local(one.due);
    return ch::floor<ch::minutes>(due - ch::floor<ch::days>(due));
  };
  Entries found =
      those(all, [&](const Scheduled& one) { return is_on_day(one) && time_of(one) == *date.time; });
  if (found.empty()) found = those(all, [&](const Scheduled& one) { return time_of(one) == *date.time; });
  constexpr ch::hours kHalfDay(12);
  if (found.empty())
    found =
        those(all, [&](const Scheduled& one) { return time_of(one) % kHalfDay == *date.time % kHalfDay; });
  return found;
}

Entries at_moment(const Entries& all, const SpokenMoment& moment, const Here& here) {
  if (moment.date) return at_date(all, *moment.date, here);
  if (moment.span) {
    const auto when = here.now + ch::floor<ch::seconds>(*moment.span);
    return those(
        all, [&](const Scheduled& one) { return ch::abs(here.zone.local(one.due) - when) < ch::minutes(1); });
  }
  const SpokenRepeat& repeat = *moment.repeat;
  return those(all, [&](const Scheduled& one) {
    return one.rule && one.rule->kind() == repeat.kind && one.rule->day() == repeat.day &&
           (!repeat.time || one.rule->time() == *repeat.time);
  });
}

}  // namespace

Json payload_of(bool alarm, const std::string& what) {
  return {{"alarm", alarm}, {"what", what}};
}

bool is_alarm(const Json& payload) {
  return payload.value("alarm", false);
}

std::string what_for(const Json& payload) {
  return payload.value("what", "");
}

bool skips(const Json& payload, ch::system_clock::time_point due) {
  const auto all = payload.find("skipped");
  if (all == payload.end() || !all->is_array()) return false;
  return std::find(all->begin(), all->end(), Json(ch::system_clock::to_time_t(due))) != all->end();
}

std::optional<Json> skipping(Json payload, ch::system_clock::time_point due,
                             ch::system_clock::time_point now) {
  constexpr std::size_t kMost = 100;
  Json left = Json::array();
  for (const Json& one : payload.value("skipped", Json::array()))
    if (one.is_number_integer() && one.get<std::time_t>() >= ch::system_clock::to_time_t(now))
      left.push_back(one);
  if (left.size() >= kMost) return std::nullopt;
  left.push_back(ch::system_clock::to_time_t(due));
  payload["skipped"] = std::move(left);
  return payload;
}

std::optional<ch::system_clock::time_point> due_on(const Scheduled& one, ch::local_days day,
                                                   const Zone& zone) {
  auto due = one.due;
  if (one.rule && one.rule->kind() != ScheduleRule::Kind::kPeriod)
    due = std::max(due, one.rule->next(zone.moment(day) - ch::seconds(1), zone));
  if (ch::floor<ch::days>(zone.local(due)) != day || skips(one.payload(), due)) return std::nullopt;
  return due;
}

ScheduleRule rule_of(const SpokenRepeat& repeat) {
  if (repeat.kind != ScheduleRule::Kind::kMonthly) return repeat.rule(ch::minutes(0));
  return ScheduleRule::monthly(repeat.day, repeat.time.value_or(ch::minutes(0)));
}

std::optional<SpokenMoment> find_alarm_time(std::string_view text, std::string_view lang,
                                            ch::local_seconds now) {
  if (const auto time = date_at(text, lang, now)) return SpokenMoment(*time);
  auto moment = find_moment(text, lang, now);
  if (moment && lacks_time(*moment))
    if (auto clock = of_clock_within(text, lang, now); clock && clock->rest.size() <= moment->rest.size())
      return clock;
  // On another day it is the first such time of it, not the next from now on.
  const auto from =
      moment && moment->date ? std::max(now, ch::local_seconds(ch::local_days(moment->date->day))) : now;
  const auto time = moment ? date_at(moment->rest, lang, from) : std::nullopt;
  if (!time) return moment;
  if (moment->date && !moment->date->time) {
    moment->date->time = time->time;
    moment->rest.clear();
  } else if (moment->repeat && !moment->repeat->time) {
    // Not the next such time: what comes round again in the half of the day that was said.
    moment->repeat->time = as_clock(moment->rest, lang);
    moment->rest.clear();
  }
  return moment;
}

std::string say_clock(ch::minutes time) {
  const auto minutes = (time % ch::hours(1)).count();
  return std::to_string(time / ch::hours(1)) + (minutes < 10 ? ":0" : ":") + std::to_string(minutes);
}

bool lacks_time(const SpokenMoment& moment) {
  return (moment.date && !moment.date->time) || (moment.repeat && !moment.repeat->time);
}

std::optional<ch::minutes> time_of_day(const std::optional<SpokenMoment>& moment) {
  if (!moment) return std::nullopt;
  if (moment->date) return moment->date->time;
  return moment->repeat ? moment->repeat->time : std::nullopt;
}

std::optional<SpokenMoment> completed(const SpokenMoment& moment, const std::string& said,
                                      const std::string& answer, const std::string& lang,
                                      ch::local_seconds now) {
  const auto time = time_of_day(find_alarm_time(answer, lang, now));
  if (!time) return std::nullopt;
  SpokenMoment made = moment;
  if (made.date) made.date->time = *time;
  if (made.repeat) made.repeat->time = *time;
  // Which no other moment says.
  if (made.repeat && made.repeat->kind == ScheduleRule::Kind::kMonthly) return made;
  if (auto whole = find_moment(said + ' ' + answer, lang, now);
      time_of_day(whole) && whole->repeat.has_value() == made.repeat.has_value())
    return whole;
  // A number alone is no time within a text: "six" is 6:00 there.
  const auto spoken = words(answer, lang);
  const auto number = leading_number(spoken, lang);
  constexpr double kNoon = 12;
  if (number && number->words == spoken.size() && number->value <= kNoon &&
      *time % ch::hours(1) == ch::minutes(0)) {
    const std::string clock = std::to_string(std::lround(number->value)) + ":00";
    if (auto whole = find_moment(said + ' ' + clock, lang, now); time_of_day(whole)) return whole;
  }
  return made;
}

SpokenMoment by_day(SpokenMoment moment, const std::string& said, const std::string& lang,
                    ch::local_seconds now, ch::hours behind_last) {
  constexpr ch::hours kFirst(1), kHalfDay(12);
  const auto spoken = words(said, lang);
  const bool is_of_24_hours = std::any_of(spoken.begin(), spoken.end(), [](const Word& word) {
    return word.norm.size() > 1 && word.norm.front() == '0';
  });
  const auto time = time_of_day(moment);
  const bool is_today = moment.date && moment.date->day == ch::floor<ch::days>(now);
  if (!time || *time < kFirst || *time >= behind_last || is_of_24_hours || is_today) return moment;
  if (moment.date) moment.date->time = *time + kHalfDay;
  if (moment.repeat) moment.repeat->time = *time + kHalfDay;
  return moment;
}

Entries meant_by(const Entries& all, const std::string& text, const std::string& lang, const Here& here) {
  if (const auto moment = find_alarm_time(text, lang, here.now)) {
    Entries found = at_moment(all, *moment, here);
    if (!found.empty()) return found;
  }
  const auto said = words(text, lang);
  const PhraseSet whole({text}, lang);
  return those(all, [&](const Scheduled& one) {
    const std::string what = what_for(one.payload());
    return PhraseSet({what}, lang).occurs_in(said) || whole.occurs_in(words(what, lang));
  });
}

Entries with_words_of(const Entries& all, const std::string& text, const std::string& lang,
                      const PhraseSet& articles) {
  constexpr std::size_t kShortestStem = 4;
  std::vector<Word> said = words(text, lang);
  std::erase_if(said, [&](const Word& word) { return articles.equals(std::span(&word, 1)); });
  const auto same = [](const Word& one, const Word& other) {
    const std::size_t stem = std::min(one.norm.size(), other.norm.size());
    return one.norm == other.norm ||
           (stem >= kShortestStem && one.norm.compare(0, stem, other.norm, 0, stem) == 0);
  };
  if (said.empty()) return {};
  return those(all, [&](const Scheduled& one) {
    const auto what = words(what_for(one.payload()), lang);
    return std::all_of(said.begin(), said.end(), [&](const Word& word) {
      return std::any_of(what.begin(), what.end(), [&](const Word& other) { return same(word, other); });
    });
  });
}

bool are_akin(const Word& one, const Word& other, std::string_view lang) {
  constexpr std::size_t kShortest = 4;  // bytes: articles and the like are shorter
  constexpr std::size_t kShortestPart = 6, kLongestEnding = 2;
  const std::string& part = one.norm.size() < other.norm.size() ? one.norm : other.norm;
  const std::string& whole = one.norm.size() < other.norm.size() ? other.norm : one.norm;
  if (part.size() < kShortest) return false;
  if (whole.starts_with(part) && whole.size() <= part.size() + kLongestEnding) return true;
  return lang.starts_with("de") && part.size() >= kShortestPart && whole.ends_with(part);
}

Entries alike(const Entries& all, const std::string& text, const std::string& lang) {
  const auto said = words(text, lang);
  std::ptrdiff_t most = 0;
  Entries found;
  for (const Scheduled& one : all) {
    const auto what = words(what_for(one.payload()), lang);
    const auto common = std::count_if(said.begin(), said.end(), [&](const Word& word) {
      return std::any_of(what.begin(), what.end(),
                         [&](const Word& other) { return are_akin(other, word, lang); });
    });
    if (common == 0 || common < most) continue;
    if (common > most) found.clear();
    most = common;
    found.push_back(one);
  }
  return found;
}

}  // namespace parley::reminder
