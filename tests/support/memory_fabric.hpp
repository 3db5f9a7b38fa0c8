#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "cluster/fabric.hpp"
#include "runtime/timers.hpp"

namespace parley::testing {

/// Several loops on one clock that jumps: everything happens in the order in which it was posted.
class ManyLoops {
 public:
  void post(std::function<void()> work) { ready_.push_back(std::move(work)); }
  JumpingClock clock;

  std::unique_ptr<Timers> timers() {
    auto timers = std::make_unique<Timers>(clock);
    all_.push_back(timers.get());
    return timers;
  }
  void forget(const Timers& timers) { std::erase(all_, &timers); }
  /// Everything that can happen at this moment.
  void settle() {
    for (bool any = true; any;) {
      any = !ready_.empty();
      while (!ready_.empty()) {
        const auto work = std::move(ready_.front());
        ready_.pop_front();
        work();
      }
      for (Timers* timers : std::vector<Timers*>(all_)) any = timers->fire_due() > 0 || any;
    }
  }
  /// Everything that happens within that time.
  void pass(std::chrono::milliseconds span) {
    const auto until = clock.now() + span;
    for (;;) {
      settle();
      std::optional<Clock::Time> next;
      for (const Timers* timers : all_) {
        const auto one = timers->next();
        if (one && (!next || *one < *next)) next = one;
      }
      if (!next || *next > until) break;
      clock.advance_to(std::max(*next, clock.now()));
    }
    clock.advance_to(until);
    settle();
  }

 private:
  std::deque<std::function<void()>> ready_;
  std::vector<Timers*> all_;
};

/// What instances share, in memory; the double of a NATS server.
struct MemoryCloud {
  struct Bucket {
    std::map<std::string, cluster::Entry> entries;
    std::map<std::string, std::uint64_t> once;  ///< Revisions of writes that had a name.
    std::vector<std::pair<class MemoryFabric*, std::weak_ptr<cluster::Fabric::Watched>>> watchers;
  };
  explicit MemoryCloud(ManyLoops& where) : loops(where) {}
  ManyLoops& loops;
  std::map<std::string, Bucket> buckets;
  std::uint64_t revision = 0;
  std::vector<
      std::pair<std::pair<class MemoryFabric*, std::string>, std::weak_ptr<cluster::Fabric::Received>>>
      subscriptions;
  /// Whether a message is lost on its way.
  std::function<bool()> loses = [] { return false; };
  std::uint64_t published = 0;
};

/// One instance's view of it, which can be cut off, or sleep as a stopped process does.
class MemoryFabric final : public cluster::Fabric {
 public:
  explicit MemoryFabric(MemoryCloud& cloud) : cloud_(cloud) {}
  ~MemoryFabric() override {
    std::erase_if(cloud_.subscriptions, [&](const auto& one) { return one.first.first == this; });
    for (auto& [name, bucket] : cloud_.buckets)
      std::erase_if(bucket.watchers, [&](const auto& one) { return one.first == this; });
  }

  bool is_up() const override { return is_up_; }
  std::size_t max_payload() const override { return payload; }

  void publish(const std::string& subject, std::string text) override {
    if (!is_up_) return;
    ++cloud_.published;
    for (const auto& [where, received] : cloud_.subscriptions) {
      if (where.second != subject || cloud_.loses()) continue;
      where.first->later([received = received, text] {
        if (const auto there = received.lock()) (*there)(text);
      });
    }
  }
  Subscription subscribe(const std::string& subject, Received received) override {
    auto token = std::make_shared<Received>(std::move(received));
    cloud_.subscriptions.emplace_back(std::pair(this, subject), token);
    return Subscription(token);
  }
  void put(const std::string& bucket, const std::string& key, std::string value,
           std::optional<std::uint64_t> expect, const std::string& once, Done done) override {
    write(bucket, key, std::move(value), expect, once, false, std::move(done));
  }
  void erase(const std::string& bucket, const std::string& key, std::optional<std::uint64_t> expect,
             Done done) override {
    write(bucket, key, "", expect, "", true, std::move(done));
  }
  void wipe(const std::string& bucket, const std::string& key, std::uint64_t revision, Done done) override {
    auto& entries = cloud_.buckets[bucket].entries;
    const auto at = entries.find(key);
    const bool is_there = is_up_ && at != entries.end() && at->second.revision == revision;
    if (is_there) entries.erase(at);
    using How = cluster::Written::How;
    later(
        [done = std::move(done), is_there] { done(cluster::Written(is_there ? How::kDone : How::kFailed)); });
  }
  Subscription watch(const std::string& bucket, Watched watched) override {
    auto token = std::make_shared<Watched>(std::move(watched));
    cloud_.buckets[bucket].watchers.emplace_back(this, token);
    if (is_up_) tell_all(bucket, token);
    return Subscription(token);
  }

