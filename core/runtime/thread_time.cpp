#include "runtime/thread_time.hpp"

#include <ctime>
#include <parley/files.hpp>
#include <string>

namespace parley {

std::chrono::nanoseconds processor_time(pid_t thread) noexcept {
  // As pthread_getcpuclockid() makes it, which may not be called for a thread that has ended.
  constexpr unsigned kOfThread = 6;
  timespec time{};
  const auto clock = static_cast<clockid_t>((~static_cast<unsigned>(thread) << 3U) | kOfThread);
  if (::clock_gettime(clock, &time) != 0) return {};
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

bool is_runnable(pid_t thread) {
  constexpr std::size_t kMost = 4096;
  const auto line = read_file("/proc/self/task/" + std::to_string(thread) + "/stat", kMost);
  const auto name_end = line ? line->rfind(')') : std::string::npos;  // the name may hold anything
  return name_end != std::string::npos && line->substr(name_end + 1, 2) == " R";
}

}  // namespace parley
