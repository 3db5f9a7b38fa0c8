#include "cluster/replay.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "message/topics.hpp"

namespace parley::cluster {
namespace {

constexpr std::array<std::string_view, 10> kForAll{
    topic::kRegisterTemplate, topic::kRegisterKeyword,   topic::kRegisterEntity, topic::kDeregisterIntent,
    topic::kDeregisterEntity, topic::kDeregisterSkill,   topic::kEnableIntent,   topic::kDisableIntent,
    topic::kRegisterFallback, topic::kDeregisterFallback};

std::string named(const Message& message, const char* what, const char* key) {
  return std::string(what) + ' ' + message.text(key);
}

}  // namespace

bool is_for_all(const Message& message) {
  return std::find(kForAll.begin(), kForAll.end(), message.type()) != kForAll.end();
}

void Replay::drop(const Message& message, const std::string& what) {
  const std::string lang = message.text("lang");
  std::erase_if(kept_, [&](const auto& one) {
    const auto& [skill, session, kept, in] = one.first;
    return skill == message.text("skill_id") && session == message.session_id() && kept == what &&
           (lang.empty() || in == lang);
  });
}

void Replay::note(const Message& message) {
  const std::string& topic = message.type();
  std::string what;
  if (topic == topic::kRegisterTemplate || topic == topic::kRegisterKeyword)
    what = named(message, topic == topic::kRegisterTemplate ? "template" : "keyword", "intent_name");
  if (topic == topic::kRegisterEntity) what = named(message, "entity", "entity_name");
  if (topic == topic::kDisableIntent) what = named(message, "disabled", "intent_name");
  if (topic == topic::kRegisterFallback) what = "fallback";
  if (!what.empty()) {
    kept_.insert_or_assign(
        Key(message.text("skill_id"), message.session_id(), std::move(what), message.text("lang")), message);
  } else if (topic == topic::kDeregisterIntent) {
    for (const char* const kind : {"template", "keyword", "disabled"})
      drop(message, named(message, kind, "intent_name"));
  } else if (topic == topic::kDeregisterEntity) {
    drop(message, named(message, "entity", "entity_name"));
  } else if (topic == topic::kEnableIntent) {
    drop(message, named(message, "disabled", "intent_name"));
  } else if (topic == topic::kDeregisterFallback) {
    drop(message, "fallback");
  } else if (topic == topic::kDeregisterSkill) {
    std::erase_if(kept_, [&](const auto& one) {
      return std::get<0>(one.first) == message.text("skill_id") &&
             std::get<1>(one.first) == message.session_id();
    });
  }
}

void Replay::forget(const std::string& skill_id) {
  std::erase_if(kept_, [&](const auto& one) { return std::get<0>(one.first) == skill_id; });
}

/// What is disabled comes last, after what it is about.
std::vector<Message> Replay::all() const {
  std::vector<Message> messages;
  for (const bool last : {false, true}) {
    for (const auto& [key, message] : kept_) {
      if ((message.type() == topic::kDisableIntent) == last) messages.push_back(message);
    }
  }
  return messages;
}

}  // namespace parley::cluster
