#include "skill/hosted_skill.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/post.hpp>
#include <nlohmann/json.hpp>

#include "message/log.hpp"

namespace parley {
namespace asio = boost::asio;
namespace {

/// Of how many turns that were cut short a skill's own speech is still recognised.
constexpr std::size_t kMostSilenced = 256;

/// Runs code of a skill; what it throws becomes a text, because the thrown type lives in the plugin.
template <class Work>
std::string failure_of(Work&& work) {
  try {
    work();
    return {};
  } catch (const std::exception& error) {
    return *error.what() == '\0' ? "an exception without words" : error.what();
  } catch (...) {
    return "something that is no std::exception";
  }
}

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
  Timer insist, give_up;
};

HostedSkill::HostedSkill(std::shared_ptr<const TurnEnvironment> environment, std::unique_ptr<Skill> skill,
                         std::filesystem::path folder, Settings settings,
                         std::shared_ptr<asio::io_context> where)
    : environment_(std::move(environment)),
      folder_(std::move(folder)),
      settings_(std::move(settings)),
      context_(std::move(where)),
      strand_(asio::make_strand(context_->get_executor())),
      skill_(std::move(skill)) {
  skill_->attach(*this);
}

HostedSkill::~HostedSkill() = default;

void HostedSkill::start(std::function<void(std::string)> done) {
  asio::post(strand_, [self = shared_from_this(), done = std::move(done)] {
    std::string failure = failure_of([&] { self->skill_->start(); });
    self->environment_->post([self, done, failure = std::move(failure)] {
      if (failure.empty() && !self->closing_) {  // given up meanwhile: it comes too late
        self->started_ = true;
        Bus& bus = self->environment_->bus;
        bus.presence().arrive(self->skill_id(), Presence::kHosted);
        self->subscriptions_.push_back(
            bus.subscribe(self->skill_id() + ".fallback.ping",
                          [raw = self.get()](const Message& ping) { raw->answer_fallback_ping(ping); }));
        for (auto& message : std::exchange(self->unannounced_, {})) bus.publish(std::move(message));
      } else {
        self->subscriptions_.clear();
        self->timers_.clear();
      }
      done(failure);
    });
  });
}

// ---- handlers

Handler HostedSkill::handler_for(const std::string& intent_name, const Turn& turn) {
  if (intent_name == "fallback") {
    const FallbackQuery query({turn.text()}, turn.lang(), turn.session());
    const FallbackHandler* handler = willing_fallback(query);
    if (handler == nullptr) throw std::runtime_error("no fallback handler of the skill takes this");
    return handler->answer;
  }
  const auto found = intents_.find(intent_name);
  if (found == intents_.end()) {
    throw std::runtime_error(fmt::format("the skill has no handler for '{}'", intent_name));
  }
  return *found->second;
}

Task<HandlerEnd> HostedSkill::run_handler(std::shared_ptr<Turn::State> state, std::string intent_name) {
  HandlerEnd end;
  try {
    const Handler handler = handler_for(intent_name, Turn(state));
    co_await handler(Turn(state));
  } catch (const Cancelled&) {
    end.exception = "cancelled";
  } catch (const std::exception& error) {
    end.exception = *error.what() == '\0' ? "an exception without words" : error.what();
  } catch (...) {
    end.exception = "something that is no std::exception";
  }
  end.session = state->changed_session();
  co_return end;
}

Task<> HostedSkill::run_call(std::shared_ptr<HostedSkill> self, std::shared_ptr<Turn::State> state,
                             std::string intent_name) {
  HandlerEnd end = co_await self->run_handler(state, std::move(intent_name));
  const auto& around = self->environment_;
  around->post([self, state, end = std::move(end)]() mutable { self->ended(state, std::move(end)); });
}

void HostedSkill::run(HandlerCall call) {
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
}

void HostedSkill::cancel(const std::string& utterance_id) {
  auto node = running_.extract(utterance_id);
  if (node.empty()) return;
  *node.mapped().state->over = true;
  silenced_.push_back(utterance_id);
  if (silenced_.size() > kMostSilenced) silenced_.pop_front();
  if (node.mapped().job) node.mapped().job->cancel();
}

// ---- fallback

const FallbackHandler* HostedSkill::willing_fallback(const FallbackQuery& query) {
  for (const auto& handler : fallbacks_) {
    bool willing = false;
    const std::string failure = failure_of([&] { willing = handler.can_answer(query); });
    if (!failure.empty()) {
      log_warning("skill " + skill_id(), "its can_answer threw, which counts as a no: " + failure);
    }
    if (willing) return &handler;
  }
  return nullptr;
}

void HostedSkill::answer_fallback_ping(const Message& ping) {
  std::vector<std::string> utterances;
  const auto said = ping.data().find("utterances");
  if (said != ping.data().end() && said->is_array()) {
    for (const auto& one : *said) {
      if (one.is_string()) utterances.push_back(one);
    }
  }
  auto session = ping.context().session ? ping.context().session : std::make_shared<const Session>();
  on_strand("can_answer", [this, ping, utterances = std::move(utterances), session = std::move(session)] {
    const bool willing = !utterances.empty() &&
                         willing_fallback(FallbackQuery(utterances, ping.text("lang"), session)) != nullptr;
    Message pong =
        ping.reply(skill_id() + ".fallback.pong", {{"skill_id", skill_id()}, {"can_handle", willing}});
    environment_->post([around = environment_, pong = std::move(pong)] { around->bus.publish(pong); });
  });
}

void HostedSkill::on_strand(std::string what, std::function<void()> work) {
  asio::post(strand_, [self = shared_from_this(), what = std::move(what), work = std::move(work)] {
    if (!self->skill_) return;  // destroyed by an earlier post
    const std::string failure = failure_of(work);
    if (!failure.empty()) log_warning("skill " + self->skill_id(), what + " threw: " + failure);
  });
}

// ---- the end

void HostedSkill::shut_down(Clock::Time::duration patience, std::function<void(bool)> done) {
  closing_ = true;
  auto shutdown = std::make_shared<Shutdown>(std::move(done));
  Bus& bus = environment_->bus;
  if (started_) {
    bus.publish(own_message("ovos.skill.deregister", {{"skill_id", skill_id()}}));
    bus.publish(own_message("ovos.fallback.deregister", {{"skill_id", skill_id()}}));
    bus.presence().leave(skill_id());
  }
  subscriptions_.clear();
  timers_.clear();
  for (auto& [id, running] : std::exchange(running_, {})) {
    *running.state->over = true;
    running.done(HandlerEnd(fmt::format("the skill '{}' was unloaded", skill_id())));
  }
  scope_.close();
  const auto now = environment_->clock().now();
  shutdown->insist = bus.timers().at(now + patience / 2, [this] { scope_.cancel_all(); });
  shutdown->give_up = bus.timers().at(now + patience, [shutdown] {
    if (std::exchange(shutdown->ended, true)) return;
    shutdown->done(false);
  });
  scope_.when_idle([self = shared_from_this(), shutdown] { self->destroy_on_strand(shutdown); });
}

void HostedSkill::destroy_on_strand(std::shared_ptr<Shutdown> shutdown) {
  asio::post(strand_, [self = shared_from_this(), shutdown = std::move(shutdown)] {
    if (self->started_) {
      const std::string failure = failure_of([&] { self->skill_->stop(); });
      if (!failure.empty()) log_warning("skill " + self->skill_id(), "stop() threw: " + failure);
    }
    self->intents_.clear();
    self->fallbacks_.clear();
    self->tickers_.clear();
    self->skill_.reset();
    // Once more through strand and loop: only then is the skill's code off every stack (and whatever
    // it posted has run).
    asio::post(self->strand_, [self, shutdown] {
      self->environment_->post([self, shutdown] {
        self->unannounced_.clear();
        self->gone_ = true;
        if (std::exchange(shutdown->ended, true)) return;
        shutdown->insist.reset();
        shutdown->give_up.reset();
        shutdown->done(true);
      });
    });
  });
}

}  // namespace parley
