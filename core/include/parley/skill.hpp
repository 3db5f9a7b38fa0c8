#pragma once

#include <functional>
#include <memory>
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

using Handler = std::function<Task<>(Turn)>;

/// What a fallback handler is asked about before anything is dispatched to it.
struct FallbackQuery {
  FallbackQuery(std::vector<std::string> said, std::string tag, SessionPtr where)
      : utterances(std::move(said)), lang(std::move(tag)), session(std::move(where)) {}
  std::vector<std::string> utterances;  ///< The candidates, best first; never empty.
  std::string lang;                     ///< BCP-47.
  SessionPtr session;
};
/// Says whether the skill would answer, quickly and without side effects.
using CanAnswer = std::function<bool(const FallbackQuery&)>;

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
  virtual void add_intent(std::string name, Handler handler) = 0;
  virtual void add_keywords(std::string name, Keywords keywords, Handler handler) = 0;
  virtual void add_fallback(int priority, CanAnswer can_answer, Handler answer) = 0;
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

  /// The settings it takes from `skills.settings.<skill_id>`. Called before start().
  virtual std::vector<Setting> declared_settings() const { return {}; }
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
  void on_fallback(int priority, bool (S::*can_answer)(const FallbackQuery&), Task<> (S::*answer)(Turn)) {
    on_fallback(
        priority,
        [self = static_cast<S*>(this), can_answer](const FallbackQuery& query) {
          return (self->*can_answer)(query);
        },
        bind(answer));
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
#define PARLEY_SKILL(Class, skill_id)                                     \
  PARLEY_PLUGIN_MANIFEST(::parley::PluginKind::kSkill, skill_id, nullptr, \
                         []() -> ::parley::Skill* { return new Class(); })

}  // namespace parley
