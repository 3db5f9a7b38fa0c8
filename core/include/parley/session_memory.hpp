#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <parley/clock.hpp>
#include <parley/message.hpp>
#include <parley/session_key.hpp>
#include <parley/task.hpp>
#include <utility>

namespace parley {

/// What a skill remembers of sessions in a variable of its own, one T for each: what was asked last, what
/// "it" is, a game. Bounded: of too many sessions the client that has the most of them loses the one that was
/// used longest ago, so nobody's many sessions cost another client anything. On the skill's strand.
template <class T>
class SessionMemory {
 public:
  /// @param most      how many sessions, at least 1
  /// @param lifetime  for how long something is remembered after it was noted
  explicit SessionMemory(std::size_t most, Duration lifetime = Duration::max())
      : most_(most), lifetime_(lifetime) {}

  /// Null: nothing was noted there, or too long ago. Valid until the next note() or forget().
  T* find(const SessionKey& session, Clock::Time now) {
    const auto found = entries_.find(session);
    if (found == entries_.end() || now - found->second.when > lifetime_) return nullptr;
    found->second.used = ++uses_;
    return &found->second.value;
  }
  const T* find(const SessionKey& session, Clock::Time now) const {
    const auto found = entries_.find(session);
    return found == entries_.end() || now - found->second.when > lifetime_ ? nullptr : &found->second.value;
  }
  /// In place of what was noted there.
  /// @param in  tells whose session it is
  T& note(const Message& in, T value, Clock::Time now) {
    const SessionKey session = in.session_key();
    if (!entries_.contains(session) && entries_.size() >= most_) make_room();
    const SenderPtr& sender = in.context().sender;
    Entry entry{std::move(value), sender == nullptr ? 0 : sender->id, ++uses_, now};
    return entries_.insert_or_assign(session, std::move(entry)).first->second.value;
  }
  /// False: there was nothing.
  bool forget(const SessionKey& session) { return entries_.erase(session) > 0; }
  void clear() { entries_.clear(); }
  std::size_t size() const noexcept { return entries_.size(); }

 private:
  struct Entry {
    T value;
    std::uint64_t client;  ///< The number of its connection; 0: this process.
    std::uint64_t used;    ///< The higher, the more recent.
    Clock::Time when;
  };

  void make_room() {
    std::map<std::uint64_t, std::size_t> counts;
    for (const auto& [session, entry] : entries_) ++counts[entry.client];
    const auto most = std::max_element(counts.begin(), counts.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
    const auto rank = [&](const auto& one) {
      return std::pair(one.second.client != most->first, one.second.used);
    };
    entries_.erase(std::min_element(entries_.begin(), entries_.end(),
                                    [&](const auto& a, const auto& b) { return rank(a) < rank(b); }));
  }

  std::size_t most_;
  Duration lifetime_;
  std::uint64_t uses_ = 0;
  std::map<SessionKey, Entry> entries_;
};

}  // namespace parley
