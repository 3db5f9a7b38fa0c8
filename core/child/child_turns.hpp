#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "child/channel.hpp"
#include "child/senders.hpp"
#include "runtime/scope.hpp"
#include "turn/turn_state.hpp"

namespace parley::child {

/// The turns of a skill in a child: each has its Turn::State here, which speaks and asks as the frames of the
/// child say. Survives the child. On the loop.
class ChildTurns : public std::enable_shared_from_this<ChildTurns> {
 public:
  using Send = std::function<void(const Json& head, std::string_view body)>;

  /// @param send  to the child there is; does nothing while there is none
  /// @param idle  called when the last of them has ended
  ChildTurns(std::shared_ptr<const TurnEnvironment> environment, Senders& senders, Send send,
             std::function<void()> idle);

  /// From here on there is a child: what waits for it is dispatched to it.
  void begin();
  /// There is none from here on.
  void pause() noexcept { there_ = false; }
  /// The child has gone: what was dispatched to it ends with `failure`. What came later waits for the next
  /// one.
  void lose(const std::string& failure);
  /// Ends all of them with `failure`.
  void end_all(const std::string& failure);

  void run(HandlerCall call);
  /// Whether the child has to hear of it.
  bool cancel(const std::string& utterance_id);
  bool empty() const noexcept { return running_.empty(); }
  /// Ends the questions of its handlers as cancelled.
  void withdraw_questions();

  /// A frame of kSay, kAsk, kAskOver, kFit, kEnded or kStep.
  void take(const Frame& frame);
  /// Closes the waits for answers; calls back when the last is over.
  void close(std::function<void()> then);

 private:
  struct Running {
    Running(std::shared_ptr<Turn::State> turn, std::string name, std::function<void(HandlerEnd)> callback)
        : state(std::move(turn)), intent(std::move(name)), done(std::move(callback)) {}
    std::shared_ptr<Turn::State> state;
    std::string intent;
    std::function<void(HandlerEnd)> done;
    bool sent = false;
  };
  void dispatch(std::uint64_t turn, Running& running);
  std::shared_ptr<Turn::State> state_of(const Json& head) const;
  void keep(std::uint64_t turn, std::shared_ptr<Turn::State> state);
  void say(const Frame& frame);
  void ask(const Frame& frame);
  void fit(const Json& head);
  void ended(const Json& head);
  void step(const Json& head) const;
  CheckAnswer check_of(std::uint64_t question);
  static Task<> wait_for_answer(std::shared_ptr<ChildTurns> self, std::uint64_t child, std::uint64_t question,
                                std::shared_ptr<Turn::State> state, RenderedDialog text, Duration timeout,
                                std::string kind);

  const std::shared_ptr<const TurnEnvironment> environment_;
  Senders& senders_;
  const Send send_;
  const std::function<void()> idle_;
  bool there_ = false;
  std::uint64_t count_ = 0;
  std::map<std::uint64_t, Running> running_;
  /// The latest that have ended or were cancelled: their handlers may still speak, or be heard not to.
  std::deque<std::pair<std::uint64_t, std::shared_ptr<Turn::State>>> over_;
  struct Question {
    Question(std::uint64_t whose, std::shared_ptr<Job> wait) : turn(whose), job(std::move(wait)) {}
    std::uint64_t turn;
    std::shared_ptr<Job> job;
  };
  std::uint64_t children_ = 0;  ///< That there were: each numbers its questions from 1.
  std::map<std::uint64_t, Question> questions_;
  std::map<std::uint64_t, std::function<void(AnswerFit)>> checks_;
  Scope scope_;
};

}  // namespace parley::child
