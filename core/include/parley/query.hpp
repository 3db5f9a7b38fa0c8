#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <parley/clock.hpp>
#include <parley/message.hpp>
#include <parley/session.hpp>
#include <parley/session_key.hpp>
#include <parley/task.hpp>
#include <string>
#include <utility>
#include <vector>

// What a skill is asked before anything is dispatched to it, and its answers. Called on the skill's strand.
namespace parley {

/// The utterance that a skill is asked about, before anything is dispatched to the skill.
struct Query {
  Query(std::vector<std::string> said, std::string tag, SessionPtr where)
      : utterances(std::move(said)), lang(std::move(tag)), session(std::move(where)) {}
  std::vector<std::string> utterances;  ///< The candidates, best first; never empty.
  std::string lang;                     ///< BCP-47.
  SessionPtr session;
  /// The message that asks; null in tests of a skill's own functions. Derive questions for request() from it.
  std::shared_ptr<const Message> message;
  /// As Turn::session_key(); without a message the owner is "local".
  SessionKey session_key() const {
    return message ? message->session_key() : SessionKey("local", session->session_id);
  }
  std::string time_zone = "UTC";  ///< Of the user, as Turn::time_zone().
};
/// Decides whether the skill would answer. Must be quick and without side effects.
using CanAnswer = std::function<bool(const Query&)>;

/// Whether a skill that was active takes what is said next (C-2).
class ConverseAnswer {
 public:
  ConverseAnswer(bool takes_it) : yes_(takes_it) {}  // NOLINT(google-explicit-constructor): reads as a bool
  /// No, and the skill need not be asked again until it is active again (C-3).
  static ConverseAnswer done() {
    ConverseAnswer answer(false);
    answer.done_ = true;
    return answer;
  }
  bool yes() const noexcept { return yes_; }
  bool is_done() const noexcept { return done_; }

 private:
  bool yes_;
  bool done_ = false;
};
/// Must be quick and without side effects.
using Converses = std::function<ConverseAnswer(const Query&)>;

/// A skill's claim that it has an answer, when a question is put to all skills (common query).
struct QuestionClaim {
  /// @param expected  how long the full answer will take; the contest sizes its window by this
  explicit QuestionClaim(Duration expected) : latency(expected) {}
  Duration latency;
};
/// Decides whether the skill has an answer: fast and local, so it is no coroutine. Nothing: it has none.
using Claims = std::function<std::optional<QuestionClaim>(const Query&)>;

/// An answer in the contest of a common query. It is spoken by the stage, and only if it wins.
struct QuestionAnswer {
  /// @param confidence  from 0 to 1, by the ranges of docs/skills.md
  QuestionAnswer(std::string text, double confidence) : answer(std::move(text)), conf(confidence) {}
  std::string answer;
  double conf;
};
/// Finds the answer and may take its time. Nothing: there is no answer after all.
using Answers = std::function<Task<std::optional<QuestionAnswer>>(Query)>;

}  // namespace parley
