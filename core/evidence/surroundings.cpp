#include "evidence/surroundings.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <unordered_map>
#include <utility>

#include "store/sqlite.hpp"

namespace parley::evidence {
namespace {

/// Of the score of one turn, what the next one and the one after it get: an answer follows its question.
constexpr std::array kAfter{0.4, 0.15};
/// What those before it get.
constexpr std::array kBefore{0.2, 0.1};
/// Of what a session has as a whole, for each that is of it.
constexpr double kSessionShare = 0.3;

using SessionKey = std::pair<std::string, std::string>;

SessionKey session_of(const Scored& row) {
  return {row.owner, row.session_id};
}

bool is_turn(const Scored& row) {
  return row.type == "memory" && row.memory_type == "episodic";
}

std::map<SessionKey, double> session_scores(const std::vector<Scored>& rows,
                                            const std::vector<double>& weights) {
  std::map<SessionKey, std::vector<double>> times;
  for (const auto& row : rows) {
    if (row.type != "memory") continue;  // an event says the same as its memory
    auto& sum = times.try_emplace(session_of(row), weights.size(), 0.0).first->second;
    for (std::size_t i = 0; i < weights.size(); ++i) sum[i] += row.times[i];
  }
  std::map<SessionKey, double> scores;
  for (const auto& [session, sum] : times) {
    double& score = scores[session];
    for (std::size_t i = 0; i < weights.size(); ++i)
      score += weights[i] * sum[i] * (kSaturation + 1) / (sum[i] + kSaturation);
  }
  return scores;
}

/// The memories said next to one, the nearest first.
std::vector<Scored> said_next_to(Database& database, const Scored& of, bool is_after, bool with_cold) {
  Statement found = database.query(
      is_after
          ? "SELECT row, time, memory_type FROM object WHERE owner = ? AND session_id = ? AND (time, row) > "
            "(?, ?) AND type = 'memory' AND cold <= ? ORDER BY time, row LIMIT ?"
          : "SELECT row, time, memory_type FROM object WHERE owner = ? AND session_id = ? AND (time, row) < "
            "(?, ?) AND type = 'memory' AND cold <= ? ORDER BY time DESC, row DESC LIMIT ?");
  found.bind(of.owner).bind(of.session_id).bind(of.time).bind(of.row).bind(std::int64_t{with_cold ? 1 : 0});
  found.bind(static_cast<std::int64_t>(kAfter.size()));
  std::vector<Scored> list;
  while (found.step()) {
    Scored& next = list.emplace_back();
    next.row = found.number(0);
    next.time = found.number(1);
    next.type = "memory";
    next.memory_type = found.text(2);
    next.owner = of.owner;
    next.session_id = of.session_id;
  }
  return list;
}

}  // namespace

std::size_t add_surroundings(Database& database, std::vector<Scored>& rows,
                             const std::vector<double>& weights, std::size_t listened, bool with_cold) {
  const std::size_t before = rows.size();
  const auto sessions = session_scores(rows, weights);
  std::unordered_map<std::int64_t, std::size_t> places;
  for (std::size_t i = 0; i < rows.size(); ++i) places.emplace(rows[i].row, i);
  std::vector<double> more(rows.size(), 0);
  for (std::size_t i = 0; i < std::min(before, listened); ++i) {
    if (!is_turn(rows[i])) continue;
    for (const bool is_after : {true, false}) {
      auto list = said_next_to(database, rows[i], is_after, with_cold);
      for (std::size_t far = 0; far < list.size(); ++far) {
        const auto [known, is_new] = places.try_emplace(list[far].row, rows.size());
        if (is_new) {
          rows.push_back(std::move(list[far]));
          more.push_back(0);
        }
        more[known->second] += (is_after ? kAfter : kBefore).at(far) * rows[i].score;
      }
    }
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto session = sessions.find(session_of(rows[i]));
    rows[i].score += more[i] + (session == sessions.end() ? 0 : kSessionShare * session->second);
  }
  return rows.size() - before;
}

}  // namespace parley::evidence
