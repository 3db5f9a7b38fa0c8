// The pool of threads.
#include "runtime/workers.hpp"

#include <doctest/doctest.h>
#include <sys/resource.h>

#include <boost/asio/post.hpp>
#include <boost/asio/strand.hpp>
#include <chrono>
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
  std::weak_ptr<boost::asio::io_context> context;
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
      scope.spawn(boost::asio::make_strand(workers.context()), tell_once_there(cell, over));
      waker = std::thread([cell] { cell->set(true); });
      over.get_future().wait();
    }
    waker.join();
  }
}
