#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "store/rows.hpp"
#include "store/turn_copy.hpp"

namespace parley::cluster {

/// What the subject of a turn in the shared log says of it: enough to find it by what is to be forgotten,
/// without its words. Of names and ids digests.
struct LogName {
  LogName() = default;
  LogName(const LoggedTurn& turn, std::string instance);

  std::string owner, session, turn;
  std::int64_t began = 0, ended = 0;  ///< Unix milliseconds.
  std::string instance;               ///< Where it was logged.

  /// `<owner>.<session>.<turn>.<began>.<ended>.<instance>`
  std::string subject() const;
  /// Nothing: it is none.
  static std::optional<LogName> read(std::string_view subject);
};

/// Turns that are forgotten: what fits all of it.
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
