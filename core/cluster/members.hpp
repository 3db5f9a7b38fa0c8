#pragma once

#include <functional>
#include <map>
#include <parley/clock.hpp>
#include <string>
#include <vector>

#include "cluster/fabric.hpp"
#include "runtime/timers.hpp"

namespace parley::cluster {

inline constexpr std::chrono::seconds kRenewal(1);  ///< How often an instance says that it is there.
inline constexpr std::chrono::seconds kSilence(3);  ///< After so long without, it counts as gone.
/// After so long without a renewal that was confirmed an instance takes itself for gone: before others do.
inline constexpr std::chrono::milliseconds kOwnSilence(2'500);

/// Who is there: every instance renews a key of its own, and judges the others by the renewals it sees, with
/// its own clock. On the loop.
class Members {
 public:
  struct Callbacks {
    std::function<void(const std::string&id)> arrived, gone;
    /// Somebody begins to leave, or this instance is certain of itself again: look at who owns what.
    std::function<void()> changed;
    /// This instance can't be certain any more that the others count it in.
    std::function<void()> lapsed;
  };

  /// @param self  the id of this instance, new with every start
  /// @param label  who it is, for people
  Members(Fabric& fabric, Timers& timers, std::string self, std::string label, Callbacks callbacks);
  ~Members();
  Members(const Members&) = delete;
  Members& operator=(const Members&) = delete;

  void start();
  /// From here on it takes no partition, and gives away what it has.
  void leave();
  /// Takes itself off the list.
  void end(std::function<void()> done);

  const std::string& self() const noexcept { return self_; }
  /// Whether the others count this instance in: only then may it act as an owner.
  bool is_certain() const;
  /// Whether it knows of all that were there when it came.
  bool is_informed() const noexcept { return is_informed_; }
  bool is_there(const std::string& id) const;
  bool is_leaving() const noexcept { return is_leaving_; }
  /// Those that take partitions, sorted.
  std::vector<std::string> takers() const;
  /// Those that are there, beside this one.
  std::vector<std::string> others() const;
  /// Who somebody is, for people.
  std::string label_of(const std::string& id) const;

 private:
  struct Member {
    std::uint64_t revision = 0;
    Clock::Time seen;
    std::string label;
    bool is_there = false, is_leaving = false;
  };
  void renew();
  void confirmed(Clock::Time sent);
  void hear(const Entry& entry);
  void judge();
  void lapse();
  bool hears_itself(Clock::Time now) const;

  Fabric& fabric_;
  Timers& timers_;
  const std::string self_, label_;
  Callbacks callbacks_;
  std::map<std::string, Member, std::less<>> others_;
  Clock::Time confirmed_;  ///< When the last renewal was sent that was confirmed.
  bool is_confirmed_ = false, is_certain_ = false, is_informed_ = false, is_leaving_ = false;
  Clock::Time heard_itself_;
  std::uint64_t count_ = 0;
  Timer renewing_, judging_, lapsing_;
  Subscription watch_;
  std::shared_ptr<char> alive_ = std::make_shared<char>();
};

}  // namespace parley::cluster
