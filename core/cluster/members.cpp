#include "cluster/members.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <parley/message.hpp>
#include <utility>

#include "cluster/frames.hpp"
#include "message/log.hpp"

namespace parley::cluster {
namespace {

constexpr char kMembers[] = "members";
constexpr std::chrono::milliseconds kLookAtMembers(250);  ///< Between two looks at who is silent.

}  // namespace

Members::Members(Fabric& fabric, Timers& timers, std::string self, std::string label, Callbacks callbacks)
    : fabric_(fabric),
      timers_(timers),
      self_(std::move(self)),
      label_(std::move(label)),
      callbacks_(std::move(callbacks)) {}

Members::~Members() = default;

void Members::start() {
  watch_ = fabric_.watch(kMembers, [this](const Entry* entry) {
    if (entry != nullptr) return hear(*entry);
    is_informed_ = true;
    // What was not heard while nothing could be heard says nothing about anybody.
    const auto now = timers_.clock().now();
    for (auto& [id, member] : others_) member.seen = now;
    callbacks_.changed();
  });
  renew();
  judge();
}

void Members::leave() {
  is_leaving_ = true;
  renew();
}

void Members::end(std::function<void()> done) {
  renewing_.reset();
  judging_.reset();
  lapsing_.reset();
  watch_.reset();
  is_certain_ = false;
  fabric_.erase(kMembers, self_, std::nullopt, [done = std::move(done)](const Written&) { done(); });
}

void Members::renew() {
  const auto now = timers_.clock().now();
  renewing_ = timers_.at(now + kRenewal, [this] { renew(); });
  if (is_certain_ && !is_certain()) lapse();
  const Json value = {{"count", ++count_}, {"label", label_}, {"leaving", is_leaving_}};
  fabric_.put(kMembers, self_, value.dump(), std::nullopt, "",
              [this, now, alive = std::weak_ptr(alive_)](const Written& how) {
                if (!alive.expired() && how.ok()) confirmed(now);
              });
}

void Members::confirmed(Clock::Time sent) {
  if (is_certain_ && !is_certain()) lapse();  // it slept, and nobody has told it yet
  if (is_confirmed_ && sent <= confirmed_) return;
  is_confirmed_ = true;
  confirmed_ = sent;
  const auto until = sent + kOwnSilence;
  if (timers_.clock().now() >= until) return;
  lapsing_ = timers_.at(until, [this] {
    if (is_certain_ && !is_certain()) lapse();
  });
  if (std::exchange(is_certain_, true)) return;
  callbacks_.changed();
}

bool Members::is_certain() const {
  return is_certain_ && timers_.clock().now() < confirmed_ + kOwnSilence;
}

void Members::lapse() {
  is_certain_ = false;
  log_warning("cluster", "no renewal was confirmed in time: others own its sessions now, or will");
  callbacks_.lapsed();
}

void Members::hear(const Entry& entry) {
  const auto now = timers_.clock().now();
  if (entry.key == self_) {
    heard_itself_ = now;
    return;
  }
  Member& member = others_[entry.key];
  if (entry.revision <= member.revision) return;
  member.revision = entry.revision;
  member.seen = now;
  const bool was_there = std::exchange(member.is_there, !entry.is_erased);
  const Json value = object_of(entry.is_erased ? "{}" : entry.value);
  const bool was_leaving = member.is_leaving;
  if (value.is_object() && !entry.is_erased) {
    const auto label = value.find("label");
    if (label != value.end() && label->is_string()) member.label = *label;
    const auto leaving = value.find("leaving");
    member.is_leaving = leaving != value.end() && leaving->is_boolean() && leaving->get<bool>();
  }
  if (was_there && !member.is_there) callbacks_.gone(entry.key);
  if (!was_there && member.is_there) callbacks_.arrived(entry.key);
  if (was_leaving != member.is_leaving) callbacks_.changed();
}

/// Only who hears its own renewals can say that others are silent.
bool Members::hears_itself(Clock::Time now) const {
  return is_informed_ && is_certain() && now < heard_itself_ + 2 * kRenewal;
}

void Members::judge() {
  const auto now = timers_.clock().now();
  judging_ = timers_.at(now + kLookAtMembers, [this] { judge(); });
  if (!hears_itself(now)) return;
  std::vector<std::string> silent;
  for (auto& [id, member] : others_) {
    if (member.is_there && now >= member.seen + kSilence) silent.push_back(id);
  }
  for (const auto& id : silent) {
    Member& member = others_.at(id);
    member.is_there = false;
    log_warning("cluster", fmt::format("instance {} ({}) is silent: it counts as gone", id, member.label));
    // Its key goes unless it has renewed it meanwhile.
    fabric_.erase(kMembers, id, member.revision, [](const Written&) {});
    callbacks_.gone(id);
  }
}

bool Members::is_there(const std::string& id) const {
  if (id == self_) return true;
  const auto found = others_.find(id);
  return found != others_.end() && found->second.is_there;
}

std::vector<std::string> Members::takers() const {
  std::vector<std::string> ids;
  if (!is_leaving_) ids.push_back(self_);
  for (const auto& [id, member] : others_) {
    if (member.is_there && !member.is_leaving) ids.push_back(id);
  }
  std::sort(ids.begin(), ids.end());
  return ids;
}

std::vector<std::string> Members::others() const {
  std::vector<std::string> ids;
  for (const auto& [id, member] : others_) {
    if (member.is_there) ids.push_back(id);
  }
  return ids;
}

std::string Members::label_of(const std::string& id) const {
  if (id == self_) return label_;
  const auto found = others_.find(id);
  return found == others_.end() ? id : found->second.label;
}

}  // namespace parley::cluster
