#pragma once

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "bus/bus.hpp"
#include "child/channel.hpp"
#include "child/distant_services.hpp"
#include "child/distant_turns.hpp"
#include "child/outlet.hpp"
#include "child/plan.hpp"
#include "message/log.hpp"
#include "plugin/library.hpp"
#include "runtime/counters.hpp"
#include "runtime/timers.hpp"
#include "runtime/workers.hpp"
#include "skill/hosted_skill.hpp"
#include "turn/questions.hpp"

namespace parley::child {

/// What runs in a child: one skill, on a loop of its own that everything of it shares. Whatever it does
/// beyond that goes through the channel. Everything on the thread that calls run().
class Guest {
 public:
  /// @param socket  one end of a socket pair
  explicit Guest(int socket);
  ~Guest();
  Guest(const Guest&) = delete;
  Guest& operator=(const Guest&) = delete;

  /// Until the other end says so, or has gone.
  void run();

 private:
  void take(const Frame& frame);
  void begin(const Frame& frame);
  /// Loads the skill and starts it; calls back as HostedSkill::start().
  void load(const Plan& plan);
  void tell_started(const std::string& failure);
  void change_settings(const Json& head);
  void settle(const Json& head);
  void set_clock(std::int64_t now_ns, std::int64_t wall_ns);
  void end();

  std::size_t run_ready();
  /// Waits for something to do: for a moment awake, since waking it takes both sides as long as a short turn.
  void wait();
  void tell_of_itself();
  void tell_idle();

  bool jumping_ = false, done_ = false;
  std::chrono::microseconds awake_;
  std::optional<std::uint64_t> asked_if_idle_;

  boost::asio::io_context loop_{1};
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> guard_{loop_.get_executor()};
  SteadyClock steady_clock_;
  JumpingClock jumping_clock_;
  std::shared_ptr<Channel> channel_;
  // From begin() on, in the order of birth.
  std::unique_ptr<Workers> workers_;  ///< For what blocks.
  std::unique_ptr<Timers> timers_;
  Counters counters_;
  std::map<std::pair<std::string, Counters::Labels>, std::uint64_t> told_counts_;
  std::optional<Clock::Time> told_due_;
  std::unique_ptr<Bus> bus_;
  std::unique_ptr<Outlet> outlet_;
  std::unique_ptr<LogListener> log_;
  std::unique_ptr<DistantTurns> turns_;
  std::shared_ptr<DistantKeeping> keeping_;
  std::unique_ptr<DistantHttp> http_;
  Questions questions_;  ///< None is ever open here.
  std::optional<PluginLibrary> library_;
  std::shared_ptr<HostedSkill> skill_;
};

}  // namespace parley::child
