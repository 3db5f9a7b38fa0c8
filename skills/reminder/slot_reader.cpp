#include "slot_reader.hpp"

#include <algorithm>
#include <chrono>
#include <parley/link_words.hpp>
#include <parley/moments.hpp>
#include <parley/text.hpp>
#include <parley/utterance_words.hpp>
#include <utility>

namespace parley::reminder {
namespace {

namespace ch = std::chrono;

}  // namespace

void SlotReader::of_every_day(const Turn& turn, Wanted& wanted) const {
  const UtteranceWords said(turn.text(), turn.lang(), locale());
  const auto daily = said.find("every_day");
  if (!daily || (wanted.moment && !wanted.moment->date)) return;
  SpokenRepeat again(ScheduleRule::Kind::kDaily);
  again.time = time_of_day(wanted.moment);
  wanted.moment.emplace(again);
  const std::string last(said.surface_of({daily->end - 1, daily->end}));
  if (wanted.what.starts_with(last))
    wanted.what = without_links(wanted.what.substr(last.size()), turn.lang());
}

void SlotReader::read_whole(const Turn& turn, Wanted& wanted) {
  const bool has_time = wanted.moment && !lacks_time(*wanted.moment);
  const bool is_whole = has_time && !wanted.what.empty() && !loses_repetition(turn, wanted) &&
                        !(is_put_right(turn) && mentions("wish_remind", turn.text(), turn.lang()));
  if (is_whole && !leaves_day_in_front(turn, wanted) && !leaves_day_in_what(turn, wanted)) return;
  Request whole = reminder_in(turn);
  if (has_time && whole.moment && !lacks_time(*whole.moment)) {
    wanted.moment = std::move(whole.moment);
    wanted.said = std::move(whole.when);
    if (!whole.what.empty()) wanted.what = std::move(whole.what);
    return;
  }
  if (!has_time && whole.moment && (!wanted.moment || !lacks_time(*whole.moment))) {
    wanted.moment = std::move(whole.moment);
    wanted.said = std::move(whole.when);
    if (!whole.what.empty()) wanted.what = std::move(whole.what);
  }
  if (wanted.what.empty()) wanted.what = std::move(whole.what);
}

bool SlotReader::is_put_right(const Turn& turn) const {
  if (!turn.slot("what")) return false;
  return reader(turn.lang(), here(turn).now).is_put_right(turn.text());
}

bool SlotReader::loses_repetition(const Turn& turn, const Wanted& wanted) const {
  const bool repeats = mentions("every_morning", turn.text(), turn.lang()) ||
                       mentions("every_evening", turn.text(), turn.lang());
  return repeats && wanted.moment && !wanted.moment->repeat;
}

bool SlotReader::leaves_day_in_front(const Turn& turn, const Wanted& wanted) const {
  const auto front = turn.slot("front");
  return front && wanted.moment->date && wanted.said.find(*front) == std::string::npos &&
         names_no_day(wanted.said, turn.lang(), here(turn).zone.local(clock().wall())) &&
         names_day(*front, turn);
}

bool SlotReader::leaves_day_in_what(const Turn& turn, const Wanted& wanted) const {
  constexpr std::size_t kMostInDay = 4;
  const auto left = ::parley::words(wanted.what, turn.lang());
  if (!wanted.moment || !wanted.moment->date || left.empty()) return false;
  if (locale().vocabulary_occurs(turn.lang(), "next_week", ::parley::words(turn.text(), turn.lang())))
    return names_day(wanted.what, turn);
  const std::size_t end = left[std::min(kMostInDay, left.size()) - 1].end;
  const auto begin = wanted.what.substr(0, end);
  const bool is_today = wanted.moment->date->day == ch::floor<ch::days>(here(turn).now);
  return is_today && find_moment(begin, turn.lang(), here(turn).now).has_value() && names_day(begin, turn);
}

void SlotReader::read_behind(const Turn& turn, Wanted& wanted) const {
  wanted.said = said_in(turn, "what");
  if (turn.slot("more")) wanted.said += ' ' + said_in(turn, "more");
  read(turn, wanted);
}

void SlotReader::read(const Turn& turn, Wanted& wanted) const {
  const auto& lang = turn.lang();
  const ch::local_seconds from = reading_from(turn, wanted.said, wanted.replaced);
  wanted.moment = find_when(wanted.said, lang, from);
  if (!wanted.moment || lacks_time(*wanted.moment)) {
    auto other = find_when(without_links(wanted.said, lang), lang, from);
    if (!other || lacks_time(*other)) other = find_when_within(wanted.said, lang, from);
    if (other && (!wanted.moment || !lacks_time(*other))) wanted.moment = std::move(other);
  }
  wanted.what = without_links(wanted.moment ? wanted.moment->rest : wanted.said, lang);
}

void SlotReader::read_in_front(const Turn& turn, const std::string& front, Wanted& wanted) const {
  const auto& lang = turn.lang();
  const ch::local_seconds now = here(turn).now;
  auto first = find_when(front, lang, now);
  if (!first) first = find_when_within(front, lang, now);
  const bool is_when = first && without_links(first->rest, lang).empty();
  const bool points_back =
      wanted.what.empty() || locale().vocabulary_equals(lang, "it", words(wanted.what, lang));
  if (points_back && wanted.moment) {
    const auto at = wanted.said.find(wanted.moment->rest);
    if (!wanted.moment->rest.empty() && at != std::string::npos)
      wanted.said.erase(at, wanted.moment->rest.size());
  }
  if (is_when || points_back) {
    wanted.said = points_back && !wanted.moment ? front : front + ' ' + wanted.said;
    read(turn, wanted);
    // "My pill every day at nine, or I forget": the last says why.
    if (points_back) wanted.what = LinkWords(locale(), lang, "wish_aside").strip(wanted.what);
    return;
  }
  if (!first || (wanted.moment && !lacks_time(*wanted.moment))) return;
  wanted.moment = first;
  wanted.said = front;
}

void SlotReader::read_beside(const Turn& turn, Wanted& wanted) const {
  const std::string& text = turn.text();
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t comma = std::min(text.find(',', begin), text.size());
    Wanted other;
    other.said = text.substr(begin, comma - begin);
    begin = comma + 1;
    if (other.said.size() + 1 >= text.size() || mentions("request_words", other.said, turn.lang())) continue;
    read(turn, other);
    if (other.what.empty()) continue;
    wanted.what = std::move(other.what);
    if (wanted.moment && !lacks_time(*wanted.moment)) return;
    if (!other.moment) return;
    wanted.moment = std::move(other.moment);
    wanted.said = std::move(other.said);
    return;
  }
}

