#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "cluster/fabric.hpp"
#include "cluster/members.hpp"
#include "cluster/spread.hpp"
#include "runtime/timers.hpp"

namespace parley::cluster {

/// Who owns which partition. A lease names its owner and an epoch, which grows with every change of hands;
/// it is written compare-and-set, and holds for as long as its owner is there (Members). On the loop.
class Leases {
 public:
  struct Callbacks {
    /// Whether something runs in a partition, which is to end before it is handed over.
    std::function<bool(std::size_t partition)> is_busy;
    /// Somebody else owns the partition from here on, or this instance does.
    std::function<void(std::size_t partition)> moved;
    /// This instance can't act as the owner of these any more.
    std::function<void(const std::vector<std::size_t>& partitions)> lost;
    /// A partition is about to be handed over: what was said in it has to be on its way before.
    std::function<void()> hands_over;
  };

  Leases(Fabric& fabric, Timers& timers, Members& members, Callbacks callbacks);

  void start();
  /// Looks at who should own what, and does its part. Called whenever somebody comes or goes.
  void look();
  /// Nothing is owned any more: it can't be certain of it.
  void lapse();
  /// From here on partitions are handed over whatever runs in them.
  void hurry() { is_in_a_hurry_ = true; }

  /// Whether this instance may act as the owner.
  bool owns(std::size_t partition) const;
  /// Whether it may begin something there: it owns it, and does not hand it over.
  bool takes(std::size_t partition) const;
  /// Who owns it, if that instance is there; else empty.
  std::string owner_of(std::size_t partition) const;
  std::uint64_t epoch_of(std::size_t partition) const { return all_.at(partition).epoch; }
  std::size_t owned() const;
  /// Whether every partition has an owner.
  bool is_settled() const;

 private:
  struct Lease {
    std::string owner;
    std::uint64_t epoch = 0, revision = 0;
    bool is_confirmed = false;  ///< This instance has written it, and was certain ever since.
    bool is_writing = false, is_leaving = false;
    Clock::Time not_before;  ///< It is written again, after that failed or another has come to own it.
  };
  void hear(const Entry& entry);
  void look_soon();
  void changed_hands(Lease& lease);
  void write(std::size_t partition, const std::string& owner);
  struct Write {
    std::size_t partition;
    std::string owner;
    std::uint64_t epoch, lapses;
  };
  void wrote(const Write& what, const Written& how);
  void look_at(std::size_t partition, const std::string& wanted);

  Fabric& fabric_;
  Timers& timers_;
  Members& members_;
  Callbacks callbacks_;
  std::array<Lease, kPartitions> all_;
  bool is_informed_ = false, is_in_a_hurry_ = false;
  std::vector<std::string> spread_over_;  ///< Whom `wanted_` is for.
  std::array<std::size_t, kPartitions> wanted_{};
  std::size_t writing_ = 0;
  std::uint64_t lapses_ = 0;
  Timer looking_;
  Subscription watch_;
  std::shared_ptr<char> alive_ = std::make_shared<char>();
};

}  // namespace parley::cluster
