#pragma once

#include <doctest/doctest.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <parley/session.hpp>
#include <string>
#include <utility>
#include <vector>

#include "message/codec.hpp"
#include "net/ovos/session.hpp"
#include "net/ovos/translator.hpp"

namespace parley::testing {

/// An older client or skill at the translator: what it says and hears as JSON. The time stands still unless a
/// test moves it.
class OvosPeer {
 public:
  static constexpr const char* kSkill = "pasta.openvoiceos";

  OvosPeer() {
    terms.compat = true;
    terms.entries = {"stop_high",  "stop_medium",  "converse",      "intent_high",     "intent_medium",
                     "intent_low", "common_query", "fallback_high", "fallback_medium", "fallback_low"};
    translator.recognise();
  }

  net::ovos::Said says(const std::string& topic, Json data = Json::object(), Json context = Json::object()) {
    return translator.say(message(topic, std::move(data), std::move(context)), now, terms);
  }
  /// The one message that what it says becomes on the bus.
  Json becomes(const std::string& topic, Json data = Json::object(), Json context = Json::object()) {
    const net::ovos::Said said = says(topic, std::move(data), std::move(context));
    REQUIRE(said.passed.size() == 1);
    return to_json(said.passed.front());
  }
  net::ovos::Heard hears(const Message& message, bool is_own = true) {
    return translator.hear(message, is_own, now);
  }
  /// A dispatch to its skill in the turn `t`.
  net::ovos::Heard hears_dispatch(const std::string& name, Json slots = Json::object(),
                                  const Json& session = {{"session_id", "kitchen"}}) {
    return hears(dispatch(name, std::move(slots), session));
  }

  static Message dispatch(const std::string& name, Json slots = Json::object(),
                          const Json& session = {{"session_id", "kitchen"}}) {
    return message(std::string(kSkill) + ":" + name,
                   {{"lang", "en-US"}, {"utterance", "make pasta"}, {"slots", std::move(slots)}},
                   context_of_turn(session));
  }
  static Json context_of_turn(const Json& session = {{"session_id", "kitchen"}}) {
    return {{"session", session},      {"utterance_id", "t"}, {"skill_id", kSkill},
            {"pipeline_id", "intent"}, {"source", "core"},    {"destination", "me"}};
  }
  static Json of_skill() { return {{"skill_id", kSkill}}; }

  static Message message(const std::string& topic, Json data, Json context) {
    const Json whole = {{"type", topic}, {"data", std::move(data)}, {"context", std::move(context)}};
    auto decoded = decode(whole.dump(), [](const std::string&) {});
    REQUIRE(std::holds_alternative<Message>(decoded));
    return std::get<Message>(std::move(decoded));
  }

  net::ovos::Translator translator;
  net::ovos::Terms terms;
  double now = 1'000;
};

inline std::vector<std::string> topics(const std::vector<Message>& messages) {
  std::vector<std::string> all;
  for (const auto& one : messages) all.push_back(one.type());
  return all;
}

}  // namespace parley::testing
