// What older clients want to know (ovos-wire 0.1, 0.2, 0.10, 5.4).
#include "message/topics.hpp"
#include "net/ovos/session.hpp"
#include "net/ovos/translator.hpp"

namespace parley::net::ovos {
namespace {

constexpr std::size_t kMostAsked = 16;  ///< Questions of one kind that the peer may have open.

}  // namespace

void Translator::say_ready(const Message& message, Said& said) {
  has_asked_ready_ = true;
  ready_at_.reset();
  said.told.push_back(message.response({{"status", true}}));
}

void Translator::ask(Query query, const Message& message, Said& said) {
  said.asked.emplace_back(query, in_current_session(message));
}

void Translator::ask_for_skills(const Message& message, Said& said) {
  ask(Query::kSkills, message, said);
}

void Translator::ask_for_intent(const Message& message, Said& said) {
  const std::string utterance = message.text("utterance");
  if (utterance.empty() || asked_intents_ >= kMostAsked) {
    said.notes.emplace_back(message.type(),
                            "dropped 'intent.service.intent.get': it names no utterance, or "
                            "too many of them have yet to be answered");
    return;
  }
  ++asked_intents_;
  Json data = message.data();
  data["utterances"] = Json::array({utterance});
  ask(Query::kIntent, Message(message.type(), std::move(data), message.context()), said);
}

/// There is a topic for it; the answer comes over the bus.
void Translator::ask_for_active(const Message& message, Said& said) {
  if (asked_active_ >= kMostAsked) return;
  ++asked_active_;
  const Message current = in_current_session(message);
  said.passed.emplace_back(topic::kActiveList, Json::object(), current.context());
}

void Translator::activate(const Message& message, Said& said) {
  if (!message.text("skill_id").empty()) ask(Query::kActivate, message, said);
}

void Translator::deactivate(const Message& message, Said& said) {
  if (!message.text("skill_id").empty()) ask(Query::kDeactivate, message, said);
}

std::optional<Message> Translator::answer(Query query, const Message& question, const Json& answer) {
  switch (query) {
    case Query::kDefaultSession: {
      std::vector<std::string> spoiled;
      const auto session = std::make_shared<const Session>(session_from_json(answer, spoiled));
      return question.reply("ovos.session.update_default",
                            {{"session_data", to_json(*older_session(session))}});
    }
    case Query::kSkills: {
      Json list = Json::object();
      for (const auto& id : answer) list[id.get<std::string>()] = {{"active", true}, {"id", id}};
      return question.reply("mycroft.skills.list", std::move(list));
    }
    case Query::kIntent: {
      if (asked_intents_ > 0) --asked_intents_;
      Json data = {{"utterance", question.text("utterance")}, {"intent", nullptr}};
      const Json match = answer.is_object() ? answer.value("match", Json()) : Json();
      if (match.is_object()) {
        Json& intent = data["intent"] = match.value("slots", Json::object());
        intent["skill_id"] = match.value("skill_id", "");
        intent["intent_name"] = match.value("intent_name", "");
        intent["intent_type"] = topic::dispatch(match.value("skill_id", ""), match.value("intent_name", ""));
        intent["utterance"] = question.text("utterance");
        intent["intent_service"] = answer.value("pipeline_id", "");
      }
      return question.reply("intent.service.intent.reply", std::move(data));
    }
    case Query::kActivate:
    case Query::kDeactivate:
      return question.reply(
          query == Query::kActivate ? "intent.service.skills.activated" : "intent.service.skills.deactivated",
          {{"skill_id", question.text("skill_id")}});
  }
  return std::nullopt;
}

}  // namespace parley::net::ovos