void SlotReader::read_whole_alarm(const Turn& turn, Wanted& wanted) {
  const bool put_right = is_put_right(turn);
  const std::string written = heard(turn.lang()).as_written(wanted.what);
  // "Weck mich morn um acht": what is left is a day as it is spoken.
  const bool as_spoken = written != wanted.what && names_day(written, turn);
  const bool is_whole = wanted.moment && !lacks_time(*wanted.moment) && !loses_repetition(turn, wanted);
  if (is_whole && !put_right && !as_spoken && !names_day(wanted.what, turn)) return;
  const RequestReader reading = reader(turn.lang(), here(turn).now);
  auto request = put_right   ? reading.read(turn.text(), {})
                 : as_spoken ? reading.read(heard(turn.lang()).as_written(turn.text()), {})
                             : request_of(turn);
  if (!request || request->wish != Wish::kAlarm || lacks_time(*request->moment)) return;
  wanted.moment = std::move(request->moment);
  wanted.said = std::move(request->when);
  wanted.what.clear();
}

std::string SlotReader::said_of_alarm(const Turn& turn) const {
  const std::string& lang = turn.lang();
  const ch::local_seconds now = here(turn).now;
  std::string said = with_words_before(turn, said_in(turn, "what"));
  std::string front = said_in(turn, "front");
  front.erase(0, front.find_last_of(',') + 1);
  if (said.find(front) != std::string::npos) return said;
  const auto first = find_alarm_time(front, lang, now);
  if (!first) return said;
  const bool is_when = without_links(first->rest, lang).empty();
  return is_when || !find_alarm_time(said, lang, now) ? front + ' ' + said : said;
}

}  // namespace parley::reminder
