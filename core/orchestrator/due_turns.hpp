#pragma once

#include <functional>
#include <map>
#include <memory>
#include <parley/message.hpp>
#include <string>

#include "orchestrator/turn_owner.hpp"
#include "turn/handler_bound.hpp"
#include "turn/handler_host.hpp"

namespace parley {

/// What runs because it is due rather than because something was said: dispatches with a trio, and no
/// utterance (K-3). On the loop's thread.
class DueTurns {
 public:
  explicit DueTurns(TurnOwner& owner) : owner_(owner) {}
  DueTurns(const DueTurns&) = delete;
  DueTurns& operator=(const DueTurns&) = delete;

  /// @param dispatch  with an utterance_id and a skill_id of its own
  /// @param ended     called once, when its handler has ended in whatever way
  void run(Message dispatch, std::function<void()> ended);
  /// A stop (P-6): ends what a skill (empty: any) runs in that session. @returns whether there was any
  bool stop(const std::string& session_id, const std::string& skill_id);
  bool knows(const std::string& utterance_id) const { return running_.contains(utterance_id); }

 private:
  struct Running {
    Running(Message what, std::function<void()> then) : dispatch(std::move(what)), ended(std::move(then)) {}
    Message dispatch;
    std::shared_ptr<HandlerBound> bound;
    std::function<void()> ended;
  };
  void start(const std::string& id);
  void cut_short(const std::string& id, const std::string& why);
  void finish(const std::string& id, HandlerEnd end);

  TurnOwner& owner_;
  std::map<std::string, Running, std::less<>> running_;  ///< By utterance_id.
  std::shared_ptr<HandlerBound>
      retired_;  ///< Of the last one that ended: it may be its callback that ended it.
};

}  // namespace parley
