#include "net/ovos/translator.hpp"

#include <algorithm>
#include <array>

#include "message/topics.hpp"
#include "net/ovos/session.hpp"

namespace parley::net::ovos {
namespace {

constexpr std::string_view kActiveAnswer = "ovos.converse.active.list.response";

bool lacks_session(const Message& sync) {
  return synced_session(sync) == nullptr;
}

}  // namespace

/// What has a form of its own. Everything else keeps its name, or has a twin (names.hpp).
const Translator::Topic* Translator::find_topic(std::string_view topic) {
  using T = Translator;
  static constexpr auto kTopics = std::to_array<Topic>({
      {topic::kSessionSync, &T::sync},
      {"mycroft.skills.is_ready", &T::say_ready},
      {"mycroft.skills.is_alive", &T::say_ready},
      {"mycroft.skills.all_loaded", &T::say_ready},
      {"mycroft.intents.is_ready", &T::say_ready},
      {"mycroft.intents.is_alive", &T::say_ready},
      {"mycroft.skills.loaded", &T::loaded},
      {"skillmanager.list", &T::ask_for_skills},
      {"intent.service.intent.get", &T::ask_for_intent},
      {"intent.service.active_skills.get", &T::ask_for_active},
      {"intent.service.skills.activate", &T::activate},
      {"intent.service.skills.deactivate", &T::deactivate},
      {"recognizer_loop:utterance", &T::say_utterance},
      {topic::kUtterance, &T::say_utterance},
      {"speak", &T::speak},
      {topic::kSpeak, &T::speak},
      {"mycroft.mic.listen", &T::listen},
      {"mycroft.stop", &T::say_under_current_name},
      {"complete_intent_failure", &T::say_under_current_name},
      {topic::kHandled, &T::drop_quietly},
      {"ovos.session.update_default", &T::drop_quietly},
      {"mycroft.ready", &T::drop_quietly},
      {"mycroft.skill.handler.start", &T::drop_quietly},
      {"mycroft.skill.handler.complete", &T::report_done},
      {"mycroft.skill.handler.error", &T::report_done},
      {"padatious:register_intent", &T::register_template},
      {"padatious:register_entity", &T::register_entity},
      {"register_vocab", &T::register_vocabulary},
      {"register_intent", &T::register_keyword},
      {topic::kRegisterTemplate, &T::register_current},
      {topic::kRegisterKeyword, &T::register_current},
      {"detach_intent", &T::detach_intent},
      {"detach_skill", &T::detach_skill},
      {topic::kDeregisterSkill, &T::detach_skill},
      {"mycroft.skill.enable_intent", &T::toggle_intent},
      {"mycroft.skill.disable_intent", &T::toggle_intent},
      {"ovos.skills.fallback.register", &T::register_fallback},
      {topic::kRegisterFallback, &T::register_fallback},
      {"ovos.skills.fallback.deregister", &T::deregister_fallback},
      {topic::kDeregisterFallback, &T::deregister_fallback},
      {"mycroft.scheduler.schedule_event", &T::schedule_event},
      {"mycroft.scheduler.remove_event", &T::remove_event},
      {"mycroft.scheduler.update_event", &T::update_event},
      {"mycroft.scheduler.get_event", &T::get_event},
      {"add_context", &T::add_context},
      {"remove_context", &T::remove_context},
      {"clear_context", &T::clear_context},
      {"skill.stop.pong", &T::pong_stop},
      {"skill.converse.pong", &T::pong_converse},
      {"skill.converse.response", &T::end_converse},
      {"skill.converse.get_response.enable", &T::wait_for_answer},
      {"skill.converse.get_response.disable", &T::wait_no_longer},
      {"ovos.skills.fallback.pong", &T::pong_fallback},
      {topic::kQuestionPong, &T::pong_question},
      {"question:query.response", &T::answer_question},
      {"ovos.fallback.pong", &T::pong_fallback},
  });
  const auto found =
      std::find_if(kTopics.begin(), kTopics.end(), [&](const Topic& one) { return one.name == topic; });
  return found == kTopics.end() ? nullptr : &*found;
}

bool Translator::is_sign(const Message& message) {
  return is_older_topic(message.type()) || (message.type() == topic::kSessionSync && lacks_session(message));
}

Said Translator::say(const Message& message, double now, const Terms& terms) {
  now_ = now;
  terms_ = &terms;
  Said said;
  if (terms.compat && is_sign(message)) is_older_ = true;
  const std::string& source = message.context().source;
  if (!source.empty() && sources_.size() < kMostSources) sources_.insert(source);
  if (is_older_) {
    say_older(message, said);
    return said;
  }
  if (!message.context().skill_id.empty()) note_skill(message.context().skill_id, false);
  if (terms.compat) {
    twins_.said(message);
    note_current(message);
  }
  if (message.type().starts_with("mycroft.skill.handler.")) {
    report_done(message, said);
  } else {
    said.passed.push_back(message);
  }
  return said;
}

void Translator::say_older(const Message& message, Said& said) {
  bool marked = false;
  const Message plain = Twins::unmarked(message, marked);
  const bool is_vocabulary = plain.type() == "register_vocab";
  if (keywords_.is_due() && !is_vocabulary) said.passed = keywords_.renew();
  if (current_name_of(plain.type()).empty()) {
    twins_.said(plain);
  } else if (marked && twins_.repeats(under_current_name(plain))) {
    said.dropped = "duplicate";
    return;
  }
  if (const Topic* known = find_topic(plain.type())) {
    (this->*known->handle)(plain, said);
  } else if (!say_of_family(plain, said)) {
    say_plain(plain, said);
  }
}

/// Topics that name a skill.
bool Translator::say_of_family(const Message& message, Said& said) {
  const std::string& topic = message.type();
  if (topic.ends_with(".stop.response")) {
    end_reserved(message, reserved::kStop, said);
    return true;
  }
  if (topic.starts_with("ovos.skills.fallback.")) {
    if (topic.ends_with(".start")) return true;
    if (topic.ends_with(".response") || topic.ends_with(".killed")) {
      end_reserved(message, reserved::kFallback, said);
      return true;
    }
  }
  if (topic.ends_with(".get_response.killed")) {
    std::erase_if(waits_, [&](const Wait& one) {
      return topic.starts_with(one.first) && one.second == message.session_id();
    });
  }
  if (topic.find(':') == std::string::npos) return false;
  said.relayed.push_back(in_current_session(message));
  return true;
}

/// As it is. A skill_id that came with what the peer heard is not the peer's own.
void Translator::say_plain(const Message& message, Said& said) {
  Message current = in_current_session(message);
  const std::string& skill_id = current.context().skill_id;
  const bool speaks = topic::speaker_of(current.type()) != topic::Speaker::kAnybody ||
                      current.type().starts_with("ovos.intent.") ||
                      current.type().starts_with("ovos.entity.");
  if (speaks && !skill_id.empty()) note_skill(skill_id, false);
  if (!skill_id.empty() && !skills_.contains(skill_id)) {
    Context context = current.context();
    context.skill_id.clear();
    current = current.with_context(std::move(context));
  }
  said.passed.push_back(std::move(current));
}

void Translator::say_under_current_name(const Message& message, Said& said) {
  say_plain(under_current_name(message), said);
}

void Translator::drop_quietly(const Message&, Said& said) {
  said.dropped = "older";
}

/// The session of a message as it is meant: of a turn, of a client, or none of its own.
SessionPtr Translator::session_for(const Message& message) const {
  if (const Turn* turn = turn_of(message))
    return current_session_of_turn(message.context().session, turn->dispatch.context().session, now_);
  const auto last = sessions_.find(message.session_id());
  return current_session(message.context().session, last == sessions_.end() ? nullptr : last->second,
                         terms_->entries, now_);
}

Message Translator::in_current_session(const Message& message) const {
  return message.with_session(session_for(message));
}

// ---- the session

/// Without a session it is a question (0.1); with one it is the change it is now.
void Translator::sync(const Message& message, Said& said) {
  const Json* const wanted = synced_session(message);
  if (wanted == nullptr) {
    if (!has_asked_ready_ && !ready_at_) ready_at_ = now_ + kReadyAfter;
    ask(Query::kDefaultSession, message, said);
    return;
  }
  std::vector<std::string> spoiled;
  Session patch = session_from_json(*wanted, spoiled);
  if (patch.pipeline) patch.pipeline = current_pipeline(*patch.pipeline, terms_->entries);
  Json session = to_json(patch);
  if (!wanted->contains("session_id")) session.erase("session_id");
  Json data = message.data();
  data["session"] = std::move(session);
  say_plain(Message(message.type(), std::move(data), message.context()), said);
}

void Translator::say_utterance(const Message& message, Said& said) {
  Message current = message.type() == topic::kUtterance ? message : under_current_name(message);
  const SessionPtr& session = message.context().session;
  // `default` keeps nothing of what a client is configured with; its language is meant all the same.
  if (session && session->lang && is_default_session(session->session_id) && current.text("lang").empty()) {
    Json data = current.data();
    data["lang"] = *session->lang;
    current = Message(current.type(), std::move(data), current.context());
  }
  say_plain(current, said);
  const std::string& id = message.session_id();
  if (is_default_session(id) || sessions_.contains(id)) return;
  sessions_.emplace(id, nullptr);
  session_order_.push_back(id);
  if (session_order_.size() <= kMostSessions) return;
  sessions_.erase(session_order_.front());
  session_order_.pop_front();
}

// ---- time

std::optional<double> Translator::due() const {
  if (keywords_.is_due()) return now_;
  return ready_at_;
}

Said Translator::on_time(double now) {
  now_ = now;
  Said said;
  if (keywords_.is_due()) said.passed = keywords_.renew();
  if (ready_at_ && *ready_at_ <= now) {
    ready_at_.reset();
    said.told.emplace_back("mycroft.ready");
  }
  return said;
}

// ---- what is heard

bool Translator::concerns_all(std::string_view topic) noexcept {
  return topic == topic::kQuestionPing || topic == topic::kStopPing || topic == topic::kMatched;
}

bool Translator::concerns_session(std::string_view topic) noexcept {
  return topic == topic::kHandled || topic == topic::kSpeak;
}

bool Translator::concerns_sender(std::string_view topic) noexcept {
  return topic == kActiveAnswer;
}

Heard Translator::hear(const Message& message, bool is_own, double now) {
  now_ = now;
  Heard heard;
  const std::string& topic = message.type();
  if (const auto colon = topic.find(':'); colon != std::string::npos)
    return is_own ? hear_dispatch(message, topic.substr(0, colon), topic.substr(colon + 1)) : heard;
  if (!is_older_) return heard;
  const auto skill_before = [&](std::string_view end) { return topic.substr(0, topic.size() - end.size()); };
  constexpr std::string_view kConversePing = ".converse.ping";
  constexpr std::string_view kFallbackPing = ".fallback.ping";
  if (topic == topic::kQuestionPing) {
    hear_question_ping(message, heard);
  } else if (topic == topic::kStopPing) {
    hear_stop_ping(message, heard);
  } else if (topic == topic::kMatched) {
    hear_match(message, heard);
  } else if (is_own && topic.ends_with(kConversePing)) {
    hear_converse_ping(message, skill_before(kConversePing), heard);
  } else if (is_own && topic.ends_with(kFallbackPing)) {
    hear_fallback_ping(message, skill_before(kFallbackPing), heard);
  } else if (concerns_session(topic)) {  // a question is answered by a client who was told of it
    const auto known = sessions_.find(message.session_id());
    if (known != sessions_.end()) known->second = message.context().session;
  } else if (is_own && asked_active_ > 0 && topic == kActiveAnswer) {
    --asked_active_;
    Json skills = Json::array();
    for (const auto& one : message.data().value("converse_handlers", Json::array()))
      skills.push_back(Json::array({one.value("skill_id", ""), one.value("activated_at", 0.0)}));
    heard.after.emplace_back("intent.service.active_skills.reply", Json{{"skills", std::move(skills)}},
                             message.context());
  }
  return heard;
}

}  // namespace parley::net::ovos
