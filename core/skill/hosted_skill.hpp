#pragma once

#include <atomic>
#include <boost/asio/any_io_executor.hpp>
#include <deque>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <parley/skill.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "runtime/counters.hpp"
#include "runtime/http.hpp"
#include "runtime/scope.hpp"
#include "skill/running_skill.hpp"
#include "skill/skill_handlers.hpp"
#include "skill/skill_keeping.hpp"
#include "skill/skill_pings.hpp"
#include "skill/skill_runner.hpp"
#include "skill/skill_timers.hpp"
#include "skill/turn_chance.hpp"
#include "turn/handler_host.hpp"
#include "turn/turn_state.hpp"

namespace parley {

/// What the skills of one assistant share beside the bus.
struct SkillServices {
  SkillServices(boost::asio::any_io_executor the_workers, HttpTransport& the_http,
                std::shared_ptr<SkillKeeping> keeps)
      : workers(std::move(the_workers)), http(the_http), keeping(std::move(keeps)) {}
  boost::asio::any_io_executor workers;  ///< Where what blocks runs.
  HttpTransport& http;
  std::shared_ptr<SkillKeeping> keeping;
};

/// Where a skill runs.
struct SkillPlace {
  std::shared_ptr<void> context;  ///< Keeps what the strand belongs to; null: that stays anyway.
  boost::asio::any_io_executor strand;
};

/// A skill of this process: its birth and death, and the handlers that run. Its functions are called on
/// the loop; what the skill itself calls (SkillContext) comes from its strand.
class HostedSkill final : public RunningSkill,
                          public SkillContext,
                          private SkillRunner,
                          public std::enable_shared_from_this<HostedSkill> {
 public:
  HostedSkill(std::shared_ptr<const TurnEnvironment> environment, std::unique_ptr<Skill> skill,
              std::filesystem::path folder, Settings settings, SkillPlace where, SkillServices services);
  ~HostedSkill() override;
  HostedSkill(const HostedSkill&) = delete;
  HostedSkill& operator=(const HostedSkill&) = delete;

  const std::string& skill_id() const noexcept override { return environment_->owner; }
  std::string folder() const override { return folder_.string(); }
  const LocaleResources& locale() const noexcept override { return environment_->locale; }

  /// Runs Skill::start() on the strand.
  void start(std::function<void(std::string failure)> done) override;
  std::vector<Message> registrations() const override { return unannounced_; }
  /// Likewise, but join() does not announce them: the caller does.
  std::vector<Message> take_registrations() { return std::exchange(unannounced_, {}); }
  void join() override;
  bool started() const noexcept override { return started_; }
  SkillAbilities abilities() const override;
  void hand_over(const SkillAbilities& after, std::function<void()> idle) override;
  void retire(std::function<void()> idle) override;
  bool has_intent(const std::string& name) const override { return handlers_.has_intent(name); }
  std::vector<std::string> intents() const { return handlers_.intents(); }
  bool gone() const noexcept override { return gone_; }
  std::optional<Clock::Time> next_due() const override { return timers_.next_due(); }

  void run(HandlerCall call) override;
  void cancel(const std::string& utterance_id) override;
  void wake(const std::string& lang, std::function<void()> done) override;
  void change_settings(Settings settings, std::function<void(bool at_once)> told) override;
  void shut_down(Clock::Time::duration patience, std::function<void(bool gone)> done) override;

 private:
  struct Running;
  struct Shutdown;
  struct Listener;

  // SkillContext, from the strand
  const Clock& clock() const noexcept override { return environment_->clock(); }
  const Settings& settings() const noexcept override {
    reads_settings_.store(true, std::memory_order_relaxed);
    return settings_;
  }
  void add_intent(std::string name, Handler handler, ContextGates gates) override;
  void add_keywords(std::string name, Keywords words, Handler handler, ContextGates gates) override;
  void enable_intent(const std::string& name, bool enabled) override;
  void add_fallback(int priority, CanAnswer can_answer, Handler answer) override;
  void add_converse(Converses takes, Handler handler) override {
    handlers_.add_converse(std::move(takes), std::move(handler));
  }
  void add_question(Claims claims, Answers answer) override {
    handlers_.add_question(std::move(claims), std::move(answer));
  }
  void add_stop(SessionCallback stop, SessionCallback can_stop) override {
    handlers_.add_stop(std::move(stop), std::move(can_stop));
  }
  void add_stop_offer(SessionCallback can_offer, Handler offer) override {
    handlers_.add_stop_offer(std::move(can_offer), std::move(offer));
  }
  void add_event(std::string topic, EventHandler handler) override;
  void add_due(std::string name, DueHandler handler) override {
    handlers_.add_due(std::move(name), std::move(handler));
  }
  Task<std::optional<Stored>> storage_get(StoragePlace place, std::string key) override;
  Task<std::map<std::string, std::string>> storage_all(StoragePlace place, std::string prefix) override;
  Task<Written> storage_write(StoragePlace place, std::string key, std::optional<std::string> json,
                              std::optional<std::uint64_t> expect) override;
  Task<std::string> schedule_add(Scheduled what, Message by) override;
  Task<bool> schedule_cancel(std::string id) override;
  Task<std::vector<Scheduled>> schedule_list(std::string name) override;
  TimerId add_every(Duration period, TimerHandler handler) override {
    return timers_.every(period, std::move(handler));
  }
  TimerId add_at(std::chrono::system_clock::time_point when, TimerHandler handler) override {
    return timers_.at(when, std::move(handler));
  }
  void cancel_timer(TimerId id) override { timers_.cancel(id); }
  void emit(Message message) override;
  void log(LogLevel level, std::string_view text) override;
  Task<> sleep(Duration time) override;
  Task<std::optional<Message>> request(Message question, Duration timeout, std::string answer_topic) override;
  Task<> run_blocking(std::function<void()> work) override;
  std::shared_ptr<Wakeup> make_wakeup() override;
  HttpStream http_stream(HttpRequest request) override;
  Task<Result<HttpResponse>> http(HttpRequest request) override;
  bool says(std::string_view vocabulary, std::string_view text, std::string_view lang) const override;
  bool mentions(std::string_view vocabulary, std::string_view text, std::string_view lang) const override;
  std::size_t random(std::size_t count) override;

  /// Something of the skill threw.
  void warn_of_fault(const std::string& what, const std::string& failure) const;

  // SkillRunner
  void on_strand(std::string what, std::function<void()> work) override;
  void go_on(std::string what, Task<> begun, std::shared_ptr<void> held) override;
  void once_joined(std::function<void()> work) override;

  static Task<> run_callback(std::shared_ptr<HostedSkill> self, std::string what, std::shared_ptr<void> held,
                             Task<> begun);
  static Task<> ask_around(std::shared_ptr<HostedSkill> self, PollRequest request,
                           std::shared_ptr<Cell<std::optional<Message>>> answer);
  void hear_event(const std::shared_ptr<Listener>& listener, const Message& message);

  /// Announces what a function makes of each language that is awake, and later of those that wake.
  void announce_by_language(std::function<std::optional<Message>(const std::string& lang)> make);
  /// A message in the skill's name, outside of any turn.
  Message own_message(std::string type, Json data) const;
  void announce(Message message);
  void announce_enabled(const std::string& intent_name, bool enabled);
  /// Takes back what it registered, and announces that it has gone.
  void withdraw();
  /// From here on it is not called.
  void leave();
  bool runs_in(const SessionKey& session) const;
  Handler handler_for(const std::string& intent_name, const std::shared_ptr<Turn::State>& state);
  /// On the strand, from the dispatch to the report of how it ended.
  static Task<> run_call(std::shared_ptr<HostedSkill> self, std::shared_ptr<Turn::State> state,
                         std::string intent_name);
  /// Ends what goes on; says so when there is nothing (P-4).
  Task<> run_stop(std::shared_ptr<Turn::State> state);
  Task<HandlerEnd> run_handler(std::shared_ptr<Turn::State> state, std::string intent_name);
  /// Asks for the slots of its template that `.required` gives a dialog and the match left open. False when
  /// there was no answer: then there is nothing to do.
  static Task<bool> ask_for_slots(std::shared_ptr<Turn::State> state, std::string intent_name);
  void ended(const std::shared_ptr<Turn::State>& state, HandlerEnd end);
  /// Calls back when a replaced version has ended its last turn.
  void tell_if_idle();
  /// Whether it speaks in a turn that was cut short (D-6).
  bool is_late(const Message& message) const;
  void destroy_on_strand(std::shared_ptr<Shutdown> shutdown);

  const std::shared_ptr<const TurnEnvironment> environment_;
  const std::filesystem::path folder_;
  const std::shared_ptr<void> context_;  ///< Before the strand: it must outlive that.
  const boost::asio::any_io_executor strand_;
  std::unique_ptr<Skill> skill_;
  bool started_ = false;
  bool closing_ = false;
  bool gone_ = false;
  bool replaced_ = false;       ///< Another speaks for the skill now.
  std::function<void()> idle_;  ///< Of hand_over(); until it is called.

  const SkillServices services_;
  const Counter faults_;

  SkillHandlers handlers_;
  SkillTimers timers_;
  SkillPings pings_;

  Settings settings_;  ///< On the strand.
  /// Since somebody wanted to know.
  mutable std::atomic<bool> reads_settings_{false};
  bool read_settings_at_start_ = false;  ///< On the strand.
  TurnChance chance_;                    ///< On the strand.

  // On the strand.
  std::vector<std::string> awake_;  ///< Of the locale's languages.
  std::vector<std::function<std::optional<Message>(const std::string& lang)>> by_language_;
  std::set<std::string> disabled_;  ///< Intents: they are in every language.

  // On the loop.
  std::vector<Message> unannounced_;
  std::vector<std::function<void()>> at_join_;
  std::map<std::string, Running, std::less<>> running_;
  std::deque<std::string> silenced_;  ///< The latest turns that were cut short.
  std::vector<Subscription> subscriptions_;
  Scope scope_;
};

}  // namespace parley
