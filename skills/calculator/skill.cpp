#include <filesystem>
#include <optional>
#include <parley/session_memory.hpp>
#include <parley/skill.hpp>
#include <utility>

#include "calculator.hpp"

namespace parley::calculator {
namespace {

constexpr Duration kLatency = std::chrono::milliseconds(10);
/// For so long a question may go on with the result before, in so many sessions.
constexpr Duration kGoesOn = std::chrono::minutes(10);
constexpr std::size_t kMostSessions = 256;
/// Before what only resembles an intent: "minus 20" and "subtract 19 from 100" are of no timer then.
constexpr int kCommandPriority = 12;

struct Kept {
  Before before;
  std::optional<ActiveHandler> latest;  ///< Who had acted last in the session. Nothing: this skill.
};

/// Works out sums and converts units, as an answer to questions.
class CalculatorSkill final : public Skill {
 public:
  void start() override {
    calculator_.emplace(std::filesystem::path(folder()) / "data", locale());
    on_question(&CalculatorSkill::claims, &CalculatorSkill::answer);
    on_fallback(kCommandPriority, &CalculatorSkill::is_told_to, &CalculatorSkill::work_out);
  }

 private:
  std::optional<QuestionClaim> claims(const Query& query) {
    if (!calculate(query)) return std::nullopt;
    return QuestionClaim(kLatency);
  }

  Task<std::optional<QuestionAnswer>> answer(Query query) {
    const auto result = calculate(query);
    if (!result) co_return std::nullopt;
    results_.note(*query.message, Kept{Before(*result), latest(*query.session)}, clock().now());
    auto reply = calculator_->reply(*result, query.lang);
    co_return QuestionAnswer(std::move(reply.text), reply.confidence);
  }

  /// What goes on with the result before, or is a command. Questions are asked of everybody.
  bool is_told_to(const Query& query) {
    const auto result = calculate(query);
    return result && (result->goes_on || result->is_command);
  }

  Task<> work_out(Turn turn) {
    const auto result = calculate(turn.text(), turn.lang(), turn.session_key(), *turn.session());
    if (!result) co_return;
    results_.note(turn.message(), Kept{Before(*result), std::nullopt}, clock().now());
    turn.speak(calculator_->reply(*result, turn.lang()).text);
  }

  std::optional<Calculation> calculate(const Query& query) {
    return calculate(query.utterances.front(), query.lang, query.session_key(), *query.session);
  }
  std::optional<Calculation> calculate(std::string_view said, const std::string& lang, const SessionKey& key,
                                       const Session& session) {
    const Kept* const kept = results_.find(key, clock().now());
    if (kept == nullptr) return calculator_->calculate(said, lang, Before());
    if (spoke_last(*kept, session)) return calculator_->calculate(said, lang, kept->before);
    Before value_alone;
    value_alone.value = kept->before.value;
    return calculator_->calculate(said, lang, value_alone);
  }

  static std::optional<ActiveHandler> latest(const Session& session) {
    if (!session.converse_handlers || session.converse_handlers->empty()) return std::nullopt;
    return session.converse_handlers->front();
  }
  /// "Actually make it ten" behind a reminder changes no sum.
  bool spoke_last(const Kept& kept, const Session& session) const {
    const auto now = latest(session);
    return !now || now->skill_id == skill_id() || now == kept.latest;
  }

  SessionMemory<Kept> results_{kMostSessions, kGoesOn};  ///< The last.
  std::optional<Calculator> calculator_;
};

}  // namespace
}  // namespace parley::calculator

PARLEY_SKILL(parley::calculator::CalculatorSkill, "calculator.parley")
