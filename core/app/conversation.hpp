#pragma once

#include <functional>
#include <map>
#include <memory>
#include <parley/bus.hpp>
#include <parley/message.hpp>
#include <parley/session.hpp>
#include <string>
#include <vector>

namespace parley {

class Assistant;

/// How a turn ended.
enum class TurnStatus { kAnswered, kUnmatched, kError, kCancelled };
std::string_view to_string(TurnStatus status) noexcept;

struct SpokenText {
  SpokenText(std::string text, std::string tag) : utterance(std::move(text)), lang(std::move(tag)) {}
  std::string utterance;
  std::string lang;
};

/// One turn, from its entry message to `ovos.utterance.handled`, or to a question to the user. A turn that
/// brings the answer to one includes what its handler then does, up to its end or its next question.
struct TurnResult {
  TurnResult();
  TurnStatus status = TurnStatus::kUnmatched;
  std::string utterance_id, session_id;
  std::vector<SpokenText> speech;
  bool listen = false;                          ///< The last thing spoken asked for an answer.
  std::shared_ptr<const Json> screen, options;  ///< The last that were given with speech; may be null.
  std::string pipeline_id;                      ///< The stage that matched; empty when none did.
  std::string pipeline_entry;  ///< The pipeline entry that matched, when a trace was asked for.
  std::string skill_id, intent_name;
  std::string error;                  ///< The exception of `.error`.
  SessionPtr session;                 ///< What to send with the next turn.
  std::shared_ptr<const Json> trace;  ///< The turn's trace, when one was asked for; may be null.
  /// The trace of the turn whose question this one answered; may be null.
  std::shared_ptr<const Json> resumed_trace;

  std::string speech_text() const;  ///< All that was spoken, joined by spaces.
};

/// What to say.
struct TurnInput {
  explicit TurnInput(std::string text) : utterances{std::move(text)} {}
  std::vector<std::string> utterances;
  std::string lang;          ///< Empty: the session's or the configured one.
  std::string utterance_id;  ///< Of the turn; empty: a new one.
  SessionPtr session;        ///< Instead of the conversation's; null: that one.
  SenderPtr sender;          ///< The connection it came by; null: this process says it.
  bool trace = false;
};

/// A client's side of one session: sends utterances, collects the results, and keeps the session
/// as a client must (S-4). On the loop's thread; what is under way when it dies is reported no more.
class Conversation {
 public:
  /// @param session  null: the default session, which the core keeps
  explicit Conversation(Assistant& assistant, SessionPtr session = nullptr);
  Conversation(const Conversation&) = delete;
  Conversation& operator=(const Conversation&) = delete;

  using Done = std::function<void(TurnResult)>;
  /// Sends one utterance and calls back with what came of it. Speech that comes later (a timer that
  /// rings) is not part of it: subscribe to `ovos.utterance.speak` for that.
  /// @returns the turn's utterance_id
  std::string say(TurnInput input, Done done);
  /// The message that begins such a turn. Without a session it is one of the default session.
  static Message entry_of(TurnInput input);
  /// Ends everything that runs in the session, without a word being said.
  void stop();
  /// Whether a turn of it waits for the user's answer.
  bool asks() const noexcept { return !asking_.empty(); }
  /// What goes with the next utterance; null: the default session.
  const SessionPtr& session() const noexcept { return session_; }
  void set_session(SessionPtr session) { session_ = std::move(session); }

 private:
  struct Turn;
  void hear(const std::string& topic, void (Conversation::*callback)(Turn&, const Message&));
  void matched(Turn& turn, const Message& message);
  void spoken(Turn& turn, const Message& message);
  void completed(Turn& turn, const Message& message);
  void failed(Turn& turn, const Message& message);
  void handled(Turn& turn, const Message& message);
  void traced(Turn& turn, const Message& message);
  void settle(Turn& turn);
  void keep_session(Turn& turn, const Message& message);
  /// The turn whose result gets what a turn says: its own, or the one that it answers; null: none.
  TurnResult* result_of(Turn& turn);
  Turn* find(const std::string& utterance_id);

  Assistant& assistant_;
  SessionPtr session_;
  std::map<std::string, std::shared_ptr<Turn>, std::less<>> turns_;
  std::string asking_;  ///< The turn whose handler waits for the user; empty: none.
  bool hears_traces_ = false;
  std::vector<Subscription> subscriptions_;
};

/// One utterance on its own: a Conversation of one turn.
void converse(Assistant& assistant, TurnInput input, Conversation::Done done);

}  // namespace parley
