#pragma once

#include <array>
#include <memory>
#include <string_view>

namespace parley {

/// From here on a crash of the process (SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT) is told of on stderr before
/// it ends: the signal, the plugin whose code is innermost on the stack of the thread that crashed, the turns
/// it had under way, and the stack. The process then dies of the signal as it would have. Call while there is
/// only one thread; others need a SignalStack each.
/// @param suspect_fd  gets the file of that plugin and nothing else, for a supervisor; below zero: nobody
/// reads
void report_crashes(int suspect_fd = -1);

/// From here on a plugin whose code ends the process with exit() or quick_exit() is told of likewise, and the
/// process ends at once with kExitOfPlugin, whatever it asked for. Call once everything is loaded, after
/// report_crashes(); later calls do nothing.
void report_exits();
inline constexpr int kExitOfPlugin = 70;

/// Where the signal handlers of the calling thread run while it lives: without one, an overflow of the stack
/// can't be told of. Made and destroyed by that thread.
class SignalStack {
 public:
  SignalStack();
  ~SignalStack();
  SignalStack(const SignalStack&) = delete;
  SignalStack& operator=(const SignalStack&) = delete;

 private:
  using Memory = std::array<char, std::size_t{64} << 10U>;
  std::unique_ptr<Memory> memory_;
  bool ours_ = false;
};

/// A library whose code may be what crashes. Safe to use from any thread; beyond a fixed number (256) of them
/// at a time, and of turns, a report does without.
class CrashSuspect {
 public:
  CrashSuspect() = default;
  /// While it is being loaded: then its code has no known place yet, and every crash is put down to it.
  explicit CrashSuspect(std::string_view file) noexcept;
  ~CrashSuspect();
  CrashSuspect(CrashSuspect&& other) noexcept;
  CrashSuspect& operator=(CrashSuspect&& other) noexcept;
  CrashSuspect(const CrashSuspect&) = delete;
  CrashSuspect& operator=(const CrashSuspect&) = delete;

  /// It has been loaded.
  /// @param name    "skill timer.parley", "stage fallback"
  /// @param symbol  an address inside of it
  void loaded(std::string_view name, const void* symbol) noexcept;

 private:
  void clear() noexcept;
  int entry_ = -1;
};

/// A turn that some plugin works on, for as long as this lives. Costs two copies of a short text.
class TurnUnderWay {
 public:
  /// @param who  the plugin: "skill timer.parley", "stage fallback"
  TurnUnderWay(std::string_view who, std::string_view utterance_id) noexcept;
  ~TurnUnderWay();
  TurnUnderWay(const TurnUnderWay&) = delete;
  TurnUnderWay& operator=(const TurnUnderWay&) = delete;

 private:
  int entry_ = -1;
};

}  // namespace parley
