#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <parley/clock.hpp>
#include <parley/http.hpp>
#include <parley/log.hpp>
#include <parley/plugin.hpp>
#include <parley/query.hpp>
#include <parley/result.hpp>
#include <parley/schedule.hpp>
#include <parley/session.hpp>
#include <parley/session_key.hpp>
#include <parley/settings.hpp>
#include <parley/storage.hpp>
#include <parley/task.hpp>
#include <parley/turn.hpp>
#include <parley/wakeup.hpp>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace parley {

class LocaleResources;

using Handler = std::function<Task<>(Turn)>;

/// A callback about what a skill does in one session; see Skill::on_stop().
using SessionCallback = std::function<bool(const SessionKey&)>;

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

/// An intent's conditions on the intent context, by the keys of Turn::set_context(). The intent matches
/// only while all the skill's own entries in `required` are there and none in `excluded` is.
class ContextGates {
 public:
  ContextGates& require(std::string key) { return required.push_back(std::move(key)), *this; }
  ContextGates& exclude(std::string key) { return excluded.push_back(std::move(key)), *this; }

  std::vector<std::string> required, excluded;
};
inline ContextGates in_context(std::string key) {
  return ContextGates().require(std::move(key));
}

/// The id of a running `every` or `at`; 0 means none.
using TimerId = std::uint64_t;

/// Called with a message, or when it is time. A coroutine returns its Task, a plain function an empty
/// one.
using EventHandler = std::function<Task<>(const Message&)>;
using TimerHandler = std::function<Task<>()>;

/// The host's side of a skill. Implemented by the skill host; authors use Skill's own functions.
class SkillContext : public StorageHost, public ScheduleHost {
 public:
  virtual const std::string& skill_id() const noexcept = 0;
  virtual const Clock& clock() const noexcept = 0;
  virtual const Settings& settings() const noexcept = 0;
  virtual std::string folder() const = 0;
  virtual const LocaleResources& locale() const noexcept = 0;
  virtual void add_intent(std::string name, Handler handler, ContextGates gates) = 0;
  virtual void add_keywords(std::string name, Keywords keywords, Handler handler, ContextGates gates) = 0;
  virtual void enable_intent(const std::string& name, bool enabled) = 0;
  virtual void add_fallback(int priority, CanAnswer can_answer, Handler answer) = 0;
  virtual void add_converse(Converses takes, Handler handler) = 0;
  virtual void add_question(Claims claims, Answers answer) = 0;
  virtual void add_stop(SessionCallback stop, SessionCallback can_stop) = 0;
  virtual void add_stop_offer(SessionCallback can_offer, Handler offer) = 0;
  virtual void add_event(std::string topic, EventHandler handler) = 0;
  virtual void add_due(std::string name, DueHandler handler) = 0;
  virtual TimerId add_every(Duration period, TimerHandler handler) = 0;
  virtual TimerId add_at(std::chrono::system_clock::time_point when, TimerHandler handler) = 0;
  virtual void cancel_timer(TimerId id) = 0;
  virtual void emit(Message message) = 0;
  virtual void log(LogLevel level, std::string_view text) = 0;
  virtual Task<> sleep(Duration time) = 0;
  virtual Task<std::optional<Message>> request(Message question, Duration timeout,
                                               std::string answer_topic) = 0;
  virtual Task<> run_blocking(std::function<void()> work) = 0;
  virtual std::shared_ptr<Wakeup> make_wakeup() = 0;
  virtual HttpStream http_stream(HttpRequest request) = 0;
  virtual Task<Result<HttpResponse>> http(HttpRequest request) = 0;
  virtual bool says(std::string_view vocabulary, std::string_view text, std::string_view lang) const = 0;
  virtual bool mentions(std::string_view vocabulary, std::string_view text, std::string_view lang) const = 0;
  virtual std::size_t random(std::size_t count) = 0;

 protected:
  ~SkillContext() = default;
};

