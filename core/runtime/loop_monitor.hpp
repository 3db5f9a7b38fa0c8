#pragma once

#include <sys/types.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace parley {

/// Names the plugin or part that holds the loop for too long. Code that lets a plugin run on the loop calls
/// first; the loop says when it goes on to something else. A thread looks several times a second, so it
/// is said even if the hold never ends.
class LoopMonitor {
 public:
  struct Hold {
    Hold() = default;
    std::string who;
    std::chrono::milliseconds length{};
    std::chrono::milliseconds waited{};  ///< Of it, at least: no processor was free for the loop.
  };
  using Report = std::function<void(const Hold& hold)>;

  LoopMonitor() = default;
  ~LoopMonitor() { stop(); }
  LoopMonitor(const LoopMonitor&) = delete;
  LoopMonitor& operator=(const LoopMonitor&) = delete;

  /// The loop runs code of `who` until leave(). `who` must live until stop(). On the loop's thread.
  void enter(const std::string& who) noexcept;
  void leave() noexcept { holder_.store(nullptr, std::memory_order_relaxed); }

  /// @param bound   longer holds are reported, once each, from the monitor's thread; 0: none is
  /// @param tick    called each time it looks
  void start(std::chrono::milliseconds bound, Report report, std::function<void()> tick);
  void stop();

 private:
  using Clock = std::chrono::steady_clock;
  void watch(std::chrono::milliseconds bound, const Report& report, const std::function<void()>& tick);

  std::mutex mutex_;
  std::condition_variable wake_;
  bool stopping_ = false;
  std::atomic<const std::string*> holder_{nullptr};
  std::atomic<Clock::rep> since_{0};
  std::atomic<pid_t> loop_{0};  ///< Its thread.
  std::thread thread_;
};

}  // namespace parley
