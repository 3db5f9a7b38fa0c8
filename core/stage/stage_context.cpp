// What a stage asks of its host (StageContext).
#include <fmt/format.h>

#include "message/log.hpp"
#include "runtime/cell.hpp"
#include "runtime/guard.hpp"
#include "runtime/share_out.hpp"
#include "stage/hosted_stage.hpp"

namespace parley {
namespace {

class LoopWakeup : public Wakeup {
 public:
  explicit LoopWakeup(Timers& timers) : timers_(timers) {}

  void notify() override {
    if (cell_) {
      cell_->set(true);
    } else {
      notified_ = true;
    }
  }

  Task<> wait_until(Clock::Time when) override {
    if (std::exchange(notified_, false)) co_return;
    const auto cell = std::make_shared<Cell<bool>>();
    cell_ = cell;
    const Timer timer = timers_.at(when, [cell] { cell->set(false); });
    co_await Cell<bool>::wait(cell);
    cell_ = nullptr;
  }

 private:
  Timers& timers_;
  bool notified_ = false;
  std::shared_ptr<Cell<bool>> cell_;
};

}  // namespace

/// While it lives a match waits for others (U-5); for whom nobody matches it does nothing.
class HostedStage::WaitForOthers {
 public:
  WaitForOthers(std::shared_ptr<Waited> whose, Clock::Time now) : whose_(std::move(whose)) {
    if (whose_ && whose_->waits++ == 0) whose_->since = now;
  }
  WaitForOthers(const WaitForOthers&) = delete;
  WaitForOthers& operator=(const WaitForOthers&) = delete;
  ~WaitForOthers() {
    if (whose_) --whose_->waits;
  }
  void end(Clock::Time now) {
    if (whose_ && --whose_->waits == 0) whose_->before += now - whose_->since;
    whose_ = nullptr;
  }

