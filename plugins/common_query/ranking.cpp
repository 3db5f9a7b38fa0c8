#include "ranking.hpp"

#include <algorithm>
#include <parley/text.hpp>
#include <set>
#include <stdexcept>

namespace parley::common_query {
namespace {

/// What agreement can add to a confidence: by other answers, and by the question.
constexpr double kSupport = 0.2;
constexpr double kOverlap = 0.1;
/// How many answers are compared, the most confident ones: each is with each.
constexpr std::size_t kMostCompared = 32;

using WordSet = std::set<std::string>;

WordSet word_set(const std::string& text, const std::string& lang) {
  WordSet set;
  for (auto& word : words(text, lang)) set.insert(std::move(word.norm));
  return set;
}

/// The share of the smaller set that is in the other as well, from 0 to 1.
double shared(const WordSet& a, const WordSet& b) {
  const std::size_t most = std::min(a.size(), b.size());
  if (most == 0) return 0;
  const auto common = std::count_if(a.begin(), a.end(), [&](const auto& word) { return b.contains(word); });
  return static_cast<double>(common) / static_cast<double>(most);
}

/// How well each answer does by itself and beside the others.
std::vector<double> agreement(const std::string& utterance, const std::string& lang,
                              const std::vector<Response>& responses) {
  const WordSet question = word_set(utterance, lang);
  std::vector<WordSet> news;  // what an answer says beyond the question: else all would agree
  std::vector<double> scores;
  for (const auto& response : responses) {
    WordSet said = word_set(response.answer, lang);
    scores.push_back(response.conf + kOverlap * shared(said, question));
    std::erase_if(said, [&](const auto& word) { return question.contains(word); });
    news.push_back(std::move(said));
  }
  for (std::size_t i = 0; i < responses.size(); ++i) {
    double support = 0;
    for (std::size_t j = 0; j < responses.size(); ++j) {
      if (i != j) support = std::max(support, responses[j].conf * shared(news[i], news[j]));
    }
    scores[i] += kSupport * support;
  }
  return scores;
}

class Order {
 public:
  explicit Order(std::vector<std::string> skills) : skills_(std::move(skills)) {}
  /// Whether the first goes before the second where nothing else decides.
  bool before(const std::string& a, const std::string& b) const {
    const auto place = [this](const std::string& id) {
      return std::find(skills_.begin(), skills_.end(), id);
    };
    const auto left = place(a);
    const auto right = place(b);
    return left == right ? a < b : left < right;
  }

 private:
  std::vector<std::string> skills_;
};

Response best(std::vector<Response> responses, const std::vector<double>& scores, const Order& order) {
  std::size_t winner = 0;
  for (std::size_t i = 1; i < responses.size(); ++i) {
    const bool better = scores[i] > scores[winner];
    const bool level = scores[i] == scores[winner];
    if (better || (level && order.before(responses[i].skill_id, responses[winner].skill_id))) winner = i;
  }
  return std::move(responses[winner]);
}

}  // namespace

Reranker reranker(const std::string& name, std::vector<std::string> skill_order) {
  const Order order(std::move(skill_order));
  if (name == "confidence") {
    return [order](const std::string&, const std::string&, std::vector<Response> responses) {
      std::vector<double> scores;
      for (const auto& one : responses) scores.push_back(one.conf);
      return best(std::move(responses), scores, order);
    };
  }
  if (name == "agreement") {
    return [order](const std::string& utterance, const std::string& lang, std::vector<Response> responses) {
      if (responses.size() > kMostCompared) {
        std::stable_sort(responses.begin(), responses.end(),
                         [](const Response& a, const Response& b) { return a.conf > b.conf; });
        responses.erase(responses.begin() + kMostCompared, responses.end());
      }
      const auto scores = agreement(utterance, lang, responses);
      return best(std::move(responses), scores, order);
    };
  }
  throw std::invalid_argument("there is no reranker '" + name + "'; there are 'confidence' and 'agreement'");
}

}  // namespace parley::common_query
