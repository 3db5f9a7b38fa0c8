#include "evidence/derive.hpp"

#include <fmt/format.h>

#include <parley/give_turn.hpp>
#include <parley/json.hpp>
#include <string_view>

#include "evidence/objects.hpp"
#include "evidence/outside.hpp"
#include "evidence/turns.hpp"
#include "message/log.hpp"
#include "store/forget.hpp"
#include "store/open.hpp"
#include "store/savepoint.hpp"
#include "store/sqlite.hpp"

namespace parley::evidence {
namespace {

constexpr std::size_t kLongestSummary = 2'000;

std::string text_of(const Json& data, const char* key) {
  const auto found = data.is_object() ? data.find(key) : data.end();
  return found != data.end() && found->is_string() ? found->get<std::string>() : std::string();
}

/// What an event says, for people.
std::string words_of(const Event& event) {
  const Json& data = event.data;
  if (event.kind == "utterance" || event.kind == "unmatched") {
    const auto said = data.find("utterances");
    if (said != data.end() && said->is_array() && !said->empty() && said->front().is_string())
      return said->front().get<std::string>();
  }
  if (event.kind == "match" || event.kind == "answer")
    return fmt::format("{}:{} by {}", text_of(data, "skill_id"), text_of(data, "intent_name"),
                       text_of(data, "pipeline_id"));
  if (event.kind == "error") return text_of(data, "exception");
  return text_of(data, "utterance");
}

Object event_object(const Event& event) {
  Object object;
  object.owner = event.owner;
  object.id = event_id(event.lsn);
  object.type = "event";
  std::string words = words_of(event);
  object.summary = fmt::format("{}{}{}", event.kind, words.empty() ? "" : ": ", words);
  if (words.empty() && !event.actor.empty()) object.summary += " (" + event.actor + ")";
  object.summary = object.summary.substr(0, kLongestSummary);
  object.agent_id = event.actor.empty() ? event.owner : event.actor;
  object.session_id = event.session_id;
  object.lang = text_of(event.data, "lang");
  object.time = object.logged = event.time;
  object.lsn = event.lsn;
  object.sources = {object.id};
  return object;
}

/// A skill came, went, or a session changed.
void put_state(Database& database, ObjectWriter& objects, const Event& event, const std::string& id,
               const std::string& summary, const char* scope) {
  Object state;
  state.owner = event.owner;
  state.id = id;
  state.type = "state";
  state.summary = summary;
  state.scope = scope;
  state.agent_id = event.actor.empty() ? event.owner : event.actor;
  state.session_id = event.session_id;
  state.time = state.logged = event.time;
  state.lsn = event.lsn;
  state.sources = {event_id(event.lsn)};
  objects.put_next(state, event_id(event.lsn));
  Edge edge(id, "derived_from", event_id(event.lsn), event_id(event.lsn), event.time);
  edge.owner = event.owner;
  put_edge(database, edge);
}

Event read_event(const Statement& row) {
  Event event;
  event.lsn = row.number(0);
  event.time = row.number(1);
  event.owner = row.text(2);
  event.session_id = row.text(3);
  event.utterance_id = row.text(4);
  event.kind = row.text(5);
  event.actor = row.text(6);
  event.cause = row.is_null(7) ? 0 : row.number(7);
  if (auto data = parse_json(row.text(8)); data && data->is_object()) event.data = std::move(*data);
  return event;
}

constexpr const char* kEventColumns =
    "SELECT lsn, time, owner, session_id, utterance_id, kind, actor, cause, data FROM event ";

void set_derived(Database& database, std::int64_t lsn) {
  database.query("UPDATE counter SET last = ? WHERE name = 'evidence'").bind(lsn).run();
}

/// Makes of one event what it says; events before it have been through here.
void derive(Database& database, ObjectWriter& objects, const Event& event) {
  if (event.kind == kOutside) {
    derive_outside(database, objects, event, read_outside(event.data));
    return;
  }
  const std::string id = event_id(event.lsn);
  objects.put(event_object(event), id);
  if (event.cause != 0) {
    Edge edge(id, "caused_by", event_id(event.cause), id, event.time);
    edge.owner = event.owner;
    put_edge(database, edge);
  }
  if (event.kind == "skill_arrived" || event.kind == "skill_left") {
    put_state(database, objects, event, "parley:skill:" + event.actor,
              fmt::format("{} {}", event.actor, event.kind == "skill_left" ? "has left" : "is there"),
              "workspace");
  } else if (event.kind == "session_change") {
    put_state(database, objects, event, "parley:session:" + event.session_id,
              fmt::format("session {} changed", event.session_id), "session");
  } else if (event.kind == "due") {
    put_state(database, objects, event, "parley:due:" + event.actor, fmt::format("{} was due", event.actor),
              "private");
  } else if (event.kind == "handled" && !event.utterance_id.empty()) {
    derive_turn(database, objects, event);
  }
}

}  // namespace

std::vector<Event> events_of_turn(Database& database, const Event& last) {
  // That it is not empty must be said: only then the index of such events can be taken.
  static const std::string* const sql = new std::string(
      std::string(kEventColumns) +
      "WHERE utterance_id = ? AND utterance_id <> '' AND owner = ? AND lsn <= ? ORDER BY lsn LIMIT 200");
  Statement found = database.query(*sql);
  found.bind(last.utterance_id).bind(last.owner).bind(last.lsn);
  std::vector<Event> events;
  while (found.step()) events.push_back(read_event(found));
  return events;
}

bool catch_up(Database& database, std::size_t most) {
  static const std::string* const sql =
      new std::string(std::string(kEventColumns) + "WHERE lsn > ? ORDER BY lsn LIMIT ?");
  std::vector<Event> events;
  {
    Statement found = database.query(*sql);
    found.bind(database.number("SELECT last FROM counter WHERE name = 'evidence'"));
    found.bind(static_cast<std::int64_t>(most));
    while (found.step()) events.push_back(read_event(found));
  }
  ObjectWriter objects(database);
  for (const auto& event : events) {
    give_turn();
    try {
      derive(database, objects, event);
    } catch (const Json::exception& error) {  // what an event holds may be anything
      log_warning("evidence", fmt::format("nothing is derived from event {}: {}", event.lsn, error.what()));
    }
  }
  index_new(database);
  if (!events.empty()) set_derived(database, events.back().lsn);
  return events.size() == most;
}

std::size_t rebuild(const std::filesystem::path& file) {
  if (!std::filesystem::exists(file))
    throw StoreRefused(fmt::format("there is no store '{}': nothing is derived", file.string()));
  const StoreLock lock(file, "parley store rebuild");
  const auto database = open_store_file(file);
  std::size_t count = 0;
  const std::string failure = failure_in(file, [&] {
    database->run("BEGIN IMMEDIATE");
    database->query("DELETE FROM object WHERE lsn >= (SELECT min(lsn) FROM event)").run();
    database
        ->query(
            "DELETE FROM edge WHERE NOT EXISTS (SELECT 1 FROM object o WHERE o.owner = edge.owner AND "
            "o.id = edge.src)")
        .run();
    set_derived(*database, 0);
    constexpr std::size_t kAtOnce = 1'000;
    while (catch_up(*database, kAtOnce)) {
    }
    count = static_cast<std::size_t>(database->number("SELECT count(*) FROM event"));
    database->run("COMMIT");
    optimize_indexes(*database);
    database->run("PRAGMA wal_checkpoint(TRUNCATE)");
  });
  if (!failure.empty()) throw StoreRefused(failure);
  return count;
}

}  // namespace parley::evidence
