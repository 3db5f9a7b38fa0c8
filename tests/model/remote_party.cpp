#include "model/remote_party.hpp"

#include <nlohmann/json.hpp>
#include <parley/session.hpp>

#include "orchestrator/orchestrator.hpp"

namespace parley::testing {
namespace {

using namespace std::chrono_literals;

/// What was said in the turn a message belongs to: on that alone depends what is answered.
std::string about(const Message& message) {
  const auto list = message.data().find("utterances");
  if (list != message.data().end() && list->is_array() && !list->empty() && list->front().is_string())
    return list->front();
  return message.text("utterance");
}

}  // namespace

RemoteParty::RemoteParty(Assistant& core, std::uint64_t seed)
    : core_(core),
      seed_(seed),
      remote_(core.bus(), core.timers(), core.counters(), core.orchestrator(), door_) {
  core_.orchestrator().add_host(remote_);
}

void RemoteParty::begin(std::uint64_t seed) {
  disconnect_all();
  timers_.clear();
  sent_ = 0;
  seed_ = seed;
}

void RemoteParty::connect(std::size_t which) {
  if (clients_.at(which)) return;
  clients_.at(which) = std::make_shared<const net::Client>(++connections_, kSkills.at(which), "127.0.0.1");
  remote_.joined(clients_.at(which), net::Listening());
  send(which, Message("ovos.fallback.register", {{"skill_id", kSkills.at(which)}, {"priority", 60}}));
}

void RemoteParty::disconnect(std::size_t which) {
  asking_.at(which).clear();
  if (const auto client = std::exchange(clients_.at(which), nullptr)) remote_.left(client);
}

void RemoteParty::disconnect_all() {
  for (std::size_t i = 0; i < kSkills.size(); ++i) disconnect(i);
}

void RemoteParty::send(std::size_t which, Message message) {
  if (!clients_.at(which)) return;
  Context context = message.context();
  context.skill_id = kSkills.at(which);
  context.sender = clients_.at(which);
  remote_.received(clients_.at(which), message.with_context(std::move(context)));
}

void RemoteParty::later(std::size_t which, Time after, Message message) {
  const auto id = ++sent_;
  const auto& clock = core_.clock();
  timers_[id] = core_.bus().timers().at(
      clock.now() + after, [this, which, id, message = std::move(message), client = clients_.at(which)] {
        auto node = timers_.extract(id);
        if (client == clients_.at(which)) send(which, message);
      });
}

void RemoteParty::report(std::size_t which, Time after, const Message& dispatch, bool failed) {
  later(which, after,
        failed ? dispatch.forward("ovos.intent.handler.error", {{"exception", "no luck today"}})
               : dispatch.forward("ovos.intent.handler.complete", {{"skill_id", kSkills.at(which)}}));
}

void RemoteParty::hear(const Message& message) {
  for (std::size_t i = 0; i < kSkills.size(); ++i) {
    if (clients_.at(i)) hear(i, message);
  }
}

void RemoteParty::hear(std::size_t which, const Message& message) {
  const std::string id = kSkills.at(which);
  const std::string& topic = message.type();
  if (topic == id + ":common_query" && message.context().pipeline_id.empty()) {
    answer_question(which, message);
  } else if (topic.starts_with(id + ":")) {
    hear_dispatch(which, message);
  } else if (topic == id + ".converse.ping") {
    answer_poll(which, message, id + ".converse.pong", "result");
  } else if (topic == id + ".fallback.ping") {
    answer_poll(which, message, id + ".fallback.pong", "can_handle");
  } else if (topic == "ovos.stop.ping") {
    answer_poll(which, message, "ovos.stop.pong", "can_handle");
  } else if (topic == "ovos.common_query.ping") {
    answer_poll(which, message, "ovos.common_query.pong", "can_answer");
  }
}

void RemoteParty::hear_dispatch(std::size_t which, const Message& dispatch) {
  Dice dice(seed_, about(dispatch) + dispatch.type());
  const Time soon = dice.between(0, 3000);
  if (dispatch.type().ends_with(":response")) {
    report(which, soon, dispatch);
    for (const auto& asked : std::exchange(asking_.at(which), {})) report(which, soon + 1ms, asked);
    return;
  }
  const auto speak = dispatch.forward("ovos.utterance.speak", {{"utterance", "far"}, {"lang", "en-US"}});
  switch (dice.below(11)) {
    case 0:
      return;  // until its time is over
    case 1:
      later(which, 6s, speak);  // after that
      return report(which, 7s, dispatch);
    case 2:
      return report(which, soon, dispatch, true);
    case 3:
      report(which, soon, dispatch);
      return report(which, soon, dispatch, dice.chance(50));
    case 4:
      return report(which, soon, dispatch.with_session(std::make_shared<const Session>("another")));
    case 5:
      return disconnect(which);
    case 6:
    case 7:
      return ask_user(which, dispatch, dice);
    case 8: {
      Context context = dispatch.context();
      context.utterance_id += "x";
      report(which, 0ms, dispatch.with_context(std::move(context)));
      return report(which, soon, dispatch);
    }
    default:
      later(which, soon, speak);
      return report(which, soon, dispatch);
  }
}

void RemoteParty::ask_user(std::size_t which, const Message& dispatch, Dice& dice) {
  auto session = std::make_shared<Session>(*dispatch.context().session);
  const double now = unix_seconds(core_.clock().wall());
  session->response_mode = ResponseMode(kSkills.at(which), now + dice.below(15));
  asking_.at(which).push_back(dispatch);
  later(which, 1ms, dispatch.forward("ovos.session.sync", {{"session", to_json(*session)}}));
  later(which, 2ms,
        dispatch.with_session(session).forward(
            "ovos.utterance.speak", {{"utterance", "well?"}, {"lang", "en-US"}, {"listen", true}}));
}

void RemoteParty::answer_poll(std::size_t which, const Message& ping, const std::string& topic,
                              const char* key) {
  Dice dice(seed_, about(ping) + topic + kSkills.at(which));
  Json data = {{"skill_id", kSkills.at(which)}, {key, dice.chance(40)}};
  if (topic == "ovos.common_query.pong") data["utterance"] = ping.text("utterance");
  Time after = dice.between(0, 300);
  switch (dice.below(10)) {
    case 0:
      return;
    case 1:
      after = 2s;
      break;
    case 2:
      data[key] = "perhaps";
      break;
    case 3:
      data["skill_id"] = "alpha.skill";
      break;
    case 4:
      return send(which, ping.reply(topic, std::move(data)));  // before anything else happens
    case 5:
      if (dice.chance(30)) return disconnect(which);
      later(which, after, ping.reply(topic, data));
      break;
    default:
      break;
  }
  later(which, after, ping.reply(topic, std::move(data)));
}

void RemoteParty::answer_question(std::size_t which, const Message& request) {
  Dice dice(seed_, about(request) + "question" + kSkills.at(which));
  Json data = {{"skill_id", kSkills.at(which)}, {"utterance", request.text("utterance")}};
  if (dice.chance(70)) data.update({{"answer", "forty-two"}, {"conf", dice.below(150) / 100.0}});
  if (dice.chance(20)) return;
  later(which, dice.between(0, 6000),
        request.reply(std::string(kSkills.at(which)) + ".common_query.response", std::move(data)));
}

}  // namespace parley::testing
