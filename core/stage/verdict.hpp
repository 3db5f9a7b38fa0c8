#pragma once

#include <optional>
#include <parley/stage.hpp>
#include <string>
#include <utility>

namespace parley {

/// What came of asking a stage (U-5).
class Verdict {
 public:
  enum class Kind {
    kClaims,
    kDeclines,
    kFaulted,  ///< It threw, or was too slow; counts as a decline.
    kSkipped   ///< It was not asked: it failed too often.
  };

  /// A decline without a reason.
  Verdict() = default;
  static Verdict claims(Match match) { return {Kind::kClaims, std::move(match), {}}; }
  static Verdict declines(std::string why) { return {Kind::kDeclines, std::nullopt, std::move(why)}; }
  static Verdict faulted(std::string why) { return {Kind::kFaulted, std::nullopt, std::move(why)}; }
  static Verdict skipped(std::string why) { return {Kind::kSkipped, std::nullopt, std::move(why)}; }

  Kind kind() const noexcept { return kind_; }
  /// What it claims; nothing: it does not.
  std::optional<Match> match;
  /// Of a fault and where it was skipped; of a decline only where those whom it asked had not answered in
  /// time.
  const std::string& why() const noexcept { return why_; }

 private:
  Verdict(Kind kind, std::optional<Match> what, std::string why)
      : match(std::move(what)), kind_(kind), why_(std::move(why)) {}
  Kind kind_ = Kind::kDeclines;
  std::string why_;
};

}  // namespace parley
