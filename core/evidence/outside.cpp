#include "evidence/outside.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "evidence/tellings.hpp"
#include "evidence/terms.hpp"
#include "store/sqlite.hpp"

namespace parley::evidence {
namespace {

/// Of two machines, in milliseconds; or who tells two things names times that are not so exact.
constexpr std::int64_t kClocksDiffer = 600'000;

std::string field(const Json& data, const char* key, const char* otherwise = "") {
  const auto found = data.find(key);
  return found != data.end() && found->is_string() ? found->get<std::string>() : otherwise;
}

/// Writes down what one event from outside says.
class OutsideEvidence {
 public:
  OutsideEvidence(Database& database, ObjectWriter& objects, const Event& row, const OutsideEvent& event)
      : database_(database), objects_(objects), row_(row), event_(event) {}

  /// Gives the id of the memory; empty: there is none.
  std::string put() {
    put_event();
    const std::string memory = event_.text.empty() ? std::string() : put_memory();
    put_kind();
    const std::string& from = memory.empty() ? event_.id : memory;
    for (const auto& cause : event_.causes) edge(event_.id, "caused_by", cause);
    for (const auto& one : event_.links) link(from, one);
    if (event_.scope == "workspace" || event_.scope == "shared") share(from);
    return memory;
  }

 private:
  Object about(std::string id, const char* type) const {
    Object object;
    object.owner = row_.owner;
    object.id = std::move(id);
    object.type = type;
    object.summary = event_.text;
    object.terms = event_.terms;
    object.scope = event_.scope.empty() ? "private" : event_.scope;
    object.tenant_id = event_.tenant_id.empty() ? kDefaultTenant : event_.tenant_id;
    object.workspace_id = event_.workspace_id.empty() ? kHousehold : event_.workspace_id;
    object.agent_id = event_.agent_id;
    object.session_id = event_.session_id;
    object.lang = event_.lang;
    object.time = happened();
    object.logged = row_.time;
    object.lsn = row_.lsn;
    object.sources = {event_.id};
    return object;
  }

  std::int64_t happened() const { return event_.at.value_or(row_.time); }

  void edge(const std::string& from, const std::string& type, const std::string& to, int weight = 1000) {
    Edge edge(from, type, to, event_.id, happened());
    edge.owner = row_.owner;
    edge.weight = weight;
    put_edge(database_, edge);
  }

  /// As it is taken; of two things told the one that is contradicted does not hold any more.
  void link(const std::string& from, const OutsideEvent::Link& link) {
    edge(from, link.type, link.dst, link.weight);
    if (link.type != "contradicts") return;
    const auto is_told = [this](const std::string& id) {
      const auto object = find_object(database_, row_.owner, id);
      return object && object->memory_type == "semantic";
    };
    if (from != link.dst && is_told(from) && is_told(link.dst))
      supersede(database_, row_.owner, link.dst, from);
  }

  void put_event() {
    Object object = about(event_.id, "event");
    object.summary = event_.text.empty() ? event_.type : event_.type + ": " + event_.text;
    object.terms = event_.type_terms + (event_.terms.empty() ? "" : ' ' + event_.terms);
    object.value = event_.content;
    objects_.put(object, event_.id);
  }

  std::string put_memory() {
    Object memory = about("mem_" + event_.id, "memory");
    while (const auto other = find_object(database_, row_.owner, memory.id)) {
      if (other->type == "memory") break;
      memory.id = "mem_" + memory.id;
    }
    memory.memory_type = event_.memory_type.empty() ? "episodic" : event_.memory_type;
    memory.importance = 1;
    if (memory.memory_type == "semantic") return put_telling(std::move(memory));
    objects_.put(memory, event_.id);
    edge(memory.id, "derived_from", event_.id);
    return memory.id;
  }

  /// Something told: the same again, or something else about the same, or neither. What comes late, as from
  /// the log of an instance that joins a cluster, does not change what was told since.
  std::string put_telling(Object memory) {
    memory.kept = true;
    memory.importance = 2;
    const auto telling = read_telling(memory.summary, memory.lang);
    std::optional<Object> before;
    if (telling) {
      memory.topic = "told:" + telling->topic;
      memory.value = telling->value;
      before = told(memory);
    }
    if (before && before->value == memory.value) {
      memory.id = before->id;
      memory.time = std::max(memory.time, before->time);
      objects_.put_next(memory, event_.id);
      edge(event_.id, "supports", memory.id);
      edge(memory.id, "derived_from", event_.id);
      return memory.id;
    }
    const bool is_late = before && before->time > memory.time + kClocksDiffer;
    if (is_late) memory.superseded_by = before->id;
    objects_.put(memory, event_.id);
    edge(memory.id, "derived_from", event_.id);
    if (before) {
      const std::string &now = is_late ? before->id : memory.id, &then = is_late ? memory.id : before->id;
      edge(now, "contradicts", then);
      edge(now, "updates", then);
      if (!is_late) supersede(database_, memory.owner, then, now);
    }
    return memory.id;
  }

