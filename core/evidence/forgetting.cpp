#include "evidence/forgetting.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "evidence/objects.hpp"
#include "evidence/outside.hpp"
#include "store/forget.hpp"
#include "store/savepoint.hpp"
#include "store/sqlite.hpp"

namespace parley::evidence {
namespace {

constexpr std::string_view kOfTurn = "mem_";

bool is_told(const Object& object) {
  return object.memory_type == "semantic";
}

void erase_object(Database& database, const std::string& owner, const std::string& id) {
  database.query("DELETE FROM object WHERE owner = ? AND id = ?").bind(owner).bind(id).run();
}

void erase_event(Database& database, const std::string& owner, std::int64_t lsn) {
  database.query("DELETE FROM event WHERE owner = ? AND lsn = ?").bind(owner).bind(lsn).run();
  erase_object(database, owner, event_id(lsn));
}

/// The turn that an event of the log is of; empty: of none.
std::string turn_of(Database& database, const Object& event) {
  Statement found = database.query("SELECT utterance_id FROM event WHERE owner = ? AND lsn = ?");
  return found.bind(event.owner).bind(event.lsn).step() ? found.text(0) : std::string();
}

/// The ids that an object's edges of this type lead to.
std::vector<std::string> led_to(Database& database, const Object& object, const char* type) {
  Statement found = database.query("SELECT dst FROM edge WHERE owner = ? AND src = ? AND type = ?");
  found.bind(object.owner).bind(object.id).bind(type);
  std::vector<std::string> ids;
  while (found.step()) ids.push_back(found.text(0));
  return ids;
}

/// The events that an object is made of. Something told names the latest alone of those who said so.
std::vector<std::string> sources_of(Database& database, const Object& object) {
  auto sources = object.sources;
  if (!is_told(object)) return sources;
  for (auto& source : led_to(database, object, "derived_from")) {
    if (std::find(sources.begin(), sources.end(), source) == sources.end())
      sources.push_back(std::move(source));
  }
  return sources;
}

void note_gone(Database& database, const Object& event, const Object& object, ForgottenObjects& gone) {
  const std::string turn = turn_of(database, event);
  if (!turn.empty()) gone.turns.push_back(turn);
  if (!turn.empty() && event.id == object.id) gone.ids.push_back(std::string(kOfTurn) + turn);
  if (event.id != event_id(event.lsn)) gone.event_ids.push_back(event.id);
}

/// What came in with these events: the events, and whatever else was made of them.
void erase_sources(Database& database, const Object& object, ForgottenObjects* gone) {
  for (const auto& source : sources_of(database, object)) {
    const auto event = find_object(database, object.owner, source);
    if (!event || event->type != "event") continue;
    if (gone != nullptr) note_gone(database, *event, object, *gone);
    erase_event(database, object.owner, event->lsn);
    erase_object(database, object.owner, event->id);
  }
}

/// What an object became by one event is taken back; one that never was anything else goes.
void take_back(Database& database, const std::string& owner, const std::string& id,
               const std::string& event) {
  auto object = find_object(database, owner, id);
  if (!object || object->type == "event") return;
  const auto versions = versions_of(database, owner, id, 2);
  Statement gone =
      database.query("DELETE FROM object_version WHERE owner = ? AND object_id = ? AND event_id = ?");
  gone.bind(owner).bind(id).bind(event).run();
  if (versions.front().event_id != event) return;
  if (versions.size() == 1) return erase_object(database, owner, id);
  const Version& before = versions.back();
  object->version = before.version;
  object->summary = before.summary;
  object->time = before.time;
  ObjectWriter(database).put(*object, before.event_id);
  database.query("DELETE FROM object_version WHERE owner = ? AND object_id = ? AND version >= ?")
      .bind(owner)
      .bind(id)
      .bind(before.version)
      .run();
}

void erase_turn(Database& database, const std::string& owner, const std::string& utterance_id) {
  std::vector<std::int64_t> events;
  std::string session_id;
  {
    Statement found = database.query(
        "SELECT lsn, session_id FROM event WHERE utterance_id = ? AND utterance_id <> '' AND +owner = ?");
    found.bind(utterance_id).bind(owner);
    while (found.step()) {
      events.push_back(found.number(0));
      session_id = found.text(1);
    }
  }
  std::vector<std::string> touched{"parley:session:" + session_id};  // it says what was said last
  const std::string memory = std::string(kOfTurn) + utterance_id;
  constexpr std::size_t kMost = 200;
  for (const auto& edge : edges_of(database, owner, memory, kMost))
    touched.push_back(edge.src == memory ? edge.dst : edge.src);
  for (const auto lsn : events) {
    for (const auto& id : touched) take_back(database, owner, id, event_id(lsn));
  }
  erase_object(database, owner, memory);
  for (const auto lsn : events) erase_event(database, owner, lsn);
  database.query("DELETE FROM turn WHERE utterance_id = ? AND +owner = ?")
      .bind(utterance_id)
      .bind(owner)
      .run();
}

bool is_from_outside(const Object& event) {
  return event.type == "event" && event.id != event_id(event.lsn);
}

/// Whether that is what is remembered of a turn: another program's events have memories that are called
/// alike.
/// @param object  if it is there
bool is_of_turn(Database& database, const std::string& id, const std::optional<Object>& object) {
  if (!id.starts_with(kOfTurn)) return false;
  if (!object) return true;
  return object->memory_type == "episodic" &&
         std::none_of(object->sources.begin(), object->sources.end(), [&](const std::string& source) {
           const auto event = find_object(database, object->owner, source);
           return event && is_from_outside(*event);
         });
}

/// The memory that says what an event from outside did, and nothing else; empty: there is none.
std::string only_memory_of(Database& database, const Object& event) {
  std::string id = memory_of(database, event.owner, event.id);
  const auto memory = id.empty() ? std::nullopt : find_object(database, event.owner, id);
  const bool is_all = memory && memory->sources == std::vector<std::string>{event.id};
  return is_all ? id : std::string();
}

/// What held before something was told otherwise.
std::vector<std::string> held_before(Database& database, const Object& object) {
  auto ids = led_to(database, object, "updates");
  for (auto& id : led_to(database, object, "contradicts")) {
    const auto other = find_object(database, object.owner, id);
    if (other && other->superseded_by == object.id) ids.push_back(std::move(id));
  }
  return ids;
}

/// What is to be forgotten as well.
std::vector<std::string> going_with(Database& database, const Object& object) {
  if (is_told(object)) return held_before(database, object);
  std::vector<std::string> ids;
  if (!is_from_outside(object)) return ids;
  if (auto memory = only_memory_of(database, object); !memory.empty()) ids.push_back(std::move(memory));
  return ids;
}

}  // namespace

std::size_t forget_objects(Database& database, const std::string& owner,
                           const std::vector<std::string>& asked, ForgottenObjects* elsewhere) {
  std::size_t count = 0;
  std::vector<std::string> ids = asked;
  while (!ids.empty()) {
    const std::string id = ids.back();
    ids.pop_back();
    const auto object = find_object(database, owner, id);
    const bool is_turn = is_of_turn(database, id, object);
    if (object) {
      for (auto& other : going_with(database, *object)) ids.push_back(std::move(other));
      if (!is_turn) erase_sources(database, *object, elsewhere);
      ++count;
    }
    if (is_turn) erase_turn(database, owner, id.substr(kOfTurn.size()));
    const bool is_known_elsewhere = !object || id != event_id(object->lsn);
    if (elsewhere != nullptr && is_turn) elsewhere->turns.push_back(id.substr(kOfTurn.size()));
    if (elsewhere != nullptr && is_known_elsewhere) elsewhere->ids.push_back(id);
    erase_object(database, owner, id);
  }
  if (count > 0) optimize_indexes(database);
  return count;
}

}  // namespace parley::evidence
