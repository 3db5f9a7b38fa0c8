#pragma once

#include <array>
#include <deque>
#include <memory>
#include <parley/session.hpp>
#include <parley/stage.hpp>
#include <string>
#include <vector>

#include "match/intent_index.hpp"

namespace parley::intent {

/// One utterance and who takes it.
struct Reading {
  Reading(std::string_view utterance, std::string_view lang) : said(utterance, lang) {}
  Said said;
  std::vector<Candidate> candidates;
  std::string remark;             ///< What was read otherwise than it was said; empty: nothing.
  bool has_resemblances = false;  ///< `candidates` holds what the utterance resembles too.
};

/// What the candidates of one turn mean. Each is read when it is first asked for, and once: the entries of
/// the stage ask the same of a turn one after the other.
class TurnReadings {
 public:
  TurnReadings(const MatchRequest& request, std::uint64_t revision);

  bool serves(const MatchRequest& request, std::uint64_t revision) const;
  std::size_t size() const noexcept { return utterances_.size(); }
  const std::string& utterance(std::size_t number) const { return utterances_[number]; }
  /// @param common  the core's words, of which `skip` may stand around a request
  const Reading& read(std::size_t number, IntentIndex& index, const Registry& registry, const Clock& clock,
                      const LocaleResources& common);
  /// Adds what the utterance resembles to what was read of it.
  void add_resemblances(std::size_t number, IntentIndex& index, const Registry& registry, const Clock& clock);

 private:
  std::string utterance_id_;
  std::vector<std::string> utterances_;
  std::string lang_;
  SessionPtr session_;  ///< Held, so that no other session can have its address.
  std::uint64_t revision_;
  std::deque<Reading> readings_;  ///< Of the first utterances; stays in place as it grows.
};

/// The last few turns.
class TurnCache {
 public:
  TurnReadings& of(const MatchRequest& request, std::uint64_t revision);

 private:
  std::array<std::unique_ptr<TurnReadings>, 16> turns_;
  std::size_t next_ = 0;
};

}  // namespace parley::intent
