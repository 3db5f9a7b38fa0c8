#pragma once

#include <optional>
#include <string>
#include <vector>

#include "evidence/object.hpp"

namespace parley {
class Database;
class Statement;
}  // namespace parley

// The rows of objects, edges and versions. On any thread that has the database.
namespace parley::evidence {

/// The columns that object_of() reads, in its order.
inline constexpr char kObjectColumns[] =
    "o.owner, o.id, o.type, o.memory_type, o.summary, o.scope, o.tenant_id, o.workspace_id, o.agent_id, "
    "o.session_id, o.lang, o.time, o.logged, o.kept, o.version, o.lsn, o.sources, o.topic, o.value, "
    "o.superseded_by, o.importance, o.changed_by";
Object object_of(const Statement& row);

std::optional<Object> find_object(Database& database, const std::string& owner, const std::string& id);
/// Writes it, over one of the same id: that stays as a version of it if it is of a lower one.
/// @param event_id  what it comes of, or was changed by
void put_object(Database& database, const Object& object, const std::string& event_id);
/// Puts the objects that are new since the last time into the index: before that no word finds them. To be
/// called once for many.
void index_new(Database& database);
/// Puts it as the next version of the one that is there: `sources` grow, at most kMostSources stay. Gives the
/// version that it is now.
std::int64_t put_next(Database& database, Object object, const std::string& event_id);
inline constexpr std::size_t kMostSources = 16;
void supersede(Database& database, const std::string& owner, const std::string& id, const std::string& by);

/// One that is there already stays as it is.
void put_edge(Database& database, const Edge& edge);
/// From and to an object, so many at most.
std::vector<Edge> edges_of(Database& database, const std::string& owner, const std::string& id,
                           std::size_t most);
std::vector<Version> versions_of(Database& database, const std::string& owner, const std::string& id,
                                 std::size_t most);

}  // namespace parley::evidence
