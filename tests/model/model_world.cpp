#include "model/model_world.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <set>

#include "bus/bus.hpp"
#include "orchestrator/orchestrator.hpp"
#include "registry/registry.hpp"
#include "runtime/timers.hpp"
#include "support/installed_config.hpp"

namespace parley::testing {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kMaxOwners = 3;
constexpr std::array<const char*, 3> kSessions{"default", "kitchen", "attic"};
/// Longer than anything a program starts may take.
constexpr auto kLong = 30min;

Config configuration() {
  Config config = installed_config();
  config.plugins.directories = {PARLEY_STAGES};
  config.location.tz = "UTC";
  config.language.enabled = {"en-US"};
  config.pipeline = {"stop_high", "converse", "model", "common_query", "fallback_medium", "model_late"};
  config.orchestrator.handler_timeout = 5s;
  config.orchestrator.speak_errors = false;
  config.orchestrator.max_consecutive_faults = 1'000'000;
  config.orchestrator.max_in_flight = 6;
  config.stages.erase("intent");
  config.stages["converse"].options["max_handlers"] = kMaxOwners;
  config.stages["common_query"].options["gate"] = false;
  config.stages["model"].match_timeout = 3s;
  config.stages["model"].entries = {{"model", Json::object()}, {"model_late", Json::object()}};
  return config;
}

/// What stages and polls listen to for an answer.
std::map<std::string, bool> listened_to(const Bus& bus) {
  std::map<std::string, bool> topics;
  for (const char* topic : {"ovos.stop.pong", "ovos.common_query.pong", "parley.turn.trace"})
    topics[topic] = bus.has_subscribers(topic);
  for (const std::string skill : {"alpha.skill", "beta.skill", "gamma.skill", "one.remote", "two.remote"}) {
    for (const char* topic : {".converse.pong", ".fallback.pong"})
      topics[skill + topic] = bus.has_subscribers(skill + topic);
  }
  return topics;
}

}  // namespace

ModelWorld::ModelWorld(bool tells) : tells_(tells) {
  set_log_level(LogLevel::kOff);
  make();
  core_->start();
  for (const auto& problem : core_->problems()) faults_.push_back(to_string(problem));
  core_->run_until_idle();
  remote_ = std::make_unique<RemoteParty>(*core_, 0);
  tap_ = core_->bus().subscribe("*", [this](const Message& message) { hear(message); });
  listened_to_ = listened_to(core_->bus());
  timers_ = core_->bus().timers().pending();
  intents_ = core_->registry().intents().size();
}

ModelWorld::~ModelWorld() {
  core_->stop();
  kept_.clear();
  tap_.reset();
  remote_.reset();
  core_.reset();
  set_log_level(LogLevel::kWarning);
}

void ModelWorld::make() {
  AssistantOptions options;
  options.jumping_clock = true;
  core_ = std::make_unique<Assistant>(configuration(), options);
  auto stage =
      std::make_unique<LambdaStage>([this](MatchRequest request) { return match(this, std::move(request)); });
  stage->literal = [](const MatchRequest& request) {
    const std::string& said = request.utterance();
    if (!said.starts_with(kCommand)) return std::optional<Match>();
    Match match(taker_of(said), "go", request.lang(), said);
    match.literal_words = 3;
    return std::optional(match);
  };
  stage_ = stage.get();
  core_->add_stage("model", std::move(stage));
  for (const char* id : {"alpha.skill", "beta.skill", "gamma.skill"}) add_skill(id);
}

void ModelWorld::note(bool holds, const std::string& what) {
  if (!holds) faults_.push_back(what);
}

void ModelWorld::hear(const Message& message) {
  if (!checker_) return;
  if (tells_) {
    fmt::print("{:.3f} {} {} {} {}\n",
               std::chrono::duration<double>(core_->clock().now().time_since_epoch()).count(), message.type(),
               message.session_id(), message.context().utterance_id, message.data().dump());
  }
  checker_->hear(message);
  if (message.type() == "ovos.intent.matched") check_let_go(message);
  if (message.type() == "ovos.utterance.handled" && message.session_id() != "default")
    client_sessions_[message.session_id()] = message.context().session;
  remote_->hear(message);
}

