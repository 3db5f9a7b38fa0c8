#include "listener.hpp"

#include <algorithm>
#include <parley/text.hpp>
#include <span>
#include <string_view>

namespace parley::reminder {
namespace {

namespace ch = std::chrono;

}  // namespace

std::optional<Request> Listener::request_in(const std::string& text, const std::string& lang,
                                            ch::local_seconds now, const Talk& talk) {
  const TalkReader talking(locale(), lang, finder(lang, now));
  const RequestReader reading = reader(lang, now);
  std::vector<std::string> known;
  for (const Known& one : talk.entries) known.push_back(one.what);
  const std::string written = heard(lang).as_written(text);
  const auto read = [&](const std::string& some) {
    auto request = talking.read(some, talk);
    return request ? request : reading.read(some, known);
  };
  auto request = read(text);
  if (written == text) return request;
  auto other = read(written);
  // "Halber acht", of which only "acht" was a time.
  const bool says_more = request && other && request->wish == other->wish &&
                         words(other->when, lang).size() > words(request->when, lang).size();
  return !request || says_more ? other : request;
}

std::optional<Request> Listener::talk_in(const std::string& text, const std::string& lang,
                                         ch::local_seconds now, const Talk& talk) {
  const TalkReader talking(locale(), lang, finder(lang, now));
  auto request = talking.read(text, talk);
  return request ? request : talking.read(heard(lang).as_written(text), talk);
}

std::optional<Request> Listener::answer_in(const std::string& text, const std::string& lang,
                                           ch::local_seconds now, const Talk& talk) {
  const TalkReader talking(locale(), lang, finder(lang, now));
  auto answer = talking.answer(text, talk);
  return answer ? answer : talking.answer(heard(lang).as_written(text), talk);
}

bool Listener::names_day(const std::string& text, const Turn& turn) const {
  return reader(turn.lang(), here(turn).now).day_in(text).has_value();
}

Request Listener::reminder_in(const Turn& turn) {
  const RequestReader reading = reader(turn.lang(), here(turn).now);
  Request request = reading.read_reminder(turn.text());
  if (request.moment && !lacks_time(*request.moment)) return request;
  Request other = reading.read_reminder(heard(turn.lang()).as_written(turn.text()));
  return other.moment && (!request.moment || !lacks_time(*other.moment)) ? other : request;
}

RequestReader::FindWhen Listener::finder(const std::string& lang, ch::local_seconds now) const {
  return [this, lang, now](const std::string& text, bool of_alarm) {
    auto moment = find_when(text, lang, now);
    if (!of_alarm || (moment && !lacks_time(*moment))) return moment;
    auto time = find_alarm_time(text, lang, now);
    if (time && !lacks_time(*time)) return time;
    auto at_that = find_when(as_time(text, lang), lang, now);
    return at_that && !lacks_time(*at_that) && at_that->rest.empty() ? at_that : moment;
  };
}

/// "Sete e meia" is a time with "às" before it.
std::string Listener::as_time(const std::string& text, const std::string& lang) const {
  const auto* const at = locale().vocabulary(lang, "talk_at");
  return at == nullptr || at->empty() ? text : at->front() + ' ' + text;
}

RequestReader Listener::reader(const std::string& lang, ch::local_seconds now) const {
  return RequestReader(locale(), lang, finder(lang, now));
}

const SpokenForms& Listener::heard(const std::string& lang) {
  auto& known = heard_[lang];
  if (!known) known = std::make_unique<const SpokenForms>(locale(), lang, "heard");
  return *known;
}

std::string Listener::with_words_before(const Turn& turn, const std::string& said) const {
  constexpr std::size_t kMost = 4;
  const std::string& text = turn.text();
  const auto at = text.find(said);
  if (said.empty() || at == std::string::npos) return said;
  const auto rest_of = [&](const std::string& some) {
    const auto moment = find_alarm_time(some, turn.lang(), here(turn).now);
    return moment && !lacks_time(*moment) ? std::optional(moment->rest) : std::nullopt;
  };
  const auto before = words(std::string_view(text).substr(0, at), turn.lang());
  const auto rest = rest_of(said);
  for (std::size_t count = std::min(kMost, before.size()); count > 0; --count) {
    const std::size_t begin = before[before.size() - count].begin;
    // "An" of "an alarm" is the first of a month, too.
    const auto alone = find_alarm_time(text.substr(begin, at - begin), turn.lang(), here(turn).now);
    if (!alone || !words(alone->rest, turn.lang()).empty()) continue;
    std::string longer = text.substr(begin);
    longer.resize(longer.find(said) + said.size());
    const auto left = rest_of(longer);
    if (left && (!rest || left->size() <= rest->size())) return longer;
  }
  return said;
}

std::optional<SpokenMoment> Listener::alarm_time(const Turn& turn, const std::string& said,
                                                 const std::optional<Replaced>& replaced) const {
  const ch::local_seconds from = reading_from(turn, said, replaced);
  auto moment = find_alarm_time(said, turn.lang(), from);
  if (moment && !moment->span && !lacks_time(*moment)) return moment;
  auto bare = find_alarm_time(without_links(said, turn.lang()), turn.lang(), from);
  return bare && (!moment || !lacks_time(*bare)) ? bare : moment;
}

void Listener::prefer_morning(const Turn& turn, const std::string& said, SpokenMoment& moment) const {
  constexpr ch::hours kHalfDay(12);
  const auto time = time_of_day(moment);
  const bool is_later =
      moment.date && time && *time >= kHalfDay && moment.date->day > ch::floor<ch::days>(here(turn).now);
  if (!is_later || locale().vocabulary_occurs(turn.lang(), "half_of_day", words(turn.text(), turn.lang())))
    return;
  const auto early = find_alarm_time(said, turn.lang(), ch::local_seconds(moment.date->day));
  if (early && time_of_day(early) == *time - kHalfDay) moment.date->time = *time - kHalfDay;
}

std::optional<ch::local_seconds> Listener::read_at(const std::string& said, const std::string& lang,
                                                   ch::local_seconds now) const {
  const auto moment = find_alarm_time(without_links(said, lang), lang, now);
  if (!moment || !moment->date || !moment->date->time) return std::nullopt;
  return moment->date->day + *moment->date->time;
}

bool Listener::names_no_day(const std::string& said, const std::string& lang, ch::local_seconds due) const {
  const ch::local_days day = ch::floor<ch::days>(due);
  const auto early = read_at(said, lang, day);
  const auto late = read_at(said, lang, day + ch::days(1) - ch::minutes(1));
  return early && late && ch::floor<ch::days>(*early) == day &&
         ch::floor<ch::days>(*late) == day + ch::days(1);
}

ch::local_seconds Listener::reading_from(const Turn& turn, const std::string& said,
                                         const std::optional<Replaced>& replaced) const {
  constexpr ch::hours kHalfOfIt(6);
  const ch::local_seconds now = here(turn).now;
  const std::string& lang = turn.lang();
  if (!replaced || !names_no_day(said, lang, replaced->due)) return now;
  const ch::local_days day = ch::floor<ch::days>(replaced->due);
  // Which half of the day it is may have been said as well.
  const auto early = read_at(said, lang, day);
  const bool knows_half = read_at(said, lang, *early + ch::minutes(1)) == *early + ch::days(1);
  const ch::local_seconds from = knows_half ? ch::local_seconds(day) : replaced->due - kHalfOfIt;
  const auto meant = read_at(said, lang, from);
  return meant && *meant > now ? from : now;
}

std::optional<ch::minutes> Listener::in_half_said(const std::string& said, const std::string& lang,
                                                  ch::local_seconds due) const {
  constexpr ch::hours kHalf(12);
  const auto spoken = words(said, lang);
  const bool is_half_alone = std::all_of(spoken.begin(), spoken.end(), [&](const Word& word) {
    const std::span<const Word> one(&word, 1);
    return locale().vocabulary_equals(lang, "half_of_day", one) ||
           locale().vocabulary_equals(lang, "talk_filler", one);
  });
  if (!is_half_alone || !locale().vocabulary_occurs(lang, "half_of_day", spoken)) return std::nullopt;
  const auto hour = ch::floor<ch::minutes>(due - ch::floor<ch::days>(due)) % kHalf;
  const std::string clock = say_clock(hour) + ' ' + said;
  return time_of_day(find_when(clock, lang, ch::floor<ch::days>(due)));
}

SpokenMoment Listener::in_half_meant(const Turn& turn, SpokenMoment moment, const std::string& said,
                                     const std::optional<Replaced>& replaced) const {
  constexpr ch::hours kMorning(7), kNoon(12);
  const auto& lang = turn.lang();
  if (locale().vocabulary_occurs(lang, "half_of_day", words(said, lang))) return moment;
  const bool was_later = replaced && moment.date && moment.date->day == ch::floor<ch::days>(replaced->due) &&
                         replaced->due - moment.date->day >= kNoon;
  return by_day(std::move(moment), said, lang, here(turn).now, was_later ? kNoon : kMorning);
}

}  // namespace parley::reminder
