#include "dialogue_messages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "dialogue.hpp"
#include "parley/json.hpp"
#include "parley/message.hpp"
#include "terminal.hpp"

namespace parley::script {
namespace {

Json object_of(const std::string& text) {
  return text.empty() ? Json::object() : parse_json(text).value();
}

/// What was on the bus with that topic, in order.
std::vector<Json> passed(const std::string& topic, const Outcome& outcome) {
  std::vector<Json> found;
  for (const auto& message : outcome.messages)
    if (message.topic == topic) found.push_back(object_of(message.data));
  return found;
}

/// Of `whole` what `wanted` has, too.
Json same_keys(const Json& wanted, const Json& whole) {
  if (!wanted.is_object() || !whole.is_object()) return whole;
  Json narrow = Json::object();
  for (const auto& [key, value] : wanted.items())
    if (const auto found = whole.find(key); found != whole.end()) narrow[key] = same_keys(value, *found);
  return narrow;
}

std::string one_line_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

std::optional<std::string> message_problem(const std::string& text) {
  const WantedMessage wanted = read_message(text);
  if (!is_topic(wanted.topic)) {
    return fmt::format("'@ message' needs a topic after it, such as ovos.utterance.speak, got {}",
                       command::in_quotes(wanted.topic));
  }
  if (wanted.fields.empty()) return std::nullopt;
  const auto fields = parse_json(wanted.fields);
  if (!fields) return "'@ message': " + fields.error().message;
  if (fields->is_object()) return std::nullopt;
  return fmt::format(
      R"('@ message' takes an object of what the message has, like {{"lang": "de-DE"}}, got {})",
      command::in_quotes(wanted.fields));
}

WantedMessage read_message(const std::string& text) {
  const auto end = std::min(text.find_first_of(" \t{"), text.size());
  const auto begin = std::min(text.find_first_not_of(" \t", end), text.size());
  return {text.substr(0, end), text.substr(begin)};
}

bool is_part_of(const Json& wanted, const Json& whole) {
  if (!wanted.is_object()) return wanted == whole;
  if (!whole.is_object()) return false;
  for (const auto& [key, value] : wanted.items()) {
    const auto found = whole.find(key);
    if (found == whole.end() || !is_part_of(value, *found)) return false;
  }
  return true;
}

std::optional<std::string> missing_message(const std::string& text, const Outcome& outcome) {
  const WantedMessage wanted = read_message(text);
  const Json fields = object_of(wanted.fields);
  const auto found = passed(wanted.topic, outcome);
  const auto fits = [&](const Json& data) { return is_part_of(fields, data); };
  if (std::any_of(found.begin(), found.end(), fits)) return std::nullopt;
  return found.empty() ? "no such message" : one_line_of(found.back());
}

std::string message_line(const std::string& text, const Outcome& outcome) {
  const WantedMessage wanted = read_message(text);
  const auto found = passed(wanted.topic, outcome);
  if (found.empty()) return {};
  return fmt::format("@ message {} {}", wanted.topic,
                     one_line_of(same_keys(object_of(wanted.fields), found.back())));
}

}  // namespace parley::script
