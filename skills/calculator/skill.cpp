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
/// Before what only resembles an intent: "minus 20" is of no timer then.
constexpr int kGoesOnPriority = 12;

/// Works out sums and converts units, as an answer to questions.
class CalculatorSkill final : public Skill {
 public:
  void start() override {
    calculator_.emplace(std::filesystem::path(folder()) / "data", locale());
    on_question(&CalculatorSkill::claims, &CalculatorSkill::answer);
    on_fallback(kGoesOnPriority, &CalculatorSkill::goes_on, &CalculatorSkill::go_on);
  }

 private:
  std::optional<QuestionClaim> claims(const Query& query) {
    if (!calculate(query)) return std::nullopt;
    return QuestionClaim(kLatency);
  }

  Task<std::optional<QuestionAnswer>> answer(Query query) {
    const auto result = calculate(query);
    if (!result) co_return std::nullopt;
    remember(whose(query), Before(*result));
    auto reply = calculator_->reply(*result, query.lang);
    co_return QuestionAnswer(std::move(reply.text), reply.confidence);
  }

  bool goes_on(const Query& query) {
    if (before_of(whose(query)) == nullptr) return false;
    const auto result = calculate(query);
    return result && result->goes_on;
  }

  Task<> go_on(Turn turn) {
    const std::string who = whose(turn.message());
    const auto result = calculate(turn.text(), turn.lang(), who);
    if (!result) co_return;
    remember(who, Before(*result));
    turn.speak(calculator_->reply(*result, turn.lang()).text);
  }

  static std::string whose(const Message& message) { return message.owner() + '/' + message.session_id(); }
  static std::string whose(const Query& query) {
    return query.message ? whose(*query.message) : query.session->session_id;
  }

  const Before* before_of(const std::string& who) const {
    const auto last = results_.find(who);
    const bool is_recent = last != results_.end() && clock().now() - last->second.when <= kGoesOn;
    return is_recent ? &last->second.before : nullptr;
  }

  std::optional<Calculation> calculate(const Query& query) {
    return calculate(query.utterances.front(), query.lang, whose(query));
  }
  std::optional<Calculation> calculate(std::string_view said, const std::string& lang,
                                       const std::string& who) {
    const Before* const before = before_of(who);
    return calculator_->calculate(said, lang, before ? *before : Before());
  }

  void remember(const std::string& who, Before before) {
    results_.insert_or_assign(who, Result{std::move(before), clock().now()});
    if (results_.size() <= kMostSessions) return;
    results_.erase(std::min_element(results_.begin(), results_.end(), [](const auto& a, const auto& b) {
      return a.second.when < b.second.when;
    }));
  }

  struct Result {
    Before before;
    Clock::Time when;
  };
  std::map<std::string, Result> results_;  ///< The last, by the owner and its session.
  std::optional<Calculator> calculator_;
};

}  // namespace
}  // namespace parley::calculator

PARLEY_SKILL(parley::calculator::CalculatorSkill, "calculator.parley")
