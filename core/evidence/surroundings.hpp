#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace parley {
class Database;
}

// What was said around something: people answer each other, and a conversation keeps to its subject. So a
// turn may be what is looked for without a word of the question.
namespace parley::evidence {

/// The usual constant of BM25: how soon a word that is said again counts no more.
constexpr double kSaturation = 1.2;

/// A row that has words of a question.
struct Scored {
  Scored() = default;
  std::int64_t row = 0, time = 0;
  double score = 0;  ///< Of its own words.
  std::string owner, session_id, type, memory_type;
  std::vector<double> times;  ///< Of each word of the question, how often it has it.
};

/// Adds to each row a share of what its session has of the words, and of what was said up to two turns before
/// and after it. Turns that have none of the words come in by that.
/// @param weights  of the words of the question; the length of a turn counts for nothing
/// @param listened  from so many, the best, turns next to them get their share
/// @param with_cold  turns of the cold index are among those
/// @return how many came in
std::size_t add_surroundings(Database& database, std::vector<Scored>& rows,
                             const std::vector<double>& weights, std::size_t listened, bool with_cold);

}  // namespace parley::evidence
