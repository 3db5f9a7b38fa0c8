#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <optional>
#include <parley/clock.hpp>
#include <parley/message.hpp>
#include <parley/session_key.hpp>
#include <parley/turn.hpp>
#include <string>
#include <utility>
#include <vector>

namespace parley::follow_up {

/// What a session was about last: the utterance that somebody took, and how.
struct Subject {
  Subject() = default;
  /// What was said right before it: of a row of questions each may still be about what the first one was.
  void follow(Subject before);

  std::string skill_id;  ///< Of a question: the stage that answered it.
  std::string intent_name;
  std::string lang;
  std::string utterance;  ///< As it was understood: a follow-up as the whole sentence it stood for.
  Slots slots;
  std::string answers;               ///< What its skill was told when it asked for more, one after the other.
  bool is_question = false;          ///< Several skills were asked for an answer (section Q).
  std::vector<std::string> earlier;  ///< Of a question: those right before it, the oldest first; bounded.
};

/// What each session was about last, by what is said on the bus of matches. It is gone after two minutes, or
/// with another subject. Bounded: a sender has so many sessions, all senders together so many more, and the
/// one that was heard of longest ago goes. Use on the loop's thread.
class Memory {
 public:
  static constexpr std::chrono::minutes kLifetime{2};
  static constexpr std::size_t kMostSessions = 1'024;
  static constexpr std::size_t kMostOfOne = 64;  ///< Sessions of one sender.
  /// A longer one is followed by nothing.
  static constexpr std::size_t kLongest = 512;  // bytes
  static constexpr std::size_t kMostSlots = 16;

  /// @param matched  an `ovos.intent.matched` (U-8)
  void hear(const Message& matched, Clock::Time now);
  /// What the session of that message was about; null: nothing that can be followed up. Valid until the next
  /// hear().
  const Subject* of(const Message& message, Clock::Time now) const;

  std::size_t size() const noexcept { return entries_.size(); }

 private:
  struct Entry {
    Entry(SessionKey session, std::uint64_t who, Clock::Time at, Subject about)
        : key(std::move(session)), sender(who), when(at), subject(std::move(about)) {}
    SessionKey key;
    std::uint64_t sender;
    Clock::Time when;
    Subject subject;
    /// What a question belongs to that was open when something else was said.
    std::optional<Subject> asked;
  };
  using Entries = std::list<Entry>;

  static void change_subject(Entry& entry, const Message& matched, Subject subject);
  void hear_answer(const Message& matched, Clock::Time now);
  void forget(Entries::iterator entry);
  void make_room(std::uint64_t sender);

  Entries entries_;  ///< The one that was heard of longest ago first.
  std::map<SessionKey, Entries::iterator> by_session_;
  std::map<std::uint64_t, std::size_t> of_sender_;  ///< How many each has.
};

}  // namespace parley::follow_up
