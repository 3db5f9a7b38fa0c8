// What a skill calls: its registrations, events and timers. On the skill's strand.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <nlohmann/json.hpp>

#include "message/log.hpp"
#include "skill/hosted_skill.hpp"

namespace parley {
namespace {

constexpr const char* kReserved[] = {"converse", "response", "stop", "fallback", "common_query"};

Json vocabularies(const LocaleResources& locale, const std::string& lang, const std::vector<std::string>& names) {
  Json list = Json::array();
  for (const auto& name : names) {
    if (const auto* phrases = locale.vocabulary(lang, name)) list.push_back({{"name", name}, {"samples", *phrases}});
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
  if (!intent.blacklist.empty()) data["blacklist"] = intent.blacklist;
  if (!intent.required_slots.empty()) data["required_slots"] = intent.required_slots;
  if (!intent.slot_blacklist.empty()) data["slot_blacklist"] = intent.slot_blacklist;
  if (!intent.slot_types.empty()) data["slot_types"] = intent.slot_types;
  return data;
}

}  // namespace

Message HostedSkill::own_message(std::string type, Json data) const {
  Context context;
  context.source = skill_id();
  context.skill_id = skill_id();
  return Message(std::move(type), std::move(data), std::move(context));
}

void HostedSkill::announce(Message message) {
  environment_->post([self = shared_from_this(), sent = std::move(message)] {
    if (self->closing_) return;
    if (self->started_) {
      self->environment_->bus.publish(sent);
    } else {
      self->unannounced_.push_back(sent);
    }
  });
}

void HostedSkill::check_name(const std::string& name) const {
  if (!is_identifier(name)) throw std::invalid_argument(fmt::format("'{}' can't be the name of an intent", name));
  if (std::find(std::begin(kReserved), std::end(kReserved), name) != std::end(kReserved)) {
    throw std::invalid_argument(fmt::format("'{}' is a reserved name: it can't be an intent", name));
  }
  if (intents_.contains(name)) throw std::invalid_argument(fmt::format("the intent '{}' has a handler already", name));
}

void HostedSkill::add_intent(std::string name, Handler handler) {
  check_name(name);
  bool found = false;
  for (const auto& lang : locale().languages()) {
    const IntentResource* intent = locale().intent(lang, name);
    if (intent == nullptr) continue;
    found = true;
    Json data = template_payload(*intent);
    data.update({{"skill_id", skill_id()}, {"intent_name", name}, {"lang", lang}});
    announce(own_message("ovos.intent.register.template", std::move(data)));
  }
  if (!found) {
    throw std::invalid_argument(
        fmt::format("no language of {} has a usable '{}.intent'", (folder_ / "locale").string(), name));
  }
  intents_.emplace(std::move(name), std::make_shared<const Handler>(std::move(handler)));
}

void HostedSkill::add_keywords(std::string name, Keywords words, Handler handler) {
  check_name(name);
  const std::vector<std::string> names = needed(words);
  bool found = false;
  for (const auto& lang : locale().languages()) {
    const bool complete = std::all_of(names.begin(), names.end(),
                                      [&](const auto& voc) { return locale().vocabulary(lang, voc) != nullptr; });
    if (!complete) continue;
    found = true;
    Json data = keyword_payload(locale(), lang, words);
    data.update({{"skill_id", skill_id()}, {"intent_name", name}, {"lang", lang}});
    announce(own_message("ovos.intent.register.keyword", std::move(data)));
  }
  if (!found) {
    throw std::invalid_argument(fmt::format("no language of {} has all of the vocabularies of '{}': {}",
                                            (folder_ / "locale").string(), name, fmt::join(names, ", ")));
  }
  intents_.emplace(std::move(name), std::make_shared<const Handler>(std::move(handler)));
}

void HostedSkill::add_fallback(int priority, CanAnswer can_answer, Handler answer) {
  const auto after = std::upper_bound(fallbacks_.begin(), fallbacks_.end(), priority,
                                      [](int rank, const FallbackHandler& one) { return rank < one.priority; });
  fallbacks_.insert(after, FallbackHandler(priority, std::move(can_answer), std::move(answer)));
  announce(own_message("ovos.fallback.register",
                       {{"skill_id", skill_id()}, {"priority", fallbacks_.front().priority}}));
}

void HostedSkill::add_event(std::string topic, std::function<void(const Message&)> callback) {
  auto shared = std::make_shared<const std::function<void(const Message&)>>(std::move(callback));
  environment_->post([self = shared_from_this(), topic = std::move(topic), shared = std::move(shared)] {
    if (self->closing_) return;
    auto deliver = [raw = self.get(), topic, shared](const Message& message) {
      raw->on_strand("its handler of '" + topic + "'", [shared, message] { (*shared)(message); });
    };
    self->subscriptions_.push_back(self->environment_->bus.subscribe(topic, std::move(deliver)));
  });
}

TimerId HostedSkill::add_every(Duration period, std::function<void()> callback) {
  if (period < std::chrono::milliseconds(1)) throw std::invalid_argument("every() takes a period of 1 ms or more");
  const TimerId id = ++timer_count_;
  auto shared = std::make_shared<std::function<void()>>(std::move(callback));
  environment_->post([self = shared_from_this(), id, period, shared = std::move(shared)] {
    const auto span = std::chrono::duration_cast<Clock::Time::duration>(period);
    self->arm(id, self->clock().now() + span, period, shared);
  });
  return id;
}

TimerId HostedSkill::add_at(std::chrono::system_clock::time_point when, std::function<void()> callback) {
  const TimerId id = ++timer_count_;
  auto shared = std::make_shared<std::function<void()>>(std::move(callback));
  environment_->post([self = shared_from_this(), id, when, shared = std::move(shared)] {
    const auto left = std::chrono::duration_cast<Clock::Time::duration>(when - self->clock().wall());
    self->arm(id, self->clock().now() + std::max(left, Clock::Time::duration::zero()), Duration::zero(), shared);
  });
  return id;
}

void HostedSkill::arm(TimerId id, Clock::Time when, Duration period, std::shared_ptr<std::function<void()>> callback) {
  if (closing_) return;
  timers_[id] = environment_->bus.timers().at(when, [this, id, when, period, callback] {
    // One at a time: a skill that is behind is not buried under what it missed.
    if (callback.use_count() <= 2) on_strand("a timer", [callback] { (*callback)(); });
    if (period > Duration::zero()) {
      arm(id, when + std::chrono::duration_cast<Clock::Time::duration>(period), period, callback);
    } else {
      timers_.erase(id);
    }
  });
}

void HostedSkill::cancel_timer(TimerId id) {
  environment_->post([self = shared_from_this(), id] { self->timers_.erase(id); });
}

void HostedSkill::emit(Message message) {
  Context context = message.context();
  context.skill_id = skill_id();
  announce(message.with_context(std::move(context)));
}

void HostedSkill::log(std::string_view level, std::string text) {
  const std::string who = "skill " + skill_id();
  if (level == "error") {
    log_error(who, text);
  } else if (level == "warning") {
    log_warning(who, text);
  } else if (level == "debug") {
    log_debug(who, text);
  } else {
    log_info(who, text);
  }
}

}  // namespace parley
