#pragma once

#include <compare>
#include <string>
#include <utility>

namespace parley {

/// The id of a session, e.g. "default" or "kitchen".
using SessionId = std::string;

/// A session of an owner, which is what state is kept by: two owners' sessions of one id are two (K-4), but
/// for `default`, the one that everybody shares (S-5).
struct SessionKey {
  SessionKey(std::string whose, SessionId id)
      : owner(id == "default" ? std::string() : std::move(whose)), session_id(std::move(id)) {}
  std::strong_ordering operator<=>(const SessionKey&) const = default;

  std::string owner;  ///< As Message::owner(); empty for `default`.
  SessionId session_id;
};

}  // namespace parley
