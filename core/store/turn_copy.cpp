#include "store/turn_copy.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <parley/json.hpp>
#include <string_view>
#include <utility>
#include <vector>

#include "store/session_rows.hpp"
#include "store/sqlite.hpp"

namespace parley {
namespace {

constexpr std::int64_t kMostEvents = 200;
/// Bytes. Most have a few thousand.
constexpr std::size_t kLongestTrace = 16'384;
/// Bytes of all. A trace should not make a turn longer than others take.
constexpr std::size_t kLongestTraced = 60'000;

/// Columns of `turn` that are texts and go as they are.
constexpr std::array kTexts{"lang",     "said",        "answers",     "outcome",
                            "skill_id", "intent_name", "pipeline_id", "error"};

std::string dumped(const Json& json) {
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

// In the queries here `+` keeps SQLite from going by the session: one may have had any number of turns.

/// `[{"time", "kind", "actor", "cause"?, "data"}]`; a cause is the place in the list of what it comes of.
Json events_of(Database& database, LoggedTurn& turn) {
  Statement found = database.query(
      "SELECT lsn, time, kind, actor, coalesce(cause, 0), data FROM event WHERE utterance_id = ? AND "
      "utterance_id <> '' AND +owner = ? AND +session_id = ? AND +time >= ? ORDER BY +lsn LIMIT ?");
  found.bind(turn.utterance_id).bind(turn.owner).bind(turn.session_id).bind(turn.began).bind(kMostEvents);
  Json events = Json::array();
  std::map<std::int64_t, std::size_t> places;
  while (found.step()) {
    auto data = parse_json(found.text(5));
    Json event = {{"time", found.number(1)}, {"kind", found.text(2)}, {"actor", found.text(3)}};
    event["data"] = data ? std::move(*data) : Json();
    const auto cause = places.find(found.number(4));
    if (cause != places.end()) event["cause"] = cause->second;
    places.emplace(found.number(0), events.size());
    turn.ended = std::max(turn.ended, found.number(1));
    events.push_back(std::move(event));
  }
  return events;
}

/// The time of the last event that there is of a turn; 0: there is none.
std::int64_t last_event_of(Database& database, const LoggedTurn& turn) {
  Statement found = database.query(
      "SELECT ifnull(max(time), 0) FROM event WHERE utterance_id = ? AND utterance_id <> '' AND +owner = ? "
      "AND +session_id = ? AND +time >= ?");
  found.bind(turn.utterance_id).bind(turn.owner).bind(turn.session_id).bind(turn.began);
  return found.step() ? found.number(0) : 0;
}

struct TakenEvent {
  std::int64_t time = 0;
  std::string kind, actor, data;
  std::optional<std::size_t> cause;  ///< Its place among these.
};

/// Those that are later.
/// @throws nlohmann::json::exception
std::vector<TakenEvent> events_in(const Json& events, std::int64_t after) {
  std::vector<TakenEvent> found;
  for (const auto& event : events) {
    TakenEvent one;
    one.time = event.at("time").get<std::int64_t>();
    if (one.time <= after) continue;
    one.kind = event.at("kind").get<std::string>();
    one.actor = event.at("actor").get<std::string>();
    one.data = dumped(event.at("data"));
    const auto cause = event.find("cause");
    if (after == 0 && cause != event.end()) one.cause = cause->get<std::size_t>();
    found.push_back(std::move(one));
  }
  return found;
}

void write_events(Database& database, const LoggedTurn& turn, const std::vector<TakenEvent>& events) {
  std::vector<std::int64_t> numbers;
  for (const auto& event : events) {
    Statement put = database.query(
        "INSERT INTO event (time, owner, session_id, utterance_id, kind, actor, cause, data) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?)");
    put.bind(event.time).bind(turn.owner).bind(turn.session_id).bind(turn.utterance_id);
    put.bind(event.kind).bind(event.actor);
    if (event.cause && *event.cause < numbers.size()) {
      put.bind(numbers[*event.cause]);
    } else {
      put.bind_null();
    }
    put.bind(event.data).run();
    numbers.push_back(database.last_row());
  }
}

/// Which turn it is.
/// @throws nlohmann::json::exception
LoggedTurn described(const Json& logged) {
  LoggedTurn turn;
  turn.owner = logged.at("owner").get<std::string>();
  turn.session_id = logged.at("session_id").get<std::string>();
  turn.utterance_id = logged.at("utterance_id").get<std::string>();
  turn.began = logged.at("began").get<std::int64_t>();
  turn.ended = logged.at("ended").get<std::int64_t>();
  return turn;
}

}  // namespace

namespace turns {

std::optional<LoggedTurn> copy_of(Database& database, const std::string& utterance_id) {
  LoggedTurn turn;
  Json body = Json::object();
  {
    Statement found = database.query(
        "SELECT lang, said, answers, outcome, skill_id, intent_name, pipeline_id, error, owner, session_id, "
        "time, started, ifnull(trace, '') FROM turn WHERE utterance_id = ? ORDER BY row DESC LIMIT 1");
    if (!found.bind(utterance_id).step()) return std::nullopt;
    Json row = Json::object();
    int column = 0;
    for (const char* const name : kTexts) row[name] = found.text(column++);
    turn.utterance_id = utterance_id;
    turn.owner = found.text(column++);
    turn.session_id = found.text(column++);
    turn.began = turn.ended = found.number(column++);
    row["started"] = found.number(column++);
    std::string trace = found.text(column);
    if (!trace.empty() && trace.size() <= kLongestTrace) row["trace"] = std::move(trace);
    body["turn"] = std::move(row);
  }
  body["events"] = events_of(database, turn);
  body["owner"] = turn.owner;
  body["session_id"] = turn.session_id;
  body["utterance_id"] = turn.utterance_id;
  body["began"] = turn.began;
  body["ended"] = turn.ended;
  turn.json = dumped(body);
  if (turn.json.size() > kLongestTraced && body["turn"].erase("trace") > 0) turn.json = dumped(body);
  return turn;
}

bool take(Database& database, const Json& logged, bool keeps_trace) {
  const LoggedTurn turn = described(logged);
  std::int64_t there = 0;
  {
    Statement found = database.query(
        "SELECT row FROM turn WHERE utterance_id = ? AND +owner = ? AND +session_id = ? AND +time = ?");
    found.bind(turn.utterance_id).bind(turn.owner).bind(turn.session_id).bind(turn.began);
    if (found.step()) there = found.number(0);
  }
  const std::int64_t known = there == 0 ? 0 : last_event_of(database, turn);
  if (there != 0 && turn.ended <= known) return false;
  // All is read before anything is written: of what can't be read nothing stays.
  const Json& row = logged.at("turn");
  std::optional<std::string> trace;
  if (const auto found = row.find("trace"); keeps_trace && found != row.end())
    trace = found->get<std::string>();
  std::map<std::string_view, std::string> texts;
  for (const char* const name : kTexts) texts[name] = row.at(name).get<std::string>();
  const auto started = row.at("started").get<std::int64_t>();
  write_events(database, turn, events_in(logged.at("events"), known));
  if (there != 0) {
    database.query("UPDATE turn SET answers = ? WHERE row = ?").bind(texts["answers"]).bind(there).run();
    return true;
  }
  Statement put = database.query(
      "INSERT INTO turn (lang, said, answers, outcome, skill_id, intent_name, pipeline_id, error, owner, "
      "session_id, utterance_id, time, started, trace) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  for (const char* const name : kTexts) put.bind(texts[name]);
  put.bind(turn.owner).bind(turn.session_id).bind(turn.utterance_id).bind(turn.began).bind(started);
  put.bind_or_null(trace).run();
  kept_sessions::count_turn(database, turn.owner, turn.session_id, turn.began, turn.ended);
  return true;
}

}  // namespace turns
}  // namespace parley
