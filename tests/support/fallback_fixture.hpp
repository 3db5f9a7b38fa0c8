#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "support/end_to_end.hpp"
#include "support/installed_config.hpp"

namespace parley::testing {

inline constexpr const char* kSilentCount = "parley_stage_silent_total{stage=\"fallback\",skill=\"a.test\"}";

/// A skill at the other end of a connection: what it sends is on the bus just as it says it.
class BusSkill {
 public:
  using Reply = std::function<void(BusSkill& self, const Message& ping)>;

  BusSkill(Assistant& core, std::string skill_id, Reply reply)
      : core_(core), id_(std::move(skill_id)), reply_(std::move(reply)) {
    core_.bus().presence().arrive(id_, Presence::kRemote);
    pings_ =
        core_.bus().subscribe(id_ + ".fallback.ping", [this](const Message& ping) { reply_(*this, ping); });
  }
  BusSkill(const BusSkill&) = delete;
  BusSkill& operator=(const BusSkill&) = delete;

  const std::string& id() const noexcept { return id_; }
  void replies(Reply reply) { reply_ = std::move(reply); }

  /// Sends in its own name, outside of any turn.
  void send(const std::string& topic, Json data, const std::string& session_id = "default") const {
    Context context;
    context.source = "far away";
    context.skill_id = id_;
    context.session = session(session_id);
    core_.bus().publish(Message(topic, std::move(data), std::move(context)));
  }
  void join(Json priority, const std::string& session_id = "default") const {
    send("ovos.fallback.register", {{"skill_id", id_}, {"priority", std::move(priority)}}, session_id);
  }
  void quit(const std::string& session_id = "default") const {
    send("ovos.fallback.deregister", {{"skill_id", id_}}, session_id);
  }
  void pong(const Message& ping, bool willing) const {
    core_.bus().publish(ping.reply(id_ + ".fallback.pong", {{"skill_id", id_}, {"can_handle", willing}}));
  }
  void disconnect() const { core_.bus().presence().leave(id_); }

 private:
  Assistant& core_;
  std::string id_;
  Reply reply_;
  Subscription pings_;
};

inline BusSkill::Reply answers(bool willing) {
  return [willing](BusSkill& self, const Message& ping) { self.pong(ping, willing); };
}
inline BusSkill::Reply stays_silent() {
  return [](BusSkill&, const Message&) {};
}
/// Answers with this `data`, whatever it is.
inline BusSkill::Reply answers_with(Json data) {
  return [data = std::move(data)](BusSkill& self, const Message& ping) {
    self.send(self.id() + ".fallback.pong", data, ping.session_id());
  };
}

/// An assistant on a clock that jumps, with the real fallback stage, which is the only one and asks every
/// priority unless the test changes `config`.
class FallbackRun : public EndToEnd {
 public:
  FallbackRun() {
    config.stages.clear();
    config.stages["fallback"] = installed_config().stages.at("fallback");
    config.stages["fallback"].entries = {{"fallback", Json::object()}};
    config.pipeline = {"fallback"};
  }
  void traces() { options.trace_all = true; }
  Json& stage_options() { return config.stages["fallback"].options; }
  void range(int least, int most) {
    config.stages["fallback"].entries["fallback"]["priority"] = {least, most};
  }

  BusSkill& remote(const std::string& skill_id, BusSkill::Reply reply) {
    remotes_.push_back(std::make_unique<BusSkill>(assistant(), skill_id, std::move(reply)));
    return *remotes_.back();
  }
  BusSkill& remote(const std::string& skill_id, int priority, BusSkill::Reply reply) {
    BusSkill& skill = remote(skill_id, std::move(reply));
    skill.join(priority);
    return skill;
  }

  /// Says something in that session and gives who was chosen; empty when nobody was.
  std::string winner(const SessionPtr& in = session("kitchen")) {
    heard.clear();
    const auto began = assistant().clock().now();
    const TurnResult turn = say("what now", in);
    waited = std::chrono::duration_cast<std::chrono::milliseconds>(assistant().clock().now() - began);
    return turn.intent_name == "fallback" ? turn.skill_id : std::string();
  }
  std::string winner(Session in) { return winner(std::make_shared<const Session>(std::move(in))); }

  /// Who was asked since the last utterance, in order.
  Names asked() const {
    constexpr std::string_view kPing = ".fallback.ping";
    Names skills;
    for (const auto& message : heard) {
      const std::string& topic = message.type();
      if (topic.ends_with(kPing)) skills.push_back(topic.substr(0, topic.size() - kPing.size()));
    }
    return skills;
  }
  std::vector<Message> all(std::string_view topic) const {
    std::vector<Message> found;
    std::copy_if(heard.begin(), heard.end(), std::back_inserter(found),
                 [topic](const Message& message) { return message.type() == topic; });
    return found;
  }
  Message one(std::string_view topic) const {
    CAPTURE(topic);
    const auto found = all(topic);
    REQUIRE(found.size() == 1);
    return found.front();
  }

  /// Whether the story of the last turn has such a step: subject and text need only contain these.
  bool told(std::string_view kind, std::string_view subject, std::string_view text) const {
    const Json steps = one("parley.turn.trace").data().at("steps");
    return std::any_of(steps.begin(), steps.end(), [&](const Json& step) {
      return step.at("kind") == kind && contains(step.at("subject").get<std::string>(), subject) &&
             contains(step.at("text").get<std::string>() + step.at("facts").dump(), text);
    });
  }

  std::chrono::milliseconds waited{0};  ///< By the assistant's clock, in the last turn.

 private:
  std::vector<std::unique_ptr<BusSkill>> remotes_;
};

inline Session prefers(Names skills, const std::string& session_id = "kitchen") {
  Session preferring(session_id);
  preferring.fallback_handlers = std::move(skills);
  return preferring;
}

}  // namespace parley::testing
