#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <parley/bus.hpp>
#include <string>
#include <vector>

#include "config/config.hpp"
#include "runtime/timers.hpp"
#include "store/forget.hpp"
#include "store/lasting.hpp"

namespace parley {

class Bus;
class Orchestrator;
class TurnLog;

/// Looks after sessions beyond their turns (K-5): closes and forgets them, lets them become idle, and has the
/// default one come back after a restart. On the loop's thread; callbacks come there, too.
class SessionKeeper {
 public:
  using Post = std::function<void(std::function<void()>)>;
  /// @param is_forgotten  they were not closed only
  using Ended = std::function<void(const ForgetWhat& which, bool is_forgotten)>;

  /// @param post  runs something on the loop, from any thread
  SessionKeeper(std::shared_ptr<Lasting> lasting, Orchestrator& orchestrator, Bus& bus, Timers& timers,
                SessionsConfig settings, Post post);
  ~SessionKeeper();
  SessionKeeper(const SessionKeeper&) = delete;
  SessionKeeper& operator=(const SessionKeeper&) = delete;

  /// From here on, sessions change by themselves.
  /// @param log  of turns; null: none is kept
  void start(TurnLog* log);
  /// Whether what start() reads has been read.
  bool is_loaded() const noexcept { return is_loaded_; }
  /// Reads that anew: what was kept has changed.
  void load_again(std::function<void()> done) { load_default(std::move(done)); }
  /// Changes nothing any more, and keeps the default session as it is now.
  void stop();

  /// Ends what is in scope of the session, and keeps its transcript.
  /// @param done  `was_open` is false when there was nothing to close
  void close(std::string owner, std::string session_id,
             std::function<void(bool was_open, const std::string& failure)> done);
  /// Deletes, and calls back when no word of it is left in the file.
  void forget(ForgetWhat what, std::function<void(const Forgotten&, const std::string& failure)> done);
  /// Calls back when sessions were closed or forgotten: what is kept of them elsewhere has to go.
  void on_ended(Ended callback) { ended_ = std::move(callback); }
  /// Sessions without a turn since then are idle, in Unix milliseconds.
  std::int64_t idle_before() const;

 private:
  std::int64_t now() const;
  void hear(const Message& request, bool forgets);
  void forget(ForgetWhat what, bool everywhere,
              std::function<void(const Forgotten&, const std::string& failure)> done);
  void load_default(std::function<void()> done);
  void heard_of(const KeptSession& session);
  void changed_default();
  void wait_for_idle(std::int64_t last_turn);
  void keep_default();
  void sweep();
  void end_live(const ForgetWhat& which, bool is_forgotten);

  const std::shared_ptr<Lasting> lasting_;
  Orchestrator& orchestrator_;
  Bus& bus_;
  Timers& timers_;
  const SessionsConfig settings_;
  const Post post_;
  TurnLog* log_ = nullptr;
  Ended ended_;
  bool is_loaded_ = false;
  bool is_keeping_ = false;     ///< The default session is being written.
  SessionPtr kept_;             ///< As it was written last.
  std::int64_t last_turn_ = 0;  ///< Of the default session, in Unix milliseconds; 0: none yet.
  Timer idle_, sweeping_;
  std::vector<Subscription> subscriptions_;
  const std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

/// What `parley.session.close` is answered with: `{closed}`, or `{error: {code, message}}`.
Json closed_json(bool was_open, const std::string& failure);
/// The same for what is forgotten: `{events, turns, sessions, values, scheduled, objects}`.
Json forgotten_json(const Forgotten& gone, const std::string& failure);

}  // namespace parley
