#pragma once

#include <algorithm>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cluster/fabric.hpp"
#include "cluster/log_stream.hpp"
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

class MemoryLog;

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
  std::map<std::uint64_t, cluster::LogEntry> log;  ///< By sequence.
  std::uint64_t logged = 0;                        ///< The last of them.
  std::vector<MemoryLog*> logs;                    ///< Of the instances.
  /// Whether a message is lost on its way.
  std::function<bool()> loses = [] { return false; };
  std::uint64_t published = 0;
};

/// One instance's view of the log.
class MemoryLog final : public cluster::LogStream {
 public:
  using Later = std::function<void(std::function<void()>)>;
  MemoryLog(MemoryCloud& cloud, const bool& is_up, Later later)
      : cloud_(cloud), is_up_(is_up), later_(std::move(later)) {
    cloud_.logs.push_back(this);
  }
  ~MemoryLog() override { std::erase(cloud_.logs, this); }
  MemoryLog(const MemoryLog&) = delete;
  MemoryLog& operator=(const MemoryLog&) = delete;

  std::size_t max_payload() const override { return std::size_t{1} << 20U; }
  void keep_for(std::chrono::milliseconds span) override { kept_for = span; }
  void ask(std::function<void(const std::optional<cluster::LogState>&)> told) override {
    std::optional<cluster::LogState> state;
    if (is_up_) {
      state.emplace();
      state->created = 1;
      state->last = cloud_.logged;
    }
    later_([told = std::move(told), state] { told(state); });
  }
  void append(const std::string& subject, std::string payload, Done done) override {
    using How = cluster::Written::How;
    if (!is_up_) return later_([done = std::move(done)] { done(cluster::Written(How::kFailed)); });
    std::erase_if(cloud_.log, [&](const auto& one) { return one.second.subject == subject; });
    const std::uint64_t number = ++cloud_.logged;
    cloud_.log.emplace(number, cluster::LogEntry(subject, std::move(payload), number));
    for (MemoryLog* const each : cloud_.logs) each->tell();
    const bool is_told = !loses_answers;
    later_([done = std::move(done), number, is_told] {
      done(is_told ? cluster::Written(How::kDone, number) : cluster::Written(How::kFailed));
    });
  }
  void remove(std::uint64_t sequence, Done done) override {
    using How = cluster::Written::How;
    if (is_up_) cloud_.log.erase(sequence);
    later_([done = std::move(done), up = is_up_] { done(cluster::Written(up ? How::kDone : How::kFailed)); });
  }
  [[nodiscard]] std::unique_ptr<Reading> read(const std::string& filter, std::uint64_t from, bool follows,
                                              Read read) override {
    auto reader = std::make_unique<Reader>(*this, filter, from, follows, std::move(read));
    readers_.push_back(reader.get());
    tell();
    return reader;
  }
  /// Whoever reads is told what it has not been told yet.
  void tell() {
    for (Reader* const reader : readers_) {
      later_([reader, alive = std::weak_ptr(reader->alive)] {
        if (!alive.expired()) reader->tell();
      });
    }
  }

  bool loses_answers = false;
  std::chrono::milliseconds kept_for{};

 private:
  struct Reader final : Reading {
    Reader(MemoryLog& where, std::string what, std::uint64_t from, bool goes_on, Read how)
        : log(where), filter(std::move(what)), at(from), follows(goes_on), read(std::move(how)) {}
    ~Reader() override { std::erase(log.readers_, this); }
    void next() override {
      came = 0;
      log.tell();
    }
    void tell() {
      const std::weak_ptr<char> guard = alive;
      while (log.is_up_ && came < kPiece) {
        const auto found = log.cloud_.log.lower_bound(at);
        if (found == log.cloud_.log.end()) {
          if (!std::exchange(is_complete, true)) read(nullptr);
          return;
        }
        at = found->first + 1;
        if (!fits(found->second.subject)) continue;
        ++came;
        cluster::LogEntry entry = found->second;
        if (!follows) entry.payload.clear();
        read(&entry);
        if (guard.expired()) return;
      }
    }
    bool fits(std::string_view subject) const {
      std::string_view pattern = filter;
      while (!pattern.empty() && pattern != ">") {
        const auto token = pattern.substr(0, pattern.find('.'));
        const auto own = subject.substr(0, subject.find('.'));
        if (token != "*" && token != own) return false;
        pattern.remove_prefix(std::min(token.size() + 1, pattern.size()));
        subject.remove_prefix(std::min(own.size() + 1, subject.size()));
      }
      return true;
    }
    MemoryLog& log;
    const std::string filter;
    std::uint64_t at;
    const bool follows;
    const Read read;
    std::size_t came = 0;
    bool is_complete = false;
    std::shared_ptr<char> alive = std::make_shared<char>();
  };

  MemoryCloud& cloud_;
  const bool& is_up_;
  const Later later_;
  std::vector<Reader*> readers_;
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
  MemoryLog& log() override { return log_; }
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
    log_.tell();
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
  MemoryLog log_{cloud_, is_up_, [this](std::function<void()> work) { later(std::move(work)); }};
};

}  // namespace parley::testing
