#pragma once

#include <memory>
#include <utility>

#include "store/scheduler.hpp"
#include "store/store.hpp"

namespace parley {

/// What skills keep things in.
struct Lasting {
  Lasting(std::shared_ptr<Store> where, Timers& timers, Scheduler::Post post)
      : store(std::move(where)), scheduler(store, timers, std::move(post)) {}
  const std::shared_ptr<Store> store;
  Scheduler scheduler;  ///< On the loop.
};

}  // namespace parley
