#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <parley/clock.hpp>
#include <parley/message.hpp>
#include <parley/trace.hpp>
#include <string>

namespace parley {

/// How a handler ended.
struct HandlerEnd {
  HandlerEnd() = default;
  explicit HandlerEnd(std::string failure) : exception(std::move(failure)) {}
  std::optional<std::string> exception;  ///< Set: it raised this.
  bool not_understood = false;           ///< It had no answer to what was said (U-10).
  SessionPtr session;                    ///< The session as it left it; null: unchanged.
  /// What the changes start from. Null: it is a report over the wire, and what it omits is left as it is
  /// (S-6).
  SessionPtr base;
  /// Called on the loop once this turn's `handled` is out; may be null.
  std::function<void()> then;
};

class SessionStore;
class HandlerBound;

/// What a host is given to run.
struct HandlerCall {
  HandlerCall(Message message, std::string name, std::shared_ptr<HandlerBound> time, Trace record,
              std::function<void(HandlerEnd)> callback)
      : dispatch(std::move(message)),
        intent_name(std::move(name)),
        bound(std::move(time)),
        trace(std::move(record)),
        done(std::move(callback)) {}
  Message dispatch;
  std::string intent_name;
  std::shared_ptr<HandlerBound> bound;  ///< Ends the turn by itself; a host pauses it while it asks the user.
  Trace trace;
  std::function<void(HandlerEnd)> done;  ///< Call once, on the loop; never from inside run().
  bool ended_turns = false;              ///< A stop that has ended handlers of this skill already (P-6).
  std::uint64_t number = 0;              ///< In a child: what the core calls this turn.
  SessionStore* sessions = nullptr;      ///< Used on the loop for what its messages carry (S-5); may be null.
};

/// Runs handlers: those of the skills of this process, of stages, or of a connection. On the loop.
class HandlerHost {
 public:
  virtual ~HandlerHost() = default;
  /// Whether it speaks for this skill (or stage) right now.
  virtual bool hosts(const std::string& skill_id) const = 0;
  virtual void run(HandlerCall call) = 0;
  /// Ends what it runs for that turn: no `done` has to come, and nothing it says is heard any more.
  virtual void cancel(const std::string& skill_id, const std::string& utterance_id) = 0;
  virtual std::chrono::milliseconds handler_timeout(const std::string& skill_id) const = 0;
};

}  // namespace parley
