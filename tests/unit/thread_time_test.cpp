#include <doctest/doctest.h>
#include <sched.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <future>
#include <thread>

#include "runtime/thread_time.hpp"

using namespace parley;
using namespace std::chrono_literals;

TEST_CASE(
    "thread time: what a thread runs is counted while it runs, and it is runnable while others run in its "
    "place") {
  const pid_t here = ::gettid();
  CHECK(is_runnable(here));
  const auto before = processor_time(here);
  CHECK(before > 0ns);
  while (processor_time(here) < before + 5ms) {
  }
  std::atomic<bool> over{false};
  std::promise<pid_t> began;
  std::thread busy([&] {
    began.set_value(::gettid());
    while (!over) {
    }
  });
  const pid_t other = began.get_future().get();
  CHECK(is_runnable(other));
  while (processor_time(other) < 5ms) std::this_thread::yield();
  over = true;
  busy.join();
  CHECK(processor_time(other) == 0ns);  // it is gone
  CHECK_FALSE(is_runnable(other));
}

TEST_CASE("thread time: who waits for something that is not a processor is not runnable") {
  std::promise<pid_t> began;
  std::promise<void> enough;
  std::thread idle([&] {
    began.set_value(::gettid());
    enough.get_future().wait();
  });
  const pid_t thread = began.get_future().get();
  while (is_runnable(thread)) std::this_thread::yield();  // until it waits
  const auto ran = processor_time(thread);
  CHECK(processor_time(thread) == ran);
  enough.set_value();
  idle.join();
}