 private:
  std::shared_ptr<Waited> whose_;
};

std::optional<Match> HostedStage::word_for_word(const MatchRequest& request) {
  if (!services_.word_for_word) return std::nullopt;
  auto match = services_.word_for_word(request);
  services_.monitor.enter(name_);
  return match;
}

Task<AnswerFit> HostedStage::answer_fit(MatchRequest request) {
  if (!services_.answer_fit) co_return AnswerFit::kFits;
  WaitForOthers wait(waited_by(request.message().context().utterance_id), clock().now());
  const AnswerFit fit = co_await services_.answer_fit(std::move(request));
  wait.end(clock().now());
  services_.monitor.enter(name_);
  co_return fit;
}

Presence HostedStage::presence(const std::string& skill_id) const {
  return services_.bus.presence().of(skill_id);
}

bool HostedStage::declares(const std::string& skill_id, Ability ability) const {
  return services_.bus.presence().declares(skill_id, ability);
}

std::vector<std::string> HostedStage::skills() const {
  return services_.bus.presence().all();
}

void HostedStage::remember_handlers(std::size_t most, Duration age) {
  if (services_.remember_handlers) services_.remember_handlers(most, age);
}

void HostedStage::on_departure(std::function<void(const std::string&)> callback) {
  auto guarded = [this, callback = std::move(callback)](const std::string& skill_id) {
    services_.monitor.enter(name_);
    if (const auto failure = failure_of([&] { callback(skill_id); }))
      warn(fmt::format("threw when '{}' had gone: {}", skill_id, *failure));
  };
  subscriptions_.push_back(services_.bus.presence().on_leave(std::move(guarded)));
}

void HostedStage::count(const std::string& what, const std::string& skill_id) {
  Counters::Labels labels{{"stage", pipeline_id()}};
  if (!skill_id.empty()) labels.emplace_back("skill", skill_id);
  services_.counters.counter(fmt::format("parley_stage_{}_total", what), std::move(labels)).add();
}

void HostedStage::publish(Message message) {
  if (dry_runs_.contains(message.context().utterance_id)) return;  // nobody is waited for: it decides nothing
  services_.bus.publish(std::move(message));
}

void HostedStage::on(std::string topic, std::function<void(const Message&)> callback) {
  subscriptions_.push_back(subscribe(std::move(topic), std::move(callback)));
}

Subscription HostedStage::subscribe(std::string topic, std::function<void(const Message&)> callback) {
  auto guarded = [this, topic, callback = std::move(callback)](const Message& message) {
    services_.monitor.enter(name_);
    if (const auto failure = failure_of([&] { callback(message); }))
      warn(fmt::format("threw on '{}': {}", topic, *failure));
  };
  return services_.bus.subscribe(topic, std::move(guarded));
}

void HostedStage::on_entry(std::function<void(const MatchRequest&)> callback) {
  entered_ = std::move(callback);
}

Subscription HostedStage::spawn(Task<> work) {
  auto job = scope_.spawn(services_.loop, std::move(work));
  if (!job) return {};
  return Subscription(std::shared_ptr<void>(job.get(), [job](void*) { job->cancel(); }));
}

std::shared_ptr<Wakeup> HostedStage::make_wakeup() {
  return std::make_shared<LoopWakeup>(services_.timers);
}

std::shared_ptr<Wakeup> HostedStage::make_wakeup(const MatchRequest& request) {
  class MatchWakeup final : public LoopWakeup {
   public:
    MatchWakeup(HostedStage& stage, std::string id)
        : LoopWakeup(stage.services_.timers), stage_(stage), id_(std::move(id)) {}
    Task<> wait_until(Clock::Time when) override {
      WaitForOthers wait(stage_.waited_by(id_), stage_.clock().now());
      co_await LoopWakeup::wait_until(when);
      wait.end(stage_.clock().now());
    }

   private:
    HostedStage& stage_;
    std::string id_;
  };
  return std::make_shared<MatchWakeup>(*this, request.message().context().utterance_id);
}

Task<> HostedStage::sleep(Duration time) {
  auto cell = std::make_shared<Cell<bool>>();
  const auto until = clock().now() + std::chrono::duration_cast<Clock::Time::duration>(time);
  const Timer timer = services_.timers.at(until, [cell] { cell->set(true); });
  co_await Cell<bool>::wait(cell);
  services_.monitor.enter(name_);
}

Subscription HostedStage::after(Duration time, std::function<void()> callback) {
  const auto when = clock().now() + std::chrono::duration_cast<Clock::Time::duration>(time);
  auto guarded = [this, callback = std::move(callback)] {
    services_.monitor.enter(name_);
    if (const auto failure = failure_of(callback)) warn("threw in a callback: " + *failure);
  };
  return Subscription(std::make_shared<Timer>(services_.timers.at(when, std::move(guarded))));
}

Task<PollResult> HostedStage::poll(PollRequest request) {
  const Message& question = request.questions.front();
  if (hold_back(question, request.expected, question.type())) {
    PollResult nobody;
    nobody.departed = std::move(request.expected);
    co_return nobody;
  }
  WaitForOthers wait(waited_by(question.context().utterance_id), clock().now());
  PollResult result = co_await services_.bus.poll(std::move(request));
  wait.end(clock().now());
  services_.monitor.enter(name_);
  co_return result;
}

Task<Result<HttpResponse>> HostedStage::http(MatchRequest request, HttpRequest what) {
  if (hold_back(request.message(), {}, fmt::format("{} {}", what.method, shown_url(what.url))))
    throw Cancelled("nothing is sent for an explanation");
  WaitForOthers wait(waited_by(request.message().context().utterance_id), clock().now());
  HttpStream stream = open_stream(services_.servers, pipeline_id(), std::move(what));
  Result<HttpResponse> answer = co_await whole_answer(std::move(stream));
  wait.end(clock().now());
  services_.monitor.enter(name_);
  co_return answer;
}

Task<> HostedStage::run_blocking(std::function<void()> work) {
  auto cell = std::make_shared<Cell<std::string>>();
  const bool started = scope_.run_blocking(services_.background, [cell, work = std::move(work)]() mutable {
    std::string failure = failure_of(work).value_or("");
    work = nullptr;
    give_back_memory();
    cell->set(std::move(failure));
  });
  if (!started) throw Cancelled("the stage is being unloaded");
  const std::string failure = co_await Cell<std::string>::wait(cell);
  services_.monitor.enter(name_);
  if (!failure.empty()) throw std::runtime_error(failure);
}

void HostedStage::in_parallel(std::size_t count, const std::function<void(std::size_t)>& each) {
  share_out(services_.background, count, each);
}

void HostedStage::warn(std::string text) {
  log_warning("stage " + pipeline_id(), text);
}

}  // namespace parley
