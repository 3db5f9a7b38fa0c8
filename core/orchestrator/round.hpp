#pragma once

#include <parley/stage.hpp>
#include <parley/task.hpp>
#include <string>
#include <vector>

#include "message/topics.hpp"
#include "orchestrator/turn_owner.hpp"
#include "orchestrator/turn_session.hpp"

namespace parley {

/// Asks the stages of the session's pipeline about one utterance, and checks their answers
/// (U-2 to U-4). Used both to run a turn and to explain what would become
/// of one. On the loop's thread.
class Round {
 public:
  /// @param entry  the utterance's message; all three must outlive this
  Round(TurnOwner& owner, const Message& entry, const TurnSession& session);

  /// Those that are not blank; empty: there is nothing to ask about.
  const std::vector<std::string>& utterances() const noexcept { return said_.utterances; }
  /// What stages are asked about: the same, and before them the first one in standard words, where it was
  /// said in others.
  const std::vector<std::string>& candidates() const noexcept {
    return candidates_.empty() ? said_.utterances : candidates_;
  }
  const ResolvedLanguage& language() const noexcept { return language_; }
  /// From here on this is where it writes what happens.
  void trace_to(Trace trace) { trace_ = std::move(trace); }
  const Trace& trace() const noexcept { return trace_; }

  /// Suspends until skills have registered in the utterance's language. @throws Cancelled
  Task<> wake_language() const;
  /// Says what was wrong with the utterance's message.
  void tell_problems() const;
  /// The entries that are asked, composed once (U-2).
  std::vector<PipelineEntry> compose() const;
  /// Whether it is still there: a stage may be unloaded while another is asked.
  bool is_loaded(const PipelineEntry& entry) const;
  MatchRequest request_of(const PipelineEntry& entry) const;
  /// Why a match does not count (U-3, U-4); empty when it does.
  std::string objection(const Match& match) const;
  /// Whether the first stage of its pipeline does not decline it at once. Where that is the one that stops
  /// things, this is what must not wait behind them.
  bool is_urgent() const;

 private:
  void tell_missing(const std::string& name, std::size_t nth) const;

  TurnOwner& owner_;
  const Message& entry_;
  const TurnSession& session_;
  Utterance said_;
  ResolvedLanguage language_;
  std::vector<std::string> candidates_;  ///< Empty: what was said.
  Trace trace_;
};

}  // namespace parley
