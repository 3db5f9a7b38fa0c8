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
#include <variant>
#include <vector>

#include "net/topic_filter.hpp"

namespace parley::net {

/// What a token lets its owner do beyond being there (K-4).
enum class Right : unsigned {
  kTalk = 1,   ///< Say things on `/core`, `POST /run` and `/v1/explain`; take part as a skill.
  kRead = 2,   ///< Look things up; listen.
  kWrite = 4,  ///< Add to, and have forgotten, what its owner keeps.
  kAdmin = 8,  ///< Everything, of everybody.
};

/// As a token file has it: "talk", "read", "write" or "admin".
std::string_view word_of(Right right) noexcept;

/// What one connection may take up at most; empty: what the gateway's settings say.
struct Shares {
  Shares() = default;
  std::optional<std::size_t> turns, registrations, skills, connections;
};

/// What the owner of a token may do. What is left out is allowed; an empty list allows nothing.
struct Grant {
  Grant() = default;
  std::string client;  ///< Its name, for the log.
  unsigned rights = static_cast<unsigned>(Right::kTalk);
  std::optional<TopicFilter> send, receive;  ///< By topic.
  enum class Sessions { kAny, kOwn, kListed };
  Sessions sessions = Sessions::kAny;  ///< kOwn: `<client>` and what begins with `<client>.`.
  std::vector<std::string> listed_sessions;
  Session::Strings blacklisted_pipelines, blacklisted_skills, blacklisted_intents;
  double messages_per_second = 0;  ///< On average; as many may come at once. 0: no bound.
  std::size_t max_frame = 0;       ///< Bytes of a message or an HTTP body; 0: `gateway.max_frame`.
  Shares shares;

  bool has(Right right) const noexcept {
    return (rights & (static_cast<unsigned>(right) | static_cast<unsigned>(Right::kAdmin))) != 0;
  }
  bool allows_session(std::string_view session_id) const;
  /// Puts what may not be reached onto the session, so that every stage sees it.
  SessionPtr stamped(const SessionPtr& session) const;
  /// The same for the session in the `data` of `ovos.session.sync`: its lists may not leave out what is
  /// denied.
  Json stamped(Json session) const;
};
using GrantPtr = std::shared_ptr<const Grant>;

/// Why something is refused: for the counter, and for people.
struct Refusal {
  Refusal(const char* why, std::string words) : reason(why), text(std::move(words)) {}
  const char* reason;
  std::string text;
};

/// What a message of a client becomes on the bus, or why it does not get there (W-4, K-4). Every message of
/// every client passes here, whatever its topic.
/// @param grant  null: everything is allowed that any client may do
std::variant<Message, Refusal> admitted(const GrantPtr& grant, Message message);
/// The same for what an older client says to others of its kind, under a topic with ':' (W-6).
std::variant<Message, Refusal> relayable(const GrantPtr& grant, Message message);
/// The part of it that needs the topic only: for what has no message to look at (S-3).
std::optional<Refusal> refusal_of_topic(const GrantPtr& grant, std::string_view topic);
/// Why a grant does not reach a session; nothing: it does.
std::optional<Refusal> refusal_of_session(const GrantPtr& grant, std::string_view session_id);

/// Grants by the SHA-256 of their tokens, in lower-case hexadecimal digits. Without any, no client is let in.
using Grants = std::map<std::string, GrantPtr, std::less<>>;

/// The SHA-256 of a text in lower-case hexadecimal digits.
std::string sha256(std::string_view text);

/// As many things per second as are granted, and no more.
class Rate {
 public:
  using Time = std::chrono::steady_clock::time_point;
  /// Whether one more may be.
  /// @param at_once  how many may come at a time; 0: those of a second
  bool take(double per_second, Time now, double at_once = 0);

 private:
  double tokens_ = -1;  ///< Negative: none was taken yet.
  Time since_;
};

}  // namespace parley::net
