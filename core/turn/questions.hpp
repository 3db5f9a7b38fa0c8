#pragma once

#include <functional>
#include <map>
#include <memory>
#include <parley/ask.hpp>
#include <parley/message.hpp>
#include <parley/session.hpp>
#include <parley/session_key.hpp>
#include <parley/stage.hpp>
#include <string>
#include <utility>

#include "runtime/cell.hpp"
#include "turn/handler_host.hpp"

namespace parley {

struct TurnEnvironment;

/// What became of one question to the user.
struct Heard {
  explicit Heard(AskEnd how) : end(how) {}
  Heard(std::string said, std::string tag, SessionPtr now)
      : end(AskEnd::kAnswered), text(std::move(said)), lang(std::move(tag)), session(std::move(now)) {}
  AskEnd end;
  std::string text, lang;
  SessionPtr session;  ///< The session the answer came in.
};
using HeardCell = std::shared_ptr<Cell<Heard>>;

/// Says on the loop how something said fits a question; finds out wherever that is known.
using CheckAnswer =
    std::function<void(std::string said, std::string lang, std::function<void(AnswerFit)> done)>;

/// The handlers that wait for the user's next utterance: one question per session of an owner (C-4, K-4). A
/// message tells whose session it is. On the loop.
class Questions {
 public:
  /// Replaces the one that is open there; whoever asked that one learns of it, and goes on with `session`, in
  /// which the new one is asked.
  void open(const Message& in, const SessionPtr& session, const std::string& skill_id, HeardCell cell,
            CheckAnswer check);
  /// How an answer to the question of this skill is checked; null when it has none open there.
  CheckAnswer check_of(const Message& in, const std::string& skill_id) const;
  /// Takes the question of this skill for its answer; null when it has none open there.
  HeardCell take(const Message& in, const std::string& skill_id);
  /// Withdraws a question, unless it was replaced or answered already.
  void close(const Message& in, const HeardCell& cell);

 private:
  struct Question {
    Question(std::string who, HeardCell where, CheckAnswer how)
        : skill_id(std::move(who)), cell(std::move(where)), check(std::move(how)) {}
    std::string skill_id;
    HeardCell cell;
    CheckAnswer check;
  };
  std::map<SessionKey, Question> open_;
};

/// Hands the user's answer, which a dispatch of `<skill_id>:response` brings, to the handler that waits for
/// it: how that turn ends. When none does any more, as after a restart, the user is told. On the loop.
HandlerEnd deliver_answer(const std::shared_ptr<const TurnEnvironment>& around, const HandlerCall& call);

}  // namespace parley
