#include "net/registrations.hpp"

#include <array>
#include <memory>
#include <nlohmann/json.hpp>
#include <parley/session.hpp>
#include <string_view>

#include "message/topics.hpp"

namespace parley::net {
namespace {

/// A topic that registers something, and what it is called in `data`.
struct Topic {
  std::string_view name;
  char kind;
  std::string_view named;  ///< Empty: there is one for each skill and session.
};

constexpr std::array<Topic, 5> kAdding{{{topic::kRegisterTemplate, 't', "intent_name"},
                                        {topic::kRegisterKeyword, 'k', "intent_name"},
                                        {topic::kRegisterEntity, 'e', "entity_name"},
                                        {topic::kRegisterFallback, 'f', ""},
                                        {topic::kDisableIntent, 'd', "intent_name"}}};

const Topic* adding(const std::string& topic) {
  for (const Topic& one : kAdding) {
    if (one.name == topic) return &one;
  }
  return nullptr;
}

std::string lower(std::string text) {
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return text;
}

std::string text_at(const Message& message, std::string_view key) {
  return key.empty() ? std::string() : message.text(key);
}

}  // namespace

bool Registrations::adds(const Message& message) {
  return adding(message.type()) != nullptr;
}

bool Registrations::add(const Message& message, std::size_t most) {
  const Topic& topic = *adding(message.type());
  Key key(message.text("skill_id"), message.session_id(), topic.kind, text_at(message, topic.named),
          lower(message.text("lang")));
  if (keys_.contains(key)) return true;
  if (keys_.size() >= most) return false;
  keys_.insert(std::move(key));
  return true;
}

void Registrations::drop(const Message& message, char kind, const std::string& name) {
  const std::string lang = lower(message.text("lang"));
  auto key = keys_.lower_bound(Key(message.text("skill_id"), message.session_id(), kind, name, lang));
  while (key != keys_.end() && std::get<0>(*key) == message.text("skill_id") &&
         std::get<1>(*key) == message.session_id() && std::get<2>(*key) == kind &&
         std::get<3>(*key) == name && (lang.empty() || std::get<4>(*key) == lang)) {
    key = keys_.erase(key);
  }
}

void Registrations::remove(const Message& message) {
  const std::string& topic = message.type();
  if (topic == topic::kDeregisterIntent) {
    for (const char kind : {'t', 'k', 'd'}) drop(message, kind, message.text("intent_name"));
  } else if (topic == topic::kDeregisterEntity) {
    drop(message, 'e', message.text("entity_name"));
  } else if (topic == topic::kDeregisterFallback) {
    drop(message, 'f', "");
  } else if (topic == topic::kEnableIntent) {
    drop(message, 'd', message.text("intent_name"));
  } else if (topic == topic::kDeregisterSkill) {
    const std::string skill = message.text("skill_id");
    auto key = keys_.lower_bound(Key(skill, message.session_id(), '\0', "", ""));
    while (key != keys_.end() && std::get<0>(*key) == skill && std::get<1>(*key) == message.session_id())
      key = keys_.erase(key);
  }
}

void Registrations::forget(const std::string& skill_id) {
  std::erase_if(keys_, [&](const Key& key) { return std::get<0>(key) == skill_id; });
}

std::vector<Message> Registrations::undone() const {
  std::vector<Message> messages;
  for (const auto& [skill, session, kind, name, lang] : keys_) {
    if (kind != 'd' || is_default_session(session)) continue;
    Json data = {{"skill_id", skill}, {"intent_name", name}};
    if (!lang.empty()) data["lang"] = lang;
    Context context;
    context.session = std::make_shared<const Session>(session);
    messages.emplace_back(topic::kEnableIntent, std::move(data), std::move(context));
  }
  return messages;
}

}  // namespace parley::net
