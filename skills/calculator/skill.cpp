#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <parley/skill.hpp>
#include <utility>

#include "calculator.hpp"

namespace parley::calculator {
namespace {

constexpr Duration kLatency = std::chrono::milliseconds(10);
/// For so long a question may go on with the result before, in so many sessions.
constexpr Duration kGoesOn = std::chrono::minutes(2);
constexpr std::size_t kMostSessions = 256;

/// Works out sums and converts units, as an answer to questions.
class CalculatorSkill final : public Skill {
 public:
  void start() override {
    calculator_.emplace(std::filesystem::path(folder()) / "data", locale());
    on_question(&CalculatorSkill::claims, &CalculatorSkill::answer);
  }

 private:
  std::optional<QuestionClaim> claims(const Query& query) {
    if (!calculate(query)) return std::nullopt;
    return QuestionClaim(kLatency);
  }

  Task<std::optional<QuestionAnswer>> answer(Query query) {
    const auto result = calculate(query);
    if (!result) co_return std::nullopt;
    remember(query.session->session_id, Before(*result));
    auto reply = calculator_->reply(*result, query.lang);
    co_return QuestionAnswer(std::move(reply.text), reply.confidence);
  }

  std::optional<Calculation> calculate(const Query& query) {
    Before before;
    const auto last = results_.find(query.session->session_id);
    if (last != results_.end() && clock().now() - last->second.when <= kGoesOn) before = last->second.before;
    return calculator_->calculate(query.utterances.front(), query.lang, before);
  }

  void remember(const SessionId& session, Before before) {
    results_.insert_or_assign(session, Result{std::move(before), clock().now()});
    if (results_.size() <= kMostSessions) return;
    results_.erase(std::min_element(results_.begin(), results_.end(), [](const auto& a, const auto& b) {
      return a.second.when < b.second.when;
    }));
  }

  struct Result {
    Before before;
    Clock::Time when;
  };
  std::map<SessionId, Result> results_;  ///< The last of each session.
  std::optional<Calculator> calculator_;
};

}  // namespace
}  // namespace parley::calculator

PARLEY_SKILL(parley::calculator::CalculatorSkill, "calculator.parley")
