#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <parley/message.hpp>
#include <parley/session.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "net/topic_filter.hpp"

namespace parley::net {

/// What the owner of a token may do. What is left open is allowed.
struct Grant {
  Grant() = default;
  std::string client;                        ///< Its name, for the log.
  std::optional<TopicFilter> send, receive;  ///< By topic.
  enum class Sessions { kAny, kOwn, kListed };
  Sessions sessions = Sessions::kAny;  ///< kOwn: `<client>` and what begins with `<client>.`.
  std::vector<std::string> listed_sessions;
  Session::Strings blacklisted_pipelines, blacklisted_skills, blacklisted_intents;
  double messages_per_second = 0;  ///< On average; as many may come at once. 0: no bound.
  std::size_t max_frame = 0;       ///< Bytes; 0: `gateway.max_frame`.

  bool allows_session(const std::string& session_id) const;
  /// Puts what may not be reached onto the session, so that every stage sees it.
  SessionPtr stamped(const SessionPtr& session) const;
  Message stamped(const Message& message) const;
};
using GrantPtr = std::shared_ptr<const Grant>;

/// Grants by the SHA-256 of their tokens, in lower-case hexadecimal digits.
using Grants = std::map<std::string, GrantPtr, std::less<>>;

/// The SHA-256 of a text in lower-case hexadecimal digits.
std::string sha256(std::string_view text);

/// As many things per second as are granted, and no more.
class Rate {
 public:
  using Time = std::chrono::steady_clock::time_point;
  /// Whether one more may be.
  bool take(double per_second, Time now);

 private:
  double tokens_ = -1;  ///< Negative: none was taken yet.
  Time since_;
};

}  // namespace parley::net
