#pragma once

#include <functional>
#include <memory>
#include <parley/message.hpp>
#include <parley/task.hpp>
#include <string>
#include <vector>

namespace parley {

/// Keeps a subscription alive. Destroying it ends the subscription: the callback is not called again.
/// Destroy it on the loop's thread.
class Subscription {
 public:
  Subscription() = default;
  explicit Subscription(std::shared_ptr<void> token) : token_(std::move(token)) {}
  void reset() noexcept { token_.reset(); }
  explicit operator bool() const noexcept { return token_ != nullptr; }

 private:
  std::shared_ptr<void> token_;
};

/// What the judge of a poll decides about one answer.
enum class PollVerdict {
  kIgnore,  ///< Not an answer to this poll. Go on as if it had not arrived.
  kKeep,    ///< An answer: keep it. The poll closes when everyone expected has answered.
  kClose,   ///< An answer that settles the poll: keep it and stop waiting.
};

struct PollAnswer {
  PollAnswer(Message answer, Duration since) : message(std::move(answer)), after(since) {}
  Message message;
  Duration after;  ///< Since the poll began.
};

/// One or more questions to put on the bus, and what counts as an answer. Answers of another session never
/// reach the judge, nor do answers that name another turn.
struct PollRequest {
  PollRequest(Message question, std::string answer_topic, Duration bound);

  std::vector<Message> questions;
  std::vector<std::string> answer_topics;
  Duration timeout;
  /// Skills that could answer. The poll closes when each has answered or has gone, at once when none
  /// is left. Empty: only the judge and the timeout close it.
  std::vector<std::string> expected;
  /// Called on the loop, once per answer. `data.skill_id` names the skill that answers. Default: keep all.
  std::function<PollVerdict(const Message&)> judge;
  /// Topics by which a skill may announce, in any session, that it no longer takes part. After such a message
  /// `has_left` is called on the loop; if it returns true, the skill counts as gone.
  std::vector<std::string> farewell_topics;
  std::function<bool(const std::string& skill_id)> has_left;
};

struct PollResult {
  PollResult() = default;
  std::vector<PollAnswer> answers;    ///< What the judge kept, in order of arrival.
  std::vector<std::string> silent;    ///< Expected, and neither answered nor gone when time ran out.
  std::vector<std::string> departed;  ///< Expected, and gone before they answered.
  bool timed_out = false;
  Duration took{};
};

/// Where a skill runs.
enum class Presence {
  kNone,    ///< The skill is not there: a question to it would go unanswered.
  kHosted,  ///< Loaded by this process.
  kRemote,  ///< Attached over a connection.
};

/// What a skill hosted here declares when it starts. It is only asked for what it declared.
enum class Ability { kConverse, kQuestion, kStop };

}  // namespace parley
