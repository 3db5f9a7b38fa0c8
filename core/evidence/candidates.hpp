#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "evidence/bounds.hpp"
#include "evidence/object.hpp"

// Where candidates come from: words, meaning, and time.
namespace parley::evidence {

class VectorIndex;

struct Candidate {
  explicit Candidate(Object what) : object(std::move(what)) {}
  Object object;
  std::int64_t row = 0;
  double score = 0;  ///< Of its path; higher is better.
};

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
/// What lies near a question in meaning, the nearest first.
struct NearCandidates {
  NearCandidates() = default;
  std::vector<Candidate> list;
  std::size_t compared = 0;  ///< So many vectors are in reach.
};
/// @param vector  of the question
/// @param fits    what may be among them
NearCandidates by_meaning(Database& database, const Bounds& bounds, VectorIndex& index,
                          const std::string& vector, std::size_t most,
                          const std::function<bool(const Object&)>& fits);
/// The latest first.
std::vector<Candidate> by_time(Database& database, const Bounds& bounds, std::size_t most);

}  // namespace parley::evidence
