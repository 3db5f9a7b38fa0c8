#include "coming.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <parley/choices.hpp>
#include <parley/link_words.hpp>
#include <parley/locale.hpp>
#include <parley/phrases.hpp>
#include <parley/speech.hpp>
#include <parley/text.hpp>
#include <span>
#include <string_view>
#include <utility>

#include "monthly.hpp"
#include "request.hpp"

namespace parley::reminder {
namespace {

namespace ch = std::chrono;

/// Of a longer list only the next ones are said.
constexpr std::size_t kMostSaid = 10;

}  // namespace

Known known_as(const Scheduled& one, const Here& here) {
  if (one.rule) return {what_for(one.payload()), ch::floor<ch::minutes>(one.rule->time())};
  const ch::local_seconds due = here.zone.local(one.due);
  return {what_for(one.payload()), ch::floor<ch::minutes>(due - ch::floor<ch::days>(due))};
}

void Coming::note_latest(const Turn& turn, const std::string& id, Known what) {
  latest_.note(turn.message(), Latest{id, std::move(what), false}, clock().now());
}

const Known* Coming::latest_known(const SessionKey& session) const {
  const Latest* const found = latest_.find(session, clock().now());
  return found == nullptr ? nullptr : &found->what;
}

void Coming::note_by_words(const Turn& turn) {
  if (Latest* const found = latest_.find(turn.session_key(), clock().now())) found->is_by_words = true;
}

bool Coming::is_by_words(const SessionKey& session) const {
  const Latest* const found = latest_.find(session, clock().now());
  return found != nullptr && found->is_by_words;
}

void Coming::forget_latest(const Turn& turn) {
  latest_.forget(turn.session_key());
}

std::vector<Known> Coming::known_of(const std::string& owner) const {
  const auto found = known_.find(owner);
  return found == known_.end() ? std::vector<Known>() : found->second;
}

void Coming::note_known(const std::string& owner, std::vector<Known> all) {
  if (known_.size() >= kMostTold) known_.clear();
  known_[owner] = std::move(all);
}

std::optional<std::string> Coming::latest_id(const Turn& turn) const {
  const Latest* const found = latest_.find(turn.session_key(), clock().now());
  return found == nullptr ? std::nullopt : std::optional(found->id);
}

Task<> Coming::list(Turn turn) {
  Entries all = co_await asked_about(turn);
  auto which = turn.slot("which");
  if (which && is_pending_on_day(turn, *which)) which.reset();
  if (!all.empty() && !which) all = of_day(turn, std::move(all));
  if (all.empty()) co_return say_none(turn);
  if (which) {
    Entries meant = named_by(turn, all, *which);
    const bool is_all = is_aside(turn, *which) || says("pending", *which, turn.lang());
    if (!meant.empty() || !is_all) all = std::move(meant);
    if (all.empty()) co_return say_no_such(turn);
  }
  tell_of(std::move(turn), all);
}

bool Coming::is_pending_on_day(const Turn& turn, const std::string& which) const {
  const auto moment = find_when(which, turn.lang(), here(turn).now);
  return moment && moment->date && !moment->date->time && says("pending", moment->rest, turn.lang());
}

void Coming::tell_of(Turn turn, const Entries& all) {
  remember_topic(turn);
  forget_latest(turn);  // "it" is one of these
  if (all.size() == 1) note_latest(turn, all.front().id, known_as(all.front(), here(turn)));
  const Entries next(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(std::min(all.size(), kMostSaid)));
  const std::string dialog = all.size() == 1 ? "list_one" : all.size() > kMostSaid ? "list_some" : "list";
  turn.speak_dialog(dialog, {{"count", std::to_string(all.size())},
                             {"items", say_list(names(turn, next), turn.render_lang(dialog))}});
}

std::optional<ch::local_days> Coming::day_said(const Turn& turn, bool is_once) const {
  const Here place = here(turn);
  const RequestReader::FindWhen find = [this, &turn, &place](const std::string& text, bool) {
    return find_when(text, turn.lang(), place.now);
  };
  const auto moment = RequestReader(locale(), turn.lang(), find).day_in(turn.text(), is_once);
  if (!moment) return std::nullopt;
  if (moment->date) return moment->date->day;
  const auto today = ch::floor<ch::days>(place.now);
  return today + (ch::weekday(moment->repeat->day) - ch::weekday(today));
}

Entries Coming::of_day(const Turn& turn, Entries all) const {
  const auto day = day_said(turn);
  if (!day) return all;
  const Here place = here(turn);
  std::erase_if(all, [&](const Scheduled& one) { return !due_on(one, *day, place.zone).has_value(); });
  return all;
}

Task<> Coming::tell_named(Turn turn) {
  Entries all = co_await entries(turn);
  Entries named = alike(all, turn.text(), turn.lang());
  if (named.empty()) named = of_day(turn, co_await asked_about(turn));
  if (named.empty()) co_return say_none(turn);
  tell_of(std::move(turn), named);
}

void Coming::say_no_such(Turn turn) {
  const std::string which = turn.slot("which").value_or("");
  const std::string bare = without_links(which, turn.lang());
  turn.speak_dialog("no_such", {{"which", bare.empty() ? which : bare}});
}

void Coming::say_none(Turn turn) {
  turn.speak_dialog(mentions("alarm_words", turn.text(), turn.lang()) ? "no_alarms" : "none");
}

Task<std::optional<Entries>> Coming::which_of(Turn turn, Entries all, bool just_set) {
  if (all.empty()) {
    say_none(turn);
    co_return std::nullopt;
  }
  Entries meant = co_await named_or_latest(turn, all, just_set);
  if (meant.empty()) {
    say_no_such(turn);
    co_return std::nullopt;
  }
  const auto choices = names(turn, meant);
  // Nobody can tell them apart: the next one is meant.
  if (std::all_of(choices.begin(), choices.end(), [&](const auto& one) { return one == choices.front(); }))
    co_return Entries(1, meant.front());
  const auto read = [this, turn, meant](const std::string& said, const std::string& lang) {
    return chosen(turn, meant, said, lang);
  };
  const Slots slots{{"items", say_list(choices, turn.render_lang("which"))}};
  const Reply<Entries> answer = co_await turn.ask("which", read, slots);
  if (answer) co_return *answer;
  // After another question the user is elsewhere.
  if (answer.end() != AskEnd::kReplaced) turn.speak_dialog("nothing_cancelled");
  co_return std::nullopt;
}

Task<Entries> Coming::named_or_latest(Turn turn, Entries all, bool just_set) {
  const auto which = slot_which(turn);
  Entries meant;
  if (which) {
    meant = named_by(turn, all, *which);
    if (meant.empty()) meant = alike(all, *which, turn.lang());
    if (!meant.empty() || !is_aside(turn, *which)) co_return meant;
  } else {
    meant = alike(all, turn.text(), turn.lang());
    if (!meant.empty()) co_return meant;
  }
  if (which || just_set) meant = co_await latest(turn);
  std::erase_if(meant, [&](const Scheduled& one) {
    return std::none_of(all.begin(), all.end(), [&](const Scheduled& other) { return other.id == one.id; });
  });
  co_return meant.empty() ? all : meant;
}

std::optional<std::string> Coming::slot_which(const Turn& turn) const {
  auto which = turn.slot("which");
  if (!which) return which;
  const auto said = words(*which, turn.lang());
  const bool has_article =
      said.size() > 1 && locale().vocabulary_equals(turn.lang(), "wish_the", std::span(said).first(1));
  const auto bare = std::span(said).subspan(has_article ? 1 : 0);
  if (says("wish_aside", *which, turn.lang()) ||
      locale().vocabulary_equals(turn.lang(), "reminder_words", bare) ||
      locale().vocabulary_equals(turn.lang(), "alarm_words", bare))
    which.reset();
  return which;
}

bool Coming::is_aside(const Turn& turn, const std::string& which) {
  const auto at = turn.text().find(which);
  return at != std::string::npos && turn.text().find(',') < at;
}

Entries Coming::named_by(const Turn& turn, const Entries& all, const std::string& which) const {
  const std::string& lang = turn.lang();
  const auto* const known = locale().vocabulary(lang, "article");
  const PhraseSet articles(known == nullptr ? std::vector<std::string>() : *known, lang);
  Entries found;
  for (auto end = which.size(); found.empty() && end != std::string::npos && end > 0;
       end = which.rfind(',', end - 1)) {
    const std::string said = without_links(which.substr(0, end), lang);
    found = meant_by(all, said, lang, here(turn));
    if (found.empty()) found = with_words_of(all, said, lang, articles);
  }
  return found;
}

std::optional<Entries> Coming::chosen(const Turn& turn, const Entries& meant, const std::string& said,
                                      const std::string& lang) const {
  if (mentions("all", said, lang)) return meant;
  Entries found = meant_by(meant, without_links(said, lang), lang, here(turn));
  if (found.empty()) found = alike(meant, said, lang);
  if (const auto counted = choice_of(names(turn, meant), said, lang, says("last", said, lang));
      counted && found.empty())
    found = Entries(1, meant[*counted]);
  if (found.empty()) return std::nullopt;
  // Those that nobody can tell apart: the next one goes.
  if (found.size() > 1) found.erase(found.begin() + 1, found.end());
  return found;
}

Task<> Coming::when_that(Turn turn) {
  if (turn.slot("which")) co_return co_await list(turn);
  const Entries meant = co_await latest(turn);
  if (meant.empty()) co_return co_await list(turn);
  remember_topic(turn);
  turn.speak_dialog("that", {{"item", names(turn, meant).front()}});
}

Task<Entries> Coming::latest(Turn turn) {
  const auto id = latest_id(turn);
  if (!id) co_return Entries();
  Entries meant = co_await entries(turn);
  std::erase_if(meant, [&](const Scheduled& one) { return one.id != *id; });
  co_return meant;
}

std::vector<std::string> Coming::names(const Turn& turn, const Entries& these) const {
  const Here place = here(turn);
  std::vector<std::string> all;
  for (const Scheduled& one : these) {
    const std::string what = what_for(one.payload());
    const std::string dialog = !is_alarm(one.payload()) ? "item"
                               : what.empty()           ? "item_alarm"
                                                        : "item_alarm_named";
    const std::string lang = turn.render_lang(dialog);
    const std::string when =
        one.rule ? say_rule(*one.rule, lang) : say_when(place.zone.local(one.due), place.now, lang);
    all.push_back(turn.dialog(dialog, {{"what", what}, {"when", when}}));
  }
  return all;
}

Task<Entries> Coming::entries(Turn turn) {
  Entries all = co_await schedule().list(kDue);
  std::erase_if(all, [&](const Scheduled& one) { return one.owner != turn.owner(); });
  const Here place = here(turn);
  std::vector<Known> known;
  for (const Scheduled& one : all) known.push_back(known_as(one, place));
  note_known(turn.owner(), std::move(known));
  co_return all;
}

Task<Entries> Coming::asked_about(Turn turn) {
  const bool alarms = mentions("alarm_words", turn.text(), turn.lang());
  const bool reminders = mentions("reminder_words", turn.text(), turn.lang());
  Entries all = co_await entries(turn);
  if (alarms != reminders)
    std::erase_if(all, [&](const Scheduled& one) { return is_alarm(one.payload()) != alarms; });
  co_return all;
}

void Coming::remember_topic(Turn turn) {
  ContextOptions some_turns;
  some_turns.turns = 4;
  turn.set_context("reminders", "", some_turns);
  ContextOptions next_turn;
  next_turn.turns = 1;
  turn.set_context("just_spoken_of", std::nullopt, next_turn);
}

Here Coming::here(const Turn& turn) const {
  auto zone = Zone::named(turn.time_zone());
  return {zone ? std::move(*zone) : *Zone::named("UTC"), clock().wall()};
}

std::optional<SpokenMoment> Coming::find_when(const std::string& said, const std::string& lang,
                                              std::chrono::local_seconds now) const {
  const auto monthly = find_monthly(said, lang, locale());
  if (!monthly) return find_moment(said, lang, now);
  SpokenMoment moment(SpokenRepeat(ScheduleRule::Kind::kMonthly, monthly->day));
  // No time of today: "at nine" is in the morning, "at six" in the evening.
  const ch::local_seconds morning = ch::floor<ch::days>(now) + ch::hours(7) - ch::minutes(1);
  auto time = find_moment(monthly->rest, lang, morning);
  if (!time || lacks_time(*time)) time = find_when_within(monthly->rest, lang, morning);
  moment.repeat->time = time_of_day(time);
  moment.rest = moment.repeat->time ? time->rest : monthly->rest;
  return moment;
}

std::optional<SpokenMoment> Coming::find_when_within(const std::string& said, const std::string& lang,
                                                     ch::local_seconds now) const {
  const auto all = words(said, lang);
  for (std::size_t from = 1; from + 1 < all.size(); ++from) {
    const std::string front = said.substr(0, all[from - 1].end);
    auto moment = find_when(said.substr(all[from].begin), lang, now);
    if (!moment || moment->span || lacks_time(*moment)) continue;  // "for two minutes" is mostly no time
    moment->rest = moment->rest.empty() ? front : front + ' ' + moment->rest;
    return moment;
  }
  return std::nullopt;
}

std::optional<SpokenMoment> Coming::of_every_month(const std::string& text, const std::string& said,
                                                   const std::string& lang,
                                                   std::optional<SpokenMoment> moment) const {
  if (find_monthly(said, lang, locale())) return moment;
  const auto monthly = find_monthly(text, lang, locale());
  unsigned day = monthly ? monthly->day : 0;
  if (!monthly && moment && moment->date &&
      locale().vocabulary_occurs(lang, "every_month", words(text, lang)))
    day = static_cast<unsigned>(ch::year_month_day(moment->date->day).day());
  if (day == 0) return moment;
  SpokenMoment again(SpokenRepeat(ScheduleRule::Kind::kMonthly, day));
  again.repeat->time = time_of_day(moment);
  again.rest = moment ? moment->rest : said;
  return again;
}

std::string Coming::said_in(const Turn& turn, const std::string& slot) {
  std::string said = turn.slot(slot).value_or("");
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  for (const std::string_view half : {"am", "pm"}) {
    for (std::size_t at = said.find(half); at != std::string::npos; at = said.find(half, at + 2)) {
      const bool ends = at + 2 == said.size() || said[at + 2] == ' ' || said[at + 2] == ',';
      if (at > 0 && ends && is_digit(said[at - 1])) said.insert(at++, 1, ' ');
    }
  }
  return said;
}

std::string Coming::without_links(const std::string& text, const std::string& lang) const {
  return LinkWords(locale(), lang, "link").strip(text, LinkWords::Ends::kFront);
}

}  // namespace parley::reminder