  /// Cuts it off, or lets it in again.
  void set_up(bool up) {
    if (std::exchange(is_up_, up) == up || !up) return;
    for (auto& [name, bucket] : cloud_.buckets) {
      for (const auto& [fabric, watched] : std::vector(bucket.watchers)) {
        if (fabric == this) tell_all(name, watched);
      }
    }
  }
  /// Nothing of the instance runs until it wakes; then everything comes at once.
  void sleep() { is_asleep_ = true; }
  void wake() {
    is_asleep_ = false;
    for (auto& work : std::exchange(held_, {})) cloud_.loops.post(std::move(work));
  }
  bool is_asleep() const { return is_asleep_; }
  void later(std::function<void()> work) {
    auto guarded = [work = std::move(work), there = std::weak_ptr(alive_)] {
      if (!there.expired()) work();
    };
    if (is_asleep_) {
      held_.push_back(guarded);
    } else {
      cloud_.loops.post(guarded);
    }
  }

  std::size_t payload = 1 << 20;
  bool fails_writes = false;  ///< They are done, and nobody is told.
  std::string deaf_to;        ///< A bucket, of which it hears nothing new.

 private:
  void write(const std::string& bucket, const std::string& key, std::string value,
             std::optional<std::uint64_t> expect, const std::string& once, bool erases, Done done) {
    using How = cluster::Written::How;
    if (!is_up_)
      return later([done = std::move(done)] { done(cluster::Written(How::kFailed, 0, "no connection")); });
    auto& where = cloud_.buckets[bucket];
    const auto before = once.empty() ? where.once.end() : where.once.find(once);
    if (before != where.once.end()) {
      return later([done = std::move(done), revision = before->second] {
        done(cluster::Written(How::kDone, revision));
      });
    }
    const auto at = where.entries.find(key);
    const std::uint64_t revision = at == where.entries.end() ? 0 : at->second.revision;
    if (expect && *expect != revision)
      return later([done = std::move(done)] { done(cluster::Written(How::kConflict)); });
    const cluster::Entry entry(key, std::move(value), ++cloud_.revision, erases);
    where.entries.insert_or_assign(key, entry);
    if (!once.empty()) where.once.emplace(once, entry.revision);
    for (const auto& [fabric, watched] : where.watchers) {
      if (!fabric->is_up_ || fabric->deaf_to == bucket) continue;
      fabric->later([watched = watched, entry] {
        if (const auto there = watched.lock()) (*there)(&entry);
      });
    }
    if (fails_writes) return later([done = std::move(done)] { done(cluster::Written(How::kFailed)); });
    later([done = std::move(done), revision = entry.revision] {
      done(cluster::Written(How::kDone, revision));
    });
  }
  void tell_all(const std::string& bucket, const std::weak_ptr<Watched>& watched) {
    std::vector<cluster::Entry> all;
    for (const auto& [key, entry] : cloud_.buckets[bucket].entries) all.push_back(entry);
    later([all, watched] {
      const auto there = watched.lock();
      if (!there) return;
      for (const auto& entry : all) (*there)(&entry);
      (*there)(nullptr);
    });
  }

  MemoryCloud& cloud_;
  bool is_up_ = true, is_asleep_ = false;
  std::vector<std::function<void()>> held_;
  std::shared_ptr<char> alive_ = std::make_shared<char>();
};

}  // namespace parley::testing
