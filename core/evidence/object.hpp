#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace parley::evidence {

inline constexpr char kDefaultTenant[] = "default";
inline constexpr char kHousehold[] = "household";

inline constexpr std::array<std::string_view, 4> kObjectTypes{"event", "memory", "state", "artifact"};
inline constexpr std::array<std::string_view, 5> kMemoryTypes{"episodic", "semantic", "procedural", "social",
                                                              "reflective"};
inline constexpr std::array<std::string_view, 4> kScopes{"private", "session", "workspace", "shared"};
inline constexpr std::array<std::string_view, 9> kEdgeTypes{"caused_by",   "derived_from",    "supports",
                                                            "contradicts", "updates",         "summarizes",
                                                            "uses_tool",   "belongs_to_task", "shared_with"};

/// Something that is known, and where it comes from.
struct Object {
  Object() = default;
  std::string owner;        ///< Of the token that it came with; `local` where there are none.
  std::string id;           ///< Unique for its owner.
  std::string type;         ///< One of kObjectTypes.
  std::string memory_type;  ///< One of kMemoryTypes; empty: it is no memory.
  std::string summary;
  std::string terms;  ///< index_terms() of the summary, where somebody knows them; else empty.
  std::string scope = "private";
  std::string tenant_id = kDefaultTenant, workspace_id = kHousehold;
  std::string agent_id;  ///< The owner, a skill, or who an event from outside says it is of.
  std::string session_id, lang;
  std::int64_t time = 0;    ///< When it happened; Unix milliseconds.
  std::int64_t logged = 0;  ///< When it was written down.
  bool kept = false;        ///< It stays when the log is cleared by age.
  std::int64_t version = 1;
  std::int64_t lsn = 0;              ///< Of the event that it was last changed by.
  std::string changed_by;            ///< The id of that event, as it was read.
  std::vector<std::string> sources;  ///< Ids of events.
  std::string topic;                 ///< What it is about: another value of the same topic contradicts it.
  std::string value;
  std::string superseded_by;  ///< An id; empty: it holds.
  int importance = 0;         ///< 0 to 3.
};

struct Edge {
  Edge() = default;
  Edge(std::string from, std::string what, std::string to, std::string because, std::int64_t when)
      : src(std::move(from)),
        type(std::move(what)),
        dst(std::move(to)),
        cause(std::move(because)),
        time(when) {}
  std::string owner, src, type, dst;
  std::string cause;  ///< The id of an event.
  std::int64_t time = 0;
  int weight = 1000;  ///< In thousandths.
  /// The same for the same ends and type.
  std::string id() const;
};

/// What an object once was.
struct Version {
  Version() = default;
  std::string object_id, event_id, summary;
  std::int64_t version = 0, time = 0;
};

/// Words that stand for names, as they are in the index: letters and digits, the same for the same name.
std::string digest(std::string_view name);

/// Tokens of the index that stand for no word: `__s…`, `__a…`, `__y…`, `__m…`. No word begins with `_`.
std::string session_token(const std::string& owner, const std::string& session_id);
std::string agent_token(const std::string& owner, const std::string& agent_id);
std::string type_token(std::string_view type);
std::string memory_token(std::string_view memory_type);
/// Those of the two types; `_` alone stands for any object.
std::string kind_tokens(const Object& object);

/// `log_7`: the id of an event of the log.
std::string event_id(std::int64_t lsn);

}  // namespace parley::evidence
