#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "evidence/search.hpp"

// Where candidates come from: words, and time.
namespace parley::evidence {

struct Candidate {
  explicit Candidate(Object what) : object(std::move(what)) {}
  Object object;
  std::int64_t row = 0;
  double score = 0;  ///< Of its path; higher is better.
};

/// What holds for every candidate.
struct Bounds {
  Bounds() = default;
  std::string tokens;                     ///< Of the index: scope, agent, tenant and workspace, types.
  std::string owner;                      ///< Empty: anybody's, as far as the tokens say.
  std::int64_t from = 0, to = INT64_MAX;  ///< Both included.
  bool cold = false;                      ///< What is in the cold index, too.
};
Bounds bounds_of(const Request& request, const Reach& reach);

/// By BM25 of their words, the best first.
std::vector<Candidate> by_words(Database& database, const Bounds& bounds,
                                const std::vector<std::vector<std::string>>& terms, std::size_t most);
/// The latest first.
std::vector<Candidate> by_time(Database& database, const Bounds& bounds, std::size_t most);
/// The memory that was said before another in its session, and the one after it.
std::vector<Candidate> beside(Database& database, const Bounds& bounds, const Candidate& of);

}  // namespace parley::evidence
