#include "asker.hpp"

#include <parley/skill.hpp>
#include <parley/speech.hpp>
#include <parley/text.hpp>
#include <utility>

namespace parley::reminder {
namespace {

namespace ch = std::chrono;

Here here_of(const Query& query, ch::system_clock::time_point now) {
  auto zone = Zone::named(query.time_zone);
  return {zone ? std::move(*zone) : *Zone::named("UTC"), now};
}

std::string owner_of(const Query& query) {
  return query.message ? query.message->owner() : std::string();
}

}  // namespace

void Asker::start_asking() {
  on_stop(
      [this](const SessionKey& session) {
        const bool was_asked = is_just_asked(session);
        asked_.forget(session);
        return silence(session) || was_asked;
      },
      [this](const SessionKey& session) { return is_ringing(session) || is_just_asked(session); });
}

// ---- asking

bool Asker::asks_when(Turn turn, const Wanted& wanted) {
  if (wanted.moment && !lacks_time(*wanted.moment)) {
    forget_asked(turn);
    return false;
  }
  if (!wanted.moment) {
    ask(turn, wanted, wanted.is_alarm ? "when_alarm" : "when", Slots());
    return true;
  }
  const std::string day = day_of(turn, *wanted.moment);
  // What was told in another clause is heard at once, too.
  const bool is_told =
      !wanted.is_answered && !wanted.what.empty() && (turn.slot("front") || turn.slots().empty());
  const std::string dialog = day.empty() ? "what_time" : is_told ? "what_time_for" : "what_time_on";
  ask(turn, wanted, dialog, {{"day", day}, {"what", wanted.what}});
  return true;
}

/// The handler does not wait for the answer: what is said next may be something else, and the answer is taken
/// when it comes.
void Asker::ask(Turn turn, Wanted wanted, const std::string& dialog, const Slots& slots) {
  asked_.note(turn.message(), Asked{std::move(wanted), clock().now()}, clock().now());
  SpeakOptions listening;
  listening.listen = true;
  turn.speak_dialog(dialog, slots, listening);
}

std::optional<Wanted> Asker::filled(Wanted wanted, const std::string& text, const std::string& lang,
                                    ch::local_seconds now) {
  Talk talk;
  talk.asked = wanted.what;
  talk.spoke_last = true;
  auto answer = answer_in(text, lang, now, talk);
  return answer ? filled(std::move(wanted), std::move(*answer), lang, now) : std::nullopt;
}

std::optional<Wanted> Asker::filled(Wanted wanted, Request answer, const std::string& lang,
                                    ch::local_seconds now) const {
  if (wanted.moment && wanted.moment->date && !names_no_day(answer.when, lang, ch::floor<ch::days>(now)))
    wanted.moment.reset();  // it says another day
  if (wanted.moment) {
    wanted.moment = completed(*wanted.moment, wanted.said, answer.when, lang, now);
    if (!wanted.moment) return std::nullopt;
    wanted.said += ' ' + answer.when;
  } else {
    wanted.moment = std::move(answer.moment);
    wanted.said = std::move(answer.when);
  }
  return wanted;
}

/// "On January 7", "every Monday": what was understood is heard at once. Empty for today.
std::string Asker::day_of(const Turn& turn, const SpokenMoment& moment) const {
  constexpr ch::hours kNoon(12);
  const std::string lang = turn.render_lang("what_time_on");
  std::string when;
  if (moment.repeat) {
    SpokenRepeat at_noon = *moment.repeat;
    at_noon.time = kNoon;
    when = say_rule(rule_of(at_noon), lang);
  } else if (moment.date) {
    when = say_when(moment.date->day + kNoon, here(turn).now, lang);
  }
  const std::string at = say_at(kNoon, lang);
  if (when.ends_with(at)) when.resize(when.size() - at.size());
  while (when.ends_with(' ')) when.pop_back();
  return when;
}

// ---- answers that come later

std::optional<Wanted> Asker::answered(const Turn& turn, Request answer) const {
  const Asked* const asked = asked_.find(turn.session_key(), clock().now());
  if (asked == nullptr) return std::nullopt;
  auto wanted = filled(asked->wanted, std::move(answer), turn.lang(), here(turn).now);
  if (wanted) wanted->is_answered = true;
  return wanted;
}

Talk Asker::talk_of(const SessionKey& session, const std::string& owner) const {
  Talk talk;
  talk.entries = known_of(owner);
  if (const Known* const latest = latest_known(session)) talk.latest = *latest;
  if (const Asked* const asked = asked_.find(session, clock().now())) talk.asked = asked->wanted.what;
  return talk;
}

/// A client that keeps no session answers at once.
bool Asker::spoke_last(const Query& query) const {
  const auto& active = query.session->converse_handlers;
  if (active && !active->empty()) return active->front().skill_id == skill_id();
  return is_just_asked(query.session_key());
}

bool Asker::is_just_asked(const SessionKey& session) const {
  constexpr ch::seconds kAtOnce(30);
  const Asked* const asked = asked_.find(session, clock().now());
  return asked != nullptr && clock().now() - asked->when <= kAtOnce;
}

std::optional<Request> Asker::request_of(const Query& query) {
  const SessionKey session = query.session_key();
  Talk talk = talk_of(session, owner_of(query));
  talk.spoke_last = spoke_last(query);
  talk.leaves_corrections = talk.spoke_last && !is_by_words(session);
  return request_in_talk(query.utterances.front(), query.lang, here_of(query, clock().wall()).now, talk);
}

std::optional<Request> Asker::request_of(const Turn& turn) {
  Talk talk = talk_of(turn.session_key(), turn.owner());
  talk.spoke_last = true;
  for (const bool leaves_corrections : {true, false}) {
    talk.leaves_corrections = leaves_corrections;
    if (auto request = request_in_talk(turn.text(), turn.lang(), here(turn).now, talk)) return request;
  }
  return std::nullopt;
}

/// What is clear whoever spoke last goes first, so that it is the same in the handler.
std::optional<Request> Asker::request_in_talk(const std::string& text, const std::string& lang,
                                              ch::local_seconds now, Talk talk) {
  const bool spoke_last = talk.spoke_last;
  if (spoke_last && talk.asked)  // "seven thirty" is no day then
    if (auto answer = answer_in(text, lang, now, talk)) return answer;
  talk.spoke_last = false;
  auto request = request_in(text, lang, now, talk);
  if (request || !spoke_last) return request;
  talk.spoke_last = true;
  return request_in(text, lang, now, talk);
}

ConverseAnswer Asker::takes_answer(const Query& query) {
  const Asked* const asked = asked_.find(query.session_key(), clock().now());
  if (asked == nullptr || !spoke_last(query)) return false;
  const std::string& text = query.utterances.front();
  return gives_up(text, query.lang) ||
         filled(asked->wanted, text, query.lang, here_of(query, clock().wall()).now).has_value();
}

bool Asker::is_of_one_there(const Query& query) {
  const SessionKey session = query.session_key();
  Talk talk = talk_of(session, owner_of(query));
  talk.spoke_last = spoke_last(query);
  talk.leaves_corrections = talk.spoke_last && !is_by_words(session);
  talk.asked_first = true;
  return talk_in(query.utterances.front(), query.lang, here_of(query, clock().wall()).now, talk).has_value();
}

/// Of what is longer somebody else may know more.
bool Asker::is_no_answer(const Query& query) const {
  constexpr std::size_t kShort = 2;
  const std::string& text = query.utterances.front();
  return spoke_last(query) && is_just_asked(query.session_key()) &&
         words(text, query.lang).size() <= kShort && !mentions("talk_asks", text, query.lang);
}

bool Asker::gives_up(const std::string& text, const std::string& lang) const {
  return says("cancel", text, lang) || says("no", text, lang);
}

}  // namespace parley::reminder