/// A skill. All its code runs on its own strand, one thing at a time between suspensions, so a skill
/// needs no locks. A skill that blocks holds up only itself.
class Skill {
 public:
  Skill() = default;
  virtual ~Skill() = default;
  Skill(const Skill&) = delete;
  Skill& operator=(const Skill&) = delete;

  /// The skill's settings, from `skills.settings.<skill_id>`. A skill with settings declares an array of this
  /// name: `static constexpr std::array kSettings{Option::integer("cups", "4", 1, 20, "How many a pot
  /// holds.")};` They are checked before any code of the skill runs; settings() has a value for each.
  static constexpr OptionTable kSettings{};
  /// What the skill does, in a sentence; printed with its settings.
  static constexpr const char* kAbout = "";

  /// Registers handlers. Called once. If it throws, the skill is refused and nothing of it is kept.
  virtual void start() = 0;
  /// Called after the last handler has ended and before the skill is destroyed.
  virtual void stop() {}
  /// Called on the strand when settings() got new values while the skill runs. An exception is logged.
  virtual void on_settings_changed() {}

  /// The host's part: called once, before start().
  void attach(SkillContext& context) noexcept { context_ = &context; }

 protected:
  /// Handles the intent of `locale/<lang>/<name>.intent`, in every language that has the file, while `gates`
  /// are open.
  /// @throws std::invalid_argument when no language has it or the name is reserved
  void on_intent(std::string name, Handler handler, ContextGates gates = ContextGates()) {
    context_->add_intent(std::move(name), std::move(handler), std::move(gates));
  }
  template <class S>
  void on_intent(std::string name, Task<> (S::*handler)(Turn), ContextGates gates = ContextGates()) {
    on_intent(std::move(name), bind(handler), std::move(gates));
  }

  /// Handles a keyword intent built from the skill's `.voc` files.
  /// @throws like on_intent; also for a vocabulary that no language has
  void on_keywords(std::string name, Keywords words, Handler handler, ContextGates gates = ContextGates()) {
    context_->add_keywords(std::move(name), std::move(words), std::move(handler), std::move(gates));
  }
  template <class S>
  void on_keywords(std::string name, Keywords words, Task<> (S::*handler)(Turn),
                   ContextGates gates = ContextGates()) {
    on_keywords(std::move(name), std::move(words), bind(handler), std::move(gates));
  }

  /// Stops an intent from matching, in every language and session, until enable_intent().
  /// @throws std::invalid_argument when the skill has no such intent
  void disable_intent(const std::string& name) { context_->enable_intent(name, false); }
  void enable_intent(const std::string& name) { context_->enable_intent(name, true); }

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

  /// Holds the floor: while the skill counts as recently active in a session, `takes` is asked about every
  /// utterance before the intents are. `handler` runs for the utterances it takes (section C).
  void on_converse(Converses takes, Handler handler) {
    context_->add_converse(std::move(takes), std::move(handler));
  }
  template <class S>
  void on_converse(ConverseAnswer (S::*takes)(const Query&), Task<> (S::*handler)(Turn)) {
    on_converse([self = static_cast<S*>(this), takes](const Query& query) { return (self->*takes)(query); },
                bind(handler));
  }

  /// Takes part in the contest about questions of fact (common query). `claims` decides at once whether the
  /// skill has an answer. `answer` finds the answer and must not speak.
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

  /// `stop` ends what the skill does in a session outside of its handlers, such as a ringing timer, and gives
  /// whether there was anything. Handlers need no help: a stop cancels them, waiting or not (P-6).
  /// `can_stop` tells whether there is something to end, without ending it. Without it, a stop is offered
  /// only when a handler runs, or when no other skill has anything to stop (P-4).
  void on_stop(SessionCallback stop, SessionCallback can_stop = nullptr) {
    context_->add_stop(std::move(stop), std::move(can_stop));
  }
  /// For a "stop" that finds nothing to end, while the skill has something that only a confirmed stop should
  /// end (a timer that runs, but does not ring). `can_offer` tells whether there is such a thing in a
  /// session. `offer` then handles the stop, and may ask the user.
  void on_stop_offer(SessionCallback can_offer, Handler offer) {
    context_->add_stop_offer(std::move(can_offer), std::move(offer));
  }
  template <class S>
  void on_stop_offer(bool (S::*can_offer)(const SessionKey&) const, Task<> (S::*offer)(Turn)) {
    on_stop_offer(
        [self = static_cast<S*>(this), can_offer](const SessionKey& key) { return (self->*can_offer)(key); },
        bind(offer));
  }

