// What a skill waits for outside of its strand: time, answers on the bus, work that blocks, servers.
#include <fmt/format.h>

#include <stdexcept>

#include "message/log.hpp"
#include "runtime/cell.hpp"
#include "runtime/guard.hpp"
#include "skill/hosted_skill.hpp"

namespace parley {
namespace {

class StrandWakeup final : public Wakeup {
 public:
  explicit StrandWakeup(std::shared_ptr<const TurnEnvironment> around) : around_(std::move(around)) {}

  void notify() override {
    if (const auto waiting = waiting_.lock()) {
      waiting->set(true);
    } else {
      notified_ = true;
    }
  }

  Task<> wait_until(Clock::Time when) override {
    if (std::exchange(notified_, false)) co_return;
    const auto cell = std::make_shared<Cell<bool>>();
    waiting_ = cell;
    co_await around_->wait(cell, when);
  }

 private:
  std::shared_ptr<const TurnEnvironment> around_;
  bool notified_ = false;
  std::weak_ptr<Cell<bool>> waiting_;
};

/// Cancels a job when the wait for it ends, however it does.
class JobGuard {
 public:
  explicit JobGuard(std::shared_ptr<Job> job) : job_(std::move(job)) {}
  ~JobGuard() { job_->cancel(); }
  JobGuard(const JobGuard&) = delete;
  JobGuard& operator=(const JobGuard&) = delete;

 private:
  std::shared_ptr<Job> job_;
};

}  // namespace

// ---- callbacks that wait

void HostedSkill::go_on(std::string what, Task<> begun, std::shared_ptr<void> held) {
  if (!begun.valid()) return;  // a function, which has ended
  scope_.spawn(strand_, run_callback(shared_from_this(), std::move(what), std::move(held), std::move(begun)));
}

Task<> HostedSkill::run_callback(std::shared_ptr<HostedSkill> self, std::string what,
                                 std::shared_ptr<void> held, Task<> begun) {
  std::string failure;
  try {
    Task<> inner = std::move(begun);  // gone before what it uses
    co_await std::move(inner);
  } catch (const Cancelled&) {  // the skill is being unloaded
  } catch (...) {
    failure = text_of_current_exception();
  }
  held.reset();
  if (!failure.empty()) self->warn_of_fault(what, failure);
}

// ---- waits

Task<> HostedSkill::sleep(Duration time) {
  const auto span = std::chrono::duration_cast<Clock::Time::duration>(time);
  co_await environment_->sleep_until(clock().now() + span);
}

std::shared_ptr<Wakeup> HostedSkill::make_wakeup() {
  return std::make_shared<StrandWakeup>(environment_);
}

Task<> HostedSkill::ask_around(std::shared_ptr<HostedSkill> self, PollRequest request,
                               std::shared_ptr<Cell<std::optional<Message>>> answer) {
  PollResult result = co_await self->environment_->bus.poll(std::move(request));
  std::optional<Message> first;
  if (!result.answers.empty()) first = std::move(result.answers.front().message);
  answer->set(std::move(first));
}

Task<std::optional<Message>> HostedSkill::request(Message question, Duration timeout,
                                                  std::string answer_topic) {
  if (timeout <= Duration::zero())
    throw std::invalid_argument(fmt::format("the request '{}' needs a timeout above zero", question.type()));
  co_await unless_cancelled();
  Context context = question.context();
  context.skill_id = skill_id();
  if (context.source.empty()) context.source = skill_id();
  if (answer_topic.empty()) answer_topic = question.type() + ".response";
  PollRequest poll(question.with_context(std::move(context)), std::move(answer_topic), timeout);
  poll.judge = [](const Message&) { return PollVerdict::kClose; };
  const auto answer = std::make_shared<Cell<std::optional<Message>>>();
  auto job = scope_.spawn(environment_->loop, ask_around(shared_from_this(), std::move(poll), answer));
  if (!job) throw Cancelled("the skill is being unloaded");
  const JobGuard until_it_is_answered(std::move(job));
  co_return co_await Cell<std::optional<Message>>::wait(answer);
}

Task<> HostedSkill::run_blocking(std::function<void()> work) {
  co_await unless_cancelled();
  const auto cell = std::make_shared<Cell<std::string>>();
  const bool started = scope_.run_blocking(services_.workers, [cell, work = std::move(work)]() mutable {
    std::string failure = failure_of(work).value_or("");
    work = nullptr;
    cell->set(std::move(failure));
  });
  if (!started) throw Cancelled("the skill is being unloaded");
  const std::string failure = co_await Cell<std::string>::wait(cell);
  if (!failure.empty()) throw std::runtime_error(failure);
}

HttpStream HostedSkill::http_stream(HttpRequest request) {
  return open_stream(services_.http, skill_id(), std::move(request));
}

Task<Result<HttpResponse>> HostedSkill::http(HttpRequest request) {
  co_await unless_cancelled();
  HttpStream stream = http_stream(std::move(request));
  co_return co_await whole_answer(std::move(stream));
}

// ---- words and chance

bool HostedSkill::says(std::string_view vocabulary, std::string_view text, std::string_view lang) const {
  return environment_->says(vocabulary, text, lang);
}

bool HostedSkill::mentions(std::string_view vocabulary, std::string_view text, std::string_view lang) const {
  return environment_->mentions(vocabulary, text, lang);
}

std::size_t HostedSkill::random(std::size_t count) {
  if (count == 0) throw std::invalid_argument("random() takes a count of 1 or more");
  return environment_->random ? environment_->random(count) : chance_.draw(count);
}

}  // namespace parley