/// A question of a skill of this process is no place for what another takes word for word (C-1).
void ModelWorld::check_let_go(const Message& matched) {
  const std::string asker = matched.text("skill_id"), said = matched.text("utterance");
  if (matched.text("intent_name") != "response" || !said.starts_with(kCommand) || asker.ends_with(".remote"))
    return;
  const std::string other = taker_of(said);
  const bool denied = matched.context().session->blacklists_skill(other);
  note(other == asker || denied,
       fmt::format("'{}' is for {}, not an answer for {} (C-1)", said, other, asker));
}

std::vector<std::string> ModelWorld::run(const Program& program) {
  checker_.emplace(kMaxOwners,
                   std::set<std::string>{"stop", "converse", "common_query", "fallback", "model"});
  for (const auto& step : program) perform(step);
  settle();
  check_nothing_left();
  checker_->finish();
  auto faults = std::exchange(faults_, {});
  faults.insert(faults.end(), checker_->faults().begin(), checker_->faults().end());
  checker_.reset();
  return faults;
}

std::vector<std::string> ModelWorld::run_and_stop(const Program& program) {
  checker_.emplace(kMaxOwners,
                   std::set<std::string>{"stop", "converse", "common_query", "fallback", "model"});
  for (const auto& step : program) perform(step);
  core_->stop();
  checker_->finish();
  note(core_->orchestrator().in_flight() == 0, "turns run on in an assistant that was stopped");
  note(running_ == 0, fmt::format("{} handlers or matches run on after the end", running_));
  auto faults = std::exchange(faults_, {});
  faults.insert(faults.end(), checker_->faults().begin(), checker_->faults().end());
  checker_.reset();
  return faults;
}

/// Lets everything come to its end, and puts back what a program may change for good.
void ModelWorld::settle() {
  core_->run_for(kLong);
  remote_->begin(0);
  core_->run_for(kLong);
  kept_.clear();
}

void ModelWorld::check_nothing_left() {
  auto& orchestrator = core_->orchestrator();
  note(orchestrator.in_flight() == 0, fmt::format("{} turns are left", orchestrator.in_flight()));
  note(orchestrator.busy() == 0, fmt::format("{} turns count as busy", orchestrator.busy()));
  note(running_ == 0, fmt::format("{} handlers or matches are left", running_));
  const auto pending = core_->bus().timers().pending();
  note(pending == timers_, fmt::format("{} timers are left, {} before", pending, timers_));
  const auto intents = core_->registry().intents().size();
  note(intents == intents_, fmt::format("{} intents are left, {} before", intents, intents_));
  for (const auto& [topic, heard] : listened_to(core_->bus())) {
    note(heard == listened_to_.at(topic), fmt::format("somebody still listens to '{}'", topic));
  }
  note(core_->bus().presence().all().size() == 3, "skills are left that went");
  const auto& waits = orchestrator.sessions().current()->response_mode;
  note(!waits || !waits->skill_id.ends_with(".skill"), "the default session waits for who has ended");
  orchestrator.sessions().set(std::make_shared<const Session>());
  client_sessions_.clear();
  auto* const clock = core_->jumping_clock();
  clock->set_wall(std::chrono::system_clock::time_point(clock->now().time_since_epoch() + 500'000h));
}

std::string ModelWorld::taker_of(const std::string& command) {
  Dice dice(1, command);
  return any_skill(dice);
}

std::string ModelWorld::any_skill(Dice& dice) {
  constexpr std::array<const char*, 5> kAll{"alpha.skill", "beta.skill", "gamma.skill", "one.remote",
                                            "two.remote"};
  return kAll.at(static_cast<std::size_t>(dice.below(5)));
}

SessionPtr ModelWorld::any_session(Dice& dice) const {
  const std::string id = kSessions.at(static_cast<std::size_t>(dice.below(3)));
  if (id == "default") return dice.chance(50) ? nullptr : std::make_shared<const Session>(id);
  const auto known = client_sessions_.find(id);
  if (known != client_sessions_.end() && dice.chance(80)) return known->second;
  return std::make_shared<const Session>(id);
}

}  // namespace parley::testing
