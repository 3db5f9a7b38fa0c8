#pragma once

#include <compare>
#include <string>
#include <string_view>
#include <utility>

namespace parley {

/// The id of a session, e.g. "default" or "kitchen".
using SessionId = std::string;

/// The id of the session that everybody shares (S-5).
inline constexpr std::string_view kDefaultSession = "default";
constexpr bool is_default_session(std::string_view session_id) noexcept {
  return session_id == kDefaultSession;
}

/// A session of an owner, which is what state is kept by: two owners' sessions of one id are two (K-4), but
/// for `default`, the one that everybody shares (S-5).
struct SessionKey {
  SessionKey(std::string whose, SessionId id)
      : owner(is_default_session(id) ? std::string() : std::move(whose)), session_id(std::move(id)) {}
  std::strong_ordering operator<=>(const SessionKey&) const = default;

  std::string owner;  ///< As Message::owner(); empty for `default`.
  SessionId session_id;
};

}  // namespace parley
