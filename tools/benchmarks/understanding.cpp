#include "understanding.hpp"

#include <fmt/format.h>

#include <set>

#include "app/conversation.hpp"
#include "bus/bus.hpp"
#include "prepared.hpp"

namespace parley::bench {
namespace {

using Json = nlohmann::json;

const char* const kPipeline = "pipeline=[intent_high, intent_medium, intent_low]";

/// Some names can't be registered.
std::string registrable(const std::string& name) {
  static const std::set<std::string> kReserved{"converse", "response", "stop", "fallback", "common_query"};
  return kReserved.contains(name) ? name + "_intent" : name;
}

std::string as_given(std::string name) {
  constexpr std::string_view kSuffix = "_intent";
  if (!name.ends_with(kSuffix)) return name;
  const std::string bare = name.substr(0, name.size() - kSuffix.size());
  return registrable(bare) == name ? bare : name;
}

/// The surest of what the utterance resembled; the entries note it down first.
void find_best(const Json& trace, Understood& found) {
  for (const Json& step : trace.at("steps")) {
    found.learnt =
        found.learnt && !step.at("text").get_ref<const std::string&>().starts_with("still learning");
    if (step.at("kind") != "candidate" ||
        !step.at("text").get_ref<const std::string&>().starts_with("resembles")) {
      continue;
    }
    if (!found.best.empty()) continue;
    found.certainty = std::stod(step.at("facts").value("score", std::string("0")));
    const auto& subject = step.at("subject").get_ref<const std::string&>();
    found.best = as_given(subject.substr(subject.find(':') + 1));
  }
}

}  // namespace

Understanding::Understanding(const std::string& lang)
    : lang_(lang),
      // Learning is measured: nothing is recalled.
      assistant_(make_assistant({kPipeline, "skills.shipped=false", "stages.intent.keep_learnt=false",
                                 fmt::format("language.default={}", lang),
                                 fmt::format("language.enabled=[{}]", lang)})) {
  start_at_once(*assistant_);
}

void Understanding::publish(const std::string& topic, const std::string& skill_id, Json data) {
  Context context;
  context.source = "bench";
  context.skill_id = skill_id;
  assistant_->bus().publish(Message(topic, std::move(data), std::move(context)));
}

void Understanding::add_intent(const std::string& skill_id, const std::string& name, const Json& data) {
  add("ovos.intent.register.template", skill_id, name, data);
}

void Understanding::add(const char* topic, const std::string& skill_id, const std::string& name,
                        const Json& data) {
  Json intent = data;
  intent["skill_id"] = skill_id;
  intent["intent_name"] = name;
  intent["lang"] = lang_;
  publish(topic, skill_id, std::move(intent));
}

void Understanding::load(const Json& set) {
  std::set<std::string> skills;
  for (const Json& intent : set.at("intents")) skills.insert(intent.at("skill_id").get<std::string>());
  for (const Json& entity : set.value("entities", Json::array())) {
    for (const std::string& skill : skills) {
      if (entity.value("skill_id", skill) != skill || entity.at("samples").empty()) continue;
      publish("ovos.entity.register", skill,
              {{"skill_id", skill},
               {"entity_name", entity.at("name")},
               {"lang", lang_},
               {"samples", entity.at("samples")}});
    }
  }
  for (const Json& intent : set.at("intents")) {
    add_intent(intent.at("skill_id"), registrable(intent.at("intent_name")), intent);
  }
  for (const Json& intent : set.value("keyword", Json::array()))
    add("ovos.intent.register.keyword", intent.at("skill_id"), registrable(intent.at("intent_name")), intent);
}

/// A turn waits for what is being learnt, but not for long; asking at once again would take the processor
/// from who learns.
void Understanding::wait_until_learnt() {
  Timers& timers = assistant_->bus().timers();
  while (!understand("zzz", true).learnt) {
    bool is_time = false;
    const Timer pause =
        timers.at(timers.clock().now() + std::chrono::milliseconds(5), [&is_time] { is_time = true; });
    assistant_->run_until([&is_time] { return is_time; });
  }
}

Understood Understanding::understand(const std::string& utterance, bool with_candidates) {
  Understood found;
  std::optional<TurnResult> result;
  const Subscription matched =
      assistant_->bus().subscribe("ovos.intent.matched", [&found](const Message& message) {
        found.slots = message.data().at("slots").get<std::map<std::string, std::string>>();
      });
  TurnInput input(utterance);
  input.trace = with_candidates;
  const auto since = std::chrono::steady_clock::now();
  converse(*assistant_, std::move(input), [&result](TurnResult turn) { result = std::move(turn); });
  assistant_->run_until([&result] { return result.has_value(); });
  found.took = std::chrono::steady_clock::now() - since;
  found.intent = as_given(result->intent_name);
  found.skill_id = result->skill_id;
  found.entry = result->pipeline_entry;
  if (result->trace && with_candidates) find_best(*result->trace, found);
  if (!found.intent.empty()) {
    found.best = found.intent;
    if (result->pipeline_entry == "intent_high") found.certainty = 2;
  }
  return found;
}

}  // namespace parley::bench
