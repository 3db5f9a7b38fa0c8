#include "evidence/ingest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <parley/give_turn.hpp>
#include <parley/json.hpp>
#include <stdexcept>
#include <string_view>

#include "evidence/derive.hpp"
#include "evidence/objects.hpp"
#include "runtime/rfc3339.hpp"
#include "store/sqlite.hpp"

namespace parley::evidence {
namespace {

/// Why an event is not taken.
class Rejected : public std::runtime_error {
 public:
  Rejected(std::string what, const std::string& sentence)
      : std::runtime_error(sentence), code(std::move(what)) {}
  const std::string code;
};

std::string dumped(const Json& json) {
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string text_at(const Json& event, const char* key, std::size_t most) {
  const auto found = event.find(key);
  if (found == event.end() || found->is_null()) return {};
  if (!found->is_string()) throw Rejected("INVALID_FIELD_TYPE", fmt::format("'{}' must be a string", key));
  auto text = found->get<std::string>();
  if (text.size() > most)
    throw Rejected("TOO_LONG", fmt::format("'{}' has {} bytes: {} are the most", key, text.size(), most));
  return text;
}

std::string needed(const Json& event, const char* key) {
  std::string text = text_at(event, key, kLongestId);
  if (text.empty())
    throw Rejected("MISSING_FIELD",
                   fmt::format("'{}' is missing: it must be a string that is not empty", key));
  return text;
}

template <std::size_t N>
void check_word(const std::string& word, const std::array<std::string_view, N>& words, const char* code,
                const char* key) {
  if (std::find(words.begin(), words.end(), word) != words.end()) return;
  std::string known;
  for (const auto one : words) known += fmt::format("{}{}", known.empty() ? "" : ", ", one);
  throw Rejected(code, fmt::format("'{}' is '{}': it must be one of {}", key, word, known));
}

Json causes_at(const Json& event) {
  const auto found = event.find("causes");
  if (found == event.end() || found->is_null()) return Json::array();
  const bool are_texts = found->is_array() && std::all_of(found->begin(), found->end(), [](const Json& one) {
                           return one.is_string() && one.get_ref<const std::string&>().size() <= kLongestId;
                         });
  if (!are_texts || found->size() > kMostLinks)
    throw Rejected("INVALID_FIELD_TYPE",
                   fmt::format("'causes' must be a list of at most {} event ids", kMostLinks));
  return *found;
}

int thousandths(const Json& edge) {
  const auto weight = edge.find("weight");
  if (weight == edge.end()) return 1000;
  if (!weight->is_number() || !(weight->get<double>() >= 0) || weight->get<double>() > 1)
    throw Rejected("INVALID_EDGE", "'weight' of an edge must be a number from 0 to 1");
  return static_cast<int>(std::lround(weight->get<double>() * 1000));
}

Json edges_at(const Json& event) {
  const auto found = event.find("edges");
  Json edges = Json::array();
  if (found == event.end() || found->is_null()) return edges;
  if (!found->is_array() || found->size() > kMostLinks)
    throw Rejected("INVALID_EDGE", fmt::format("'edges' must be a list of at most {}", kMostLinks));
  for (const auto& edge : *found) {
    if (!edge.is_object())
      throw Rejected("INVALID_EDGE", "an edge must be an object {dst, edge_type, weight?}");
    const std::string type = needed(edge, "edge_type");
    check_word(type, kEdgeTypes, "INVALID_EDGE", "edge_type");
    edges.push_back({{"dst", needed(edge, "dst")}, {"edge_type", type}, {"weight", thousandths(edge)}});
  }
  return edges;
}

/// The event as the log keeps it. @throws Rejected
Json checked(const Json& event) {
  if (!event.is_object()) throw Rejected("INVALID_FIELD_TYPE", "an event must be an object");
  Json kept = {{"event_id", needed(event, "event_id")},
               {"event_type", needed(event, "event_type")},
               {"agent_id", needed(event, "agent_id")},
               {"session_id", needed(event, "session_id")}};
  const std::string id = kept.at("event_id");
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  if (id.starts_with("parley:") ||
      (id.starts_with("log_") && std::all_of(id.begin() + 4, id.end(), is_digit)))
    throw Rejected("RESERVED_EVENT_ID", "ids that begin with 'parley:' and 'log_<number>' are the log's own");
  const std::string time = needed(event, "time");
  const auto at = from_rfc3339(time);
  if (!at)
    throw Rejected("INVALID_TIME", fmt::format("'time' is '{}': a time such as 2026-01-31T07:30:00Z", time));
  kept["at"] = *at;
  for (const char* const key : {"tenant_id", "workspace_id", "scope", "memory_type", "lang"}) {
    const std::string value = text_at(event, key, kLongestId);
    if (!value.empty()) kept[key] = value;
  }
  if (kept.contains("scope")) check_word(kept.at("scope"), kScopes, "INVALID_QUERY_SCOPE", "scope");
  if (kept.contains("memory_type"))
    check_word(kept.at("memory_type"), kMemoryTypes, "INVALID_MEMORY_TYPE", "memory_type");
  kept["text"] = text_at(event, "text", kLongestText);
  if (const auto data = event.find("data"); data != event.end()) {
    if (dumped(*data).size() > kLongestText)
      throw Rejected("TOO_LONG", fmt::format("'data' has more than {} bytes", kLongestText));
    kept["data"] = *data;
  }
  kept["causes"] = causes_at(event);
  kept["edges"] = edges_at(event);
  kept["content"] = digest(dumped(kept));
  return kept;
}

/// What all take of an event, and what they make of it. @throws Rejected
void make_ready(const Json& event, ReadyEvent& ready) {
  const Json kept = checked(event);
  ready.json = dumped(kept);
  ready.event = read_outside(kept);
}

/// Writes it to the log. Gives its row, without the data.
Event logged(Database& database, const std::string& owner, const OutsideEvent& outside,
             const std::string& json, std::int64_t now) {
  Event row;
  row.time = now;
  row.owner = owner;
  row.session_id = outside.session_id;
  row.actor = outside.agent_id;
  row.kind = kOutside;
  Statement put = database.query(
      "INSERT INTO event (time, owner, session_id, utterance_id, kind, actor, cause, data) VALUES (?, ?, ?, "
      "'', ?, ?, NULL, ?)");
  put.bind(row.time).bind(row.owner).bind(row.session_id).bind(row.kind).bind(row.actor);
  put.bind(json).run();
  row.lsn = database.last_row();
  return row;
}

/// What was logged before has been derived from; then everything is up to the last event.
void derive_all_before(Database& database) {
  constexpr std::size_t kAtOnce = 1'000;
  while (catch_up(database, kAtOnce)) {
  }
}
void note_derived(Database& database, std::int64_t last_lsn) {
  index_new(database);
  if (last_lsn != 0)
    database.query("UPDATE counter SET last = ? WHERE name = 'evidence'").bind(last_lsn).run();
}

/// The events of one request, one after the other.
class Ingesting {
 public:
  Ingesting(Database& database, const Caller& caller, std::int64_t now, std::vector<ToldEvent>* told)
      : database_(database), objects_(database), caller_(caller), now_(now), told_(told) {}

  Json take(const ReadyEvent& ready) {
    Json result = {{"event_id", ready.id}};
    try {
      if (!ready.code.empty()) throw Rejected(ready.code, ready.message);
      put(ready, result);
    } catch (const Rejected& rejected) {
      result["status"] = "rejected";
      result["error_code"] = rejected.code;
      result["message"] = rejected.what();
    }
    return result;
  }
  std::int64_t last_lsn() const { return last_lsn_; }

 private:
  void put(const ReadyEvent& ready, Json& result) {
    const OutsideEvent& event = ready.event;
    const auto reach =
        reach_of(caller_, event.agent_id, event.session_id, event.tenant_id, event.workspace_id);
    if (!reach)
      throw Rejected("FORBIDDEN_SCOPE",
                     "the grant does not let it write for that agent, session or workspace");
    if (const auto there = find_object(database_, reach->owner, event.id)) {
      if (there->type != "event" || there->value != event.content)
        throw Rejected("CONFLICT", fmt::format("there is another event '{}' with other content", event.id));
      result["status"] = "duplicate";
      result["lsn"] = there->lsn;
      result["object_ids"] = objects_of(reach->owner, event.id);
      return;
    }
    const Event row = logged(database_, reach->owner, event, ready.json, now_);
    last_lsn_ = row.lsn;
    const std::string memory = derive_outside(database_, objects_, row, event);
    if (told_ != nullptr) note_told(row, ready);
    result["status"] = "accepted";
    result["lsn"] = row.lsn;
    result["object_ids"] = Json{event.id};
    if (!memory.empty()) result["object_ids"].push_back(memory);
  }

  void note_told(const Event& row, const ReadyEvent& ready) {
    ToldEvent told;
    told.owner = row.owner;
    told.session_id = row.session_id;
    told.event_id = ready.event.id;
    told.json = ready.json;
    told.time = row.time;
    told.happened = ready.event.at.value_or(row.time);
    told.is_telling = ready.event.memory_type == "semantic";
    told_->push_back(std::move(told));
  }

  Json objects_of(const std::string& owner, const std::string& id) {
    Json ids = {id};
    if (std::string memory = memory_of(database_, owner, id); !memory.empty())
      ids.push_back(std::move(memory));
    return ids;
  }

  Database& database_;
  ObjectWriter objects_;
  const Caller& caller_;
  const std::int64_t now_;
  std::vector<ToldEvent>* const told_;
  std::int64_t last_lsn_ = 0;
};

Json fault_json(const char* code, const std::string& message) {
  return {{"code", code}, {"message", message}};
}

}  // namespace

Json body_fault(const Json& body) {
  if (!body.is_object())
    return fault_json("INVALID_FIELD_TYPE", "the body must be an object {\"events\": […]}");
  const auto events = body.find("events");
  if (events == body.end() || !events->is_array())
    return fault_json("INVALID_FIELD_TYPE", "'events' must be a list of events");
  if (events->size() > kMostEvents)
    return fault_json("TOO_MANY_EVENTS",
                      fmt::format("{} events: {} are the most of one request", events->size(), kMostEvents));
  return nullptr;
}

std::vector<ReadyEvent> make_ready(const Json& body) {
  std::vector<ReadyEvent> events;
  events.reserve(body.at("events").size());
  for (const auto& event : body.at("events")) {
    give_turn();
    ReadyEvent& ready = events.emplace_back();
    if (event.is_object()) ready.id = event.value("event_id", Json());
    try {
      make_ready(event, ready);
    } catch (const Rejected& rejected) {
      ready.code = rejected.code;
      ready.message = rejected.what();
    }
  }
  return events;
}

Json ingest(Database& database, const Caller& caller, const std::vector<ReadyEvent>& events, std::int64_t now,
            std::vector<ToldEvent>* told) {
  derive_all_before(database);
  Ingesting ingesting(database, caller, now, told);
  std::size_t accepted = 0, duplicates = 0, rejected = 0;
  Json results = Json::array();
  for (const auto& event : events) {
    give_turn();
    Json result = ingesting.take(event);
    const std::string status = result.at("status");
    ++(status == "accepted" ? accepted : status == "duplicate" ? duplicates : rejected);
    results.push_back(std::move(result));
  }
  note_derived(database, ingesting.last_lsn());
  return {{"accepted", accepted},
          {"duplicates", duplicates},
          {"rejected", rejected},
          {"last_lsn", database.number("SELECT last FROM counter WHERE name = 'evidence'")},
          {"results", std::move(results)}};
}

bool take_over(Database& database, const ToldEvent& told) {
  if (find_object(database, told.owner, told.event_id)) return false;
  const auto kept = parse_json(told.json);
  if (!kept || !kept->is_object()) return false;
  derive_all_before(database);
  const OutsideEvent event = read_outside(*kept);
  const Event row = logged(database, told.owner, event, told.json, told.time);
  ObjectWriter objects(database);
  derive_outside(database, objects, row, event);
  note_derived(database, row.lsn);
  return true;
}

}  // namespace parley::evidence
