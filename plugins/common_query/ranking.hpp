#pragma once

#include <functional>
#include <string>
#include <vector>

namespace parley::common_query {

/// An answer in the contest.
struct Response {
  Response(std::string who, std::string text, double confidence)
      : skill_id(std::move(who)), answer(std::move(text)), conf(confidence) {}
  std::string skill_id, answer;
  double conf;  ///< 0 to 1, as the skill rates itself.
  bool operator==(const Response&) const = default;
};

/// Picks the best of several answers to an utterance; there is at least one.
using Reranker = std::function<Response(const std::string& utterance, const std::string& lang,
                                        std::vector<Response> responses)>;

/// The strategy of that name. Equally good answers go by the order of skills, then by skill_id.
/// `confidence`: what the skills say of themselves. `agreement`: besides, answers that share words with
/// other answers and with the question rise.
/// @throws std::invalid_argument naming those there are
Reranker reranker(const std::string& name, std::vector<std::string> skill_order);

}  // namespace parley::common_query
