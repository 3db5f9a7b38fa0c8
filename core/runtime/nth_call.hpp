#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <utility>

namespace parley {

/// A function that calls back when it, or its copies, have been called so often; at least once. On one
/// thread.
inline std::function<void()> at_call(std::size_t number, std::function<void()> done) {
  return [left = std::make_shared<std::size_t>(number), done = std::move(done)] {
    if (--*left == 0) done();
  };
}

}  // namespace parley