  /// What holds so far of the same topic.
  std::optional<Object> told(const Object& memory) {
    std::string id;
    {
      Statement found = database_.query(
          "SELECT id FROM object WHERE owner = ? AND topic = ? AND topic <> '' AND scope = ? AND "
          "agent_id = ? AND workspace_id = ? AND superseded_by = '' ORDER BY lsn DESC LIMIT 1");
      found.bind(memory.owner).bind(memory.topic).bind(memory.scope).bind(memory.agent_id);
      if (!found.bind(memory.workspace_id).step()) return std::nullopt;
      id = found.text(0);
    }
    return find_object(database_, memory.owner, id);
  }

  /// A state or an artifact besides, by the kind of the event: `state`, `state.oven`, `artifact`.
  void put_kind() {
    const std::string& type = event_.type;
    if (type == "state" || type.starts_with("state.")) {
      const Object state = about(fmt::format("parley:state:{}:{}", event_.agent_id, type), "state");
      objects_.put_next(state, event_.id);
      edge(state.id, "derived_from", event_.id);
    } else if (type == "artifact" || type.starts_with("artifact.")) {
      const Object artifact = about("parley:artifact:" + digest(event_.content), "artifact");
      objects_.put_next(artifact, event_.id);
      edge(artifact.id, "derived_from", event_.id);
    }
  }

  void share(const std::string& what) {
    Object place = about("", "state");
    place.id = "parley:workspace:" + place.workspace_id;
    place.summary = "workspace " + place.workspace_id;
    place.terms.clear();
    place.scope = "workspace";
    place.session_id.clear();
    place.agent_id = row_.owner;
    if (!find_object(database_, row_.owner, place.id)) objects_.put(place, event_.id);
    edge(what, "shared_with", place.id);
  }

  Database& database_;
  ObjectWriter& objects_;
  const Event& row_;
  const OutsideEvent& event_;
};

}  // namespace

OutsideEvent read_outside(const Json& kept) {
  OutsideEvent event;
  event.id = field(kept, "event_id");
  event.type = field(kept, "event_type");
  event.agent_id = field(kept, "agent_id");
  event.session_id = field(kept, "session_id");
  event.tenant_id = field(kept, "tenant_id");
  event.workspace_id = field(kept, "workspace_id");
  event.scope = field(kept, "scope");
  event.memory_type = field(kept, "memory_type");
  event.lang = field(kept, "lang", "en");
  event.text = field(kept, "text");
  event.content = field(kept, "content");
  if (const auto at = kept.find("at"); at != kept.end()) event.at = at->get<std::int64_t>();
  if (const auto causes = kept.find("causes"); causes != kept.end()) {
    for (const auto& cause : *causes) event.causes.push_back(cause.get<std::string>());
  }
  if (const auto edges = kept.find("edges"); edges != kept.end()) {
    for (const auto& one : *edges)
      event.links.emplace_back(field(one, "edge_type"), field(one, "dst"), one.value("weight", 1000));
  }
  event.type_terms = index_terms(event.type, event.lang);
  event.terms = index_terms(event.text, event.lang);
  return event;
}

std::string derive_outside(Database& database, ObjectWriter& objects, const Event& row,
                           const OutsideEvent& event) {
  return OutsideEvidence(database, objects, row, event).put();
}

std::string memory_of(Database& database, const std::string& owner, const std::string& event_id) {
  Statement found = database.query(
      "SELECT src FROM edge WHERE owner = ? AND dst = ? AND type = 'derived_from' AND EXISTS (SELECT 1 FROM "
      "object o WHERE o.owner = edge.owner AND o.id = edge.src AND o.type = 'memory') ORDER BY src LIMIT 1");
  if (!found.bind(owner).bind(event_id).step()) return {};
  return found.text(0);
}

}  // namespace parley::evidence
