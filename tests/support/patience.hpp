#pragma once

#include <doctest/doctest.h>

#include <chrono>

namespace parley::testing {

/// How long a test waits for something real: longer than any machine takes. `Patience waits; while (!there)
/// waits.once_more("the skill to leave");`
class Patience {
 public:
  bool is_left() const { return std::chrono::steady_clock::now() < until_; }
  /// Fails the test when it has waited for too long.
  void once_more(const char* what) const {
    INFO("waited in vain for " << what);
    REQUIRE(is_left());
  }

 private:
  std::chrono::steady_clock::time_point until_ = std::chrono::steady_clock::now() + std::chrono::minutes(1);
};

}  // namespace parley::testing
