// The pool of threads.
#include "runtime/workers.hpp"

#include <doctest/doctest.h>

#include <boost/asio/post.hpp>
#include <chrono>
#include <semaphore>
#include <thread>

using namespace parley;
using namespace std::chrono_literals;

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
