#include "net/older_names.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <nlohmann/json.hpp>

#include "message/topics.hpp"

namespace parley::net {
namespace {

/// How ovos-bus-client marks its duplicates: of messages in general, and of dispatches.
constexpr std::array kMarks{"_namespace_compat_twin", "_intent_compat_twin"};
constexpr std::size_t kMostSaid = 64;

enum class Shape {
  kSame,
  kHandler,  ///< The older one names the handler: `{name, exception?}`.
  kIntent,   ///< The older one has `<skill_id>:<intent_name>` for both.
  kToggle    ///< The older one names no skill: its context does.
};

struct Pair {
  std::string_view older, current;
  Shape shape;
  bool told;  ///< Clients listen to the older one.
};

constexpr std::array<Pair, 12> kPairs{{
    {"recognizer_loop:utterance", topic::kUtterance, Shape::kSame, true},
    {"speak", topic::kSpeak, Shape::kSame, true},
    {"complete_intent_failure", topic::kUnmatched, Shape::kSame, true},
    {"mycroft.stop", topic::kStop, Shape::kSame, true},
    {"mycroft.skill.handler.start", topic::kHandlerStart, Shape::kHandler, true},
    {"mycroft.skill.handler.complete", topic::kHandlerComplete, Shape::kHandler, true},
    {"mycroft.skill.handler.error", topic::kHandlerError, Shape::kHandler, true},
    {"skill.stop.pong", topic::kStopPong, Shape::kSame, false},
    {"detach_skill", topic::kDeregisterSkill, Shape::kSame, false},
    {"detach_intent", topic::kDeregisterIntent, Shape::kIntent, false},
    {"mycroft.skill.enable_intent", topic::kEnableIntent, Shape::kToggle, false},
    {"mycroft.skill.disable_intent", topic::kDisableIntent, Shape::kToggle, false},
}};

const Pair* find(std::string_view Pair::*name, std::string_view topic) {
  const auto found =
      std::find_if(kPairs.begin(), kPairs.end(), [&](const Pair& pair) { return pair.*name == topic; });
  return found == kPairs.end() ? nullptr : &*found;
}

/// Without the marks, which everything derived from the message would inherit. @returns whether it had one
bool take_marks(Context& context) {
  if (!context.rest) return false;
  const auto has = [&](const char* mark) { return context.rest->contains(mark); };
  if (std::none_of(kMarks.begin(), kMarks.end(), has)) return false;
  Json rest = *context.rest;
  for (const char* const mark : kMarks) rest.erase(mark);
  context.rest = std::make_shared<const Json>(std::move(rest));
  return true;
}

/// `listen` was called `expect_response`.
void rename_listen(Json& data) {
  const auto expects = data.find("expect_response");
  if (expects != data.end() && expects->is_boolean() && !data.contains("listen")) data["listen"] = *expects;
}

void split_intent(const Message& message, Json& data) {
  const std::string both = message.text("intent_name");
  const auto colon = both.find(':');
  if (colon == std::string::npos) return;
  data["skill_id"] = both.substr(0, colon);
  data["intent_name"] = both.substr(colon + 1);
}

Message in_current_words(const Message& message, const Pair& pair, Context context) {
  Json data = message.data();
  if (pair.current == topic::kSpeak) rename_listen(data);
  if (pair.shape == Shape::kIntent) split_intent(message, data);
  if (pair.shape == Shape::kToggle && !data.contains("skill_id")) data["skill_id"] = context.skill_id;
  return Message(std::string(pair.current), std::move(data), std::move(context));
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

std::optional<Message> OlderNames::read(const Message& message) {
  Context context = message.context();
  const bool marked = take_marks(context);
  const Pair* const older = find(&Pair::older, message.type());
  if (older == nullptr) {
    if (find(&Pair::current, message.type()) != nullptr) {
      said_.push_back(print_of(message));
      if (said_.size() > kMostSaid) said_.pop_front();
    }
    return marked ? message.with_context(std::move(context)) : message;
  }
  if (older->current == topic::kHandlerStart) return std::nullopt;
  Message current = in_current_words(message, *older, std::move(context));
  if (!marked) return current;
  const auto before = std::find(said_.begin(), said_.end(), print_of(current));
  if (before == said_.end()) return current;
  said_.erase(before);  // one message has one duplicate
  return std::nullopt;
}

Message with_older_fields(const Message& message) {
  if (message.type() != topic::kSpeak || !message.data().contains("listen")) return message;
  Json data = message.data();
  data["expect_response"] = data["listen"];
  return Message(message.type(), std::move(data), message.context());
}

std::string_view older_name_of(std::string_view topic) noexcept {
  const Pair* const pair = find(&Pair::current, topic);
  return pair == nullptr || !pair->told ? std::string_view() : pair->older;
}

Message under_older_name(const Message& message) {
  const Pair& pair = *find(&Pair::current, message.type());
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

}  // namespace parley::net
