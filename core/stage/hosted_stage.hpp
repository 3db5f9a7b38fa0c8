#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <parley/stage.hpp>
#include <string>
#include <variant>
#include <vector>

#include "bus/bus.hpp"
#include "runtime/counters.hpp"
#include "runtime/http.hpp"
#include "runtime/loop_monitor.hpp"
#include "runtime/scope.hpp"
#include "stage/verdict.hpp"

namespace parley {

template <class T>
class Cell;

/// What the stages of one assistant share.
struct StageServices {
  StageServices(Bus& the_bus, Timers& the_timers, Registry& the_registry, Counters& the_counters,
                LoopMonitor& the_monitor, HttpTransport& the_servers, boost::asio::any_io_executor the_loop,
                boost::asio::any_io_executor the_background)
      : bus(the_bus),
        timers(the_timers),
        registry(the_registry),
        counters(the_counters),
        monitor(the_monitor),
        servers(the_servers),
        loop(std::move(the_loop)),
        background(std::move(the_background)) {}
  Bus& bus;
  Timers& timers;
  Registry& registry;
  Counters& counters;
  LoopMonitor& monitor;
  HttpTransport& servers;
  boost::asio::any_io_executor loop;
  boost::asio::any_io_executor background;
  std::function<void(std::size_t most, Duration age)> remember_handlers;  ///< Tells the keeper of sessions.
  std::function<std::optional<Match>(const MatchRequest&)> word_for_word;
  std::function<Task<AnswerFit>(MatchRequest)> answer_fit;
};

/// How a stage is run.
struct StageSettings {
  StageSettings() = default;
  std::string pipeline_id;
  std::shared_ptr<const Json> options;
  LocaleResources locale;
  LocaleResources common;              ///< The core's own words.
  std::vector<std::string> languages;  ///< Enabled ones.
  std::chrono::milliseconds match_timeout{10'000};
  int max_faults = 5;                                ///< In a row; then it is skipped (U-5).
  std::chrono::milliseconds fault_cooldown{60'000};  ///< Then it is tried again; 0: never.
};

/// One loaded stage: what the orchestrator asks, and the stage's own context. On the loop's thread.
class HostedStage final : private StageContext {
 public:
  HostedStage(StageServices services, StageSettings settings, std::unique_ptr<Stage> stage);
  ~HostedStage();
  HostedStage(const HostedStage&) = delete;
  HostedStage& operator=(const HostedStage&) = delete;

  /// @throws std::runtime_error with the stage's own words when it refuses to start
  void start();

  Task<Verdict> ask(MatchRequest request);
  /// Whether it says without waiting that this is nothing for it.
  bool declines_at_once(const MatchRequest& request);

  /// What the stage takes word for word (Stage::word_for_word); nothing while it is skipped.
  std::optional<Match> takes_word_for_word(const MatchRequest& request);

  /// Something the stage would have put on the bus, or have sent to a server.
  struct Question {
    Question(std::string what, std::vector<std::string> whom)
        : topic(std::move(what)), skills(std::move(whom)) {}
    std::string topic;                ///< Of a server: the method and the URL.
    std::vector<std::string> skills;  ///< The skills that could have answered.
  };
  using Questions = std::vector<Question>;
  /// Asks it, but lets nothing out that it derives from the request: whoever it polls is noted in `questions`
  /// and counts as gone. What it does then is not held against it.
  Task<Verdict> dry_run(MatchRequest request, std::shared_ptr<Questions> questions);

  const std::string& pipeline_id() const noexcept override { return settings_.pipeline_id; }
  Stage& stage() noexcept { return *stage_; }
  bool tripped() const;
  int faults() const noexcept { return faults_; }

  /// Starts an own handler of the stage on the loop.
  std::shared_ptr<Job> start_handler(Task<> work) { return scope_.spawn(services_.loop, std::move(work)); }
  /// Whether it wants to know of utterances before it is asked about them.
  bool prepares() const noexcept { return entered_ != nullptr; }
  void prepare(const MatchRequest& request);

  /// Silences it and cancels what it does; calls back when nothing of it runs any more.
  void close(std::function<void()> idle);

 private:
  const Json& options() const noexcept override { return *settings_.options; }
  const Clock& clock() const noexcept override { return services_.timers.clock(); }
  Registry& registry() noexcept override { return services_.registry; }
  const LocaleResources& locale() const noexcept override { return settings_.locale; }
  const LocaleResources& common_locale() const noexcept override { return settings_.common; }
  const std::vector<std::string>& languages() const noexcept override { return settings_.languages; }
  Presence presence(const std::string& skill_id) const override;
  bool declares(const std::string& skill_id, Ability ability) const override;
  std::vector<std::string> skills() const override;
  void on_departure(std::function<void(const std::string&)> callback) override;
  void remember_handlers(std::size_t most, Duration age) override;
  std::optional<Match> word_for_word(const MatchRequest& request) override;
  Task<AnswerFit> answer_fit(MatchRequest request) override;
  void publish(Message message) override;
  void on(std::string topic, std::function<void(const Message&)> callback) override;
  Subscription subscribe(std::string topic, std::function<void(const Message&)> callback) override;
  void on_entry(std::function<void(const MatchRequest&)> callback) override;
  Subscription spawn(Task<> work) override;
  std::shared_ptr<Wakeup> make_wakeup() override;
  std::shared_ptr<Wakeup> make_wakeup(const MatchRequest& request) override;
  Task<PollResult> poll(PollRequest request) override;
  Task<> sleep(Duration time) override;
  Subscription after(Duration time, std::function<void()> callback) override;
  Task<Result<HttpResponse>> http(MatchRequest request, HttpRequest what) override;
  Task<> run_blocking(std::function<void()> work) override;
  void in_parallel(std::size_t count, const std::function<void(std::size_t)>& each) override;
  void warn(std::string text) override;
  void count(const std::string& what, const std::string& skill_id) override;

  /// What a match has spent on waiting for others.
  struct Waited {
    Waited() = default;
    int waits = 0;  ///< Under way.
    Clock::Time since;
    Clock::Time::duration before{};  ///< In waits that are over.
  };
  class WaitForOthers;
  /// Of the match under way for that utterance; null: there is none.
  std::shared_ptr<Waited> waited_by(const std::string& utterance_id) const;
  /// What counts as the answer of a match whose time is over.
  Verdict late(const Waited& waited, Clock::Time began) const;

  Verdict skipped() const;
  Task<Verdict> run(MatchRequest request);
  /// What it says without waiting; nothing: it has to be run.
  std::optional<Verdict> quick_verdict(const MatchRequest& request);
  /// Whether a message belongs to a dry run; then what would have been asked is noted there.
  bool hold_back(const Message& message, const std::vector<std::string>& asked, const std::string& what);

  std::vector<IntentPtr> listed_intents();
  void answer_intents_list(const Message& query);
  void judge(const Verdict& verdict);
  static Task<> match_into(HostedStage* self, MatchRequest request, std::shared_ptr<Cell<Verdict>> cell);

  StageServices services_;
  StageSettings settings_;
  std::string name_;
  int faults_ = 0;
  std::optional<Clock::Time> tripped_at_;
  std::function<void(const MatchRequest&)> entered_;
  std::map<std::string, std::shared_ptr<Questions>, std::less<>> dry_runs_;  ///< By utterance_id.
  using Matches = std::map<std::string, std::shared_ptr<Waited>, std::less<>>;
  std::shared_ptr<Matches> matches_ = std::make_shared<Matches>();  ///< Likewise.
  std::unique_ptr<Stage> stage_;
  const Histogram took_;  ///< Of its answers.
  std::vector<Subscription> subscriptions_;
  Scope scope_;
};

}  // namespace parley
