// Loaded before everything else, it has a process believe that it is as many seconds later as
// PARLEY_TEST_CLOCK_OFFSET says. It waits as long as it would.
#include <dlfcn.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdlib>
#include <ctime>

namespace {

time_t offset() noexcept {
  static const char* const text = std::getenv("PARLEY_TEST_CLOCK_OFFSET");
  return text == nullptr ? 0 : std::atoi(text);
}

}  // namespace

extern "C" {

int clock_gettime(clockid_t clock, timespec* time) noexcept {
  const auto result = static_cast<int>(::syscall(SYS_clock_gettime, clock, time));
  if (result == 0 && clock == CLOCK_REALTIME) time->tv_sec += offset();
  return result;
}

/// The kernel knows nothing of it.
int pthread_cond_timedwait(pthread_cond_t* condition, pthread_mutex_t* mutex, const timespec* until) {
  constexpr time_t kSinceNoBoot = 1'000'000'000;  // such a time is one of the wall clock
  using Wait = int (*)(pthread_cond_t*, pthread_mutex_t*, const timespec*);
  static const auto wait = reinterpret_cast<Wait>(::dlsym(RTLD_NEXT, "pthread_cond_timedwait"));
  timespec really = *until;
  if (really.tv_sec > kSinceNoBoot) really.tv_sec -= offset();
  return wait(condition, mutex, &really);
}
}
