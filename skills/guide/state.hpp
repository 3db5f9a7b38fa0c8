#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <parley/message.hpp>
#include <set>
#include <string>
#include <vector>

#include "task.hpp"

namespace parley::guide {

enum class Phase { kDomain, kPlanning, kValidating, kExecuting, kClosing };
std::string_view to_string(Phase phase) noexcept;
std::optional<Phase> phase_of(std::string_view word) noexcept;

/// Whether the conversation goes on.
enum class Status {
  kRunning,
  kPaused,  ///< Somebody wants to go on later, or has said nothing for 30 minutes.
  kClosed
};

/// All that is known of one conversation. A value, kept as versioned JSON after every turn.
struct State {
  static constexpr int kVersion = 1;
  /// Turns of the transcript; of more the first are left out.
  static constexpr std::size_t kMostTurns = 200;
  /// Silence after which a conversation is idle, in seconds.
  static constexpr std::int64_t kIdleAfter = 30 * 60;

  struct Said {
    std::string said, answered;
  };

  std::string session_id;
  std::string lang;  ///< Of the tasks.
  Phase phase = Phase::kDomain;
  Status status = Status::kRunning;
  std::int64_t last_turn = 0;  ///< Unix seconds.
  std::vector<Said> turns;

  std::optional<Domain> domain;
  int misunderstood = 0;                ///< In a row.
  std::string query;                    ///< What was looked for so far; answers to questions add to it.
  int elicited = 0;                     ///< Questions that were asked to narrow it down.
  std::vector<std::string> categories;  ///< Ids that were offered, for the next choice.
  std::vector<std::string> found;       ///< Ids of tasks, the best first.
  std::size_t first_shown = 0;
  std::size_t trivia = 0;  ///< How much was told of the theme.

  std::string task;                           ///< The id of the one that was chosen.
  std::size_t page = 0;                       ///< Of requirements: the next one that is told.
  std::map<std::string, std::string> chosen;  ///< Requirement → what is taken instead.
  std::string lacking;                        ///< The requirement that was missing last.
  std::map<std::string, bool> known;          ///< Condition → answer.
  std::string asked;                          ///< The condition that was asked last.
  std::size_t at = 0;                         ///< In TaskMap::order.
  bool timer_offered = false;
  bool video_offered = false;
  bool amount_asked = false;    ///< Just now; not kept: then nobody asks on with "and sugar".
  int quiet_steps = 0;          ///< Since something extra was told.
  std::set<std::string> extra;  ///< What was told.

  /// All but the id and the turns as at the beginning.
  void start_afresh();
  void add_turn(const std::string& said, const std::string& answered);

  Json to_json() const;
  /// Nothing for what is no state, or one of another version.
  static std::optional<State> from_json(const Json& kept);
};

}  // namespace parley::guide
