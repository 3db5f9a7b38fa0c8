#include <algorithm>
#include <array>
#include <parley/moments.hpp>
#include <parley/speech.hpp>
#include <set>
#include <utility>

#include "memory.hpp"
#include "why.hpp"

// What was lived through: what was asked and when, and how an answer came about.
namespace parley::memory {
namespace {

constexpr double kEnoughWords = 0.5;  ///< Of "set a timer" in what was said: verbs change.
constexpr std::int64_t kMostTurns = 200;
constexpr std::chrono::hours kHour{1};
constexpr std::chrono::hours kHalfDay{12};

}  // namespace

Task<Json> Memory::last_turn(Turn turn) {
  Json which = {{"session_id", turn.session_id()}, {"limit", 10}};
  const auto list = co_await ask_core(turn.message(), "parley.turn.list", std::move(which));
  if (!list) co_return nullptr;
  const Json turns = list->value("turns", Json::array());
  for (auto one = turns.rbegin(); one != turns.rend(); ++one) {
    const bool explains =
        one->value("skill_id", "") == skill_id() &&
        (one->value("intent_name", "") == "why" || one->value("intent_name", "") == "how_known");
    if (!explains && one->value("utterance_id", "") != turn.utterance_id()) co_return *one;
  }
  co_return nullptr;
}

// ---- what was asked

Task<> Memory::last_time(Turn turn) {
  const std::string what = turn.slot("what").value_or(turn.text());
  const Asker asker = Asker::of(turn.message());
  Json query = query_turns(asker, what, turn.lang(), kMostTurns);
  auto turns = co_await facts(turn.message(), std::move(query));
  std::erase_if(turns,
                [this](const Fact& one) { return one.coverage < kEnoughWords || one.agent == skill_id(); });
  const auto latest = std::max_element(turns.begin(), turns.end(), [](const Fact& a, const Fact& b) {
    return a.coverage != b.coverage ? a.coverage < b.coverage : a.time < b.time;
  });
  if (latest == turns.end()) co_return turn.speak_dialog("never", {{"what", what}});
  Json which = {{"utterance_id", turn_of_memory(latest->id)}};
  const auto found = co_await ask_core(turn.message(), "parley.turn.get", std::move(which));
  if (!found || !found->contains("turn")) co_return turn.speak_dialog("never", {{"what", what}});
  turn.speak_dialog("last_said",
                    {{"said", found->at("turn").value("said", "")},
                     {"when", say_moment(latest->time, turn.time_zone(), turn.render_lang("last_said"))}});
}

Task<> Memory::asked(Turn turn) {
  if (recall_in(turn).is_named) {
    std::vector<Fact> known;
    if (const auto question = question_in(turn))
      known = co_await told_of(turn.message(), *question, turn.lang());
    say_facts(turn, known);
    if (!known.empty()) co_return last_.note(turn.message(), known, clock().wall());
    if (co_await is_recalled(turn)) co_return;
  }
  const auto plain = turn.understand(turn.text(), {"asked"});
  auto day = turn.slot("day");
  if (!day && plain && plain->slots.contains("day")) day = plain->slots.at("day");
  if (!day && !plain) co_return co_await said_last(turn);
  const std::string lang = turn.render_lang("asked");
  Json which = {{"limit", kMostTurns}};
  if (day) {
    if (locale().vocabulary_equals(turn.lang(), "moment_ago", words(*day, turn.lang())))
      co_return co_await said_last(turn);
    // The evidence reads what time is meant.
    Json query = query_turns(Asker::of(turn.message()), *day, turn.lang(), 1);
    const auto read = co_await ask_core(turn.message(), "parley.evidence.query", std::move(query));
    const Json filters = read ? read->value("applied_filters", Json::object()) : Json::object();
    if (!filters.contains("time_said")) {
      if (mentions("i_just_asked", turn.text(), turn.lang())) co_return co_await said_last(turn);
      if (co_await is_answered(turn)) co_return;
      // "What did I just change" resembles it.
      if (!plain) co_return co_await said_last(turn);
      co_return turn.speak_dialog("no_such_day", {{"day", *day}});
    }
    which["since"] = filters.at("time_said").at("from");
    which["until"] = filters.at("time_said").at("to");
  }
  const auto list = co_await ask_core(turn.message(), "parley.turn.list", std::move(which));
  const Json turns = list ? list->value("turns", Json::array()) : Json::array();
  std::vector<std::string> said;
  std::set<std::string> seen;
  for (auto one = turns.rbegin(); one != turns.rend(); ++one) {
    std::string text = one->value("said", "");
    const bool is_this = one->value("utterance_id", "") == turn.utterance_id();
    if (is_this || text.empty() || !seen.insert(text).second) continue;
    said.push_back(turn.dialog("quoted", {{"said", std::move(text)}}));
  }
  if (said.empty()) co_return turn.speak_dialog("asked_nothing");
  const std::size_t count = said.size();
  if (count > kMostTold) said.resize(kMostTold);
  turn.speak_dialog("asked", {{"said", say_list(said, lang)}});
  if (count > kMostTold) turn.speak_dialog("and_more", {{"count", std::to_string(count - kMostTold)}});
}

Task<> Memory::said_last(Turn turn) {
  if (co_await is_recalled(turn)) co_return;
  const Json before = co_await last_turn(turn);
  const std::string said = before.is_object() ? before.value("said", "") : std::string();
  if (said.empty()) co_return turn.speak_dialog("asked_nothing");
  turn.speak_dialog("asked", {{"said", turn.dialog("quoted", {{"said", said}})}});
}

Task<> Memory::answered_last(Turn turn) {
  const Json before = co_await last_turn(turn);
  std::string answers;
  if (before.is_object()) {
    for (const auto& one : before.value("answers", Json::array()))
      answers += (answers.empty() ? "" : " ") + text_at(one, "text");
  }
  if (answers.empty()) co_return turn.speak_dialog("asked_nothing");
  turn.speak(answers);
}

Task<> Memory::routines(Turn turn) {
  Json query = query_done(Asker::of(turn.message()), kMostAsked);
  auto known = co_await facts(turn.message(), std::move(query));
  const HoursOfDay meant = hours_in(turn);
  const auto is_then = [&](const Fact& one) {
    return one.hour && *one.hour >= meant.begin && *one.hour < meant.end;
  };
  // "At seven" may be in the evening, too.
  const auto is_half_a_day_later = [&](const Fact& one) {
    return one.hour && *one.hour == meant.begin + kHalfDay && meant.end - meant.begin == kHour;
  };
  const bool is_later = std::none_of(known.begin(), known.end(), is_then);
  std::erase_if(known, [&](const Fact& one) { return is_later ? !is_half_a_day_later(one) : !is_then(one); });
  if (known.empty()) co_return turn.speak_dialog("no_routines");
  std::stable_sort(known.begin(), known.end(),
                   [](const Fact& a, const Fact& b) { return *a.hour < *b.hour; });
  if (known.size() > kMostTold) known.resize(kMostTold);
  const std::string lang = turn.render_lang("routine");
  for (const Fact& one : known)
    turn.speak_dialog("routine", {{"said", one.text}, {"when", say_at(*one.hour, lang)}});
}

HoursOfDay Memory::hours_in(const Turn& turn) const {
  using std::chrono::hours;
  const auto midnight = std::chrono::floor<std::chrono::days>(wall_clock(turn.time_zone()));
  const auto at = find_moment(turn.text(), turn.lang(), midnight);
  if (at && at->date && at->date->time) {
    const auto hour = std::chrono::floor<hours>(*at->date->time);
    return {hour, hour + kHour};
  }
  static constexpr std::array kParts{std::pair{"morning", HoursOfDay(hours(4), hours(12))},
                                     std::pair{"afternoon", HoursOfDay(hours(12), hours(18))},
                                     std::pair{"evening", HoursOfDay(hours(17), hours(24))}};
  for (const auto& [name, part] : kParts)
    if (mentions(name, turn.text(), turn.lang())) return part;
  return {hours(0), hours(24)};
}

// ---- where an answer came from

Task<> Memory::why(Turn turn) {
  const Json before = co_await last_turn(turn);
  if (!before.is_object()) co_return turn.speak_dialog("why_nothing");
  co_await explain(std::move(turn), before);
}

Task<> Memory::explain(Turn turn, Json before) {
  Json which = {{"utterance_id", before.value("utterance_id", "")}};
  const auto found = co_await ask_core(turn.message(), "parley.turn.get", std::move(which));
  const Json whole = found ? found->value("turn", before) : before;
  const Reason reason = reason_of(whole, before.value("lang", turn.lang()));
  const Slots slots{{"skill", reason.skill},
                    {"words", reason.words},
                    {"said", before.value("said", "")},
                    {"percent", std::to_string(reason.certainty)},
                    {"others", say_list(reason.others, turn.render_lang("why_words"))}};
  using Kind = Reason::Kind;
  turn.speak_dialog(dialog_of(reason.kind), slots);
  if (reason.kind == Kind::kNobody || reason.kind == Kind::kUnknown || reason.kind == Kind::kStop) co_return;
  turn.speak_dialog(reason.others.empty() ? "why_alone" : "why_others", slots);
}

Task<> Memory::how_known(Turn turn) {
  const auto known = co_await just_said(turn);
  if (known.empty()) {
    const Json before = co_await last_turn(turn);
    if (!before.is_object()) co_return turn.speak_dialog("why_nothing");
    co_return co_await explain(std::move(turn), before);
  }
  for (const auto& fact : known) {
    const Slots slots{{"when", say_moment(fact.time, turn.time_zone(), turn.render_lang("how_told"))},
                      {"fact", fact.text},
                      {"agent", fact.agent}};
    turn.speak_dialog(fact.agent == turn.owner() ? "how_told" : "how_told_by", slots);
  }
}

}  // namespace parley::memory
