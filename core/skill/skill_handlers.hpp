#pragma once

#include <deque>
#include <map>
#include <memory>
#include <parley/skill.hpp>
#include <string>
#include <vector>

namespace parley {

struct FallbackHandler {
  FallbackHandler(int rank, CanAnswer ask, Handler run)
      : priority(rank), can_answer(std::move(ask)), answer(std::move(run)) {}
  int priority;
  CanAnswer can_answer;
  Handler answer;
};

/// What a skill has given handlers for. On the skill's strand; once the skill has started, any thread may ask
/// what it has. What add_… throw is what SkillContext says.
class SkillHandlers {
 public:
  explicit SkillHandlers(std::string owner) : owner_(std::move(owner)) {}

  void check_new(const std::string& intent) const;
  void add_intent(std::string name, Handler handler);
  /// @returns the priority of the first of them
  int add_fallback(int priority, CanAnswer can_answer, Handler answer);
  void add_converse(Converses takes, Handler handler);
  void add_question(Claims claims, Answers answer);
  void add_stop(SessionCallback stop, SessionCallback can_stop);
  void add_stop_offer(SessionCallback can_offer, Handler offer);
  void add_due(std::string name, DueHandler handler);
  /// Lets go of all of them: nothing of the skill's code is held any more.
  void drop();

  bool has_intent(const std::string& name) const { return intents_.contains(name); }
  std::vector<std::string> intents() const;
  bool has_due(const std::string& name) const { return dues_.contains(name); }
  bool has_fallback() const noexcept { return !fallbacks_.empty(); }
  bool has_converse() const noexcept { return converse_ != nullptr; }
  bool has_answers() const noexcept { return answers_ != nullptr; }
  bool has_stop() const noexcept { return stop_ != nullptr; }
  /// Whether the skill itself is to be asked if there is something to stop.
  bool knows_of_stops() const noexcept { return can_stop_ || can_offer_; }

  /// @throws std::runtime_error when there is none
  Handler intent(const std::string& name) const;
  Handler converse() const;
  /// What on_due() was given for what a turn is due for. @throws std::runtime_error when there is none
  Handler due(const Turn& turn) const;
  /// The handler that said yes in this turn's ping; without such a ping, the first that would answer now.
  /// @throws std::runtime_error when none would
  Handler fallback(const Turn& turn);
  /// Whether one would answer; it is remembered for fallback().
  bool promise_fallback(const std::string& utterance_id, const Query& query);

  ConverseAnswer takes(const Query& query) const { return converses_(query); }
  std::optional<QuestionClaim> claims(const Query& query) const { return claims_(query); }
  const std::shared_ptr<const Answers>& answers() const noexcept { return answers_; }
  bool stops(const SessionKey& session) const { return stop_ && stop_(session); }
  bool can_stop(const SessionKey& session) const { return can_stop_ && can_stop_(session); }
  bool can_offer(const SessionKey& session) const { return can_offer_ && can_offer_(session); }
  /// The caller keeps it for as long as it runs.
  const std::shared_ptr<const Handler>& offer() const noexcept { return offer_; }

 private:
  /// The first handler that would answer; null when none would.
  std::shared_ptr<const FallbackHandler> willing_fallback(const Query& query) const;

  const std::string owner_;
  std::map<std::string, std::shared_ptr<const Handler>, std::less<>> intents_;
  std::map<std::string, std::shared_ptr<const DueHandler>, std::less<>> dues_;  ///< By their names.
  std::vector<std::shared_ptr<const FallbackHandler>> fallbacks_;               ///< By priority.
  /// The handlers that said yes in the latest turns, by utterance_id.
  std::deque<std::pair<std::string, std::shared_ptr<const FallbackHandler>>> promised_;
  Converses converses_;
  std::shared_ptr<const Handler> converse_;
  Claims claims_;
  std::shared_ptr<const Answers> answers_;
  SessionCallback stop_, can_stop_, can_offer_;
  std::shared_ptr<const Handler> offer_;
};

}  // namespace parley
