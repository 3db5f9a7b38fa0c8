#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <parley/session_key.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace parley {

using Json = nlohmann::json;

struct Session;
/// A session at one moment. Shared and never changed: to change a session, make a copy.
using SessionPtr = std::shared_ptr<const Session>;

/// The connection by which a chain of messages came in. Never on the wire: nobody outside can claim it. One
/// object per connection, shared by all its messages, read from any thread.
class Sender {
 public:
  /// @param number  never used again for another connection
  /// @param who     for the log, e.g. "client 127.0.0.1:51234"
  /// @param token   the name of the connection's token (K-4)
  Sender(std::uint64_t number, std::string who, std::string token = "local");
  virtual ~Sender();
  Sender(const Sender&) = delete;
  Sender& operator=(const Sender&) = delete;

  /// Whether this connection may be told what is registered in that session.
  virtual bool may_see(std::string_view session_id) const;

  const std::uint64_t id;
  const std::string name;
  const std::string owner;
};
using SenderPtr = std::shared_ptr<const Sender>;

/// What travels beside `data`: who speaks to whom, in which session and in which turn.
struct Context {
  Context();

  std::string source;                    ///< Empty: absent (M-6).
  std::vector<std::string> destination;  ///< Empty: a broadcast (M-6).
  bool destination_is_list = false;      ///< Whether the wire had an array; kept by `forward`.
  SessionPtr session;                    ///< Null: none was carried, which counts as `default`.
  std::string utterance_id;              ///< The turn this belongs to, empty outside of one (M-8).
  std::string skill_id;                  ///< The skill that speaks, or is dispatched to.
  std::string pipeline_id;               ///< On a dispatch: the stage that matched.
  std::shared_ptr<const Json> rest;      ///< Keys we do not know, kept untouched (M-4); may be null.
  SenderPtr sender;                      ///< Who began the chain this belongs to; null: this process did.
};

/// One bus message: `type`, `data`, `context` (M-1). An immutable value that is cheap to copy: copies
/// share their content. Safe to read from any thread.
class Message {
 public:
  /// An empty `data` and an empty context.
  /// @throws std::invalid_argument when `type` is not a topic (M-2) or `data` is no object.
  explicit Message(std::string type);
  Message(std::string type, Json data);
  Message(std::string type, Json data, Context context);

  const std::string& type() const noexcept;
  const Json& data() const noexcept;
  const Context& context() const noexcept;

  /// A string of `data`; empty when the key is missing or holds something else.
  std::string text(std::string_view key) const;

  /// The id of the carried session; "default" when there is none.
  const std::string& session_id() const noexcept;
  /// The owner of the connection that began the chain (K-4); "local" when this process began it.
  const std::string& owner() const noexcept;
  /// Both: what is kept of the session is kept by this.
  SessionKey session_key() const { return {owner(), session_id()}; }

  /// The next message of the same exchange: same context (M-5).
  [[nodiscard]] Message forward(std::string type, Json data) const;
  /// The answer: source and destination swapped (M-5).
  [[nodiscard]] Message reply(std::string type, Json data) const;
  /// `reply` on `<type>.response` (M-5).
  /// @throws std::logic_error for a dispatch topic or one that already ends in `.response`.
  [[nodiscard]] Message response(Json data) const;

  /// The same message with another session or another context.
  [[nodiscard]] Message with_session(SessionPtr session) const;
  [[nodiscard]] Message with_context(Context context) const;

  /// The message as JSON text for the wire, made once and kept.
  const std::string& wire() const;

 private:
  struct Body;
  explicit Message(std::shared_ptr<const Body> body);
  std::shared_ptr<const Body> body_;
};

/// Whether a text can be a topic (M-2).
bool is_topic(std::string_view text) noexcept;
/// Whether a text can be a skill_id or an intent_name (M-2: a topic without ':').
bool is_identifier(std::string_view text) noexcept;

}  // namespace parley
