#include "evidence/ingest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <parley/json.hpp>
#include <stdexcept>
#include <string_view>

#include "evidence/derive.hpp"
#include "evidence/objects.hpp"
#include "evidence/outside.hpp"
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

/// Writes it to the log.
/// @param kept  see checked()
Event logged(Database& database, const std::string& owner, Json kept, std::int64_t now) {
  Event event;
  event.time = now;
  event.owner = owner;
  event.session_id = kept.at("session_id");
  event.actor = kept.at("agent_id");
  event.kind = kOutside;
  event.data = std::move(kept);
  Statement put = database.query(
      "INSERT INTO event (time, owner, session_id, utterance_id, kind, actor, cause, data) VALUES (?, ?, ?, "
      "'', ?, ?, NULL, ?)");
  put.bind(event.time).bind(event.owner).bind(event.session_id).bind(event.kind).bind(event.actor);
  put.bind(dumped(event.data)).run();
  event.lsn = database.last_row();
  return event;
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

  Json take(const Json& event) {
    Json result = {{"event_id", event.is_object() ? event.value("event_id", Json()) : Json()}};
    try {
      put(checked(event), result);
    } catch (const Rejected& rejected) {
      result["status"] = "rejected";
      result["error_code"] = rejected.code;
      result["message"] = rejected.what();
    }
    return result;
  }
  std::int64_t last_lsn() const { return last_lsn_; }

 private:
  void put(Json kept, Json& result) {
    const std::string id = kept.at("event_id");
    const auto reach = reach_of(caller_, kept.at("agent_id"), kept.at("session_id"),
                                kept.value("tenant_id", ""), kept.value("workspace_id", ""));
    if (!reach)
      throw Rejected("FORBIDDEN_SCOPE",
                     "the grant does not let it write for that agent, session or workspace");
    if (const auto there = find_object(database_, reach->owner, id)) {
      if (there->type != "event" || there->value != kept.at("content").get<std::string>())
        throw Rejected("CONFLICT", fmt::format("there is another event '{}' with other content", id));
      result["status"] = "duplicate";
      result["lsn"] = there->lsn;
      result["object_ids"] = objects_of(reach->owner, id);
      return;
    }
    const Event event = logged(database_, reach->owner, std::move(kept), now_);
    last_lsn_ = event.lsn;
    const std::string memory = derive_outside(database_, objects_, event);
    if (told_ != nullptr) note_told(event);
    result["status"] = "accepted";
    result["lsn"] = event.lsn;
    result["object_ids"] = Json{id};
    if (!memory.empty()) result["object_ids"].push_back(memory);
  }

  void note_told(const Event& event) {
    ToldEvent told;
    told.owner = event.owner;
    told.session_id = event.session_id;
    told.event_id = event.data.at("event_id");
    told.json = dumped(event.data);
    told.time = event.time;
    told.happened = event.data.at("at");
    told.is_telling = event.data.value("memory_type", "") == "semantic";
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

Json ingest(Database& database, const Caller& caller, const Json& body, std::int64_t now,
            std::vector<ToldEvent>* told) {
  derive_all_before(database);
  Ingesting ingesting(database, caller, now, told);
  std::size_t accepted = 0, duplicates = 0, rejected = 0;
  Json results = Json::array();
  for (const auto& event : body.at("events")) {
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
  auto kept = parse_json(told.json);
  if (!kept || !kept->is_object()) return false;
  derive_all_before(database);
  const Event event = logged(database, told.owner, std::move(*kept), told.time);
  ObjectWriter objects(database);
  derive_outside(database, objects, event);
  note_derived(database, event.lsn);
  return true;
}

}  // namespace parley::evidence
