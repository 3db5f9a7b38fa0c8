// A child as the skill that it runs: what the host of skills asks of it.
#include "child/child_skill.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "child/frames.hpp"
#include "message/topics.hpp"
#include "turn/questions.hpp"

namespace parley::child {

ChildSkill::ChildSkill(std::shared_ptr<const TurnEnvironment> environment, Plan plan, ChildServices services)
    : environment_(std::move(environment)),
      plan_(std::move(plan)),
      services_(std::move(services)),
      turns_(std::make_shared<ChildTurns>(
          environment_, senders_, [this](const Json& head, std::string_view body) { send(head, body); },
          [this] { tell_if_idle(); })),
      requests_(std::make_shared<ChildRequests>(
          environment_, services_.keeping, services_.http,
          [this](const Json& head, std::string_view body) { send(head, body); })) {}

ChildSkill::~ChildSkill() {
  forget_child();
}

std::string_view ChildSkill::state() const noexcept {
  if (given_up_) return "given_up";
  if (!joined_) return "starting";
  return ready_ ? "running" : "restarting";
}

void ChildSkill::start(std::function<void(std::string)> done) {
  when_started_ = std::move(done);
  try {
    spawn();
  } catch (const std::exception& error) {
    environment_->post(
        [self = shared_from_this(), why = std::string(error.what())] { self->tell_started(why); });
  }
}

void ChildSkill::join() {
  joined_ = true;
  // From zero on: what asks for an increase sees the first death, too.
  for (const char* figure : {"parley_skill_deaths_total", "parley_skills_given_up_total"})
    environment_->counters.counter(figure, {{"skill", skill_id()}}).add(0);
  for (const auto& message : registrations_) environment_->bus.publish(message);
  if (ready_) take_part();
}

/// From here on it hears; and it has to before others know that it does.
void ChildSkill::take_part() {
  send({{"k", frame::kJoin}});
  listen(topic::fallback_ping(skill_id()));
  listen(topic::kStopPing);
  auto& presence = environment_->bus.presence();
  presence.arrive(skill_id(), Presence::kHosted);
  if (abilities_.converse) {
    listen(topic::converse_ping(skill_id()));
    presence.declare(skill_id(), Ability::kConverse);
  }
  if (abilities_.questions) {
    listen(topic::kQuestionPing);
    listen(topic::dispatch(skill_id(), reserved::kQuestion));
    presence.declare(skill_id(), Ability::kQuestion);
  }
  if (abilities_.stop) {
    listen(topic::kStop);
    presence.declare(skill_id(), Ability::kStop);
  }
  turns_->begin();
}

bool ChildSkill::has_intent(const std::string& name) const {
  return std::find(intents_.begin(), intents_.end(), name) != intents_.end();
}

void ChildSkill::run(HandlerCall call) {
  const bool stopped = call.intent_name == reserved::kStop && !abilities_.stop && call.ended_turns;
  if (call.intent_name == reserved::kResponse || stopped || given_up_ || closing_) {
    HandlerEnd end;
    if (call.intent_name == reserved::kResponse) end = deliver_answer(environment_, call);
    if (given_up_) end = HandlerEnd(fmt::format("the skill '{}' was given up", skill_id()));
    environment_->post([done = std::move(call.done), end = std::move(end)] { done(end); });
    return;
  }
  turns_->run(std::move(call));
}

void ChildSkill::cancel(const std::string& utterance_id) {
  if (!turns_->cancel(utterance_id)) return;
  send({{"k", frame::kCancel}, {"utterance_id", utterance_id}});
  watch_for_answer();
}

void ChildSkill::change_settings(Settings settings, std::function<void(bool)> told) {
  plan_.settings = settings.all();
  if (!ready_) {  // it starts with them
    environment_->post([told = std::move(told)] { told(true); });
    return;
  }
  const std::uint64_t n = ++count_;
  told_.emplace(n, std::move(told));
  send({{"k", frame::kSettings}, {"n", n}, {"values", plan_.settings}});
}

// ---- the end

Message ChildSkill::own_message(std::string type) const {
  Context context;
  context.source = context.skill_id = skill_id();
  return Message(std::move(type), {{"skill_id", skill_id()}}, std::move(context));
}

void ChildSkill::withdraw() {
  environment_->bus.publish(own_message(topic::kDeregisterSkill));
  environment_->bus.publish(own_message(topic::kDeregisterFallback));
  environment_->bus.presence().leave(skill_id());
}

void ChildSkill::hand_over(const SkillAbilities& after, std::function<void()> idle) {
  aside_ = true;
  idle_ = std::move(idle);
  if (abilities_.fallback && !after.fallback)
    environment_->bus.publish(own_message(topic::kDeregisterFallback));
  const bool loses_any = (abilities_.converse && !after.converse) ||
                         (abilities_.questions && !after.questions) || (abilities_.stop && !after.stop);
  if (loses_any) environment_->bus.presence().leave(skill_id());
  leave();
}

void ChildSkill::retire(std::function<void()> idle) {
  aside_ = true;
  idle_ = std::move(idle);
  if (!given_up_) withdraw();
  turns_->withdraw_questions();
  leave();
}

void ChildSkill::leave() {
  again_.reset();
  if (ready_) {
    send({{"k", frame::kAside}});
  } else {
    forget_child();  // one that is being started again
    turns_->end_all(fmt::format("the skill '{}' was replaced before it was back", skill_id()));
  }
  tell_if_idle();
}

void ChildSkill::tell_if_idle() {
  if (!idle_ || !turns_->empty() || closing_) return;
  environment_->post([self = shared_from_this(), idle = std::exchange(idle_, nullptr)] { idle(); });
}

void ChildSkill::shut_down(Clock::Time::duration patience, std::function<void(bool)> done) {
  closing_ = true;
  shut_ = std::move(done);
  when_started_ = nullptr;
  again_.reset();
  if (joined_ && !aside_ && !given_up_) withdraw();
  turns_->end_all(
      fmt::format("the skill '{}' was {}", skill_id(), aside_ ? "replaced by a newer version" : "unloaded"));
  requests_->drop();
  listened_.clear();
  if (!process_) return finish();
  send({{"k", frame::kEnd}});
  patience_ = environment_->bus.timers().at(environment_->clock().now() + patience,
                                            [this] { kill("it did not come to an end"); });
}

/// Calls back once nothing here refers to the child any more.
void ChildSkill::finish() {
  forget_child();
  const auto both = std::make_shared<int>(2);
  const auto one_ended = [self = shared_from_this(), both] {
    self->environment_->post([self, both] {
      if (--*both > 0) return;
      self->gone_ = true;
      if (const auto shut = std::exchange(self->shut_, nullptr)) shut(true);
    });
  };
  turns_->close(one_ended);
  requests_->close(one_ended);
}

}  // namespace parley::child
