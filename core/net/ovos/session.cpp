#include "net/ovos/session.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "session/fields.hpp"

namespace parley::net::ovos {
namespace {

constexpr const char* kActive = "active_skills";     ///< `[[skill_id, time], …]`, the latest first.
constexpr const char* kStates = "utterance_states";  ///< `{skill_id: "response"}`.
constexpr const char* kWaits = "response";

/// What mycroft.conf of OVOS ships: who sends it has chosen nothing.
constexpr std::array<std::string_view, 12> kShipped{
    "ovos-stop-pipeline-plugin-high",       "ovos-converse-pipeline-plugin",
    "ovos-ocp-pipeline-plugin-high",        "ovos-padatious-pipeline-plugin-high",
    "ovos-adapt-pipeline-plugin-high",      "ovos-m2v-pipeline-high",
    "ovos-ocp-pipeline-plugin-medium",      "ovos-fallback-pipeline-plugin-high",
    "ovos-stop-pipeline-plugin-medium",     "ovos-adapt-pipeline-plugin-medium",
    "ovos-fallback-pipeline-plugin-medium", "ovos-fallback-pipeline-plugin-low"};

/// Words in the name of an OVOS plugin, and the stage that does the same here.
struct Stage {
  std::string_view word, name;
  bool levels;  ///< It has `_high`, `_medium` and `_low`.
};
constexpr std::array<Stage, 11> kStages{{{"stop", "stop", true},
                                         {"converse", "converse", false},
                                         {"common_query", "common_query", false},
                                         {"common_qa", "common_query", false},
                                         {"fallback", "fallback", true},
                                         {"padatious", "intent", true},
                                         {"padacioso", "intent", true},
                                         {"nebulento", "intent", true},
                                         {"palavreado", "intent", true},
                                         {"adapt", "intent", true},
                                         {"m2v", "intent", true}}};

bool holds(const Session::Strings& list, std::string_view text) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

/// The entry an OVOS name stands for; empty: none.
std::string entry_for(std::string name, const Session::Strings& entries) {
  if (holds(entries, name)) return name;
  for (char& c : name) {
    if (c == '-') c = '_';
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  const auto stage = std::find_if(kStages.begin(), kStages.end(),
                                  [&](const Stage& one) { return name.find(one.word) != std::string::npos; });
  if (stage == kStages.end()) return {};
  std::string entry(stage->name);
  if (stage->levels) {
    std::string_view level = "_high";  // what has no levels there is sure of itself
    for (const std::string_view known : {"_medium", "_low"}) {
      if (name.ends_with(known)) level = known;
    }
    entry += level;
  }
  return holds(entries, entry) ? entry : std::string();
}

const Json* older_field(const Session& session, const char* key) {
  if (!session.rest) return nullptr;
  const auto found = session.rest->find(key);
  return found == session.rest->end() ? nullptr : &*found;
}

std::vector<ActiveHandler> handlers_in(const Json& active) {
  std::vector<ActiveHandler> handlers;
  if (!active.is_array()) return handlers;
  for (const auto& one : active) {
    const bool sound = one.is_array() && one.size() >= 2 && one[0].is_string() && one[1].is_number();
    if (!sound || one[0].get_ref<const std::string&>().empty()) continue;
    const double at = one[1].get<double>();
    if (std::isfinite(at)) handlers.emplace_back(one[0].get<std::string>(), at);
  }
  return handlers;
}

/// The skill that waits for an answer; empty: none does.
std::string waiting_in(const Json& states) {
  if (!states.is_object()) return {};
  for (const auto& [skill, state] : states.items()) {
    if (!skill.empty() && state.is_string() && state.get_ref<const std::string&>() == kWaits) return skill;
  }
  return {};
}

/// What only older sessions have, taken out.
void drop_older_fields(Session& session) {
  if (!session.rest) return;
  Json rest = *session.rest;
  rest.erase(kActive);
  rest.erase(kStates);
  session.rest = rest.empty() ? nullptr : std::make_shared<const Json>(std::move(rest));
}

const Json* number_in(const Json& object, const char* outer, const char* inner) {
  const auto found = object.find(outer);
  if (found == object.end() || !found->is_object()) return nullptr;
  const auto value = found->find(inner);
  return value == found->end() || !value->is_number() ? nullptr : &*value;
}

/// `{city, coordinate, timezone}` gets the fields of today; what it says beside stays with it.
void read_location(Session& session) {
  if (!session.location || !session.location->rest) return;
  Location& place = *session.location;
  const Json& rest = *place.rest;
  if (const Json* lat = number_in(rest, "coordinate", "latitude"); lat != nullptr && !place.lat)
    place.lat = lat->get<double>();
  if (const Json* lon = number_in(rest, "coordinate", "longitude"); lon != nullptr && !place.lon)
    place.lon = lon->get<double>();
  const auto zone = rest.find("timezone");
  if (place.tz || zone == rest.end() || !zone->is_object()) return;
  const auto code = zone->find("code");
  if (code != zone->end() && code->is_string()) place.tz = code->get<std::string>();
}

/// And the other way.
void write_location(Session& session) {
  if (!session.location) return;
  Location& place = *session.location;
  Json rest = place.rest ? *place.rest : Json::object();
  const auto part = [&rest](const char* key) -> Json& {
    Json& value = rest[key];
    if (!value.is_object()) value = Json::object();
    return value;
  };
  if (place.lat && place.lon) {
    Json& coordinate = part("coordinate");
    coordinate["latitude"] = *place.lat;
    coordinate["longitude"] = *place.lon;
  }
  if (place.tz) {
    Json& zone = part("timezone");
    if (zone.value("code", Json()) != Json(*place.tz)) zone = {{"code", *place.tz}, {"name", *place.tz}};
  }
  if (!rest.empty()) place.rest = std::make_shared<const Json>(std::move(rest));
}

/// What an older client dropped of a session it was told, because it has no name for it: still so as far as
/// the skills concerned are active by its own account.
void restore(Session& session, const SessionPtr& last) {
  if (!last) return;
  if (!session.intent_context) session.intent_context = last->intent_context;
  if (session.active_handlers || !last->active_handlers || !session.converse_handlers) return;
  session.active_handlers = last->active_handlers;
  std::erase_if(*session.active_handlers, [&](const ActiveHandler& one) {
    return std::none_of(session.converse_handlers->begin(), session.converse_handlers->end(),
                        [&](const ActiveHandler& other) { return other.skill_id == one.skill_id; });
  });
}

/// `utterance_states` has no times.
void read_question(Session& session, const Json& states, const SessionPtr& last, double now) {
  if (session.response_mode) return;
  const std::string skill = waiting_in(states);
  if (skill.empty()) return;
  double until = now + kAnswerTime;
  if (last) {
    if (!last->response_mode || last->response_mode->skill_id != skill) return;  // over by now
    until = last->response_mode->expires_at;
  }
  session.response_mode.emplace(skill, until);
}

/// Whatever else is said of it.
bool is_same_place(const std::optional<Location>& a, const std::optional<Location>& b) {
  return a && b && a->lat == b->lat && a->lon == b->lon && a->tz == b->tz;
}

/// Whether an older session has a field of that name: then it is there whatever became of the session.
bool is_older_field(std::string_view name) {
  constexpr std::array<std::string_view, 7> kNames{
      "lang", "site_id", "pipeline", "blacklisted_skills", "blacklisted_intents", "persona_id", "location"};
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

}  // namespace

std::optional<Session::Strings> current_pipeline(const Session::Strings& names,
                                                 const Session::Strings& entries) {
  if (std::equal(names.begin(), names.end(), kShipped.begin(), kShipped.end())) return std::nullopt;
  Session::Strings list;
  for (const auto& name : names) {
    const std::string entry = entry_for(name, entries);
    if (!entry.empty() && !holds(list, entry)) list.push_back(entry);
  }
  if (list.empty()) return std::nullopt;
  return list;
}

SessionPtr current_session(const SessionPtr& said, const SessionPtr& last, const Session::Strings& entries,
                           double now) {
  if (!said) return said;
  if (is_default_session(said->session_id)) return std::make_shared<const Session>();
  auto session = std::make_shared<Session>(*said);
  if (session->pipeline) session->pipeline = current_pipeline(*session->pipeline, entries);
  read_location(*session);
  if (const Json* active = older_field(*said, kActive)) {
    if (!session->converse_handlers) session->converse_handlers = handlers_in(*active);
    restore(*session, last);
    if (!session->active_handlers) session->active_handlers = session->converse_handlers;
  }
  if (const Json* states = older_field(*said, kStates)) read_question(*session, *states, last, now);
  drop_older_fields(*session);
  return session;
}

SessionPtr current_session_of_turn(const SessionPtr& said, const SessionPtr& given, double now) {
  if (!given || !said || said->session_id != given->session_id) return given;
  auto session = std::make_shared<Session>(*given);
  Session own = *said;
  drop_older_fields(own);
  read_location(own);
  for_each_field([&](std::string_view name, auto member) {
    const bool ambient = is_older_field(name) && !(given.get()->*member);
    if (own.*member && !ambient && name != "pipeline") (*session).*member = own.*member;
  });
  if (is_same_place(given->location, session->location)) session->location = given->location;
  for (const auto& [name, chain] : own.transformers) session->transformers[name] = chain;
  // A client that keeps a session of its own learns here that it is asked something (1.3).
  if (const Json* states = older_field(*said, kStates)) {
    const std::string skill = waiting_in(*states);
    const bool is_known = session->response_mode && session->response_mode->skill_id == skill;
    if (!skill.empty() && !is_known) session->response_mode.emplace(skill, now + kAnswerTime);
  }
  if (!given->rest || !own.rest) return session;
  Json rest = *given->rest;
  for (auto& [key, value] : rest.items()) {
    const auto changed = own.rest->find(key);
    if (changed != own.rest->end()) value = *changed;
  }
  session->rest = std::make_shared<const Json>(std::move(rest));
  return session;
}

SessionPtr older_session(const SessionPtr& session) {
  if (!session) return session;
  auto older = std::make_shared<Session>(*session);
  write_location(*older);
  if (!session->converse_handlers && !session->response_mode) return older;
  Json rest = older->rest ? *older->rest : Json::object();
  if (session->converse_handlers) {
    Json& active = rest[kActive] = Json::array();
    for (const auto& one : *session->converse_handlers) {
      Json entry = Json::array();
      entry.push_back(one.skill_id);
      entry.push_back(one.activated_at);
      active.push_back(std::move(entry));
    }
  }
  Json& states = rest[kStates] = Json::object();
  if (session->response_mode) states[session->response_mode->skill_id] = kWaits;
  older->rest = std::make_shared<const Json>(std::move(rest));
  return older;
}

}  // namespace parley::net::ovos
