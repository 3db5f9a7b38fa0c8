#pragma once

#include <map>
#include <parley/message.hpp>
#include <set>
#include <string>
#include <vector>

namespace parley::testing {

/// Follows every lifecycle on the bus and notes what may not happen (sections U and D).
class LifecycleChecker {
 public:
  /// @param max_owners  how many a session remembers for a conversation (D-3)
  /// @param stages      pipeline_ids, which are not remembered
  LifecycleChecker(std::size_t max_owners, std::set<std::string> stages)
      : max_owners_(max_owners), stages_(std::move(stages)) {}

  /// What the match of one part of a sequence says was said, by which it is known (U-9).
  static std::string part_of(const std::string& said, std::size_t number, std::size_t count);

  /// Every message of the bus, in order.
  void hear(const Message& message);
  /// Everything has come to its end: what is still open is a fault.
  void finish();

  const std::vector<std::string>& faults() const noexcept { return faults_; }
  std::size_t entries() const noexcept { return entries_; }

 private:
  enum class Phase { kEntered, kMatched, kDispatched, kStarted, kEnded, kUnmatched };
  struct Turn {
    explicit Turn(std::string where) : session_id(std::move(where)) {}
    Phase phase = Phase::kEntered;
    std::string session_id, skill_id, intent_name;
    std::string next_part;   ///< What the match of the next part must say; empty: there is none.
    bool went_well = false;  ///< The part that ended last, if one has.
  };

  bool is_matched(const Message& message) const;
  void enter(const Message& entry);
  /// The turn a message of the core belongs to; null (and a fault) when none is open.
  Turn* turn_of(const Message& message);
  void advance(const Message& message, Phase from, Phase to);
  void hear_match(const Message& message);
  void hear_dispatch(const Message& message);
  void hear_end(const Message& message);
  void hear_handled(const Message& message);
  void hear_speech(const Message& message);
  void check_session(const Message& dispatch, const Turn& turn);
  void fault(const Message& message, const std::string& what);

  std::size_t max_owners_;
  std::set<std::string> stages_;
  std::map<std::string, Turn> open_;
  std::map<std::string, int> unnamed_;  ///< By session: entries whose id the core chooses (M-8).
  std::set<std::string> closed_;
  std::map<std::string, std::string> silenced_;  ///< By turn: the skill that may not speak in it any more.
  std::string just_unmatched_;
  std::size_t entries_ = 0;
  std::vector<std::string> faults_;
};

}  // namespace parley::testing
