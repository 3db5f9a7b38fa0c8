// The older skills' scheduler (ovos-wire 9.2), on what is to come for skills (K-3): an event is kept under
// its own name as the id.
#include <algorithm>
#include <cmath>
#include <utility>

#include "message/topics.hpp"
#include "net/ovos/translator.hpp"

namespace parley::net::ovos {
namespace {

constexpr std::size_t kMostLooks = 16;       ///< Looks at what is to come that the peer may have open.
constexpr char kEventData[] = "ovos_event";  ///< In a payload: what the event is to hold.

bool is_number(const Json& data, const char* key) {
  const auto found = data.find(key);
  return found != data.end() && found->is_number();
}

Json payload_of(const Json& data) {
  const auto found = data.find("data");
  return {{kEventData, found != data.end() && found->is_object() ? *found : Json::object()}};
}

}  // namespace

/// With the skill as its speaker: the part of an event's name before the colon.
std::optional<Message> Translator::about_event(const Message& message, const char* topic, Json data,
                                               const char* key, Said& said) {
  const std::string event = message.text(key);
  const auto colon = event.find(':');
  std::string skill_id = colon == std::string::npos ? skill_of(message) : event.substr(0, colon);
  if (event.empty() || skill_id.empty() || note_skill(skill_id, true) == nullptr) {
    said.notes.emplace_back(message.type(), "dropped '" + message.type() + "': '" + key +
                                                "' names no event of a skill, such as skill:name");
    return std::nullopt;
  }
  Context context = in_current_session(message).context();
  context.skill_id = std::move(skill_id);
  data["id"] = event;
  return Message(topic, std::move(data), std::move(context));
}

/// Each waits for the answer to the one before: an event that is looked at or removed was scheduled first.
void Translator::pass_in_turn(Message request, Said& said) {
  constexpr std::size_t kMostInTurn = 256;
  constexpr double kPatience = 30;  // seconds: one may have been refused on its way
  if (open_since_ && now_ < *open_since_ + kPatience && in_turn_.size() < kMostInTurn) {
    in_turn_.push_back(std::move(request));
    return;
  }
  for (auto& waiting : std::exchange(in_turn_, {})) said.passed.push_back(std::move(waiting));
  said.passed.push_back(std::move(request));
  open_since_ = now_;
}

void Translator::schedule_event(const Message& message, Said& said) {
  Json data = {{"name", "ovos"}, {"payload", payload_of(message.data())}};
  const bool repeats = is_number(message.data(), "repeat") && message.data().at("repeat").get<double>() > 0;
  // A moment that has passed is due at once, as it is there.
  if (is_number(message.data(), "time")) {
    data["at"] = message.data().at("time");
  } else if (!repeats) {
    data["at"] = now_;
  }
  if (repeats) {
    constexpr double kLongest = 1e9;  // seconds, more than there may be
    const double seconds = std::clamp(message.data().at("repeat").get<double>(), 1.0, kLongest);
    data["rule"] = {{"seconds", std::llround(seconds)}};
  }
  if (auto add = about_event(message, topic::kScheduleAdd, std::move(data), "event", said))
    pass_in_turn(std::move(*add), said);
}

void Translator::remove_event(const Message& message, Said& said) {
  if (auto cancel = about_event(message, topic::kScheduleCancel, Json::object(), "event", said))
    pass_in_turn(std::move(*cancel), said);
}

void Translator::update_event(const Message& message, Said& said) {
  look_at_event(message, "event", said);
}

void Translator::get_event(const Message& message, Said& said) {
  look_at_event(message, "name", said);
}

/// What is to come has to be known first; hear_scheduled() goes on.
void Translator::look_at_event(const Message& message, const char* key, Said& said) {
  if (looks_.size() >= kMostLooks) {
    said.notes.emplace_back(message.type(),
                            "dropped '" + message.type() + "': too many have yet to be answered");
    return;
  }
  auto list = about_event(message, topic::kScheduleList, Json::object(), key, said);
  if (!list) return;
  looks_.emplace_back(message.text(key), message);
  pass_in_turn(std::move(*list), said);
}

Heard Translator::hear_scheduled(const Message& answer) {
  Heard heard;
  if (!is_older_ || !answer.type().starts_with("parley.schedule.")) return heard;
  open_since_.reset();
  hear_look(answer, heard);
  if (heard.passed.empty() && !in_turn_.empty()) {
    heard.passed.push_back(std::move(in_turn_.front()));
    in_turn_.pop_front();
  }
  if (!heard.passed.empty()) open_since_ = now_;
  return heard;
}

void Translator::hear_look(const Message& answer, Heard& heard) {
  if (looks_.empty() || answer.type() != std::string(topic::kScheduleList) + ".response") return;
  const auto [event, asked] = std::move(looks_.front());
  looks_.pop_front();
  Json found;
  for (const auto& one : answer.data().value("scheduled", Json::array())) {
    if (one.value("id", "") == event) found = one;
  }
  if (asked.type().ends_with(".get_event")) {
    Json times = Json::array();
    if (!found.is_null()) {
      const Json rule = found.value("rule", Json::object());
      times.push_back(
          Json::array({found.value("at", 0.0), rule.contains("seconds") ? rule.at("seconds") : Json()}));
    }
    heard.instead = asked.reply("mycroft.event_status.callback." + event, Json::object());
    heard.list = std::move(times);
    return;
  }
  if (found.is_null()) return;
  Context context = answer.context();
  context.skill_id = event.substr(0, event.find(':'));
  Json data = {
      {"id", event}, {"name", "ovos"}, {"at", found.value("at", 0.0)}, {"payload", payload_of(asked.data())}};
  if (found.contains("rule")) data["rule"] = found.at("rule");
  heard.passed.emplace_back(topic::kScheduleAdd, std::move(data), std::move(context));
}

/// No report comes of it: whoever hears an event does not say when it is done.
void Translator::hear_due(const Message& dispatch, const std::string& skill_id, Heard& heard) {
  const Json payload = dispatch.data().value("payload", Json::object());
  if (!payload.is_object() || !payload.contains(kEventData)) return;
  heard.instead = dispatch.forward(dispatch.text("id"), payload.at(kEventData));
  turns_.back().has_ended = true;
  Context context = dispatch.context();
  context.skill_id = skill_id;
  heard.passed.emplace_back(topic::kHandlerComplete,
                            Json{{"skill_id", skill_id}, {"intent_name", reserved::kDue}},
                            std::move(context));
}

}  // namespace parley::net::ovos
