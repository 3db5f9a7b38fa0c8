#pragma once

#include <functional>
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

/// One turn, from its entry message to `ovos.utterance.handled`.
struct TurnResult {
  TurnResult();
  TurnStatus status = TurnStatus::kUnmatched;
  std::string utterance_id, session_id;
  std::vector<SpokenText> speech;
  bool listen = false;         ///< The last thing spoken asked for an answer.
  std::string pipeline_id;     ///< The stage that matched; empty when none did.
  std::string pipeline_entry;  ///< The pipeline entry that matched, e.g. "intent_high".
  std::string skill_id, intent_name;
  std::string error;                  ///< The exception of `.error`.
  SessionPtr session;                 ///< What to send with the next turn.
  std::shared_ptr<const Json> trace;  ///< The turn's trace, when one was asked for; may be null.

  std::string speech_text() const;  ///< All that was spoken, joined by spaces.
};

/// What to say, and in which session.
struct TurnInput {
  explicit TurnInput(std::string text) : utterances{std::move(text)} {}
  std::vector<std::string> utterances;
  std::string lang;    ///< Empty: the session's or the configured one.
  SessionPtr session;  ///< Null: the default session.
  bool trace = false;
};

/// Sends one utterance and calls back with the result once it is handled. On the loop's thread.
/// Speech that comes later (a timer that rings) is not part of it: subscribe to
/// `ovos.utterance.speak` for that.
void converse(Assistant& assistant, TurnInput input, std::function<void(TurnResult)> done);

}  // namespace parley
