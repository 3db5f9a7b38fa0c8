#pragma once

#include <map>
#include <memory>
#include <parley/turn.hpp>
#include <string>

#include "child/channel.hpp"
#include "child/outlet.hpp"
#include "turn/turn_state.hpp"

namespace parley::child {

/// The turns of a child, whose core is at the other end of the channel. On the child's loop.
class DistantTurns final : public TurnsElsewhere {
 public:
  explicit DistantTurns(Outlet& outlet) : outlet_(outlet) {}

  void send(Turn::State& turn, const Message& message) override;
  Task<Heard> ask(std::shared_ptr<Turn::State> turn, RenderedDialog question, Duration timeout,
                  std::string kind, CheckAnswer check) override;

  /// The call that a frame of kDispatch is.
  HandlerCall call_of(const Frame& dispatch, Timers& timers);
  /// What came of a question.
  void heard(const Json& head);
  /// Whether something said would answer it.
  void check(const Json& head);

 private:
  class Open;
  struct Question {
    HeardCell cell;
    CheckAnswer check;
  };

  Outlet& outlet_;
  std::map<std::uint64_t, Question> questions_;
  std::uint64_t count_ = 0;
};

}  // namespace parley::child
