#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/strand.hpp>
#include <deque>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <parley/skill.hpp>
#include <string>
#include <vector>

#include "runtime/http.hpp"
#include "runtime/scope.hpp"
#include "store/lasting.hpp"
#include "turn/handler_host.hpp"
#include "turn/turn_state.hpp"

namespace parley {

struct FallbackHandler {
  FallbackHandler(int rank, CanAnswer ask, Handler run)
      : priority(rank), can_answer(std::move(ask)), answer(std::move(run)) {}
  int priority;
  CanAnswer can_answer;
  Handler answer;
};

/// What the skills of one assistant share beside the bus.
struct SkillServices {
  SkillServices(boost::asio::any_io_executor the_workers, HttpTransport& the_http,
                std::shared_ptr<Lasting> keeps)
      : workers(std::move(the_workers)), http(the_http), lasting(std::move(keeps)) {}
  boost::asio::any_io_executor workers;  ///< Where what blocks runs.
  HttpTransport& http;
  std::shared_ptr<Lasting> lasting;
};

/// A skill of this process: its strand, its handlers, what it registered. Its functions are called on
/// the loop; what the skill itself calls (SkillContext) comes from its strand.
class HostedSkill final : public SkillContext, public std::enable_shared_from_this<HostedSkill> {
 public:
  HostedSkill(std::shared_ptr<const TurnEnvironment> environment, std::unique_ptr<Skill> skill,
              std::filesystem::path folder, Settings settings, std::shared_ptr<boost::asio::io_context> where,
              SkillServices services);
  ~HostedSkill();
  HostedSkill(const HostedSkill&) = delete;
  HostedSkill& operator=(const HostedSkill&) = delete;

  const std::string& skill_id() const noexcept override { return environment_->owner; }
  std::string folder() const override { return folder_.string(); }
  const LocaleResources& locale() const noexcept override { return environment_->locale; }

  /// Runs Skill::start() on the strand, then calls back on the loop with what went wrong (empty: nothing).
  /// Once it went well, what was registered is on the bus.
  void start(std::function<void(std::string failure)> done);
  bool started() const noexcept { return started_; }
  /// Nothing of the skill's code runs or is held any more, be it that its end came late.
  bool gone() const noexcept { return gone_; }
  /// When the first of its at() calls back; nothing: none does.
  std::optional<Clock::Time> next_due() const;

  void run(HandlerCall call);
  void cancel(const std::string& utterance_id);
  /// From the strand's next piece of work on.
  void change_settings(Settings settings);

  /// Ends everything: deregisters, cancels and drains handlers, stops and destroys the skill. Calls
  /// back on the loop: true when nothing of the skill's code runs or is held any more, false when it
  /// did not come to an end within `patience` (it must stay loaded then).
  void shut_down(Clock::Time::duration patience, std::function<void(bool gone)> done);

 private:
  struct Running;
  struct Shutdown;
  struct Ticker;
  struct Listener;

  // SkillContext, from the strand
  const Clock& clock() const noexcept override { return environment_->clock(); }
  const Settings& settings() const noexcept override { return settings_; }
  void add_intent(std::string name, Handler handler, ContextGates gates) override;
  void add_keywords(std::string name, Keywords words, Handler handler, ContextGates gates) override;
  void enable_intent(const std::string& name, bool enabled) override;
  void add_fallback(int priority, CanAnswer can_answer, Handler answer) override;
  void add_converse(Converses takes, Handler handler) override;
  void add_question(Claims claims, Answers answer) override;
  void add_stop(SessionCallback stop, SessionCallback can_stop) override;
  void add_stop_offer(SessionCallback can_offer, Handler offer) override;
  void add_event(std::string topic, EventHandler handler) override;
  void add_due(std::string name, DueHandler handler) override;
  Task<std::optional<Stored>> storage_get(StoragePlace place, std::string key) override;
  Task<std::map<std::string, std::string>> storage_all(StoragePlace place, std::string prefix) override;
  Task<Written> storage_write(StoragePlace place, std::string key, std::optional<std::string> json,
                              std::optional<std::uint64_t> expect) override;
  Task<std::string> schedule_add(Scheduled what, Message by) override;
  Task<bool> schedule_cancel(std::string id) override;
  Task<std::vector<Scheduled>> schedule_list(std::string name) override;
  TimerId add_every(Duration period, TimerHandler handler) override;
  TimerId add_at(std::chrono::system_clock::time_point when, TimerHandler handler) override;
  void cancel_timer(TimerId id) override;
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

