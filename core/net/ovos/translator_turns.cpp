// Turns that skills here have a part in: dispatches, how they end, and what skills are asked (ovos-wire 3 to
// 6, 8).
#include <algorithm>

#include "message/topics.hpp"
#include "net/ovos/session.hpp"
#include "net/ovos/translator.hpp"

namespace parley::net::ovos {
namespace {

constexpr std::size_t kMostWaits = 64;

std::string dispatched_utterance(const Message& dispatch) {
  return dispatch.text("utterance");
}

/// What older skills are given of an utterance.
Json said_in(const Message& dispatch, const std::string& skill_id) {
  return {{"utterance", dispatched_utterance(dispatch)},
          {"utterances", Json::array({dispatched_utterance(dispatch)})},
          {"lang", dispatch.text("lang")},
          {"skill_id", skill_id}};
}

/// From a skill to the core, about what it was asked or given.
Message from_skill(const std::string& topic, Json data, const Message& about, const std::string& skill_id) {
  Context context = about.context();
  context.skill_id = skill_id;
  return Message(topic, std::move(data), std::move(context));
}

bool flag_in(const Message& message, const char* key) {
  const auto found = message.data().find(key);
  return found != message.data().end() && found->is_boolean() && found->get<bool>();
}

}  // namespace

// ---- turns

const Translator::Turn* Translator::turn_of(const Message& message) const {
  const Context& context = message.context();
  if (context.utterance_id.empty()) return nullptr;
  const auto found = std::find_if(turns_.rbegin(), turns_.rend(), [&](const Turn& one) {
    return one.dispatch.context().utterance_id == context.utterance_id &&
           (context.skill_id.empty() || one.skill_id == context.skill_id);
  });
  return found == turns_.rend() ? nullptr : &*found;
}

Translator::Turn* Translator::turn_of(const Message& message) {
  return const_cast<Turn*>(std::as_const(*this).turn_of(message));
}

void Translator::note_turn(const std::string& skill_id, const std::string& name, const Message& dispatch) {
  turns_.emplace_back(skill_id, name, dispatch);
  if (turns_.size() > kMostTurns) turns_.pop_front();
}

/// The older trio is the sign that a handler is done; an error is followed by a `.complete` (3.3).
void Translator::report_done(const Message& message, Said& said) {
  Turn* const turn = turn_of(message);
  const bool ends = !message.type().ends_with(".start");
  // Older skills answer those dispatches in other ways; what runs inside says this too.
  const bool is_inner = turn != nullptr && is_older_ && is_reserved(turn->intent_name);
  if (turn == nullptr || turn->has_ended || !ends || is_inner) {
    said.dropped = "report";
    return;
  }
  const bool failed = message.type().ends_with(".error");
  const std::string why = message.text("exception");
  end_turn(*turn, message, !failed ? "" : why.empty() ? "an error without words" : why, said);
}

void Translator::end_turn(Turn& turn, const Message& said, const std::string& exception, Said& into) {
  turn.has_ended = true;
  Json data = {{"skill_id", turn.skill_id}, {"intent_name", turn.intent_name}};
  if (!exception.empty()) data["exception"] = exception;
  const Message report = from_skill(exception.empty() ? topic::kHandlerComplete : topic::kHandlerError,
                                    std::move(data), said, turn.skill_id);
  into.passed.push_back(report.with_session(
      current_session_of_turn(said.context().session, turn.dispatch.context().session, now_)));
}

/// The end of what was dispatched to a skill under a reserved name. What nobody waits for is no more than
/// that.
void Translator::end_reserved(const Message& message, std::string_view intent_name, Said& said) {
  Turn* const turn = turn_of(message);
  if (turn == nullptr || turn->has_ended || turn->intent_name != intent_name) {
    said.dropped = "report";
    return;
  }
  std::string exception = message.text("error");
  if (message.type().ends_with(".killed")) exception = "killed";
  end_turn(*turn, message, exception, said);
}

void Translator::end_converse(const Message& message, Said& said) {
  end_reserved(message, reserved::kConverse, said);
}

Heard Translator::hear_dispatch(const Message& message, const std::string& skill_id,
                                const std::string& name) {
  Heard heard;
  Skill* const skill = note_skill(skill_id, false);
  if (name == reserved::kQuestion) {
    if (is_older_) hear_question(message, skill_id, heard);
    return heard;
  }
  note_turn(skill_id, name, message);
  // Whoever is dispatched to is asked by the converse stage from then on, fallbacks too.
  const bool may_learn = is_older_ && skill != nullptr && skill->is_older && name != reserved::kConverse;
  if (may_learn) probe(skill_id, *skill, message, heard);
  if (is_reserved(name)) {
    if (is_older_) hear_reserved(message, skill_id, name, heard);
    return heard;
  }
  if (is_older_) heard.before.push_back(message.forward(skill_id + ".activate", {{"skill_id", skill_id}}));
  const auto slots = message.data().find("slots");
  const bool has_slots = slots != message.data().end() && slots->is_object() && !slots->empty();
  if (is_older_ || has_slots) heard.instead = own_copy(message, skill_id, name);
  return heard;
}

/// With the slots where skills look for them; what D-1 names wins (3.1).
Message Translator::own_copy(const Message& dispatch, const std::string& skill_id,
                             const std::string& name) const {
  Json data = Json::object();
  const auto slots = dispatch.data().find("slots");
  if (slots != dispatch.data().end() && slots->is_object()) data = *slots;
  if (is_older_) {
    const SessionPtr& session = dispatch.context().session;
    for (const auto& [slot, key] : keywords_.context_of(skill_id, name)) {
      if (!session || !session->intent_context) continue;
      const auto entry = session->intent_context->find(skill_id + ":" + key);
      if (entry != session->intent_context->end() && entry->second.value) data[slot] = *entry->second.value;
    }
    if (keywords_.has(skill_id, name)) {
      const Json munged = data;
      for (const auto& [slot, value] : munged.items()) data[plain_name(skill_id, slot)] = value;
      data["intent_type"] = topic::dispatch(skill_id, name);
      data["target"] = nullptr;
      data["confidence"] = 1.0;
      data["__tags__"] = Json::array();
    }
    data["utterances"] = Json::array({dispatched_utterance(dispatch)});
  }
  for (const auto& [key, value] : dispatch.data().items()) data[key] = value;
  return Message(dispatch.type(), std::move(data), dispatch.context());
}

/// The forms in which older skills are told what has a reserved name now.
void Translator::hear_reserved(const Message& dispatch, const std::string& skill_id, const std::string& name,
                               Heard& heard) {
  if (name == reserved::kDue) {
    hear_due(dispatch, skill_id, heard);
  } else if (name == reserved::kStop) {
    heard.after.push_back(dispatch.forward(skill_id + ".stop", {{"skill_id", skill_id}}));
  } else if (name == reserved::kConverse) {
    // They swap the two sides of the request themselves.
    heard.after.push_back(dispatch.reply(skill_id + ".converse.request", said_in(dispatch, skill_id)));
  } else if (name == reserved::kFallback) {
    heard.before.push_back(dispatch.forward(skill_id + ".activate", {{"skill_id", skill_id}}));
    heard.after.push_back(
        dispatch.forward("ovos.skills.fallback." + skill_id + ".request", said_in(dispatch, skill_id)));
  } else if (name == reserved::kResponse) {
    heard.after.push_back(dispatch.forward(skill_id + ".converse.get_response", said_in(dispatch, skill_id)));
    if (!skills_[skill_id].is_older) return;
    // No report comes of it: the answer has reached whoever asked.
    turns_.back().has_ended = true;
    heard.passed.push_back(from_skill(topic::kHandlerComplete,
                                      {{"skill_id", skill_id}, {"intent_name", name}}, dispatch, skill_id));
  }
}

// ---- converse

/// Finds out whether a skill converses before anybody has to wait for that: with the first utterance that is
/// its own.
void Translator::probe(const std::string& skill_id, Skill& skill, const Message& dispatch, Heard& heard) {
  if (skill.was_probed || skill.converses) return;
  skill.was_probed = true;
  heard.before.push_back(dispatch.forward(skill_id + ".converse.ping", said_in(dispatch, skill_id)));
}

/// Plain skills have nothing that answers a ping: nobody waits for one that was silent before (5.2).
void Translator::hear_converse_ping(const Message& ping, const std::string& skill_id, Heard& heard) {
  Skill* const skill = note_skill(skill_id, false);
  if (skill == nullptr || !skill->is_older) return;
  Json data = ping.data();
  data["skill_id"] = skill_id;
  heard.instead = Message(ping.type(), std::move(data), ping.context());
  skill->is_pinged = skill->converses || !skill->was_probed;
  skill->was_probed = true;
  if (skill->is_pinged) return;
  heard.passed.push_back(from_skill(topic::converse_pong(skill_id),
                                    {{"skill_id", skill_id}, {"result", false}, {"can_handle", false}}, ping,
                                    skill_id));
}

void Translator::pong_converse(const Message& message, Said& said) {
  const std::string skill_id = skill_of(message);
  if (skill_id.empty()) return;
  Skill& skill = skills_.at(skill_id);
  skill.was_probed = skill.converses = true;
  if (!std::exchange(skill.is_pinged, false)) {
    said.dropped = "older";
    return;
  }
  Json data = message.data();
  data["skill_id"] = skill_id;
  data["result"] = flag_in(message, "can_handle");
  say_plain(from_skill(topic::converse_pong(skill_id), std::move(data), message, skill_id), said);
}

// ---- questions to the user

void Translator::wait_for_answer(const Message& message, Said& said) {
  const std::string skill_id = skill_of(message);
  if (skill_id.empty()) return;
  if (waits_.size() < kMostWaits) waits_.emplace(skill_id, message.session_id());
  renew_question(message, said);
}

/// A skill asks again as often as it likes, and says nothing of how long it waits: each time counts (4.1).
void Translator::renew_question(const Message& message, Said& said) {
  std::string skill_id = message.context().skill_id;
  if (skill_id.empty()) skill_id = message.text("skill_id");
  if (!waits_.contains({skill_id, message.session_id()})) return;
  Json mode = {{"skill_id", skill_id}, {"expires_at", now_ + kAnswerTime}};
  Json session = {{"session_id", message.session_id()}, {"response_mode", std::move(mode)}};
  const Message sync(topic::kSessionSync, Json{{"session", std::move(session)}}, message.context());
  say_plain(from_skill(topic::kSessionSync, sync.data(), sync, skill_id), said);
}

void Translator::wait_no_longer(const Message& message, Said& said) {
  const std::string skill_id = skill_of(message);
  if (waits_.erase({skill_id, message.session_id()}) == 0) {
    said.dropped = "older";
    return;
  }
  Json mode = {{"skill_id", skill_id}, {"expires_at", 0}};
  Json session = {{"session_id", message.session_id()}, {"response_mode", std::move(mode)}};
  say_plain(from_skill(topic::kSessionSync, {{"session", std::move(session)}}, message, skill_id), said);
}

void Translator::listen(const Message& message, Said& said) {
  renew_question(message, said);
  say_plain(message, said);
}

void Translator::speak(const Message& message, Said& said) {
  const Message current = message.type() == topic::kSpeak ? message : under_current_name(message);
  if (is_muted(current)) {
    said.dropped = "older";
    return;
  }
  if (flag_in(current, "listen")) renew_question(current, said);
  say_plain(current, said);
}

// ---- fallback

void Translator::hear_fallback_ping(const Message& ping, const std::string& skill_id, Heard& heard) {
  Skill* const skill = note_skill(skill_id, false);
  if (skill == nullptr || !skill->falls_back) return;
  skill->fallback_ping = ping;
  Json data = ping.data();
  data["skill_id"] = skill_id;
  data["range"] = Json::array({0, 101});
  heard.after.push_back(ping.forward("ovos.skills.fallback.ping", std::move(data)));
}

/// Every fallback skill of the connection answers: one was asked (6.2).
void Translator::pong_fallback(const Message& message, Said& said) {
  const std::string skill_id = message.text("skill_id");
  const auto skill = skills_.find(skill_id);
  if (skill == skills_.end() || !skill->second.fallback_ping) {
    said.dropped = "older";
    return;
  }
  const Message ping = *std::exchange(skill->second.fallback_ping, std::nullopt);
  Context context = ping.reply(topic::fallback_pong(skill_id), Json::object()).context();
  context.skill_id = skill_id;
  context.sender = message.context().sender;
  said.passed.emplace_back(topic::fallback_pong(skill_id),
                           Json{{"skill_id", skill_id}, {"can_handle", flag_in(message, "can_handle")}},
                           std::move(context));
}

// ---- stop

/// They hear it by their own names (8.1).
void Translator::hear_stop_ping(const Message& ping, Heard& heard) const {
  const SessionPtr& session = ping.context().session;
  if (!session || !session->active_handlers) return;
  for (const auto& active : *session->active_handlers) {
    const auto skill = skills_.find(active.skill_id);
    if (skill == skills_.end() || !skill->second.is_older) continue;
    heard.after.push_back(ping.forward(active.skill_id + ".stop.ping", {{"skill_id", active.skill_id}}));
  }
}

void Translator::pong_stop(const Message& message, Said& said) {
  const std::string skill_id = skill_of(message);
  if (skill_id.empty()) return say_plain(Message(topic::kStopPong, message.data(), message.context()), said);
  say_plain(from_skill(topic::kStopPong, message.data(), message, skill_id), said);
}

}  // namespace parley::net::ovos
