// A newer version of a skill: what it registers takes the place of what it had, in one step.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "message/log.hpp"
#include "message/topics.hpp"
#include "registry/parse.hpp"
#include "registry/registry.hpp"
#include "runtime/guard.hpp"

namespace parley {
namespace {

/// A name in one language, as keys compare it.
using NameInLang = std::pair<std::string, std::string>;

std::optional<Method> method_of(const Message& message) {
  if (message.type() == topic::kRegisterKeyword) return Method::kKeyword;
  if (message.type() == topic::kRegisterTemplate) return Method::kTemplate;
  return std::nullopt;
}

}  // namespace

/// What is to be read, and what is to go.
struct IntentRegistry::Replacement {
  struct Reading {
    Reading(IntentKey which, Message what) : key(std::move(which)), message(std::move(what)) {}
    IntentKey key;
    Message message;
    std::vector<std::string> complaints;
    std::optional<Result<IntentRegistration>> parsed;
  };
  std::vector<Reading> readings;
  std::set<NameInLang> stale;   ///< Intents that are there otherwise, or not at all any more.
  std::set<std::string> names;  ///< Of all that there will be.
};

void IntentRegistry::replace(const std::string& skill_id, std::vector<Message> messages,
                             std::function<void()> then) {
  if (lines_.busy(skill_id)) {
    return lines_.queue(skill_id, 0,
                        [this, skill_id, messages = std::move(messages), then = std::move(then)]() mutable {
                          replace(skill_id, std::move(messages), std::move(then));
                        });
  }
  const auto planned = plan(skill_id, messages);
  auto read_all = [planned, limits = limits_] {
    for (auto& one : planned->readings) {
      const auto complain = [&one](const std::string& text) { one.complaints.push_back(text); };
      const auto failure = failure_of(
          [&] { one.parsed.emplace(parse_intent(one.message.data(), one.key.method, complain, limits)); });
      if (failure) one.parsed.emplace(Error(*failure));
    }
  };
  auto carry = [this, skill_id, planned, then = std::move(then)] {
    carry_out(skill_id, *planned);
    then();
  };
  if (!lines_.can_wait() || planned->readings.empty()) {
    read_all();
    return carry();
  }
  lines_.off_loop(skill_id, std::move(read_all), std::move(carry));
}

std::shared_ptr<IntentRegistry::Replacement> IntentRegistry::plan(
    const std::string& skill_id, const std::vector<Message>& messages) const {
  auto planned = std::make_shared<Replacement>();
  std::map<std::pair<NameInLang, Method>, const Message*> wanted;
  for (const Message& message : messages) {
    if (message.text("skill_id") != skill_id) continue;
    const auto method = method_of(message);
    if (!method || is_reserved(message.text("intent_name"))) continue;
    wanted[{{message.text("intent_name"), folded(message.text("lang"))}, *method}] = &message;
  }
  std::set<std::pair<NameInLang, Method>> same;
  for (const ManifestEntry* const entry : manifest_.entries(skill_id)) {
    if (!is_default_session(entry->key.session_id)) continue;
    const NameInLang name(entry->key.intent_name, folded(entry->key.lang));
    const auto found = wanted.find({name, entry->key.method});
    if (found == wanted.end()) {
      planned->stale.insert(name);
    } else if (entry->accepted && entry->message.data() == found->second->data()) {
      same.insert(found->first);
    }
  }
  for (const auto& [what, message] : wanted) {
    const auto& [name, method] = what;
    planned->names.insert(name.first);
    if (same.contains(what) && !planned->stale.contains(name)) continue;
    planned->readings.emplace_back(
        IntentKey(message->session_id(), skill_id, name.first, message->text("lang"), method), *message);
  }
  return planned;
}

void IntentRegistry::carry_out(const std::string& skill_id, Replacement& plan) {
  std::vector<RegistryChange> changes;
  std::vector<Message> gone;
  const std::string session_id = Message(topic::kDeregisterSkill).session_id();
  for (const auto& [name, lang] : plan.stale) {
    Target target(session_id, skill_id);
    target.name = name;
    target.lang = lang;
    for (auto& intent : manifest_.remove(target)) changes.emplace_back().removed_intent = std::move(intent);
    Context context;
    context.source = context.skill_id = skill_id;
    Json data = {{"skill_id", skill_id}, {"intent_name", name}, {"lang", lang}};
    const bool goes = std::none_of(plan.readings.begin(), plan.readings.end(), [&](const auto& one) {
      return one.key.intent_name == target.name && folded(one.key.lang) == target.lang;
    });
    if (goes) gone.emplace_back(topic::kDeregisterIntent, std::move(data), std::move(context));
  }
  for (auto& entity : entities_.remove(Target(session_id, skill_id)))
    changes.emplace_back().removed_entity = std::move(entity);
  for (auto& one : plan.readings) {
    const std::string subject = fmt::format("{} '{}' [{}]", skill_id, one.key.intent_name, one.key.lang);
    for (const auto& text : one.complaints) log_warning("registry", fmt::format("{}: {}", subject, text));
    ManifestEntry& entry = manifest_.put(one.key, one.message);
    if (*one.parsed) {
      changes.emplace_back().intent = manifest_.accept(entry, std::move(*one.parsed).value());
    } else {
      log_warning("registry", fmt::format("{}: rejected: {}", subject, one.parsed->error().message));
    }
  }
  for (const std::string& name : plan.names) {
    Target target(session_id, skill_id);
    target.name = name;
    for (auto& intent : manifest_.set_enabled(target, true))
      changes.emplace_back().intent = std::move(intent);
  }
  for (const auto& change : changes) notify(change);
  bus_.publish_together(std::move(gone));
}

}  // namespace parley