  /// On the strand: goes on with what a callback returned, if that is a coroutine. `held` is let go when that
  /// has ended, and keeps what it uses.
  void go_on(std::string what, Task<> begun, std::shared_ptr<void> held);
  static Task<> run_callback(std::shared_ptr<HostedSkill> self, std::string what, std::shared_ptr<void> held,
                             Task<> begun);
  static Task<> ask_around(std::shared_ptr<HostedSkill> self, PollRequest request,
                           std::shared_ptr<Cell<std::optional<Message>>> answer);
  void hear_event(const std::shared_ptr<Listener>& listener, const Message& message);

  /// A message in the skill's name, outside of any turn.
  Message own_message(std::string type, Json data) const;
  void announce(Message message);
  void check_name(const std::string& name) const;
  void add_ticker(TimerId id, std::shared_ptr<Ticker> ticker, std::function<Clock::Time()> first);
  void arm(TimerId id, Clock::Time when, std::shared_ptr<Ticker> ticker);
  void ring(TimerId id);

  /// Runs a piece of the skill's code on its strand; what it throws is logged.
  void on_strand(std::string what, std::function<void()> work);
  void join();
  /// Hears a topic for as long as it lives.
  void hear(const std::string& topic, void (HostedSkill::*callback)(const Message&));
  /// Replies in the skill's name, from any thread.
  void answer(const Message& ping, std::string topic, Json data) const;
  void warn_of_no(const char* what, const std::string& failure) const;
  void answer_fallback_ping(const Message& ping);
  /// The first handler that would answer; null when none would.
  std::shared_ptr<const FallbackHandler> willing_fallback(const Query& query) const;
  /// The handler that said yes in this turn's ping; without such a ping, the first that would answer now.
  std::shared_ptr<const FallbackHandler> chosen_fallback(const Turn& turn);
  void answer_converse_ping(const Message& ping);
  void answer_question_ping(const Message& ping);
  void answer_question(const Message& request);
  static Task<> run_question(std::shared_ptr<HostedSkill> self, Message request);
  void answer_stop_ping(const Message& ping);
  void stop_everything(const Message& stop);
  bool runs_in(const SessionId& session_id) const;
  /// Hands the user's answer to the handler that waits for it.
  HandlerEnd deliver_answer(const HandlerCall& call);
  /// What on_due() was given for what a turn is due for.
  Handler due_handler(const Turn& turn);
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
  /// Whether it speaks in a turn that was cut short (D-6).
  bool is_late(const Message& message) const;
  void destroy_on_strand(std::shared_ptr<Shutdown> shutdown);

  const std::shared_ptr<const TurnEnvironment> environment_;
  const std::filesystem::path folder_;
  const std::shared_ptr<boost::asio::io_context> context_;  ///< Before the strand: it must outlive that.
  const boost::asio::any_io_executor strand_;
  std::unique_ptr<Skill> skill_;
  bool started_ = false;
  bool closing_ = false;
  bool gone_ = false;

  const SkillServices services_;

  // On the strand.
  Settings settings_;
  std::map<std::string, std::shared_ptr<const Handler>, std::less<>> intents_;
  std::map<std::string, std::shared_ptr<const DueHandler>, std::less<>> dues_;  ///< By their names.
  std::vector<std::shared_ptr<const FallbackHandler>> fallbacks_;               ///< By priority.
  /// Who said yes in the latest turns, by utterance_id.
  std::deque<std::pair<std::string, std::shared_ptr<const FallbackHandler>>> promised_;
  Converses converses_;
  std::shared_ptr<const Handler> converse_;
  Claims claims_;
  std::shared_ptr<const Answers> answers_;
  SessionCallback stop_, can_stop_, can_offer_;  ///< The loop only looks whether they are there.
  std::shared_ptr<const Handler> offer_;
  std::map<TimerId, std::shared_ptr<Ticker>> tickers_;  ///< Those that were not cancelled.
  TimerId timer_count_ = 0;

  // On the loop.
  std::vector<Message> unannounced_;
  std::map<std::string, Running, std::less<>> running_;
  std::deque<std::string> silenced_;  ///< The latest turns that were cut short.
  std::map<TimerId, Timer> timers_;
  std::map<TimerId, Clock::Time> due_;  ///< Those of them that call back once.
  std::vector<Subscription> subscriptions_;
  Scope scope_;
};

}  // namespace parley