  // The callbacks are functions, coroutines, or member functions of either kind. A coroutine is cancelled
  // when the skill is unloaded. Exceptions are logged.

  /// Calls `handler` for messages of a topic (exact, or `prefix.*`), on the skill's strand. A coroutine takes
  /// its Message by value. Up to 64 of one on_event run at a time; further messages are dropped and logged.
  template <class F>
  void on_event(std::string topic, F handler) {
    context_->add_event(std::move(topic), bind_any<const Message&>(std::move(handler)));
  }
  /// Calls back every `period` (1 ms or more). One call at a time: a call that is due while the last one
  /// still runs is left out.
  template <class F>
  TimerId every(Duration period, F callback) {
    return context_->add_every(period, bind_any<>(std::move(callback)));
  }
  /// Calls back once at `when`, or at once when that has passed.
  template <class F>
  TimerId at(std::chrono::system_clock::time_point when, F callback) {
    return context_->add_at(when, bind_any<>(std::move(callback)));
  }
  /// Handles calls that schedule() has scheduled under `name`. Use it in start(). The handler is a coroutine
  /// with a Turn of its own. It has the same bound as any handler (D-6), and a stop ends it.
  /// @throws std::invalid_argument when `name` has a handler already
  void on_due(std::string name, DueHandler handler) {
    context_->add_due(std::move(name), std::move(handler));
  }
  template <class S>
  void on_due(std::string name, Task<> (S::*handler)(Due)) {
    on_due(std::move(name),
           [self = static_cast<S*>(this), handler](Due due) { return (self->*handler)(std::move(due)); });
  }
  /// Ends an every() or at(). A call that has begun goes on.
  void cancel_timer(TimerId id) { context_->cancel_timer(id); }

  /// What the skill keeps for the household.
  Storage storage() { return {*context_, StoragePlace(skill_id(), StorageScope::kHousehold, "", "")}; }
  /// What the skill keeps in that scope, for the owner and session of `turn`.
  Storage storage(StorageScope scope, const Turn& turn) {
    const bool of_session = scope == StorageScope::kSession;
    return {*context_, StoragePlace(skill_id(), scope, scope == StorageScope::kHousehold ? "" : turn.owner(),
                                    of_session ? turn.session_id() : std::string())};
  }
  /// Schedules calls of on_due(), which survive a restart. For calls that need not survive one, use every()
  /// and at().
  Schedule schedule() { return Schedule(*context_); }

  /// Puts a message on the bus in the skill's name (`context.skill_id` is stamped).
  void emit(Message message) { context_->emit(std::move(message)); }

  const std::string& skill_id() const noexcept { return context_->skill_id(); }
  const Clock& clock() const noexcept { return context_->clock(); }
  const Settings& settings() const noexcept { return context_->settings(); }
  /// The folder the skill was loaded from, where its `locale/` and its data are.
  std::string folder() const { return context_->folder(); }
  /// The skill's locale files, with the user's overrides. Use it for vocabularies and prompts.
  const LocaleResources& locale() const noexcept { return context_->locale(); }
  void log(LogLevel level, std::string_view text) const { context_->log(level, text); }

  // Waits, for any coroutine of the skill. Only that coroutine is suspended; the skill's other turns go on.
  // A wait ends with the work it belongs to, and then throws Cancelled: when a handler is stopped or out of
  // time, and when the skill is unloaded.

