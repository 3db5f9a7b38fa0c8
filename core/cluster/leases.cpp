#include "cluster/leases.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <parley/message.hpp>
#include <utility>

#include "cluster/frames.hpp"

namespace parley::cluster {
namespace {

constexpr char kLeases[] = "leases";
constexpr std::chrono::milliseconds kLookAtLeases(
    100);                                 ///< Between two looks at whether something is to be done.
constexpr std::size_t kMostWriting = 32;  ///< Leases that are written at a time.

std::optional<std::size_t> number_of(const std::string& key) {
  std::size_t number = kPartitions;
  const auto [end, failed] = std::from_chars(key.data(), key.data() + key.size(), number);
  if (failed != std::errc() || end != key.data() + key.size() || number >= kPartitions) return std::nullopt;
  return number;
}

}  // namespace

Leases::Leases(Fabric& fabric, Timers& timers, Members& members, Callbacks callbacks)
    : fabric_(fabric), timers_(timers), members_(members), callbacks_(std::move(callbacks)) {}

void Leases::start() {
  watch_ = fabric_.watch(kLeases, [this](const Entry* entry) {
    if (entry != nullptr) return hear(*entry);
    is_informed_ = true;
    look();
  });
}

void Leases::hear(const Entry& entry) {
  const auto partition = number_of(entry.key);
  if (!partition) return;
  Lease& lease = all_.at(*partition);
  if (entry.revision <= lease.revision) return;
  const Frame told(object_of(entry.is_erased ? "{}" : entry.value));
  lease.revision = entry.revision;
  if (!told.head.is_object()) return;
  const std::string owner = told.text("owner");
  const std::uint64_t epoch = told.number("epoch");
  const bool was_owned = lease.is_confirmed && lease.owner == members_.self();
  lease.owner = owner;
  lease.epoch = std::max(lease.epoch, epoch);
  lease.is_confirmed = false;  // it heard of its own writes by their answers
  lease.is_leaving = false;
  changed_hands(lease);
  if (was_owned) callbacks_.lost({*partition});
  callbacks_.moved(*partition);
  look_soon();
}

/// Two that take each other for gone, or each other for who should own it, would have it change hands as fast
/// as they can write.
void Leases::changed_hands(Lease& lease) {
  if (!lease.owner.empty() && lease.owner != members_.self())
    lease.not_before = timers_.clock().now() + kLookAtLeases;
}

/// Once, for all that is heard in one go.
void Leases::look_soon() {
  looking_ = timers_.at(timers_.clock().now(), [this] { look(); });
}

void Leases::lapse() {
  ++lapses_;
  std::vector<std::size_t> lost;
  for (std::size_t partition = 0; partition < kPartitions; ++partition) {
    if (std::exchange(all_.at(partition).is_confirmed, false)) lost.push_back(partition);
  }
  if (!lost.empty()) callbacks_.lost(lost);
}

void Leases::look() {
  looking_ = timers_.at(timers_.clock().now() + kLookAtLeases, [this] { look(); });
  if (!is_informed_ || !members_.is_informed() || !members_.is_certain()) return;
  const auto ids = members_.takers();
  if (ids.empty()) return;
  if (ids != spread_over_) {
    wanted_ = spread(ids);
    spread_over_ = ids;
  }
  for (std::size_t partition = 0; partition < kPartitions && writing_ < kMostWriting; ++partition)
    look_at(partition, ids.at(wanted_.at(partition)));
}

void Leases::look_at(std::size_t partition, const std::string& wanted) {
  Lease& lease = all_.at(partition);
  if (lease.is_writing || timers_.clock().now() < lease.not_before) return;
  const std::string& self = members_.self();
  if (lease.owner != self) {
    const bool is_free = lease.owner.empty() || !members_.is_there(lease.owner);
    if (is_free && wanted == self) write(partition, self);
    return;
  }
  if (wanted == self) {
    lease.is_leaving = false;
    if (!lease.is_confirmed) write(partition, self);
    return;
  }
  lease.is_leaving = true;
  if (lease.is_confirmed && !is_in_a_hurry_ && callbacks_.is_busy(partition)) return;
  callbacks_.hands_over();
  write(partition, wanted);
}

void Leases::write(std::size_t partition, const std::string& owner) {
  Lease& lease = all_.at(partition);
  lease.is_writing = true;
  ++writing_;
  const Write what{partition, owner, lease.epoch + 1, lapses_};
  const Json value = {{"owner", owner}, {"epoch", what.epoch}};
  fabric_.put(kLeases, std::to_string(partition), value.dump(), lease.revision, "",
              [this, what, alive = std::weak_ptr(alive_)](const Written& how) {
                if (!alive.expired()) wrote(what, how);
              });
}

void Leases::wrote(const Write& what, const Written& how) {
  Lease& lease = all_.at(what.partition);
  lease.is_writing = false;
  --writing_;
  if (!how.ok()) {  // whoever was faster is heard of; else it looks again
    lease.not_before = timers_.clock().now() + kLookAtLeases;
    return;
  }
  if (how.revision < lease.revision) return;
  const bool was_owned = lease.is_confirmed;
  lease.revision = how.revision;
  lease.owner = what.owner;
  lease.epoch = std::max(lease.epoch, what.epoch);
  lease.is_confirmed = what.owner == members_.self() && what.lapses == lapses_ && members_.is_certain();
  lease.is_leaving = false;
  changed_hands(lease);
  if (was_owned && !lease.is_confirmed) callbacks_.lost({what.partition});
  callbacks_.moved(what.partition);
  if (writing_ < kMostWriting / 2) look_soon();
}

bool Leases::owns(std::size_t partition) const {
  const Lease& lease = all_.at(partition);
  return lease.is_confirmed && lease.owner == members_.self() && members_.is_certain();
}

bool Leases::takes(std::size_t partition) const {
  return owns(partition) && !all_.at(partition).is_leaving;
}

std::string Leases::owner_of(std::size_t partition) const {
  const std::string& owner = all_.at(partition).owner;
  return members_.is_there(owner) ? owner : std::string();
}

std::size_t Leases::owned() const {
  std::size_t count = 0;
  for (std::size_t partition = 0; partition < kPartitions; ++partition) count += owns(partition) ? 1U : 0U;
  return count;
}

bool Leases::is_settled() const {
  for (std::size_t partition = 0; partition < kPartitions; ++partition) {
    const std::string& owner = all_.at(partition).owner;
    if (owner == members_.self() ? !owns(partition) : owner_of(partition).empty()) return false;
  }
  return true;
}

}  // namespace parley::cluster
