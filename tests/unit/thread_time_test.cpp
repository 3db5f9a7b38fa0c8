#include <doctest/doctest.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <future>
#include <thread>

#include "runtime/thread_time.hpp"
#include "support/patience.hpp"

using namespace parley;
using parley::testing::Patience;
using namespace std::chrono_literals;

TEST_CASE(
    "thread time: what a thread runs is counted while it runs, and it is runnable while others run in its "
    "place") {
  const pid_t here = ::gettid();
  CHECK(is_runnable(here));
  const auto before = processor_time(here);
  CHECK(before > 0ns);
  for (const Patience waits; processor_time(here) < before + 5ms;) waits.once_more("time of this thread");
  std::atomic<bool> over{false};
  std::promise<pid_t> began;
  std::thread busy([&] {
    began.set_value(::gettid());
    while (!over) {
    }
  });
  const pid_t other = began.get_future().get();
  CHECK(is_runnable(other));
  for (const Patience waits; processor_time(other) < 5ms;) waits.once_more("time of the other thread");
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
  for (const Patience waits; is_runnable(thread);) waits.once_more("the thread to wait");
  const auto ran = processor_time(thread);
  CHECK(processor_time(thread) == ran);
  enough.set_value();
  idle.join();
}
