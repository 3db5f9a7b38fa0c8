#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "store/rows.hpp"
#include "store/turn_copy.hpp"

namespace parley::cluster {

/// What the subject of a turn, or of an event from outside, says of it in the shared log: enough to find it
/// by what is to be forgotten, without its words. Of names and ids digests.
struct LogName {
  static constexpr char kEvent = 'x';  ///< No digit of a digest.

  LogName() = default;
  LogName(const LoggedTurn& turn, std::string instance);
  LogName(const ToldEvent& event, std::string instance);

  std::string owner, session;
  std::string turn;  ///< Or kEvent and the event.
  /// Unix milliseconds; of an event when it happened and when it was logged.
  std::int64_t began = 0, ended = 0;
  std::string instance;  ///< Where it was logged.

  bool is_event() const noexcept { return turn.starts_with(kEvent); }
  /// `<owner>.<session>.<turn>.<began>.<ended>.<instance>`
  std::string subject() const;
  /// Nothing: it is none.
  static std::optional<LogName> read(std::string_view subject);
};

/// Turns and events that are forgotten: what fits all of it.
struct ForgottenTurns {
  ForgottenTurns() = default;
  explicit ForgottenTurns(const ForgetWhat& what);
  /// Those of the ids.
  explicit ForgottenTurns(const ForgottenObjects& what);

  bool fits(const LogName& name) const;
  /// Of subjects; wider than what fits where it is about times or several ids.
  std::string filter() const;

 private:
  std::string owner_, session_;     ///< Digests; empty: any.
  std::vector<std::string> turns_;  ///< Likewise.
  std::int64_t since_ = 0, until_ = INT64_MAX;
};

}  // namespace parley::cluster