  Task<> sleep(Duration time) { return context_->sleep(time); }
  /// Puts a question on the bus in the skill's name and waits for the first message of `answer_topic` (empty:
  /// the question's topic with `.response`) in the same session, and in the same turn if both name one. In a
  /// turn, derive the question from it: `turn.message().forward("lamp.state", {…})`.
  /// @param timeout  more than zero. @return nothing when no answer came in time
  Task<std::optional<Message>> request(Message question, Duration timeout,
                                       std::string answer_topic = std::string()) {
    return context_->request(std::move(question), timeout, std::move(answer_topic));
  }
  /// Runs blocking `work` on another thread and returns its result. `work` must not touch what the strand
  /// uses; name it before the call. It can't be cancelled: a cancelled caller goes on, and unloading waits
  /// for `work`. @throws std::runtime_error with what it threw
  template <class F>
  Task<std::invoke_result_t<F&>> run_blocking(F work) {
    using Value = std::invoke_result_t<F&>;
    SkillContext* const context = context_;
    if constexpr (std::is_void_v<Value>) {
      std::function<void()> run = std::move(work);
      co_await context->run_blocking(std::move(run));
    } else {
      const auto value = std::make_shared<std::optional<Value>>();
      std::function<void()> run = [value, work = std::move(work)]() mutable { value->emplace(work()); };
      co_await context->run_blocking(std::move(run));
      co_return std::move(**value);
    }
  }
  /// Lets a coroutine of the skill wait for another one.
  std::shared_ptr<Wakeup> make_wakeup() { return context_->make_wakeup(); }
  /// Sends a request to a server and returns the answer, or why there is none. A skill has up to 16 exchanges
  /// at a time, streams included; further ones wait. In dialogue scripts and on a clock that jumps nothing is
  /// sent: the script gives the answers.
  Task<Result<HttpResponse>> http(HttpRequest request) { return context_->http(std::move(request)); }
  /// Like http(), but the answer is read piece by piece while it arrives.
  HttpStream http_stream(HttpRequest request) { return context_->http_stream(std::move(request)); }

  /// Whether a text as a whole is a phrase of a vocabulary, the skill's own or else the core's (`yes`, `no`,
  /// `cancel`, `last`).
  bool says(std::string_view vocabulary, std::string_view text, std::string_view lang) const {
    return context_->says(vocabulary, text, lang);
  }
  /// Whether a phrase of the vocabulary occurs in the text, as whole words.
  bool mentions(std::string_view vocabulary, std::string_view text, std::string_view lang) const {
    return context_->mentions(vocabulary, text, lang);
  }
  /// A random number from 0 to `count` - 1, evenly distributed; `count` of 1 or more. Tests choose it; in
  /// dialogue scripts it is 0.
  std::size_t random(std::size_t count) { return context_->random(count); }

 private:
  template <class S>
  Handler bind(Task<> (S::*handler)(Turn)) {
    return [self = static_cast<S*>(this), handler](Turn turn) { return (self->*handler)(std::move(turn)); };
  }
  template <class... Args, class S, class Result, class... Taken>
  std::function<Task<>(Args...)> bind_any(Result (S::*member)(Taken...)) {
    auto* const self = static_cast<S*>(this);
    return bind_any<Args...>([self, member](Args... args) { return (self->*member)(args...); });
  }
  template <class... Args, class F>
  std::function<Task<>(Args...)> bind_any(F run) {
    using Returned = std::invoke_result_t<F&, Args...>;
    if constexpr (std::is_same_v<Returned, Task<>>) {
      return run;
    } else {
      return [run = std::move(run)](Args... args) mutable {
        run(args...);
        return Task<>();
      };
    }
  }

  SkillContext* context_ = nullptr;
};

/// Makes a class the skill of this shared object.
#define PARLEY_SKILL(Class, skill_id)                                                                    \
  PARLEY_PLUGIN_MANIFEST(                                                                                \
      ::parley::PluginKind::kSkill, skill_id, nullptr, []() -> ::parley::Skill* { return new Class(); }, \
      (::parley::PluginTables{Class::kAbout, Class::kSettings, {}, {}}))

}  // namespace parley
