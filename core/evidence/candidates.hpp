#pragma once

#include <cstdint>
#include <functional>
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

/// What words brought.
struct WordCandidates {
  WordCandidates() = default;
  std::vector<Candidate> list;  ///< The best first.
  std::size_t with_words = 0;   ///< So many that were looked at have a word of the question.
  std::size_t beside = 0;       ///< So many more were said next to one of those.
};
/// By BM25 of their words and of what surrounds them.
/// @param fits  what may be among them
WordCandidates by_words(Database& database, const Bounds& bounds,
                        const std::vector<std::vector<std::string>>& terms, std::size_t most,
                        const std::function<bool(const Object&)>& fits);
/// The latest first.
std::vector<Candidate> by_time(Database& database, const Bounds& bounds, std::size_t most);

}  // namespace parley::evidence
