#include "evidence/turns.hpp"

#include <fmt/format.h>

#include <chrono>
#include <optional>
#include <parley/text.hpp>
#include <parley/zone.hpp>
#include <string_view>
#include <utility>

#include "store/schedule_table.hpp"
#include "store/sqlite.hpp"

namespace parley::evidence {
namespace {

constexpr std::int64_t kDay = 86'400'000;
/// Of a routine, this one counted.
constexpr int kDaysRunning = 3;
constexpr std::size_t kLongestPart = 500;

/// What became of an utterance.
struct Lived {
  std::string said, lang, time_zone, skill_id, intent_name, pipeline_id, error;
  std::vector<std::string> answers;
  bool unmatched = false, completed = false, failed = false;
  std::int64_t first = 0;  ///< The event that began it.
  std::int64_t began = 0;  ///< When.
};

std::string part(const Json& data, const char* key) {
  const auto found = data.is_object() ? data.find(key) : data.end();
  if (found == data.end() || !found->is_string()) return {};
  return found->get<std::string>().substr(0, kLongestPart);
}

std::string first_utterance(const Json& data) {
  const auto said = data.is_object() ? data.find("utterances") : data.end();
  const bool has = said != data.end() && said->is_array() && !said->empty() && said->front().is_string();
  return has ? said->front().get<std::string>().substr(0, kLongestPart) : std::string();
}

Lived lived_of(const std::vector<Event>& events) {
  Lived turn;
  for (const auto& event : events) {
    if (turn.first == 0) {
      turn.first = event.lsn;
      turn.began = event.time;
    }
    if (event.kind == "utterance" || event.kind == "unmatched") {
      if (turn.said.empty()) turn.said = first_utterance(event.data);
      if (turn.lang.empty()) turn.lang = part(event.data, "lang");
      if (turn.time_zone.empty()) turn.time_zone = part(event.data, "time_zone");
      turn.unmatched = turn.unmatched || event.kind == "unmatched";
    } else if (event.kind == "match" || event.kind == "answer") {
      turn.skill_id = part(event.data, "skill_id");
      turn.intent_name = part(event.data, "intent_name");
      turn.pipeline_id = part(event.data, "pipeline_id");
      if (turn.said.empty()) turn.said = part(event.data, "utterance");
      if (turn.lang.empty()) turn.lang = part(event.data, "lang");
    } else if (event.kind == "speech" || event.kind == "question") {
      turn.answers.push_back(part(event.data, "utterance"));
    } else if (event.kind == "complete") {
      turn.completed = true;
    } else if (event.kind == "error") {
      turn.failed = true;
      turn.error = part(event.data, "exception");
    }
  }
  return turn;
}

std::string sentence_of(const Event& handled, const Lived& turn) {
  std::string text = fmt::format("{} said \"{}\"", handled.owner, turn.said);
  if (turn.unmatched) return text + "; nobody had an answer";
  std::string answer;
  for (const auto& one : turn.answers) answer += (answer.empty() ? "" : " ") + one;
  text += fmt::format("; {} ({}, found by {})", turn.skill_id, turn.intent_name, turn.pipeline_id);
  if (turn.failed) return text + " failed: " + turn.error;
  return answer.empty() ? text + " did it" : fmt::format("{} answered \"{}\"", text, answer);
}

/// Puts things that come of one turn, and edges between them.
class TurnEvidence {
 public:
  TurnEvidence(Database& database, ObjectWriter& objects, const Event& handled, const Lived& turn)
      : database_(database),
        objects_(objects),
        handled_(handled),
        turn_(turn),
        cause_(event_id(handled.lsn)) {}

  Object about(std::string id, const char* type, std::string summary) const {
    Object object;
    object.owner = handled_.owner;
    object.id = std::move(id);
    object.type = type;
    object.summary = std::move(summary);
    object.agent_id = turn_.skill_id.empty() ? handled_.owner : turn_.skill_id;
    object.session_id = handled_.session_id;
    object.lang = turn_.lang;
    object.time = turn_.began;
    object.logged = handled_.time;
    object.lsn = handled_.lsn;
    object.sources = {event_id(turn_.first)};
    return object;
  }
  void edge(const std::string& from, const char* type, const std::string& to) {
    Edge edge(from, type, to, cause_, handled_.time);
    edge.owner = handled_.owner;
    put_edge(database_, edge);
  }
  void next(const Object& object) { objects_.put_next(object, cause_); }

