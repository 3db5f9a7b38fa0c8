#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "evidence/access.hpp"
#include "evidence/object.hpp"
#include "evidence/request.hpp"

namespace parley {
class Database;
}

namespace parley::evidence {

class Meaning;

/// What the words of a question need to be read.
struct Wording {
  Wording() = default;
  std::string lang = "en";
  std::chrono::local_days today;       ///< Where the user is.
  std::chrono::milliseconds offset{};  ///< Of local time from UTC, on that day.
};

/// An object in an answer.
struct Hit {
  explicit Hit(Object what) : object(std::move(what)) {}
  Object object;
  double score = 0;     ///< 0 to 1.
  double coverage = 0;  ///< Of what was found itself: the share of the question's words that are in it.
  int depth = 0;        ///< Edges from what retrieval found; 0: it was found itself.
  std::string why;      ///< What put it in.
};

/// What a query came to, and how.
struct Found {
  Found() = default;
  std::vector<Hit> hits;    ///< What was found, best first; then what edges led to, the nearest first.
  std::vector<Edge> edges;  ///< Both ends are among the hits.
  std::vector<std::string> paths, steps, expanded_types;
  std::vector<std::string> expansion;              ///< What was done along edges.
  std::optional<std::int64_t> said_from, said_to;  ///< The time that the question itself names.
  std::string missing;                             ///< What could not be asked, and why; empty: nothing.
};

/// Finds what the request asks for. Reads only; for any thread that has the database.
/// @param reach    of reach_of(): nothing else is looked at
/// @param meaning  of the question, read; null: it is looked for by words and time alone
Found search(Database& database, const Request& request, const Reach& reach, const Wording& wording,
             const Meaning* meaning = nullptr);

/// Whether an object is within a reach and the scope of a request: what a match has to hold to.
bool is_visible(const Object& object, const Request& request, const Reach& reach);

}  // namespace parley::evidence
