#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <parley/bus.hpp>
#include <parley/message.hpp>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "runtime/timers.hpp"

namespace parley {

/// Which skills are here or remote, and callbacks for when one comes or goes.
class PresenceTable {
 public:
  Presence of(const std::string& skill_id) const;
  void arrive(const std::string& skill_id, Presence where);
  void leave(const std::string& skill_id);
  /// What a hosted skill declares; until it leaves.
  void declare(const std::string& skill_id, Ability ability) { abilities_.emplace(skill_id, ability); }
  bool declares(const std::string& skill_id, Ability ability) const {
    return abilities_.contains({skill_id, ability});
  }
  std::vector<std::string> all() const;
  /// Called after a skill has gone.
  [[nodiscard]] Subscription on_leave(std::function<void(const std::string& skill_id)> callback);
  /// Called when a skill has arrived.
  [[nodiscard]] Subscription on_arrive(std::function<void(const std::string& skill_id)> callback);

 private:
  using Listeners = std::vector<std::weak_ptr<std::function<void(const std::string&)>>>;
  static Subscription add(Listeners& to, std::function<void(const std::string&)> callback);
  static void tell(Listeners& whom, const std::string& skill_id);

  std::map<std::string, Presence, std::less<>> skills_;
  std::set<std::pair<std::string, Ability>> abilities_;
  Listeners leaving_, arriving_;  ///< Callbacks of on_leave() and on_arrive().
};

/// The bus of another process, which this one is a part of.
class BusElsewhere {
 public:
  virtual void publish(Message message) = 0;
  /// Somebody here subscribed to that topic or pattern. Its messages from there come to Bus::receive().
  virtual void listen(const std::string& pattern) = 0;

 protected:
  ~BusElsewhere() = default;
};

/// Delivers messages by topic, on the loop's thread. Messages reach every subscriber in the order in
/// which they were published; what a callback publishes is delivered after the current message has
/// reached everyone. A callback may subscribe and unsubscribe.
class Bus {
 public:
  using Callback = std::function<void(const Message&)>;

  explicit Bus(Timers& timers) : timers_(timers) {}
  Bus(const Bus&) = delete;
  Bus& operator=(const Bus&) = delete;

  void publish(Message message);
  /// From here on messages are published there, and heard of from there. Null: no longer.
  void be_part_of(BusElsewhere* elsewhere) noexcept { elsewhere_ = elsewhere; }
  /// Delivers a message of the bus that this one is a part of.
  void receive(Message message);
  /// Several in a row: what their subscribers publish comes after the last of them.
  void publish_together(std::vector<Message> messages);

  /// `pattern`: a topic, `prefix.*` (any depth below the prefix) or `*` (everything).
  [[nodiscard]] Subscription subscribe(const std::string& pattern, Callback callback);
  /// Whether anyone is subscribed to that topic other than through `*`.
  bool has_subscribers(const std::string& topic) const;

  /// Publishes the questions and collects answers (see PollRequest). Destroying the coroutine that
  /// awaits it withdraws everything.
  Task<PollResult> poll(PollRequest request);

  PresenceTable& presence() noexcept { return presence_; }
  Timers& timers() noexcept { return timers_; }
  std::uint64_t published() const noexcept { return published_; }

 private:
  using CallbackPtr = std::shared_ptr<const Callback>;
  using Listeners = std::vector<std::weak_ptr<const Callback>>;

  void drain();
  void deliver(const Message& message);
  static void call(const std::vector<CallbackPtr>& targets, const Message& message);
  static void collect(Listeners& from, std::vector<CallbackPtr>& into);

  Timers& timers_;
  BusElsewhere* elsewhere_ = nullptr;
  PresenceTable presence_;
  std::unordered_map<std::string, Listeners> exact_;
  std::map<std::string, Listeners, std::less<>> prefixes_;
  Listeners taps_;
  std::deque<Message> queue_;
  bool delivering_ = false;
  std::uint64_t published_ = 0;
};

}  // namespace parley
