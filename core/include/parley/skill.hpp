#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <parley/clock.hpp>
#include <parley/plugin.hpp>
#include <parley/session.hpp>
#include <parley/settings.hpp>
#include <parley/task.hpp>
#include <parley/turn.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace parley {

class LocaleResources;

using Handler = std::function<Task<>(Turn)>;

/// What a skill is asked about before anything is dispatched to it.
struct Query {
  Query(std::vector<std::string> said, std::string tag, SessionPtr where)
      : utterances(std::move(said)), lang(std::move(tag)), session(std::move(where)) {}
  std::vector<std::string> utterances;  ///< The candidates, best first; never empty.
  std::string lang;                     ///< BCP-47.
  SessionPtr session;
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

/// Is told, or asked, about what a skill does in one session.
using SessionCallback = std::function<bool(const SessionId&)>;

/// The constraints of a keyword intent, by the names of the skill's `.voc` files:
/// `keywords().require("set").one_of({"up", "down"}).exclude("question")`.
class Keywords {
 public:
  Keywords& require(std::string voc) { return required.push_back(std::move(voc)), *this; }
  Keywords& optionally(std::string voc) { return optional.push_back(std::move(voc)), *this; }
  Keywords& exclude(std::string voc) { return excluded.push_back(std::move(voc)), *this; }
  Keywords& one_of(std::vector<std::string> vocs) { return choices.push_back(std::move(vocs)), *this; }

  std::vector<std::string> required, optional, excluded;
  std::vector<std::vector<std::string>> choices;
};
inline Keywords keywords() {
  return Keywords();
}

/// A running `every` or `at`; 0 is none.
using TimerId = std::uint64_t;

/// The host's side of a skill. Implemented by the skill host; authors use Skill's own functions.
class SkillContext {
 public:
  virtual const std::string& skill_id() const noexcept = 0;
  virtual const Clock& clock() const noexcept = 0;
  virtual const Settings& settings() const noexcept = 0;
  virtual std::string folder() const = 0;
  virtual const LocaleResources& locale() const noexcept = 0;
  virtual void add_intent(std::string name, Handler handler) = 0;
  virtual void add_keywords(std::string name, Keywords keywords, Handler handler) = 0;
  virtual void add_fallback(int priority, CanAnswer can_answer, Handler answer) = 0;
  virtual void add_converse(Converses takes, Handler handler) = 0;
  virtual void add_question(Claims claims, Answers answer) = 0;
  virtual void add_stop(SessionCallback stop, SessionCallback can_stop) = 0;
  virtual void add_event(std::string topic, std::function<void(const Message&)> callback) = 0;
  virtual TimerId add_every(Duration period, std::function<void()> callback) = 0;
  virtual TimerId add_at(std::chrono::system_clock::time_point when, std::function<void()> callback) = 0;
  virtual void cancel_timer(TimerId id) = 0;
  virtual void emit(Message message) = 0;
  virtual void log(std::string_view level, std::string text) = 0;

 protected:
  ~SkillContext() = default;
};

/// A skill. Everything of it runs on its own strand, one thing at a time between suspensions, so it
/// needs no locks; a skill that blocks holds up itself and nobody else.
class Skill {
 public:
  Skill() = default;
  virtual ~Skill() = default;
  Skill(const Skill&) = delete;
  Skill& operator=(const Skill&) = delete;

  /// The settings it takes from `skills.settings.<skill_id>`. A skill with settings has an array of this
  /// name: `static constexpr std::array kSettings{Option::integer("cups", "4", 1, 20, "How many a pot
  /// holds.")};` They are checked before any code of the skill runs; settings() has a value for each.
  static constexpr OptionTable kSettings{};
  /// What it does, in a sentence, for those who look at its settings.
  static constexpr const char* kAbout = "";

  /// Registers handlers. Called once. Throwing refuses the skill, and nothing of it is kept.
  virtual void start() = 0;
  /// Called after the last handler has ended and before the skill is destroyed.
  virtual void stop() {}
  /// Called after settings() has new values.
  virtual void on_settings_changed() {}

  /// The host's part: called once, before start().
  void attach(SkillContext& context) noexcept { context_ = &context; }

 protected:
  /// Handles the intent of `locale/<lang>/<name>.intent`, in every language that has the file.
  /// @throws std::invalid_argument when no language has it or the name is reserved
  void on_intent(std::string name, Handler handler) {
    context_->add_intent(std::move(name), std::move(handler));
  }
  template <class S>
  void on_intent(std::string name, Task<> (S::*handler)(Turn)) {
    on_intent(std::move(name), bind(handler));
  }

