#include "skill/hosted_skill.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/post.hpp>
#include <nlohmann/json.hpp>
#include <parley/language.hpp>

#include "message/log.hpp"
#include "message/topics.hpp"
#include "runtime/crash_report.hpp"
#include "runtime/guard.hpp"

namespace parley {
namespace asio = boost::asio;
namespace {

/// Of how many turns that were cut short a skill's own speech is still recognised.
constexpr std::size_t kMostSilenced = 256;

}  // namespace

struct HostedSkill::Running {
  Running(std::shared_ptr<Turn::State> turn, std::function<void(HandlerEnd)> callback)
      : state(std::move(turn)), done(std::move(callback)) {}
  std::shared_ptr<Turn::State> state;
  std::function<void(HandlerEnd)> done;
  std::shared_ptr<Job> job;
};

struct HostedSkill::Shutdown {
  explicit Shutdown(std::function<void(bool)> callback) : done(std::move(callback)) {}
  std::function<void(bool)> done;
  bool ended = false;  ///< Out of time, or through.
  Timer give_up;
};

HostedSkill::HostedSkill(std::shared_ptr<const TurnEnvironment> environment, std::unique_ptr<Skill> skill,
                         std::filesystem::path folder, Settings settings, SkillPlace where,
                         SkillServices services)
    : environment_(std::move(environment)),
      folder_(std::move(folder)),
      context_(std::move(where.context)),
      strand_(std::move(where.strand)),
      skill_(std::move(skill)),
      services_(std::move(services)),
      faults_(environment_->counters.counter("parley_skill_faults_total", {{"skill", skill_id()}})),
      handlers_(skill_id()),
      timers_(environment_, *this),
      pings_(environment_, *this, handlers_, [this](const SessionKey& session) { return runs_in(session); }),
      settings_(std::move(settings)) {
  for (const auto& lang : locale().languages())
    if (!environment_->awake || environment_->awake->has(lang)) awake_.push_back(lang);
  skill_->attach(*this);
}

HostedSkill::~HostedSkill() = default;

void HostedSkill::start(std::function<void(std::string)> done) {
  asio::post(strand_, [self = shared_from_this(), done = std::move(done)] {
    std::string failure = failure_of([&] { self->skill_->start(); }).value_or("");
    self->read_settings_at_start_ = self->reads_settings_;
    self->environment_->post([self, done, failure = std::move(failure)] {
      if (!failure.empty() || self->closing_) self->leave();
      done(failure);
    });
  });
}

void HostedSkill::join() {
  started_ = true;
  environment_->bus.presence().arrive(skill_id(), Presence::kHosted);
  pings_.listen();
  for (const auto& work : std::exchange(at_join_, {})) work();
  for (auto& message : std::exchange(unannounced_, {})) environment_->bus.publish(std::move(message));
}

void HostedSkill::once_joined(std::function<void()> work) {
  environment_->post([self = shared_from_this(), work = std::move(work)]() mutable {
    if (self->closing_ || self->replaced_) return;
    if (self->started_) return work();
    self->at_join_.push_back(std::move(work));
  });
}

void HostedSkill::leave() {
  at_join_.clear();
  subscriptions_.clear();
  pings_.close();
  timers_.close();
}

// ---- handlers

Handler HostedSkill::handler_for(const std::string& intent_name, const std::shared_ptr<Turn::State>& state) {
  if (intent_name == reserved::kFallback) return handlers_.fallback(Turn(state));
  if (intent_name == reserved::kDue) return handlers_.due(Turn(state));
  if (intent_name == reserved::kConverse) return handlers_.converse();
  if (intent_name != reserved::kStop) return handlers_.intent(intent_name);
  return [this, state](const Turn&) { return run_stop(state); };
}

Task<> HostedSkill::run_stop(std::shared_ptr<Turn::State> state) {
  const SessionKey session = state->dispatch.session_key();
  if (handlers_.stops(session) || state->ended_turns) co_return;
  if (handlers_.can_offer(session)) {
    const auto offer = handlers_.offer();
    co_return co_await (*offer)(Turn(state));
  }
  Turn(state).speak_dialog("nothing_to_stop");
}

Task<bool> HostedSkill::ask_for_slots(std::shared_ptr<Turn::State> state, std::string intent_name) {
  const auto lang = closest_language(state->lang, state->environment->locale.languages());
  const IntentResource* intent = lang ? state->environment->locale.intent(*lang, intent_name) : nullptr;
  if (intent == nullptr) co_return true;
  for (const auto& [slot, dialog] : intent->asked_slots) {
    if (!state->slots[slot].empty()) continue;
    const auto type = intent->slot_types.find(slot);
    const SlotType wanted = type == intent->slot_types.end() ? SlotType::kNone : slot_type(type->second);
    Expected expected;
    if (wanted != SlotType::kNone) {
      expected = Expected(type->second, [state, wanted](const std::string& said, const std::string& tag) {
        return state->read(wanted, said, tag).has_value();
      });
    }
    Slots known = state->slots;
    AskOptions options;
    const Heard heard =
        co_await Turn::State::ask(state, dialog, std::move(known), std::move(options), std::move(expected));
    if (heard.end != AskEnd::kAnswered) co_return false;
    state->slots[slot] = heard.text;
  }
  co_return true;
}

Task<HandlerEnd> HostedSkill::run_handler(std::shared_ptr<Turn::State> state, std::string intent_name) {
  const TurnUnderWay turn("skill " + skill_id(), state->dispatch.context().utterance_id);
  chance_.begin(state->dispatch.context().utterance_id);
  std::optional<std::string> failure;
  bool threw = false;
  try {
    const Handler handler = handler_for(intent_name, state);
    if (co_await ask_for_slots(state, intent_name)) co_await handler(Turn(state));
  } catch (const Cancelled&) {
    failure = "cancelled";
  } catch (...) {
    failure = text_of_current_exception();
    threw = true;
  }
  if (threw) faults_.add();
  if (threw) state->say_it_failed();
  HandlerEnd end = state->end();
  end.exception = std::move(failure);
  co_return end;
}

Task<> HostedSkill::run_call(std::shared_ptr<HostedSkill> self, std::shared_ptr<Turn::State> state,
                             std::string intent_name) {
  HandlerEnd end = co_await self->run_handler(state, std::move(intent_name));
  const auto& around = self->environment_;
  around->post([self, state, end = std::move(end)]() mutable { self->ended(state, std::move(end)); });
}

void HostedSkill::run(HandlerCall call) {
  const bool stopped = call.intent_name == reserved::kStop && !handlers_.has_stop() && call.ended_turns;
  if (call.intent_name == reserved::kResponse || stopped) {
    HandlerEnd end =
        call.intent_name == reserved::kResponse ? deliver_answer(environment_, call) : HandlerEnd();
    environment_->post([done = std::move(call.done), end = std::move(end)] { done(end); });
    return;
  }
  const std::string id = call.dispatch.context().utterance_id;
  auto state = std::make_shared<Turn::State>(environment_, call);
  std::erase(silenced_, id);
  auto& running = running_.insert_or_assign(id, Running(state, std::move(call.done))).first->second;
  running.job = scope_.spawn(strand_, run_call(shared_from_this(), state, call.intent_name));
  if (running.job) return;
  environment_->post(
      [self = shared_from_this(), state] { self->ended(state, HandlerEnd("the skill is being unloaded")); });
}

void HostedSkill::ended(const std::shared_ptr<Turn::State>& state, HandlerEnd end) {
  const auto found = running_.find(state->dispatch.context().utterance_id);
  // A client may have used the id again, for a turn that runs now.
  if (found == running_.end() || found->second.state != state) return;
  const auto node = running_.extract(found);
  node.mapped().done(std::move(end));
  tell_if_idle();
}

void HostedSkill::cancel(const std::string& utterance_id) {
  auto node = running_.extract(utterance_id);
  if (node.empty()) return;
  *node.mapped().state->over = true;
  silenced_.push_back(utterance_id);
  if (silenced_.size() > kMostSilenced) silenced_.pop_front();
  if (node.mapped().job) node.mapped().job->cancel();
  tell_if_idle();
}

void HostedSkill::change_settings(Settings settings, std::function<void(bool)> told) {
  asio::post(strand_, [self = shared_from_this(), settings = std::move(settings), told = std::move(told)] {
    bool at_once = true;
    if (self->skill_) {  // else destroyed by an earlier post
      self->settings_ = settings;
      self->reads_settings_ = false;
      if (const auto failure = failure_of([&] { self->skill_->on_settings_changed(); }))
        self->warn_of_fault("on_settings_changed()", *failure);
      at_once = self->reads_settings_ || !self->read_settings_at_start_;
    }
    self->environment_->post([told, at_once] { told(at_once); });
  });
}

bool HostedSkill::runs_in(const SessionKey& session) const {
  return std::any_of(running_.begin(), running_.end(),
                     [&](const auto& one) { return one.second.state->dispatch.session_key() == session; });
}

void HostedSkill::warn_of_fault(const std::string& what, const std::string& failure) const {
  faults_.add();
  log_warning("skill " + skill_id(), what + " threw: " + failure);
}

void HostedSkill::on_strand(std::string what, std::function<void()> work) {
  asio::post(strand_, [self = shared_from_this(), what = std::move(what), work = std::move(work)] {
    if (!self->skill_) return;  // destroyed by an earlier post
    if (const auto failure = failure_of(work)) self->warn_of_fault(what, *failure);
  });
}

// ---- the end

SkillAbilities HostedSkill::abilities() const {
  SkillAbilities can;
  can.fallback = handlers_.has_fallback();
  can.converse = handlers_.has_converse();
  can.questions = handlers_.has_answers();
  can.stop = handlers_.has_stop();
  return can;
}

void HostedSkill::hand_over(const SkillAbilities& after, std::function<void()> idle) {
  replaced_ = true;
  idle_ = std::move(idle);
  const SkillAbilities can = abilities();
  if (can.fallback && !after.fallback)
    environment_->bus.publish(own_message(topic::kDeregisterFallback, {{"skill_id", skill_id()}}));
  const bool loses_any =
      (can.converse && !after.converse) || (can.questions && !after.questions) || (can.stop && !after.stop);
  if (loses_any)
    environment_->bus.presence().leave(skill_id());  // and what it declared; the successor arrives
  leave();
  tell_if_idle();
}

void HostedSkill::retire(std::function<void()> idle) {
  replaced_ = true;
  idle_ = std::move(idle);
  withdraw();
  leave();
  for (const auto& [id, running] : running_) {
    const auto question = environment_->questions->take(running.state->dispatch, skill_id());
    if (question) question->set(Heard(AskEnd::kCancelled));
  }
  tell_if_idle();
}

void HostedSkill::withdraw() {
  Bus& bus = environment_->bus;
  bus.publish(own_message(topic::kDeregisterSkill, {{"skill_id", skill_id()}}));
  bus.publish(own_message(topic::kDeregisterFallback, {{"skill_id", skill_id()}}));
  bus.presence().leave(skill_id());
}

void HostedSkill::tell_if_idle() {
  if (!idle_ || !running_.empty() || closing_) return;
  environment_->post([self = shared_from_this(), idle = std::exchange(idle_, nullptr)] { idle(); });
}

void HostedSkill::shut_down(Clock::Time::duration patience, std::function<void(bool)> done) {
  closing_ = true;
  auto shutdown = std::make_shared<Shutdown>(std::move(done));
  if (started_ && !replaced_) withdraw();
  leave();
  for (auto& [id, running] : std::exchange(running_, {})) {
    *running.state->over = true;
    running.done(HandlerEnd(fmt::format("the skill '{}' was {}", skill_id(),
                                        replaced_ ? "replaced by a newer version" : "unloaded")));
  }
  scope_.close();
  shutdown->give_up = environment_->bus.timers().at(environment_->clock().now() + patience, [shutdown] {
    if (std::exchange(shutdown->ended, true)) return;
    shutdown->done(false);
  });
  scope_.when_idle([self = shared_from_this(), shutdown] { self->destroy_on_strand(shutdown); });
}

void HostedSkill::destroy_on_strand(std::shared_ptr<Shutdown> shutdown) {
  asio::post(strand_, [self = shared_from_this(), shutdown = std::move(shutdown)] {
    if (self->started_) {
      if (const auto failure = failure_of([&] { self->skill_->stop(); }))
        self->warn_of_fault("stop()", *failure);
    }
    self->handlers_.drop();
    self->timers_.drop();
    self->skill_.reset();
    // Once more through strand and loop: only then is the skill's code off every stack (and whatever
    // it posted has run).
    asio::post(self->strand_, [self, shutdown] {
      self->environment_->post([self, shutdown] {
        self->unannounced_.clear();
        self->gone_ = true;
        shutdown->give_up.reset();  // timers are the loop's; the strand may be the last to let go of the rest
        if (!std::exchange(shutdown->ended, true)) shutdown->done(true);
      });
    });
  });
}

}  // namespace parley
