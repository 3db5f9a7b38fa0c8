// What a skill calls: its registrations and events. On the skill's strand.
#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/post.hpp>
#include <nlohmann/json.hpp>
#include <parley/language.hpp>

#include "message/log.hpp"
#include "message/topics.hpp"
#include "skill/hosted_skill.hpp"

namespace parley {
namespace {

Json vocabularies(const LocaleResources& locale, const std::string& lang,
                  const std::vector<std::string>& names) {
  Json list = Json::array();
  for (const auto& name : names) {
    if (const auto* phrases = locale.vocabulary(lang, name))
      list.push_back({{"name", name}, {"samples", *phrases}});
  }
  return list;
}

/// The vocabularies a language must have for the intent to exist in it.
std::vector<std::string> needed(const Keywords& words) {
  std::vector<std::string> names = words.required;
  for (const auto& group : words.choices) names.insert(names.end(), group.begin(), group.end());
  names.insert(names.end(), words.excluded.begin(), words.excluded.end());
  return names;
}

Json keyword_payload(const LocaleResources& locale, const std::string& lang, const Keywords& words) {
  Json one_of = Json::array();
  for (const auto& group : words.choices) one_of.push_back(vocabularies(locale, lang, group));
  return {{"required", vocabularies(locale, lang, words.required)},
          {"optional", vocabularies(locale, lang, words.optional)},
          {"excluded", vocabularies(locale, lang, words.excluded)},
          {"one_of", std::move(one_of)}};
}

Json template_payload(const IntentResource& intent) {
  Json data = {{"samples", intent.samples}};
  for (const std::string& one : intent.teaching) data["samples"].push_back(one);
  if (!intent.blacklist.empty()) data["blacklist"] = intent.blacklist;
  if (!intent.required_slots.empty()) data["required_slots"] = intent.required_slots;
  for (const auto& [slot, dialog] : intent.asked_slots) data["asked_slots"].push_back(slot);
  if (!intent.slot_blacklist.empty()) data["slot_blacklist"] = intent.slot_blacklist;
  if (!intent.slot_types.empty()) data["slot_types"] = intent.slot_types;
  return data;
}

void add_gates(Json& data, const ContextGates& gates) {
  if (!gates.required.empty()) data["requires_context"] = gates.required;
  if (!gates.excluded.empty()) data["excludes_context"] = gates.excluded;
}

/// Whether some language has something: those that nobody speaks yet are asked last, as they have to be
/// read.
template <class Has>
bool has_some(const std::vector<std::string>& awake, const LocaleResources& locale, const Has& has) {
  const auto& all = locale.all_languages();
  return std::any_of(awake.begin(), awake.end(), has) || std::any_of(all.begin(), all.end(), has);
}

/// Coroutines of one on_event that run at a time.
constexpr int kMostHeard = 64;

}  // namespace

/// What `on_event` calls. On the strand.
struct HostedSkill::Listener {
  Listener(std::string what, EventHandler whom) : topic(std::move(what)), handler(std::move(whom)) {}
  const std::string topic;
  const EventHandler handler;
  int running = 0;
};

Message HostedSkill::own_message(std::string type, Json data) const {
  Context context;
  context.source = skill_id();
  context.skill_id = skill_id();
  return Message(std::move(type), std::move(data), std::move(context));
}

bool HostedSkill::is_late(const Message& message) const {
  if (message.type() != topic::kSpeak) return false;
  if (std::find(silenced_.begin(), silenced_.end(), message.context().utterance_id) == silenced_.end())
    return false;
  environment_->counters.counter("parley_late_messages_dropped_total", {{"skill", skill_id()}}).add();
  return true;
}

void HostedSkill::announce(Message message) {
  environment_->post([self = shared_from_this(), sent = std::move(message)] {
    if (self->closing_ || self->is_late(sent)) return;
    if (self->started_) {
      self->environment_->bus.publish(sent);
    } else {
      self->unannounced_.push_back(sent);
    }
  });
}

void HostedSkill::announce_by_language(std::function<std::optional<Message>(const std::string& lang)> make) {
  for (const auto& lang : awake_)
    if (auto message = make(lang)) announce(std::move(*message));
  if (environment_->awake) by_language_.push_back(std::move(make));
}

void HostedSkill::wake(const std::string& lang, std::function<void()> done) {
  on_strand("waking a language", [this, lang] {
    for (const auto& tag : locale().languages()) {
      if (primary_language(tag) != primary_language(lang)) continue;
      if (std::find(awake_.begin(), awake_.end(), tag) != awake_.end()) continue;
      awake_.push_back(tag);
      for (const auto& problem : locale().problems_in(tag)) log_warning("load", to_string(problem));
      for (const auto& make : by_language_)
        if (auto message = make(tag)) announce(std::move(*message));
    }
    for (const auto& name : disabled_) announce_enabled(name, false);
  });
  boost::asio::post(strand_,
                    [self = shared_from_this(), done = std::move(done)] { self->environment_->post(done); });
}

void HostedSkill::announce_enabled(const std::string& name, bool enabled) {
  announce(own_message(enabled ? topic::kEnableIntent : topic::kDisableIntent,
                       {{"skill_id", skill_id()}, {"intent_name", name}}));
}

void HostedSkill::add_intent(std::string name, Handler handler, ContextGates gates) {
  handlers_.check_new(name);
  const auto has_it = [&](const std::string& lang) { return locale().intent(lang, name) != nullptr; };
  if (!has_some(awake_, locale(), has_it)) {
    throw std::invalid_argument(
        fmt::format("no language of {} has a usable '{}.intent'", (folder_ / "locale").string(), name));
  }
  announce_by_language([this, name, gates](const std::string& lang) -> std::optional<Message> {
    const IntentResource* intent = locale().intent(lang, name);
    if (intent == nullptr) return std::nullopt;
    Json data = template_payload(*intent);
    add_gates(data, gates);
    data.update({{"skill_id", skill_id()}, {"intent_name", name}, {"lang", lang}});
    return own_message(topic::kRegisterTemplate, std::move(data));
  });
  handlers_.add_intent(std::move(name), std::move(handler));
}

void HostedSkill::add_keywords(std::string name, Keywords words, Handler handler, ContextGates gates) {
  handlers_.check_new(name);
  const std::vector<std::string> names = needed(words);
  const auto is_complete = [this, names](const std::string& lang) {
    return std::all_of(names.begin(), names.end(),
                       [&](const auto& voc) { return locale().vocabulary(lang, voc) != nullptr; });
  };
  if (!has_some(awake_, locale(), is_complete)) {
    throw std::invalid_argument(fmt::format("no language of {} has all of the vocabularies of '{}': {}",
                                            (folder_ / "locale").string(), name, fmt::join(names, ", ")));
  }
  announce_by_language([this, name, words = std::move(words), gates,
                        is_complete](const std::string& lang) -> std::optional<Message> {
    if (!is_complete(lang)) return std::nullopt;
    Json data = keyword_payload(locale(), lang, words);
    add_gates(data, gates);
    data.update({{"skill_id", skill_id()}, {"intent_name", name}, {"lang", lang}});
    return own_message(topic::kRegisterKeyword, std::move(data));
  });
  handlers_.add_intent(std::move(name), std::move(handler));
}

void HostedSkill::enable_intent(const std::string& name, bool enabled) {
  if (!handlers_.has_intent(name))
    throw std::invalid_argument(fmt::format("the skill has no intent '{}'", name));
  if (enabled) {
    disabled_.erase(name);
  } else {
    disabled_.insert(name);
  }
  announce_enabled(name, enabled);
}

void HostedSkill::add_fallback(int priority, CanAnswer can_answer, Handler answer) {
  const int first = handlers_.add_fallback(priority, std::move(can_answer), std::move(answer));
  announce(own_message(topic::kRegisterFallback, {{"skill_id", skill_id()}, {"priority", first}}));
}

void HostedSkill::add_event(std::string topic, EventHandler handler) {
  auto listener = std::make_shared<Listener>(std::move(topic), std::move(handler));
  once_joined([this, listener] {
    auto deliver = [this, listener](const Message& message) {
      on_strand("its handler of '" + listener->topic + "'",
                [this, listener, message] { hear_event(listener, message); });
    };
    subscriptions_.push_back(environment_->bus.subscribe(listener->topic, std::move(deliver)));
  });
}

void HostedSkill::hear_event(const std::shared_ptr<Listener>& listener, const Message& message) {
  if (listener->running >= kMostHeard) {
    return log_warning("skill " + skill_id(),
                       fmt::format("its handler of '{}' runs {} times already: a message is dropped",
                                   listener->topic, kMostHeard));
  }
  ++listener->running;
  std::shared_ptr<void> running(nullptr, [listener](void*) { --listener->running; });
  go_on("its handler of '" + listener->topic + "'", listener->handler(message), std::move(running));
}

void HostedSkill::emit(Message message) {
  Context context = message.context();
  context.skill_id = skill_id();
  announce(message.with_context(std::move(context)));
}

void HostedSkill::log(LogLevel level, std::string_view text) {
  parley::log(level, "skill " + skill_id(), text);
}

}  // namespace parley
