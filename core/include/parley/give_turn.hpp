#pragma once

#include <chrono>
#include <thread>

namespace parley {

/// Lets whoever waits for this processor go first; for long work in the background, between its pieces. A
/// lower priority is not enough: who was just awake is let in again only when the slice of who runs is over,
/// which is 4 ms by a kernel's ticks. Costs some 25 ns, and looks for others every 200 µs. From any thread.
inline void give_turn() noexcept {
  constexpr std::chrono::microseconds kTurn(200);
  thread_local std::chrono::steady_clock::time_point since;
  if (std::chrono::steady_clock::now() - since < kTurn) return;
  std::this_thread::yield();
  since = std::chrono::steady_clock::now();
}

}  // namespace parley
