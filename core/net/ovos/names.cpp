#include "net/ovos/names.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "message/topics.hpp"

namespace parley::net::ovos {
namespace {

/// How ovos-bus-client marks its duplicates: of messages in general, and of dispatches.
constexpr std::array kMarks{"_namespace_compat_twin", "_intent_compat_twin"};
constexpr std::size_t kMostSaid = 64;

enum class Shape {
  kSame,
  kHandler  ///< The older one names the handler: `{name, exception?}`.
};

struct Pair {
  std::string_view older, current;
  Shape shape;
  bool told;  ///< Clients listen to the older one.
};

constexpr std::array<Pair, 8> kPairs{{
    {"recognizer_loop:utterance", topic::kUtterance, Shape::kSame, true},
    {"speak", topic::kSpeak, Shape::kSame, true},
    {"complete_intent_failure", topic::kUnmatched, Shape::kSame, true},
    {"mycroft.stop", topic::kStop, Shape::kSame, true},
    {"mycroft.skill.handler.start", topic::kHandlerStart, Shape::kHandler, true},
    {"mycroft.skill.handler.complete", topic::kHandlerComplete, Shape::kHandler, true},
    {"mycroft.skill.handler.error", topic::kHandlerError, Shape::kHandler, true},
    {"detach_skill", topic::kDeregisterSkill, Shape::kSame, false},
}};

/// Topics beside those, and the beginnings of families of them.
constexpr std::array<std::string_view, 14> kOlder{"register_vocab",
                                                  "register_intent",
                                                  "detach_intent",
                                                  "add_context",
                                                  "remove_context",
                                                  "clear_context",
                                                  "skill.stop.pong",
                                                  "skill.converse.pong",
                                                  "skill.converse.response",
                                                  "skill.converse.get_response.enable",
                                                  "skill.converse.get_response.disable",
                                                  "skillmanager.list",
                                                  "intent.service.skills.activate",
                                                  "intent.service.skills.deactivate"};
constexpr std::array<std::string_view, 6> kFamilies{
    "mycroft.", "recognizer_loop:", "padatious:", "ovos.skills.fallback.", "question:", "intent.service."};

const Pair* find_pair(std::string_view Pair::*name, std::string_view topic) {
  const auto found =
      std::find_if(kPairs.begin(), kPairs.end(), [&](const Pair& pair) { return pair.*name == topic; });
  return found == kPairs.end() ? nullptr : &*found;
}

/// `listen` was called `expect_response`.
void rename_listen(Json& data) {
  const auto expects = data.find("expect_response");
  if (expects != data.end() && expects->is_boolean() && !data.contains("listen")) data["listen"] = *expects;
}

/// What makes two messages of one peer the same one. The `listen` that translating adds does not count.
std::uint64_t print_of(const Message& message) {
  Json data = message.data();
  data.erase("listen");
  const std::string text = message.type() + '\n' + message.session_id() + '\n' +
                           message.context().utterance_id + '\n' +
                           data.dump(-1, ' ', false, Json::error_handler_t::replace);
  return std::hash<std::string>()(text);
}

}  // namespace

bool is_older_topic(std::string_view topic) noexcept {
  return find_pair(&Pair::older, topic) != nullptr ||
         std::find(kOlder.begin(), kOlder.end(), topic) != kOlder.end() ||
         std::any_of(kFamilies.begin(), kFamilies.end(),
                     [&](std::string_view family) { return topic.starts_with(family); });
}

std::string_view current_name_of(std::string_view older) noexcept {
  const Pair* const pair = find_pair(&Pair::older, older);
  return pair == nullptr ? std::string_view() : pair->current;
}

std::string_view older_name_of(std::string_view current) noexcept {
  const Pair* const pair = find_pair(&Pair::current, current);
  return pair == nullptr || !pair->told ? std::string_view() : pair->older;
}

Message under_current_name(const Message& message) {
  const Pair& pair = *find_pair(&Pair::older, message.type());
  Json data = message.data();
  if (pair.current == topic::kSpeak) rename_listen(data);
  return Message(std::string(pair.current), std::move(data), message.context());
}

Message with_older_fields(const Message& message) {
  if (message.type() != topic::kSpeak || !message.data().contains("listen")) return message;
  Json data = message.data();
  data["expect_response"] = data["listen"];
  return Message(message.type(), std::move(data), message.context());
}

Message under_older_name(const Message& message) {
  const Pair& pair = *find_pair(&Pair::current, message.type());
  Json data = message.data();
  Context context = message.context();
  if (pair.shape == Shape::kHandler) {
    // No client takes this for the other one: it is not marked, and so it is not dropped either.
    data["name"] = message.text("skill_id") + ":" + message.text("intent_name");
  } else {
    Json rest = context.rest ? *context.rest : Json::object();
    rest[kMarks.front()] = true;
    context.rest = std::make_shared<const Json>(std::move(rest));
  }
  return Message(std::string(pair.older), std::move(data), std::move(context));
}

Message Twins::unmarked(const Message& message, bool& marked) {
  const auto& rest = message.context().rest;
  const auto has = [&](const char* mark) { return rest->contains(mark); };
  marked = rest && std::any_of(kMarks.begin(), kMarks.end(), has);
  if (!marked) return message;
  Context context = message.context();
  Json left = *rest;
  for (const char* const mark : kMarks) left.erase(mark);
  context.rest = left.empty() ? nullptr : std::make_shared<const Json>(std::move(left));
  return message.with_context(std::move(context));
}

void Twins::said(const Message& current) {
  if (find_pair(&Pair::current, current.type()) == nullptr) return;
  said_.push_back(print_of(current));
  if (said_.size() > kMostSaid) said_.pop_front();
}

bool Twins::repeats(const Message& current) {
  const auto before = std::find(said_.begin(), said_.end(), print_of(current));
  if (before == said_.end()) return false;
  said_.erase(before);  // one message has one duplicate
  return true;
}

}  // namespace parley::net::ovos
