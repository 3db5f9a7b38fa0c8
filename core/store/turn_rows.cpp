#include "store/turn_rows.hpp"

#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>
#include <parley/json.hpp>
#include <parley/session.hpp>

#include "message/topics.hpp"
#include "session/session.hpp"
#include "store/session_rows.hpp"
#include "store/sqlite.hpp"
#include "turn/trace_record.hpp"

namespace parley {
namespace {

/// Turns that are under way at a time; of more the oldest are written as they are.
constexpr std::size_t kMostOpen = 10'000;
constexpr std::int64_t kMostForgotten = 2'000;

constexpr std::array<std::string_view, 13> kEventNames{
    "utterance", "match", "unmatched",      "start",         "speech",     "complete", "error",
    "handled",   "stop",  "session_change", "skill_arrived", "skill_left", "trace"};
static_assert(kEventNames.size() == static_cast<std::size_t>(EventKind::kTrace) + 1);

/// Text from outside may be no UTF-8.
std::string event_text(const Json& json) {
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

/// A handler spoke and waits for the user (C-4).
bool is_question(const Message& speech) {
  const auto& session = speech.context().session;
  return Speech(speech).listen && session && session->response_mode &&
         session->response_mode->skill_id == speech.context().skill_id;
}

std::string_view name_of(const Happened& event) {
  if (event.kind == EventKind::kSpeech && is_question(event.message)) return "question";
  if (event.kind == EventKind::kMatch && MatchedIntent(event.message).intent_name == reserved::kResponse)
    return "answer";
  if (event.kind == EventKind::kStart && HandlerReport(event.message).intent_name == reserved::kDue)
    return "due";
  return kEventNames.at(static_cast<std::size_t>(event.kind));
}

std::string answers_text(const std::vector<std::pair<std::string, std::string>>& answers) {
  Json list = Json::array();
  for (const auto& [text, lang] : answers) list.push_back({{"text", text}, {"lang", lang}});
  return event_text(list);
}

std::vector<std::pair<std::string, std::string>> read_answers(const std::string& text) {
  std::vector<std::pair<std::string, std::string>> answers;
  const auto list = parse_json(text);
  if (!list || !list->is_array()) return answers;
  for (const auto& one : *list) answers.emplace_back(one.value("text", ""), one.value("lang", ""));
  return answers;
}

}  // namespace

TurnRows::Open& TurnRows::open(const Happened& event) {
  const std::string& id = event.message.context().utterance_id;
  const auto [found, is_new] = open_.try_emplace(id);
  Open& turn = found->second;
  if (!is_new) return turn;
  turn.began = event.time;
  turn.owner = event.message.owner();
  turn.session_id = event.message.session_id();
  order_.push_back(id);
  if (order_.size() > 2 * kMostOpen) {
    std::erase_if(order_, [&](const std::string& one) { return !open_.contains(one); });
    for (; order_.size() > kMostOpen; order_.pop_front()) open_.erase(order_.front());
  }
  return turn;
}

/// With the zone that tells which hour of the user's day it was: sessions change.
Json TurnRows::data_of(const Happened& event) const {
  Json data = event.message.data();
  if (event.kind == EventKind::kUtterance && data.is_object())
    data["time_zone"] = zone_of(event.message.context().session.get(), time_zone_);
  return data;
}

void TurnRows::write_event(Database& database, const Happened& event, std::string_view kind,
                           std::int64_t cause) {
  Statement put = database.query(
      "INSERT INTO event (time, owner, session_id, utterance_id, kind, actor, cause, data) "
      "VALUES (?, ?, ?, ?, ?, ?, ?, ?)");
  const Context& context = event.message.context();
  put.bind(event.time).bind(event.message.owner()).bind(event.message.session_id());
  put.bind(context.utterance_id).bind(kind);
  put.bind(context.skill_id.empty() ? context.source : context.skill_id);
  if (cause != 0) {
    put.bind(cause);
  } else {
    put.bind_null();
  }
  put.bind(event_text(data_of(event))).run();
}

void TurnRows::write_turn(Database& database, const std::string& id, Open& turn) {
  if (turn.row == 0) {
    database.query("INSERT INTO turn (utterance_id, time, owner, session_id) VALUES (?, ?, ?, ?)")
        .bind(id)
        .bind(turn.began)
        .bind(turn.owner)
        .bind(turn.session_id)
        .run();
    turn.row = database.last_row();
  }
  Statement put = database.query(
      "UPDATE turn SET lang = ?, said = ?, answers = ?, outcome = ?, skill_id = ?, intent_name = ?, "
      "pipeline_id = ?, error = ?, trace = ?, started = ? WHERE row = ?");
  put.bind(turn.lang).bind(turn.said).bind(answers_text(turn.answers)).bind(turn.outcome);
  put.bind(turn.skill_id).bind(turn.intent_name).bind(turn.pipeline_id).bind(turn.error);
  put.bind_or_null(turn.trace.empty() ? std::nullopt : std::optional<std::string>(turn.trace));
  put.bind(turn.started).bind(turn.row).run();
}

void TurnRows::write_trace(Database& database, const Happened& event) {
  const Json trace = event.trace->to_json(event.outcome);
  const std::string id = trace.value("utterance_id", "");
  const auto open = open_.find(id);
  if (open != open_.end()) {  // it waits for the user, or the bus has yet to deliver that it was handled
    open->second.trace = event_text(trace);
    if (open->second.row == 0) return;
  }
  database.query("UPDATE turn SET trace = ? WHERE row = (SELECT max(row) FROM turn WHERE utterance_id = ?)")
      .bind(event_text(trace))
      .bind(id)
      .run();
}

/// What a handler that has ended says later, such as a timer that rings.
bool TurnRows::add_late_speech(Database& database, const Happened& event) {
  const Speech speech(event.message);
  Statement found =
      database.query("SELECT row, answers FROM turn WHERE utterance_id = ? ORDER BY row DESC LIMIT 1");
  if (!found.bind(event.message.context().utterance_id).step()) return false;
  auto answers = read_answers(found.text(1));
  answers.emplace_back(speech.utterance, speech.lang);
  const std::int64_t row = found.number(0);
  database.query("UPDATE turn SET answers = ? WHERE row = ?").bind(answers_text(answers)).bind(row).run();
  return true;
}

bool TurnRows::add(Database& database, const Happened& event) {
  if (event.kind == EventKind::kTrace) {
    write_trace(database, event);
    return false;
  }
  const std::string& id = event.message.context().utterance_id;
  const auto known = open_.find(id);
  const bool begins = event.kind == EventKind::kUtterance || event.kind == EventKind::kMatch ||
                      event.kind == EventKind::kUnmatched;
  const bool in_turn = !id.empty() && (begins || known != open_.end());
  const std::string_view kind = name_of(event);
  write_event(database, event, kind, known == open_.end() ? 0 : known->second.cause);
  if (!in_turn) {
    return event.kind == EventKind::kSpeech && !id.empty() && add_late_speech(database, event);
  }
  Open& turn = open(event);
  switch (event.kind) {
    case EventKind::kUtterance: {
      const Utterance said(event.message);
      if (!said.utterances.empty()) turn.said = said.utterances.front();
      turn.lang = said.lang;
      break;
    }
    case EventKind::kMatch: {
      const MatchedIntent matched(event.message);
      turn.skill_id = matched.skill_id;
      turn.intent_name = matched.intent_name;
      turn.pipeline_id = matched.pipeline_id;
      turn.lang = event.message.text("lang");
      if (turn.said.empty()) turn.said = event.message.text("utterance");
      break;
    }
    case EventKind::kUnmatched: {
      const Utterance said(event.message);
      if (turn.said.empty() && !said.utterances.empty()) turn.said = said.utterances.front();
      turn.lang = said.lang;
      turn.outcome = "unmatched";
      break;
    }
    case EventKind::kSpeech: {
      const Speech speech(event.message);
      turn.answers.emplace_back(speech.utterance, speech.lang);
      if (kind == "question") {
        turn.outcome = "asked";
        write_turn(database, id, turn);
      }
      break;
    }
    case EventKind::kStart:
      if (turn.started == 0) turn.started = event.time;
      break;
    case EventKind::kComplete:
      turn.outcome = HandlerReport(event.message).not_understood ? "unmatched" : "answered";
      break;
    case EventKind::kError:
      turn.error = HandlerReport(event.message).exception.value_or("");
      turn.outcome = turn.error.starts_with("cancelled") ? "cancelled" : "error";
      break;
    case EventKind::kHandled:
      if (turn.outcome.empty() || turn.outcome == "asked") turn.outcome = "cancelled";
      write_turn(database, id, turn);
      kept_sessions::count_turn(database, turn.owner, turn.session_id, turn.began, event.time);
      open_.erase(id);
      return true;
    default:
      break;
  }
  if (event.kind != EventKind::kSpeech) turn.cause = database.last_row();
  return false;
}

void TurnRows::forget(const ForgetWhat& what) {
  std::erase_if(open_, [&](const auto& one) {
    const Open& turn = one.second;
    return what.everything || ((what.owner.empty() || turn.owner == what.owner) &&
                               (what.session_id.empty() || turn.session_id == what.session_id) &&
                               turn.began >= what.since && turn.began < what.until);
  });
}

bool TurnRows::forget_before(Database& database, std::int64_t time) {
  bool more = false;
  for (const char* const sql :
       {"DELETE FROM event WHERE lsn IN (SELECT lsn FROM event WHERE time < ? ORDER BY time LIMIT ?)",
        "DELETE FROM turn WHERE row IN (SELECT row FROM turn WHERE time < ? ORDER BY time LIMIT ?)",
        "DELETE FROM object WHERE row IN (SELECT row FROM object WHERE logged < ? AND kept = 0 ORDER BY "
        "logged LIMIT ?)"}) {
    database.query(sql).bind(time).bind(kMostForgotten).run();
    more = more || database.changed() >= kMostForgotten;
  }
  return more;
}

namespace turns {
namespace {

/// What turn_of() reads, in its order.
constexpr std::string_view kColumns =
    "time, utterance_id, owner, session_id, lang, said, outcome, skill_id, intent_name, pipeline_id, error, "
    "answers, row, started";
constexpr int kColumnsRead = 14;

TurnRow turn_of(const Statement& from) {
  TurnRow row;
  row.time = from.number(0);
  int column = 0;
  for (auto* const text : {&row.utterance_id, &row.owner, &row.session_id, &row.lang, &row.said, &row.outcome,
                           &row.skill_id, &row.intent_name, &row.pipeline_id, &row.error})
    *text = from.text(++column);
  row.answers = read_answers(from.text(++column));
  row.number = from.number(++column);
  row.started = from.number(++column);
  return row;
}

}  // namespace

std::vector<TurnRow> latest(Database& database, const TurnFilter& filter) {
  // Each condition is left to an index of its own only when it is asked for.
  const char* const whose =
      filter.session_id.empty() ? "(? = '' OR owner = ?)" : "owner = ? AND session_id = ?";
  Statement found = database.query(fmt::format(
      "SELECT {} FROM turn WHERE {} AND (? = '' OR skill_id = ?) AND (? = '' OR outcome = ?) AND time >= ? "
      "AND time < ? AND row < ? ORDER BY row DESC LIMIT ?",
      kColumns, whose));
  if (filter.session_id.empty()) {
    found.bind(filter.owner).bind(filter.owner);
  } else {
    found.bind(filter.owner.empty() ? "local" : filter.owner).bind(filter.session_id);
  }
  found.bind(filter.skill_id).bind(filter.skill_id).bind(filter.outcome).bind(filter.outcome);
  found.bind(filter.since).bind(filter.until).bind(filter.before);
  found.bind(static_cast<std::int64_t>(filter.limit));
  std::vector<TurnRow> rows;
  while (found.step()) rows.push_back(turn_of(found));
  return {rows.rbegin(), rows.rend()};
}

std::vector<TurnRow> of_session(Database& database, const std::string& owner, const std::string& session_id,
                                std::int64_t after, std::size_t limit) {
  Statement found = database.query(fmt::format(
      "SELECT {} FROM turn WHERE owner = ? AND session_id = ? AND row > ? ORDER BY row LIMIT ?", kColumns));
  found.bind(owner).bind(session_id).bind(after).bind(static_cast<std::int64_t>(limit));
  std::vector<TurnRow> rows;
  while (found.step()) rows.push_back(turn_of(found));
  return rows;
}

std::optional<TurnRow> find(Database& database, const std::string& utterance_id) {
  Statement found = database.query(
      fmt::format("SELECT {}, trace FROM turn WHERE utterance_id = ? ORDER BY row DESC LIMIT 1", kColumns));
  if (!found.bind(utterance_id).step()) return std::nullopt;
  TurnRow row = turn_of(found);
  row.trace = found.text(kColumnsRead);
  return row;
}

std::vector<Unmatched> unmatched(Database& database, const TurnFilter& filter) {
  Statement found = database.query(
      "SELECT said, lang, count(*) AS times FROM turn WHERE outcome = 'unmatched' AND (? = '' OR owner = ?) "
      "AND time >= ? AND time < ? GROUP BY said, lang ORDER BY times DESC, max(time) DESC LIMIT ?");
  found.bind(filter.owner).bind(filter.owner).bind(filter.since).bind(filter.until);
  found.bind(static_cast<std::int64_t>(filter.limit));
  std::vector<Unmatched> list;
  while (found.step()) list.emplace_back(found.text(0), found.text(1), found.number(2));
  return list;
}

}  // namespace turns
}  // namespace parley
