// What a program does to the assistant.
#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>

#include "model/model_world.hpp"
#include "runtime/timers.hpp"

namespace parley::testing {

using namespace std::chrono_literals;

namespace {

constexpr std::array<const char*, 6> kAnswers{"never mind", "yes",   "perhaps",
                                              "seven",      "beans", "the second one"};

}  // namespace

void ModelWorld::say(const Step& step, Json data, std::string utterance_id) {
  Dice dice(step.dice, "session");
  core_->bus().publish(utterance_message(std::move(data), any_session(dice), std::move(utterance_id)));
}

void ModelWorld::perform(const Step& step) {
  Dice dice(step.dice);
  const auto which = static_cast<std::size_t>(dice.below(2));
  const std::string own_id = dice.chance(70) ? fmt::format("u{:x}", step.dice) : std::string();
  switch (step.act) {
    case Act::kSay:
      say(step, {{"utterances", {fmt::format("say {:x}", step.dice)}}}, own_id);
      break;
    case Act::kStop:
      say(step, {{"utterances", {dice.chance(70) ? "stop" : "stop everything"}}}, own_id);
      break;
    case Act::kAnswer:
      say(step, {{"utterances", {kAnswers.at(static_cast<std::size_t>(dice.below(kAnswers.size())))}}},
          own_id);
      break;
    case Act::kCommand:
      say(step, {{"utterances", {fmt::format("{}{:x}", kCommand, step.dice)}}}, own_id);
      break;
    case Act::kPass:
      core_->run_for(dice.chance(50) ? dice.between(0, 50) : dice.between(0, 12'000));
      break;
    case Act::kSetClock: {
      auto* const clock = core_->jumping_clock();
      clock->set_wall(clock->wall() + std::chrono::minutes(dice.below(180) - 90));
      break;
    }
    case Act::kConnect:
      remote_->connect(which);
      break;
    case Act::kDisconnect:
      remote_->disconnect(which);
      break;
    case Act::kRegister:
      register_in(dice);
      break;
    case Act::kWithdraw:
      remote_->send(which, Message(dice.chance(50) ? "ovos.skill.deregister" : "ovos.fallback.deregister",
                                   {{"skill_id", RemoteParty::kSkills.at(which)}}));
      break;
    case Act::kSync:
      sync(dice);
      break;
    case Act::kStopMessage: {
      Context context;
      context.session = any_session(dice);
      core_->bus().publish(Message("ovos.stop", Json::object(), std::move(context)));
      break;
    }
    case Act::kSpeakLate:
      if (!kept_.empty()) kept_.back().speak("late");
      break;
    case Act::kNonsense:
      nonsense(step, dice);
      break;
  }
  if (dice.chance(50)) core_->run_for(0s);
}

void ModelWorld::register_in(Dice& dice) {
  const auto which = static_cast<std::size_t>(dice.below(2));
  const std::string id = RemoteParty::kSkills.at(which);
  Context context;
  context.session = any_session(dice);
  remote_->connect(which);
  if (dice.chance(50)) {
    remote_->send(which, Message("ovos.fallback.register",
                                 {{"skill_id", id}, {"priority", 50 + dice.below(25)}}, std::move(context)));
    return;
  }
  remote_->send(which, Message("ovos.intent.register.template",
                               {{"skill_id", id},
                                {"intent_name", fmt::format("i{}", dice.below(3))},
                                {"lang", "en-US"},
                                {"samples", {"do {thing} now"}}},
                               std::move(context)));
}

void ModelWorld::nonsense(const Step& step, Dice& dice) {
  switch (dice.below(4)) {
    case 0:
      return say(step, Json::object());
    case 1:
      return say(step, {{"utterances", {"", " ", 3}}});
    default:  // an id that is in use, or was
      for (int i = 0; i < 3; ++i)
        say(step, {{"utterances", {fmt::format("say {:x}{}", step.dice, i)}}}, "one and the same");
  }
}

void ModelWorld::sync(Dice& dice) {
  Context context;
  context.session = any_session(dice);
  Json patch = {{"intent_context", {{"topic", {{"value", "v"}, {"turns_remaining", 2}}}}}};
  if (dice.chance(30)) patch["converse_handlers"] = Json::array();
  if (dice.chance(30)) patch["active_handlers"] = Json::array();
  if (dice.chance(20)) patch["blacklisted_skills"] = {any_skill(dice)};
  core_->bus().publish(Message("ovos.session.sync", {{"session", std::move(patch)}}, std::move(context)));
}

}  // namespace parley::testing
