#include "runtime/guard.hpp"

#include <doctest/doctest.h>

#include <exception>
#include <memory>
#include <parley/task.hpp>
#include <stdexcept>
#include <string>

namespace parley {
namespace {

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

}  // namespace parley
