// The pool of threads.
#include "runtime/workers.hpp"

#include <doctest/doctest.h>
#include <sys/resource.h>

#include <atomic>
#include <boost/asio/post.hpp>
#include <boost/asio/strand.hpp>
#include <chrono>
#include <cstdlib>
#include <future>
#include <semaphore>
#include <thread>

#include "runtime/cell.hpp"
#include "runtime/scope.hpp"

using namespace parley;
using namespace std::chrono_literals;

namespace {

Task<> tell_once_there(std::shared_ptr<Cell<bool>> cell, std::promise<void>& told) {
  co_await Cell<bool>::wait(cell);
  told.set_value();
}

}  // namespace

TEST_CASE("workers: looking for stuck threads does not keep a pool alive that has ended") {
  std::weak_ptr<void> context;
  {
    std::binary_semaphore entered(0);
    Workers workers(1);
    context = workers.share_context();
    boost::asio::post(workers.executor(), [&entered, &context = workers.context()] {
      entered.release();
      while (!context.stopped()) std::this_thread::yield();
    });
    entered.acquire();
    CHECK(workers.relieve() == 1);  // leaves a question behind the work that does not return
  }
  const auto until =
      std::chrono::steady_clock::now() + 1min;  // the thread lets go of its part in its own time
  while (!context.expired() && std::chrono::steady_clock::now() < until) std::this_thread::yield();
  CHECK(context.expired());
}

TEST_CASE("workers: threads of the background step back behind the others, those that talk don't") {
  const int own = ::getpriority(PRIO_PROCESS, 0);
  const auto niceness_of = [](Workers::Priority priority) {
    Workers workers(1, priority);
    std::promise<int> told;
    boost::asio::post(workers.executor(), [&told] { told.set_value(::getpriority(PRIO_PROCESS, 0)); });
    return told.get_future().get();
  };
  CHECK(niceness_of(Workers::Priority::kNormal) == own);
  CHECK(niceness_of(Workers::Priority::kBackground) == std::min(own + 5, 19));
}

TEST_CASE("workers: a thread that wakes work is back before the pool ends that ran the work") {
  for (int round = 0; round < 2000; ++round) {
    const auto cell = std::make_shared<Cell<bool>>();
    std::thread waker;
    {
      std::promise<void> over;
      Workers workers(1);
      Scope scope;
      scope.spawn(boost::asio::make_strand(workers.executor()), tell_once_there(cell, over));
      waker = std::thread([cell] { cell->set(true); });
      over.get_future().wait();
    }
    waker.join();
  }
}

TEST_CASE("workers: work goes on behind work that does not return, as long as there are threads") {
  Workers workers(3);
  for (int round = 0; round < 200; ++round) {
    std::promise<void> first, second, third;
    boost::asio::post(workers.executor(), [&] {
      second.get_future().wait();
      first.set_value();
    });
    boost::asio::post(workers.executor(), [&] {
      third.get_future().wait();
      second.set_value();
    });
    boost::asio::post(workers.executor(), [&] { third.set_value(); });
    REQUIRE(first.get_future().wait_for(1min) == std::future_status::ready);
  }
}

TEST_CASE("workers: a pool whose threads are all stuck gets another, which goes on") {
  Workers workers(1);
  std::promise<void> passed;
  std::promise<void> stuck;
  boost::asio::post(workers.executor(), [&] {
    passed.get_future().wait();
    stuck.set_value();
  });
  boost::asio::post(workers.executor(), [&] { passed.set_value(); });
  CHECK(workers.relieve() == 1);
  CHECK(workers.relieve() == 2);
  CHECK(stuck.get_future().wait_for(1min) == std::future_status::ready);
}

TEST_CASE("workers: whatever comes is done, from many threads, after rests of any length") {
  Workers workers(4);
  std::atomic<int> done{0};
  constexpr int kEach = 3000;
  const auto post_all = [&] {
    for (int i = 0; i < kEach; ++i) {
      std::promise<void> here;
      boost::asio::post(workers.executor(), [&] {
        ++done;
        here.set_value();
      });
      const auto there = here.get_future();
      if (there.wait_for(1min) != std::future_status::ready)
        std::abort();  // it would be gone before its work
      for (int spin = 0; spin < i % 97 * 50; ++spin) std::atomic_signal_fence(std::memory_order_seq_cst);
    }
  };
  std::thread one(post_all), another(post_all);
  post_all();
  one.join();
  another.join();
  CHECK(done == 3 * kEach);
}
