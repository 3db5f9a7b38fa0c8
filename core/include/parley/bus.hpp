#pragma once

#include <functional>
#include <memory>
#include <parley/message.hpp>
#include <parley/task.hpp>
#include <string>
#include <vector>

namespace parley {

/// Keeps a subscription alive; letting it go ends it, after which the callback is not called again.
/// Drop it on the loop's thread.
class Subscription {
 public:
  Subscription() = default;
  explicit Subscription(std::shared_ptr<void> token) : token_(std::move(token)) {}
  void reset() noexcept { token_.reset(); }
  explicit operator bool() const noexcept { return token_ != nullptr; }

 private:
  std::shared_ptr<void> token_;
};

/// What the judge of a poll says of one answer.
enum class PollVerdict {
  kIgnore,  ///< Not an answer to this poll. Go on as if it had not come.
  kKeep,    ///< An answer: keep it. The poll closes when everyone expected has answered.
  kClose,   ///< An answer that settles the poll: keep it and stop waiting.
};

struct PollAnswer {
  PollAnswer(Message answer, Duration since) : message(std::move(answer)), after(since) {}
  Message message;
  Duration after;  ///< Since the poll began.
};

/// A question (or several) put on the bus, and what counts as an answer. Answers of another session,
/// or of another turn when they name one, never reach the judge.
struct PollRequest {
  PollRequest(Message question, std::string answer_topic, Duration bound);

  std::vector<Message> questions;
  std::vector<std::string> answer_topics;
  Duration timeout;
  /// Skills that could answer. The poll closes when each has answered or has gone, at once when none
  /// is left. Empty: only the judge and the timeout close it.
  std::vector<std::string> expected;
  /// Called on the loop, once per answer. Who answers is `data.skill_id`. Default: keep everything.
  std::function<PollVerdict(const Message&)> judge;
  /// Topics on which a skill may say, in whatever session, that it takes no part any more. It counts as gone
  /// when `has_left` says so, which is called on the loop.
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
  kNone,    ///< Nobody speaks for it: a question to it would go unanswered.
  kHosted,  ///< Loaded by this process.
  kRemote,  ///< Attached over a connection.
};

/// What a skill hosted here declares when it starts; whoever did not is not asked for it.
enum class Ability { kConverse, kQuestion, kStop };

}  // namespace parley
