#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "evidence/access.hpp"
#include "evidence/request.hpp"

namespace parley {
class Database;
}

// What a caller may see, and what of it a request asks for, decided before anything is looked for.
namespace parley::evidence {

/// A part of the index that is looked into: what is one owner's in one place, what is open to a workspace,
/// what was shared there.
struct Domain {
  Domain() = default;
  std::string id;           ///< A number: each of its words is behind it.
  std::int64_t opened = 0;  ///< Of the workspace that it is open to, or shared in; 0: it is the owner's.
  std::string agent_token, agent_id;  ///< Only what is that agent's; empty: any.
};

/// What holds for every candidate.
struct Bounds {
  Bounds() = default;
  std::vector<Domain> domains;  ///< None: nothing is found.
  std::string owner;
  std::string session_token, session_id;  ///< Only what was said there; empty: any.
  std::vector<std::string> kinds;         ///< Tokens of types; empty: any.
  std::int64_t from = 0, to = INT64_MAX;  ///< Both included.
  bool cold = false;                      ///< What is in the cold index, too.
  bool has_window() const { return from != 0 || to != INT64_MAX; }
};
Bounds bounds_of(Database& database, const Request& request, const Reach& reach);

}  // namespace parley::evidence
