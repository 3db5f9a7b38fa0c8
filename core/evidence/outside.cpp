#include "evidence/outside.hpp"

#include <fmt/format.h>

#include <string_view>

#include "evidence/tellings.hpp"
#include "evidence/terms.hpp"
#include "store/sqlite.hpp"

namespace parley::evidence {
namespace {

std::string field(const Json& data, const char* key, const char* otherwise = "") {
  const auto found = data.find(key);
  return found != data.end() && found->is_string() ? found->get<std::string>() : otherwise;
}

/// Writes down what one event from outside says.
class OutsideEvidence {
 public:
  OutsideEvidence(Database& database, ObjectWriter& objects, const Event& event)
      : database_(database),
        objects_(objects),
        event_(event),
        id_(field(event.data, "event_id")),
        terms_(index_terms(field(event.data, "text"), language())) {}

  /// Gives the id of the memory; empty: there is none.
  std::string put() {
    put_event();
    const std::string memory = field(event_.data, "text").empty() ? std::string() : put_memory();
    put_kind();
    const std::string& from = memory.empty() ? id_ : memory;
    if (const auto causes = event_.data.find("causes"); causes != event_.data.end()) {
      for (const auto& cause : *causes) edge(id_, "caused_by", cause.get<std::string>());
    }
    if (const auto edges = event_.data.find("edges"); edges != event_.data.end()) {
      for (const auto& one : *edges)
        link(from, field(one, "edge_type"), field(one, "dst"), one.value("weight", 1000));
    }
    const std::string scope = field(event_.data, "scope");
    if (scope == "workspace" || scope == "shared") share(from);
    return memory;
  }

 private:
  std::string language() const { return field(event_.data, "lang", "en"); }

  Object about(std::string id, const char* type) const {
    const Json& data = event_.data;
    Object object;
    object.owner = event_.owner;
    object.id = std::move(id);
    object.type = type;
    object.summary = field(data, "text");
    object.terms = terms_;
    object.scope = field(data, "scope", "private");
    object.tenant_id = field(data, "tenant_id", kDefaultTenant);
    object.workspace_id = field(data, "workspace_id", kHousehold);
    object.agent_id = event_.actor;
    object.session_id = event_.session_id;
    object.lang = language();
    object.time = data.value("at", event_.time);
    object.logged = event_.time;
    object.lsn = event_.lsn;
    object.sources = {id_};
    return object;
  }

  void edge(const std::string& from, const std::string& type, const std::string& to, int weight = 1000) {
    Edge edge(from, type, to, id_, event_.data.value("at", event_.time));
    edge.owner = event_.owner;
    edge.weight = weight;
    put_edge(database_, edge);
  }

  /// As it is taken; of two things told the one that is contradicted does not hold any more.
  void link(const std::string& from, const std::string& type, const std::string& to, int weight) {
    edge(from, type, to, weight);
    if (type != "contradicts") return;
    const auto is_told = [this](const std::string& id) {
      const auto object = find_object(database_, event_.owner, id);
      return object && object->memory_type == "semantic";
    };
    if (from != to && is_told(from) && is_told(to)) supersede(database_, event_.owner, to, from);
  }

  void put_event() {
    Object object = about(id_, "event");
    const std::string type = field(event_.data, "event_type");
    object.summary = object.summary.empty() ? type : type + ": " + object.summary;
    object.terms = index_terms(type, object.lang) + (terms_.empty() ? "" : ' ' + terms_);
    object.value = field(event_.data, "content");
    objects_.put(object, id_);
  }

  std::string put_memory() {
    Object memory = about("mem_" + id_, "memory");
    while (const auto other = find_object(database_, event_.owner, memory.id)) {
      if (other->type == "memory") break;
      memory.id = "mem_" + memory.id;
    }
    memory.memory_type = field(event_.data, "memory_type", "episodic");
    memory.importance = 1;
    if (memory.memory_type == "semantic") return put_telling(std::move(memory));
    objects_.put(memory, id_);
    edge(memory.id, "derived_from", id_);
    return memory.id;
  }

  /// Something told: the same again, or something else about the same, or neither.
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
      objects_.put_next(memory, id_);
      edge(id_, "supports", memory.id);
      edge(memory.id, "derived_from", id_);
      return memory.id;
    }
    objects_.put(memory, id_);
    edge(memory.id, "derived_from", id_);
    if (before) {
      edge(memory.id, "contradicts", before->id);
      edge(memory.id, "updates", before->id);
      supersede(database_, memory.owner, before->id, memory.id);
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
    const std::string type = field(event_.data, "event_type");
    if (type == "state" || type.starts_with("state.")) {
      const Object state = about(fmt::format("parley:state:{}:{}", event_.actor, type), "state");
      objects_.put_next(state, id_);
      edge(state.id, "derived_from", id_);
    } else if (type == "artifact" || type.starts_with("artifact.")) {
      const Object artifact = about("parley:artifact:" + digest(field(event_.data, "content")), "artifact");
      objects_.put_next(artifact, id_);
      edge(artifact.id, "derived_from", id_);
    }
  }

  void share(const std::string& what) {
    Object place = about("", "state");
    place.id = "parley:workspace:" + place.workspace_id;
    place.summary = "workspace " + place.workspace_id;
    place.terms.clear();
    place.scope = "workspace";
    place.session_id.clear();
    place.agent_id = event_.owner;
    if (!find_object(database_, event_.owner, place.id)) objects_.put(place, id_);
    edge(what, "shared_with", place.id);
  }

  Database& database_;
  ObjectWriter& objects_;
  const Event& event_;
  const std::string id_;
  const std::string terms_;  ///< Of the text: its event's and its memory's.
};

}  // namespace

std::string derive_outside(Database& database, ObjectWriter& objects, const Event& event) {
  return OutsideEvidence(database, objects, event).put();
}

std::string memory_of(Database& database, const std::string& owner, const std::string& event_id) {
  Statement found = database.query(
      "SELECT src FROM edge WHERE owner = ? AND dst = ? AND type = 'derived_from' AND EXISTS (SELECT 1 FROM "
      "object o WHERE o.owner = edge.owner AND o.id = edge.src AND o.type = 'memory') ORDER BY src LIMIT 1");
  if (!found.bind(owner).bind(event_id).step()) return {};
  return found.text(0);
}

}  // namespace parley::evidence
