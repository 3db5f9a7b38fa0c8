#include "runtime/share_out.hpp"

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <boost/asio/io_context.hpp>
#include <latch>
#include <stdexcept>
#include <thread>
#include <vector>

#include "runtime/workers.hpp"

using namespace parley;

TEST_CASE("share_out: each part is done once, also when no helper ever comes") {
  boost::asio::io_context nobody;
  std::vector<int> done(100);
  share_out(nobody.get_executor(), done.size(), [&done](std::size_t i) { ++done[i]; });
  CHECK(done == std::vector<int>(100, 1));
  nobody.run();  // those that come now find nothing to do
  CHECK(done == std::vector<int>(100, 1));
}

TEST_CASE("share_out: a helper does parts beside the one who asked") {
  Workers helpers(1);
  std::latch both(2);
  // Each part waits for the other one: one thread alone would never get past the first.
  share_out(helpers.executor(), 2, [&both](std::size_t) { both.arrive_and_wait(); });
  CHECK(both.try_wait());
}

TEST_CASE("share_out: after a failure nothing more begins, and its text comes back") {
  boost::asio::io_context nobody;
  std::size_t begun = 0;
  const auto each = [&begun](std::size_t i) {
    ++begun;
    if (i == 2) throw std::runtime_error("part 2 is missing");
  };
  CHECK_THROWS_WITH_AS(share_out(nobody.get_executor(), 10, each), "part 2 is missing", std::runtime_error);
  CHECK(begun == 3);
}

TEST_CASE("share_out: nothing to do is done at once") {
  boost::asio::io_context nobody;
  CHECK_NOTHROW(share_out(nobody.get_executor(), 0, [](std::size_t) { FAIL("there is no part"); }));
}

TEST_CASE("give_back_memory: several workers do it at once, also as the first of the process") {
  constexpr std::ptrdiff_t kAtOnce = 4;
  for (int tries = 0; tries < 50; ++tries) {
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {
      std::latch all(kAtOnce);
      std::vector<std::jthread> workers;
      for (std::ptrdiff_t i = 0; i < kAtOnce; ++i)
        workers.emplace_back([&all] {
          all.arrive_and_wait();
          give_back_memory();
        });
      workers.clear();
      ::_exit(0);
    }
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    REQUIRE(status == 0);
  }
}
