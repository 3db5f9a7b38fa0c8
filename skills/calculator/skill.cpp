#include <filesystem>
#include <optional>
#include <parley/skill.hpp>
#include <utility>

#include "calculator.hpp"

namespace parley::calculator {
namespace {

constexpr Duration kLatency = std::chrono::milliseconds(10);

/// Works out sums and converts units, as an answer to questions.
class CalculatorSkill final : public Skill {
 public:
  void start() override {
    calculator_.emplace(std::filesystem::path(folder()) / "data", locale());
    on_question(&CalculatorSkill::claims, &CalculatorSkill::answer);
  }

 private:
  std::optional<QuestionClaim> claims(const Query& query) {
    if (!calculator_->calculate(query.utterances.front(), query.lang)) return std::nullopt;
    return QuestionClaim(kLatency);
  }

  Task<std::optional<QuestionAnswer>> answer(Query query) {
    const auto result = calculator_->calculate(query.utterances.front(), query.lang);
    if (!result) co_return std::nullopt;
    auto reply = calculator_->reply(*result, query.lang);
    co_return QuestionAnswer(std::move(reply.text), reply.confidence);
  }

  std::optional<Calculator> calculator_;
};

}  // namespace
}  // namespace parley::calculator

PARLEY_SKILL(parley::calculator::CalculatorSkill, "calculator.parley")
