#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bus/bus.hpp"
#include "message/log.hpp"
#include "registry/registry.hpp"
#include "runtime/timers.hpp"

namespace parley::test {

using Names = std::vector<std::string>;

/// A registry on a bus of its own, with ears for its warnings, its changes and its answers.
class RegistryFixture {
 public:
  RegistryFixture()
      : log_([this](LogLevel level, std::string_view who, std::string_view text) {
          if (level == LogLevel::kWarning && who == "registry") warnings.emplace_back(text);
        }) {
    changes_ = registry.on_change([this](const RegistryChange& change) { hear(change); });
  }
  RegistryFixture(const RegistryFixture&) = delete;
  RegistryFixture& operator=(const RegistryFixture&) = delete;

  /// Sends as the skill that the payload names, unless told otherwise.
  void send(const std::string& topic, const Json& data, const std::string& session = "default") {
    const auto found = data.find("skill_id");
    send_as(found != data.end() && found->is_string() ? found->get<std::string>() : "", topic, data, session);
  }
  void send_as(const std::string& sender, const std::string& topic, const Json& data,
               const std::string& session = "default") {
    Context context;
    context.skill_id = sender;
    context.session = std::make_shared<const Session>(session);
    bus.publish(Message(topic, data, std::move(context)));
  }

  Json ask(const std::string& topic, const Json& data) { return ask(Message(topic, data)); }
  Json ask(const Message& query) {
    Json answer;
    int count = 0;
    const Subscription ear = bus.subscribe(query.type() + ".response", [&](const Message& message) {
      answer = message.data();
      ++count;
    });
    bus.publish(query);
    REQUIRE(count == 1);
    return answer;
  }

  /// "skill:name lang method session", in order.
  Names registered() const { return described(registry.intents()); }
  Names pool(const Session& session) const { return described(registry.pool(session)); }

  bool warned(std::string_view part) const {
    return std::any_of(warnings.begin(), warnings.end(),
                       [part](const std::string& line) { return line.find(part) != std::string::npos; });
  }

  JumpingClock clock;
  Timers timers{clock};
  Bus bus{timers};
  IntentRegistry registry{bus};
  Names warnings;
  Names
      changes;  ///< "+skill:name lang" or "-skill:name lang"; entities with a `#`, disabled ones with a `!`.

 private:
  static Names described(const std::vector<IntentPtr>& intents) {
    Names names;
    for (const auto& one : intents) {
      names.push_back(one->skill_id + ":" + one->intent_name + " " + one->lang +
                      (one->is_template() ? " template " : " keyword ") + one->session_id);
    }
    return names;
  }

  void hear(const RegistryChange& change) {
    const auto name = [](const IntentPtr& one) {
      return one->skill_id + ":" + one->intent_name + " " + one->lang + (one->enabled ? "" : " !");
    };
    const auto entity = [](const EntityPtr& one) {
      return "#" + one->skill_id + ":" + one->entity_name + " " + one->lang;
    };
    if (change.removed_intent) changes.push_back("-" + name(change.removed_intent));
    if (change.intent) changes.push_back("+" + name(change.intent));
    if (change.removed_entity) changes.push_back("-" + entity(change.removed_entity));
    if (change.entity) changes.push_back("+" + entity(change.entity));
  }

  LogListener log_;
  Subscription changes_;
};

inline const char* const kKeywordTopic = "ovos.intent.register.keyword";
inline const char* const kTemplateTopic = "ovos.intent.register.template";

/// A well-formed template registration, with more fields if wanted.
inline Json template_of(const std::string& name, const std::string& lang = "en-US",
                        const Json& more = Json::object()) {
  Json data = {{"skill_id", "coffee.parley"},
               {"intent_name", name},
               {"lang", lang},
               {"samples", {"brew {size} coffee"}}};
  data.update(more);
  return data;
}

inline Json vocabulary(const std::string& name, const std::vector<std::string>& samples) {
  return {{"name", name}, {"samples", samples}};
}

/// A well-formed keyword registration.
inline Json keyword_of(const std::string& name, const std::string& lang = "en-US",
                       const Json& more = Json::object()) {
  Json data = {{"skill_id", "coffee.parley"},
               {"intent_name", name},
               {"lang", lang},
               {"required", Json::array({vocabulary("set", {"set", "change"})})}};
  data.update(more);
  return data;
}

inline Json entity_of(const std::string& name, const std::string& lang = "en-US",
                      const Json& samples = {"small"}) {
  return {{"skill_id", "coffee.parley"}, {"entity_name", name}, {"lang", lang}, {"samples", samples}};
}

/// Names an intent, in one language if wanted.
inline Json intent_named(const std::string& name, const std::string& lang = {}) {
  Json data = {{"skill_id", "coffee.parley"}, {"intent_name", name}};
  if (!lang.empty()) data["lang"] = lang;
  return data;
}

}  // namespace parley::test
