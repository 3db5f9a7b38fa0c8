#include "runtime/guard.hpp"

#include <doctest/doctest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace parley {
namespace {

namespace asio = boost::asio;

class Silent final : public std::exception {
 public:
  const char* what() const noexcept override { return ""; }
};

/// Counts how many of it exist, copies included.
class Counted final : public std::runtime_error {
 public:
  explicit Counted(std::shared_ptr<int> token) : std::runtime_error("counted"), token_(std::move(token)) {}

 private:
  std::shared_ptr<int> token_;
};

/// Runs a task on a loop of its own, to the end.
void run(Task<> task) {
  asio::io_context loop;
  std::exception_ptr thrown;
  asio::co_spawn(loop, std::move(task), [&](std::exception_ptr error) { thrown = error; });
  loop.run();
  if (thrown) std::rethrow_exception(thrown);
}

Task<int> give(int value) {
  co_await asio::post(asio::use_awaitable);
  co_return value;
}

Task<int> fail_after_a_while(std::shared_ptr<int> token) {
  co_await asio::post(asio::use_awaitable);
  throw Counted(std::move(token));
}

Task<> cancel_after_a_while() {
  co_await asio::post(asio::use_awaitable);
  throw Cancelled("stopped");
}

}  // namespace

TEST_CASE("guard: what is thrown becomes text") {
  CHECK_FALSE(failure_of([] {}).has_value());
  CHECK(failure_of([] { throw std::runtime_error("no coffee"); }) == "no coffee");
  CHECK(failure_of([] { throw Cancelled("stopped"); }) == "stopped");
  CHECK(failure_of([] { throw 42; }) == "int was thrown, which is not a std::exception");
  CHECK(failure_of([] { throw std::string("text"); })->ends_with("which is not a std::exception"));
  CHECK(failure_of([] { throw Silent(); }) == "parley::(anonymous namespace)::Silent without a text");
}

TEST_CASE("guard: the exception is gone when its text is there") {
  const auto token = std::make_shared<int>(0);
  const auto failure = failure_of([token] { throw Counted(token); });
  CHECK(failure == "counted");
  CHECK(token.use_count() == 1);
}

TEST_CASE("guard: a task's value comes through") {
  int got = 0;
  const auto test = [&]() -> Task<> {
    const auto result = co_await guarded(give, 7);
    got = result.value();
  };
  run(test());
  CHECK(got == 7);
}

TEST_CASE("guard: a member function is called with what it is given, copied or moved") {
  class Shelf {
   public:
    Task<std::string> put(std::unique_ptr<int> count, std::string what) {
      co_await asio::post(asio::use_awaitable);
      co_return std::to_string(*count) + " " + what;
    }
  };
  Shelf shelf;
  std::string got;
  const auto test = [&]() -> Task<> {
    const auto result = co_await guarded(&Shelf::put, &shelf, std::make_unique<int>(3), std::string("mugs"));
    got = result.value();
  };
  run(test());
  CHECK(got == "3 mugs");
}

TEST_CASE("guard: a task without a value succeeds") {
  bool fine = false;
  const auto nothing = []() -> Task<> { co_await asio::post(asio::use_awaitable); };
  const auto test = [&]() -> Task<> {
    const auto result = co_await guarded(nothing);
    fine = result.ok();
  };
  run(test());
  CHECK(fine);
}

TEST_CASE("guard: a task's exception becomes text, and it and the task are gone by then") {
  const auto token = std::make_shared<int>(0);
  std::string text;
  long owners = 0;
  const auto test = [&]() -> Task<> {
    const auto result = co_await guarded(fail_after_a_while, token);
    text = result.error().message;
    owners = token.use_count();
  };
  run(test());
  CHECK(text == "counted");
  CHECK(owners == 1);
  CHECK(token.use_count() == 1);
}

TEST_CASE("guard: what is thrown before there is a task becomes text too") {
  std::string text;
  const auto test = [&]() -> Task<> {
    const auto result = co_await guarded([]() -> Task<int> { throw 42; });
    text = result.error().message;
  };
  run(test());
  CHECK(text == "int was thrown, which is not a std::exception");
}

TEST_CASE("guard: being cancelled passes through with its reason") {
  const auto test = []() -> Task<> {
    const auto result = co_await guarded(cancel_after_a_while);
    FAIL("not reached: " << result.ok());
  };
  CHECK_THROWS_WITH_AS(run(test()), "stopped", Cancelled);
}

}  // namespace parley