  /// Handles a keyword intent built from the skill's `.voc` files.
  /// @throws like on_intent; also for a vocabulary that no language has
  void on_keywords(std::string name, Keywords words, Handler handler) {
    context_->add_keywords(std::move(name), std::move(words), std::move(handler));
  }
  template <class S>
  void on_keywords(std::string name, Keywords words, Task<> (S::*handler)(Turn)) {
    on_keywords(std::move(name), std::move(words), bind(handler));
  }

  /// Answers what nobody else claimed. Lower priorities are asked first; 0–49 for precise sources,
  /// 50–74 for broad ones, 75–100 for those that answer anything. A skill may have several.
  void on_fallback(int priority, CanAnswer can_answer, Handler answer) {
    context_->add_fallback(priority, std::move(can_answer), std::move(answer));
  }
  template <class S>
  void on_fallback(int priority, bool (S::*can_answer)(const Query&), Task<> (S::*answer)(Turn)) {
    on_fallback(
        priority,
        [self = static_cast<S*>(this), can_answer](const Query& query) { return (self->*can_answer)(query); },
        bind(answer));
  }

  /// Holds the floor: for as long as the skill was active lately in a session, `takes` is asked about
  /// every utterance before the intents are, and `handler` runs for those it takes (section C).
  void on_converse(Converses takes, Handler handler) {
    context_->add_converse(std::move(takes), std::move(handler));
  }
  template <class S>
  void on_converse(ConverseAnswer (S::*takes)(const Query&), Task<> (S::*handler)(Turn)) {
    on_converse([self = static_cast<S*>(this), takes](const Query& query) { return (self->*takes)(query); },
                bind(handler));
  }

  /// Takes part in the contest about questions of fact (common query): `claims` says at once whether the
  /// skill has an answer, `answer` finds it. It must not speak.
  void on_question(Claims claims, Answers answer) {
    context_->add_question(std::move(claims), std::move(answer));
  }
  template <class S>
  void on_question(std::optional<QuestionClaim> (S::*claims)(const Query&),
                   Task<std::optional<QuestionAnswer>> (S::*answer)(Query)) {
    auto* const self = static_cast<S*>(this);
    on_question([self, claims](const Query& query) { return (self->*claims)(query); },
                [self, answer](Query query) { return (self->*answer)(std::move(query)); });
  }

  /// Ends what the skill does in a session outside of its handlers, such as a ringing timer; gives whether
  /// there was anything. Handlers need no help: a stop cancels them, waiting or not (P-6).
  /// `can_stop` says whether there is something to end, without ending it: without it a stop is offered
  /// only when a handler runs, or when nobody else has anything to stop (P-4).
  void on_stop(SessionCallback stop, SessionCallback can_stop = nullptr) {
    context_->add_stop(std::move(stop), std::move(can_stop));
  }

  /// Hears a topic of the bus (exact, or `prefix.*`), on the skill's strand.
  void on_event(std::string topic, std::function<void(const Message&)> callback) {
    context_->add_event(std::move(topic), std::move(callback));
  }
  /// Calls back again and again; `period` of 1 ms or more.
  TimerId every(Duration period, std::function<void()> callback) {
    return context_->add_every(period, std::move(callback));
  }
  /// Calls back once, at once when the time has passed.
  TimerId at(std::chrono::system_clock::time_point when, std::function<void()> callback) {
    return context_->add_at(when, std::move(callback));
  }
  void cancel_timer(TimerId id) { context_->cancel_timer(id); }

  /// Puts a message on the bus in the skill's name (`context.skill_id` is stamped).
  void emit(Message message) { context_->emit(std::move(message)); }

  const std::string& skill_id() const noexcept { return context_->skill_id(); }
  const Clock& clock() const noexcept { return context_->clock(); }
  const Settings& settings() const noexcept { return context_->settings(); }
  /// The folder the skill was loaded from, where its `locale/` and its data are.
  std::string folder() const { return context_->folder(); }
  /// Its locale files, the user's overrides included: for vocabularies and prompts, which no Turn gives.
  const LocaleResources& locale() const noexcept { return context_->locale(); }
  /// Levels: "debug", "info", "warning", "error".
  void log(std::string_view level, std::string text) const { context_->log(level, std::move(text)); }

 private:
  template <class S>
  Handler bind(Task<> (S::*handler)(Turn)) {
    return [self = static_cast<S*>(this), handler](Turn turn) { return (self->*handler)(std::move(turn)); };
  }

  SkillContext* context_ = nullptr;
};

/// Makes a class the skill of this shared object.
#define PARLEY_SKILL(Class, skill_id)                                                                    \
  PARLEY_PLUGIN_MANIFEST(                                                                                \
      ::parley::PluginKind::kSkill, skill_id, nullptr, []() -> ::parley::Skill* { return new Class(); }, \
      (::parley::PluginTables{Class::kAbout, Class::kSettings, {}, {}}))

}  // namespace parley
