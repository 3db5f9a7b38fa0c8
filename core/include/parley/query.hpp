#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <parley/clock.hpp>
#include <parley/message.hpp>
#include <parley/session.hpp>
#include <parley/task.hpp>
#include <string>
#include <utility>
#include <vector>

// What a skill is asked before anything is dispatched to it, and its answers. Called on the skill's strand.
namespace parley {

/// What a skill is asked about before anything is dispatched to it.
struct Query {
  Query(std::vector<std::string> said, std::string tag, SessionPtr where)
      : utterances(std::move(said)), lang(std::move(tag)), session(std::move(where)) {}
  std::vector<std::string> utterances;  ///< The candidates, best first; never empty.
  std::string lang;                     ///< BCP-47.
  SessionPtr session;
  /// What asks; null in tests of a skill's own functions. request() derives its question from it.
  std::shared_ptr<const Message> message;
  std::string time_zone = "UTC";  ///< Of the user, as Turn::time_zone().
};
/// Says whether the skill would answer, quickly and without side effects.
using CanAnswer = std::function<bool(const Query&)>;

/// Whether a skill that was active takes what is said next (C-2).
class ConverseAnswer {
 public:
  ConverseAnswer(bool takes_it) : yes_(takes_it) {}  // NOLINT(google-explicit-constructor): reads as a bool
  /// No, and it need not be asked again until it is active again (C-3).
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
/// Decides quickly and without side effects.
using Converses = std::function<ConverseAnswer(const Query&)>;

/// What a skill says when a question is put to everyone (common query): it has an answer.
struct QuestionClaim {
  /// @param expected  how long the full answer takes; the contest sizes its window by it
  explicit QuestionClaim(Duration expected) : latency(expected) {}
  Duration latency;
};
/// Says whether the skill has an answer: a fast local decision, hence no coroutine. Nothing: it has none.
using Claims = std::function<std::optional<QuestionClaim>(const Query&)>;

/// An answer in the contest of a common query. It is spoken by the stage, and only if it wins.
struct QuestionAnswer {
  /// @param confidence  from 0 to 1, by the ranges of docs/skills.md
  QuestionAnswer(std::string text, double confidence) : answer(std::move(text)), conf(confidence) {}
  std::string answer;
  double conf;
};
/// Finds the answer, in its own time; nothing: there is none after all.
using Answers = std::function<Task<std::optional<QuestionAnswer>>(Query)>;

}  // namespace parley
