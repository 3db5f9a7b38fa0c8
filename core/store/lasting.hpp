#pragma once

#include <memory>
#include <utility>

#include "store/rows.hpp"
#include "store/scheduler.hpp"
#include "store/store.hpp"
#include "store/turn_copy.hpp"

namespace parley {

/// What skills keep things in.
struct Lasting {
  /// @param one_by_one  runs work aside, one piece after the other: there what comes is made ready for the
  ///                    store, whose thread all wait for
  Lasting(std::shared_ptr<Store> where, Timers& timers, Scheduler::Post post, Scheduler::Post one_by_one)
      : store(std::move(where)),
        making_ready(std::move(one_by_one)),
        here(store),
        scheduler(
            store, [this]() -> Rows& { return rows(); }, timers, std::move(post)) {}
  Lasting(const Lasting&) = delete;
  Lasting& operator=(const Lasting&) = delete;
  ~Lasting() = default;

  /// Those of the store, or of the cluster.
  Rows& rows() { return shared == nullptr ? here : *shared; }

  const std::shared_ptr<Store> store;
  const Scheduler::Post making_ready;
  RowsHere here;
  Rows* shared = nullptr;  ///< The cluster's; set before anything starts, and null again when all has ended.
  Scheduler scheduler;     ///< On the loop.
  const std::shared_ptr<TurnsOver> turns_over = std::make_shared<TurnsOver>();
};

}  // namespace parley
