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

inline constexpr std::size_t kMostSources = 16;
/// Writes objects. What those of one event have in common it works out once. For one transaction.
class ObjectWriter {
 public:
  explicit ObjectWriter(Database& database) : database_(database) {}

  /// Over one of the same id: that stays as a version of it if it is of a lower one.
  /// @param event_id  what it comes of, or was changed by
  void put(const Object& object, const std::string& event_id);
  /// As the next version of the one that is there: `sources` grow, at most kMostSources stay. Gives the
  /// version that it is now.
  std::int64_t put_next(Object object, const std::string& event_id);

 private:
  struct Domain {
    explicit Domain(const char* name) : kind(name) {}
    const char* kind;
    std::string owner, tenant_id, workspace_id;  ///< Of the one that was asked for last.
    std::int64_t id = 0;                         ///< 0: none was.
  };

  void bind_changing(Statement& put, const Object& object);
  std::int64_t find(Domain& domain, const std::string& owner, const Object& object);
  const std::string& tokens_of(const Object& object);

  Database& database_;
  Domain own_{"own"}, workspace_{"workspace"}, shared_{"shared"};
  std::string owner_, agent_id_, session_id_;
  std::string tokens_;  ///< Of those three; empty: none were asked for.
};

/// Puts the objects that are new since the last time into the index: before that no word finds them. To be
/// called once for many.
void index_new(Database& database);
void supersede(Database& database, const std::string& owner, const std::string& id, const std::string& by);

/// One that is there already stays as it is.
void put_edge(Database& database, const Edge& edge);
/// From and to an object, so many at most.
std::vector<Edge> edges_of(Database& database, const std::string& owner, const std::string& id,
                           std::size_t most);
std::vector<Version> versions_of(Database& database, const std::string& owner, const std::string& id,
                                 std::size_t most);

}  // namespace parley::evidence
