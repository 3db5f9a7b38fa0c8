#pragma once

#include <map>
#include <memory>
#include <optional>
#include <parley/stage.hpp>
#include <parley/text_set.hpp>
#include <set>
#include <string>
#include <vector>

#include "ranking.hpp"

namespace parley::common_query {

/// How long things may take and what counts (Appendix A of the specification, Q-7).
struct Limits {
  Limits() = default;
  /// @param options  the stage's, complete
  explicit Limits(const Json& options);
  std::chrono::milliseconds poll_window{}, collection_window{}, collection_ceiling{}, latency_slack{};
  double min_confidence = 0;
  double fast_win = 0;
};

/// What a contest makes of something said to it.
enum class Heard {
  kStray,      ///< None of its business: too late, for another question, said before, not asked for.
  kMalformed,  ///< By somebody who was asked, but no sound answer: counts as a no.
  kTaken,
};

/// One question put to everyone: who claims it, and what they answer. Holds raw responses only; which of
/// them wins is decided against the session as it is at match time (section 8).
class Contest {
 public:
  /// @param request  the utterance and the session the contest starts with
  Contest(const MatchRequest& request, std::shared_ptr<Wakeup> wakeup);

  const std::string& utterance() const noexcept { return utterance_; }
  const std::string& lang() const noexcept { return lang_; }
  const Message& message() const noexcept { return message_; }
  const Trace& trace() const noexcept { return trace_; }
  Wakeup& wakeup() noexcept { return *wakeup_; }

  Heard hear_pong(const Message& pong);
  /// Whether somebody's pong was heard, whatever it said.
  bool has_pong_of(const std::string& skill) const { return pongs_.contains(skill); }
  Heard hear_response(const Message& response);
  /// Whether somebody's response was heard, whatever it said.
  bool has_response_of(const std::string& skill) const { return answered_.contains(skill); }
  /// From here on answers are waited for, unless it is over. @returns who is to be asked
  std::vector<std::string> begin_collecting(Clock::Time now, const Limits& limits);
  /// Nothing more can come.
  void finish();

  /// What came of it.
  struct Verdict {
    Verdict() = default;
    std::optional<Response> winner;  ///< Nothing: nobody has an answer that counts.
  };
  /// Judges without those that the session denies; nothing yet while something that is still to come could
  /// matter.
  std::optional<Verdict> judge(const TextSet& denied, Clock::Time now, const Limits& limits,
                               const Reranker& rank) const;
  /// When to judge again if nobody answers before.
  Clock::Time next_look(Clock::Time now, const Limits& limits) const;

 private:
  enum class Phase { kPolling, kCollecting, kOver };
  bool is_ours(const Message& answer) const;
  bool all_answered(const TextSet& denied) const;

  std::string utterance_, lang_;
  Message message_;
  Trace trace_;
  std::shared_ptr<Wakeup> wakeup_;
  Phase phase_ = Phase::kPolling;
  std::map<std::string, bool, std::less<>> pongs_;  ///< Who spoke, and whether they claim it.
  std::map<std::string, std::optional<double>, std::less<>> claimants_;  ///< With latencies, ms.
  std::set<std::string, std::less<>> answered_;
  std::set<std::string, std::less<>> open_;  ///< Who was asked and has not answered.
  std::vector<Response> responses_;          ///< Well-formed, in order of arrival.
  Clock::Time window_end_, ceiling_end_;
};

}  // namespace parley::common_query