 private:
  Database& database_;
  ObjectWriter& objects_;
  const Event& handled_;
  const Lived& turn_;
  const std::string cause_;
};

/// An utterance that is said every day in the same hour of the user's day.
struct Routine {
  Routine(int when, std::string where) : hour(when), time_zone(std::move(where)) {}
  int hour;  ///< Since midnight.
  std::string time_zone;
  std::vector<std::string> said;  ///< The memories of the days before.
};

/// The memory of the same words, said first in that time; empty: there is none.
std::string said_between(Database& database, const Object& memory, std::int64_t from, std::int64_t until) {
  // By what was said and when: by the time alone it would look at all that was said then.
  Statement found = database.query(
      "SELECT id FROM object INDEXED BY object_by_topic WHERE owner = ? AND topic = ? AND topic <> '' AND "
      "memory_type = 'episodic' AND time >= ? AND time < ? ORDER BY time, row LIMIT 1");
  found.bind(memory.owner).bind(memory.topic).bind(from).bind(until);
  return found.step() ? found.text(0) : std::string();
}

std::optional<Routine> routine_of(Database& database, const Object& memory, const std::string& time_zone) {
  // Hardly anything that is said was said before: a zone's rules are a file.
  if (said_between(database, memory, memory.time - kDaysRunning * kDay, memory.time).empty())
    return std::nullopt;
  auto zone = Zone::named(time_zone);
  if (!zone) zone = Zone::named("UTC");
  if (!zone) return std::nullopt;
  const std::chrono::system_clock::time_point now{std::chrono::milliseconds(memory.time)};
  const auto hour = std::chrono::floor<std::chrono::hours>(zone->local(now));
  const auto since_midnight = hour - std::chrono::floor<std::chrono::days>(hour);
  Routine routine(static_cast<int>(since_midnight.count()), zone->id());
  for (int day = 1; day < kDaysRunning; ++day) {
    const auto begin = hour - std::chrono::days(day);
    std::string id = said_between(database, memory, to_milliseconds(zone->moment(begin)),
                                  to_milliseconds(zone->moment(begin + std::chrono::hours(1))));
    if (id.empty()) return std::nullopt;
    routine.said.push_back(std::move(id));
  }
  return routine;
}

}  // namespace

void derive_turn(Database& database, ObjectWriter& objects, const Event& handled) {
  const auto events = events_of_turn(database, handled);
  const Lived turn = lived_of(events);
  if (turn.said.empty()) return;
  TurnEvidence put(database, objects, handled, turn);
  Object memory = put.about("mem_" + handled.utterance_id, "memory", sentence_of(handled, turn));
  memory.memory_type = "episodic";
  memory.topic = "said:" + normalise(turn.said, turn.lang);
  memory.importance = 1;
  put.next(memory);
  put.edge(memory.id, "derived_from", event_id(turn.first));
  for (const auto& event : events) {
    if (event.lsn != turn.first && event.lsn != handled.lsn)
      put.edge(memory.id, "summarizes", event_id(event.lsn));
  }
  if (!turn.skill_id.empty()) {
    const std::string skill = "parley:skill:" + turn.skill_id;
    if (!find_object(database, handled.owner, skill)) {
      Object state = put.about(skill, "state", turn.skill_id + " is there");
      state.session_id.clear();
      put.next(state);
    }
    put.edge(memory.id, "uses_tool", skill);
  }
  if (turn.completed && !turn.failed) {
    Object task = put.about(
        fmt::format("parley:task:{}:{}", turn.skill_id, turn.intent_name), "memory",
        fmt::format("{} had {} do {}: \"{}\"", handled.owner, turn.skill_id, turn.intent_name, turn.said));
    task.memory_type = "procedural";
    put.next(task);
    put.edge(memory.id, "belongs_to_task", task.id);
  }
  if (const auto found = routine_of(database, memory, turn.time_zone)) {
    Object routine =
        put.about("parley:routine:" + digest(fmt::format("{}\n{}", memory.topic, found->hour)), "memory",
                  fmt::format("{} says \"{}\" every day between {}:00 and {}:59 {}", handled.owner, turn.said,
                              found->hour, found->hour, found->time_zone));
    routine.memory_type = "procedural";
    routine.topic = fmt::format("routine:{}|{}", found->hour, found->time_zone);
    routine.value = turn.said;
    routine.importance = 2;
    put.next(routine);
    for (const auto& id : found->said) put.edge(id, "supports", routine.id);
    put.edge(memory.id, "supports", routine.id);
  }
  Object session =
      put.about("parley:session:" + handled.session_id, "state",
                fmt::format("session {}: the latest turn was \"{}\"", handled.session_id, turn.said));
  session.scope = "session";
  put.next(session);
  put.edge(session.id, "derived_from", event_id(handled.lsn));
  Object transcript = put.about("parley:transcript:" + handled.session_id, "artifact",
                                fmt::format("transcript of session {}", handled.session_id));
  transcript.scope = "session";
  put.next(transcript);
  put.edge(transcript.id, "summarizes", memory.id);
}

}  // namespace parley::evidence
