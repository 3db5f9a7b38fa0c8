#pragma once

#include <functional>
#include <memory>
#include <parley/bus.hpp>
#include <parley/skill.hpp>
#include <vector>

#include "skill/skill_handlers.hpp"
#include "skill/skill_runner.hpp"
#include "turn/turn_state.hpp"

namespace parley {

/// Answers for a skill when stages ask around: fallback, converse, questions, stop. On the loop; what is the
/// skill's own to say, it says on its strand.
class SkillPings {
 public:
  /// @param runs_in  whether a handler of the skill runs in a session
  SkillPings(std::shared_ptr<const TurnEnvironment> environment, SkillRunner& runner, SkillHandlers& handlers,
             std::function<bool(const SessionKey&)> runs_in)
      : environment_(std::move(environment)),
        runner_(runner),
        handlers_(handlers),
        runs_in_(std::move(runs_in)) {}

  /// From here on stages know what the skill takes, and get answers.
  void listen();
  /// No longer.
  void close() { subscriptions_.clear(); }

 private:
  const std::string& skill_id() const noexcept { return environment_->owner; }
  /// Hears a topic for as long as it lives.
  void hear(const std::string& topic, void (SkillPings::*callback)(const Message&));
  /// Replies in the skill's name, from any thread.
  void answer(const Message& ping, std::string topic, Json data) const;
  Query query_of(const Message& ping, std::vector<std::string> utterances) const;
  void warn_of_no(const char* what, const std::string& failure) const;
  void fallback(const Message& ping);
  void converse(const Message& ping);
  void question(const Message& ping);
  void answer_question(const Message& request);
  Task<> run_question(Message request);
  void can_stop(const Message& ping);
  void stop_everything(const Message& stop);

  const std::shared_ptr<const TurnEnvironment> environment_;
  SkillRunner& runner_;
  SkillHandlers& handlers_;
  const std::function<bool(const SessionKey&)> runs_in_;
  std::vector<Subscription> subscriptions_;
};

}  // namespace parley
