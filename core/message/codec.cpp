#include "message/codec.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <parley/json.hpp>
#include <parley/session.hpp>

namespace parley {
namespace {

using Complain = std::function<void(const std::string&)>;

/// Takes `key` out of the object; empty and a complaint when it is no string (M-6: "" is absence).
std::string take_string(Json& object, const char* key, const Complain& complain) {
  const auto found = object.find(key);
  if (found == object.end()) return {};
  std::string text;
  if (found->is_string()) {
    text = std::move(found->get_ref<std::string&>());
  } else {
    complain(fmt::format("context.{} must be a string and is {}: ignored", key, kind_of(*found)));
  }
  object.erase(found);
  return text;
}

void take_destination(Json& object, Context& context, const Complain& complain) {
  const auto found = object.find("destination");
  if (found == object.end()) return;
  const auto is_string = [](const Json& value) { return value.is_string(); };
  if (found->is_string()) {
    if (!found->get_ref<const std::string&>().empty()) context.destination.push_back(*found);
  } else if (found->is_array() && std::all_of(found->begin(), found->end(), is_string)) {
    context.destination_is_list = true;
    for (const auto& one : *found) {
      if (!one.get_ref<const std::string&>().empty()) context.destination.push_back(one);
    }
  } else {
    complain(fmt::format("context.destination must be a string or an array of strings and is {}: ignored",
                         kind_of(*found)));
  }
  object.erase(found);
}

Context context_from(Json object, const Complain& complain) {
  Context context;
  context.source = take_string(object, "source", complain);
  take_destination(object, context, complain);
  context.utterance_id = take_string(object, "utterance_id", complain);
  context.skill_id = take_string(object, "skill_id", complain);
  context.pipeline_id = take_string(object, "pipeline_id", complain);
  const auto session = object.find("session");
  if (session != object.end()) {
    if (session->is_object()) {
      std::vector<std::string> spoiled;
      context.session = std::make_shared<const Session>(session_from_json(*session, spoiled));
      for (const auto& field : spoiled) complain("session." + field);
    }
    object.erase(session);
  }
  if (!object.empty()) context.rest = std::make_shared<const Json>(std::move(object));
  return context;
}

DecodeError malformed(std::string why) {
  return {false, std::move(why)};
}

/// The object under `key`; an empty one when it is absent. Anything else is malformed (M-3).
bool take_object(Json& message, const char* key, Json& into, std::string& why) {
  into = Json::object();
  const auto found = message.find(key);
  if (found == message.end()) return true;
  if (!found->is_object()) {
    why = fmt::format("'{}' must be an object and is {}", key, kind_of(*found));
    return false;
  }
  into = std::move(*found);
  return true;
}

DecodeError bad_carrier(const Json& context, std::string type) {
  DecodeError error(
      true, fmt::format("context.session must be an object and is {}", kind_of(context.at("session"))));
  error.msg_type = std::move(type);
  return error;
}

Json context_json(const Context& from) {
  Json context = from.rest ? *from.rest : Json::object();
  if (!from.source.empty()) context["source"] = from.source;
  if (!from.destination.empty()) {
    if (from.destination_is_list) {
      context["destination"] = from.destination;
    } else {
      context["destination"] = from.destination.front();
    }
  }
  if (from.session) context["session"] = to_json(*from.session);
  if (!from.utterance_id.empty()) context["utterance_id"] = from.utterance_id;
  if (!from.skill_id.empty()) context["skill_id"] = from.skill_id;
  if (!from.pipeline_id.empty()) context["pipeline_id"] = from.pipeline_id;
  return context;
}

}  // namespace

std::string_view kind_of(const Json& value) noexcept {
  switch (value.type()) {
    case Json::value_t::null:
      return "null";
    case Json::value_t::object:
      return "an object";
    case Json::value_t::array:
      return "an array";
    case Json::value_t::string:
      return "a string";
    case Json::value_t::boolean:
      return "a boolean";
    default:
      return "a number";
  }
}

std::variant<Message, DecodeError> decode(std::string_view text, const Complain& complain, SenderPtr from) {
  auto result = parse_json(text);
  if (!result) return malformed(result.error().message);
  Json& parsed = *result;
  if (!parsed.is_object())
    return malformed(fmt::format("a message must be an object, not {}", kind_of(parsed)));
  const auto type = parsed.find("type");
  if (type == parsed.end()) return malformed("'type' is missing");
  if (!type->is_string()) return malformed(fmt::format("'type' must be a string and is {}", kind_of(*type)));
  std::string topic = type->get<std::string>();
  if (!is_topic(topic)) return malformed(fmt::format("'type' is no topic: '{}'", topic.substr(0, 80)));
  Json data;
  Json context;
  std::string why;
  if (!take_object(parsed, "data", data, why) || !take_object(parsed, "context", context, why)) {
    return malformed(std::move(why));
  }
  const auto session = context.find("session");
  if (session != context.end() && !session->is_object() && !session->is_null()) {
    return bad_carrier(context, std::move(topic));
  }
  Context read = context_from(std::move(context), complain);
  read.sender = std::move(from);
  return Message(std::move(topic), std::move(data), std::move(read));
}

Json to_json(const Message& message) {
  return {{"type", message.type()}, {"data", message.data()}, {"context", context_json(message.context())}};
}

/// As to_json() would be printed, without a copy of the data.
std::string encode(const Message& message) {
  const auto text_of = [](const Json& value) {
    return value.dump(-1, ' ', false, Json::error_handler_t::replace);
  };
  std::string wire = R"({"context":)" + text_of(context_json(message.context()));
  wire += R"(,"data":)" + text_of(message.data());
  wire += R"(,"type":")" + message.type() + R"("})";  // a topic has nothing to escape
  return wire;
}

}  // namespace parley
