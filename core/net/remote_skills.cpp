#include "net/remote_skills.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <parley/session.hpp>
#include <utility>

#include "message/log.hpp"
#include "message/topics.hpp"

namespace parley::net {
namespace {

constexpr std::size_t kMostSilenced = 256;
constexpr std::size_t kMostTurns = 256;  ///< Of a skill, that it may speak in when it has completed them.
constexpr double kLongestQuestion = 24 * 3600;  ///< Seconds.

bool registers(std::string_view topic) {
  return topic == topic::kRegisterTemplate || topic == topic::kRegisterKeyword ||
         topic == topic::kRegisterEntity;
}

/// A message of the core about a skill, in a session.
Message about_skill(const char* type, const std::string& skill_id, const std::string& session_id) {
  Context context;
  context.skill_id = skill_id;
  if (!is_default_session(session_id)) context.session = std::make_shared<const Session>(session_id);
  return Message(type, {{"skill_id", skill_id}}, std::move(context));
}

}  // namespace

RemoteSkills::~RemoteSkills() {
  for (const auto& [id, skill] : skills_) bus_.presence().leave(id);
}

std::map<std::string, std::string> RemoteSkills::speakers() const {
  std::map<std::string, std::string> speakers;
  for (const auto& [id, skill] : skills_) speakers.emplace(id, skill.client->name);
  return speakers;
}

std::map<std::uint64_t, std::vector<std::string>> RemoteSkills::skills_by_client() const {
  std::map<std::uint64_t, std::vector<std::string>> all;
  for (const auto& [id, skill] : skills_) all[skill.client->id].push_back(id);
  return all;
}

void RemoteSkills::drop(const ClientPtr& client, const char* reason, std::string about, std::string text) {
  counters_.counter("parley_gateway_dropped_total", {{"reason", reason}}).add();
  owner_.complain(client, std::move(about), std::move(text));
}

// ---- clients

void RemoteSkills::joined(const ClientPtr& client, const Listening& listening) {
  if (elsewhere_ != nullptr) elsewhere_->joined(client, listening);
  if (!listening.hears_traces) return;
  trace_readers_.insert(client->id);
  if (!traces_) traces_ = bus_.subscribe(topic::kTrace, [](const Message&) {});
}

void RemoteSkills::comes_after(const ClientPtr& client, const std::vector<std::uint64_t>& gone) {
  if (!gone.empty()) peers_[client->id].gone.insert(gone.begin(), gone.end());
}

void RemoteSkills::left(const ClientPtr& client) {
  if (elsewhere_ != nullptr) elsewhere_->left(client);
  if (replaced_.erase(client->id) == 0) forget(client);
}

void RemoteSkills::forget(const ClientPtr& client) {
  trace_readers_.erase(client->id);
  if (trace_readers_.empty()) traces_.reset();
  if (const auto peer = peers_.extract(client->id)) {
    for (const auto& message : peer.mapped().registrations.undone()) bus_.publish(message);
  }
  std::vector<std::string> gone;
  for (const auto& [id, skill] : skills_) {
    if (skill.client->id == client->id) gone.push_back(id);
  }
  for (const auto& id : gone) {
    auto node = skills_.extract(id);
    withdraw(id, node.mapped(), fmt::format("the connection of the skill '{}' was lost", id));
  }
  orchestrator_.departed(client->id);
}

/// What is left of a skill whose connection has gone (W-3).
void RemoteSkills::withdraw(const std::string& skill_id, RemoteSkill& skill, const std::string& why) {
  bus_.presence().leave(skill_id);
  for (auto& [utterance_id, running] : std::exchange(skill.running, {})) running.call.done(HandlerEnd(why));
  for (const auto& session : skill.fallback_sessions)
    bus_.publish(about_skill(topic::kDeregisterFallback, skill_id, session));
  for (const auto& session : skill.sessions)
    bus_.publish(about_skill(topic::kDeregisterSkill, skill_id, session));
}

bool RemoteSkills::may_speak(const ClientPtr& client, const std::string& skill_id) {
  auto known = skills_.find(skill_id);
  if (known != skills_.end() && known->second.client->id == client->id) return true;
  if (known != skills_.end() && peers_[client->id].gone.contains(known->second.client->id)) {
    const ClientPtr gone = known->second.client;
    forget(gone);
    replaced_.insert(gone->id);
    known = skills_.end();
  }
  const bool taken = known != skills_.end() || bus_.presence().of(skill_id) != Presence::kNone ||
                     orchestrator_.is_stage(skill_id);
  if (taken || !is_identifier(skill_id)) {
    drop(client, "spoken_for", "speaks for " + skill_id,
         taken ? fmt::format("dropped a message that speaks for '{}': {}", skill_id,
                             known == skills_.end() ? "this process hosts it"
                                                    : known->second.client->name + " speaks for it")
               : fmt::format("dropped a message: its context.skill_id '{}' is no skill_id", skill_id));
    return false;
  }
  const std::size_t most = client->grant && client->grant->shares.skills ? *client->grant->shares.skills
                                                                         : owner_.limits().max_skills;
  Peer& peer = peers_[client->id];
  if (peer.skills >= most) {
    drop(client, "share", "skills",
         fmt::format(
             "dropped a message that speaks for '{}': it speaks for {} skills already (gateway.max_skills)",
             skill_id, most));
    return false;
  }
  ++peer.skills;
  skills_.emplace(skill_id, client);
  bus_.presence().arrive(skill_id, Presence::kRemote);
  return true;
}

void RemoteSkills::silence(const ClientPtr& client, const std::string& skill_id, const std::string& speaker) {
  const auto known = skills_.find(skill_id);
  if (known == skills_.end() || known->second.client->id != client->id) return;
  drop(client, "spoken_for", "speaks for " + skill_id,
       fmt::format("'{}' is taken back from it: at another instance {} spoke for it before", skill_id,
                   speaker));
  auto node = skills_.extract(known);
  if (const auto peer = peers_.find(client->id); peer != peers_.end()) {
    --peer->second.skills;
    peer->second.registrations.forget(skill_id);
  }
  withdraw(skill_id, node.mapped(), fmt::format("{} speaks for the skill '{}'", speaker, skill_id));
}

bool RemoteSkills::may_register(const ClientPtr& client, const Message& message) {
  Peer& peer = peers_[client->id];
  if (!Registrations::adds(message)) {
    peer.registrations.remove(message);
    return true;
  }
  const auto& own = client->grant ? client->grant->shares.registrations : std::nullopt;
  const std::size_t most = own.value_or(owner_.limits().max_registrations);
  if (peer.registrations.add(message, most)) return true;
  drop(client, "share", "registrations",
       fmt::format("dropped '{}': {} things are registered over this connection already "
                   "(gateway.max_registrations)",
                   message.type(), most));
  return false;
}

bool RemoteSkills::is_own_answer(const ClientPtr& client, const Message& message) {
  const std::string named = message.text("skill_id");
  if (!named.empty() && names_its_speaker(message)) return true;
  drop(client, "answer", "answer",
       fmt::format("dropped '{}': its data.skill_id '{}' is not its context.skill_id '{}'", message.type(),
                   named.substr(0, 80), message.context().skill_id.substr(0, 80)));
  return false;
}

Message RemoteSkills::bound(const ClientPtr& client, const Message& message) const {
  const std::string& turn = message.context().utterance_id;
  if (message.type() != topic::kSpeak || turn.empty()) return message;
  const auto began = orchestrator_.sender_of(turn);
  if (!began || (*began && (*began)->id == client->id)) return message;
  const bool takes_part = std::any_of(skills_.begin(), skills_.end(), [&](const auto& one) {
    const auto& turns = one.second.turns;
    return one.second.client->id == client->id && std::find(turns.begin(), turns.end(), turn) != turns.end();
  });
  if (takes_part) return message;
  Context context = message.context();
  context.utterance_id.clear();
  return message.with_context(std::move(context));
}

void RemoteSkills::received(const ClientPtr& client, const Message& message) {
  if (replaced_.contains(client->id)) {  // nobody is there who could be told
    counters_.counter("parley_gateway_dropped_total", {{"reason", "gone"}}).add();
    return;
  }
  const std::string& skill_id = message.context().skill_id;
  if (!skill_id.empty() && !may_speak(client, skill_id)) return;
  if (elsewhere_ != nullptr && !(closing_ && message.type() == topic::kUtterance) &&
      elsewhere_->takes(client, message))
    return;
  const topic::Speaker speaker = topic::speaker_of(message.type());
  if (speaker == topic::Speaker::kReportsStart) {
    drop(client, "report", "start", fmt::format("dropped '{}': the core says it itself", message.type()));
    return;
  }
  if (speaker == topic::Speaker::kReportsEnd) {
    take_report(client, message);
    return;
  }
  if (closing_ && message.type() == topic::kUtterance) {
    drop(client, "closing", "closing", "dropped an utterance: the server is shutting down");
    return;
  }
  if (speaker == topic::Speaker::kPolledSkill && !is_own_answer(client, message)) return;
  if (const std::string* late = silenced_speaker(client, message)) {
    count_late(*late);
    return;
  }
  if (topic::is_lasting_request(message.type())) return owner_.lasting().take(message);
  if (!may_register(client, message)) return;
  if (!skill_id.empty()) {
    note_registration(skills_.at(skill_id), message);
    if (message.type() == topic::kSessionSync) note_question(skill_id, message);
  }
  bus_.publish(bound(client, message));
}

void RemoteSkills::note_registration(RemoteSkill& skill, const Message& message) const {
  const std::string& topic = message.type();
  if (registers(topic)) skill.sessions.insert(message.session_id());
  if (topic == topic::kRegisterFallback) {
    skill.sessions.insert(message.session_id());
    skill.fallback_sessions.insert(message.session_id());
  }
  if (topic == topic::kDeregisterFallback) skill.fallback_sessions.erase(message.session_id());
  if (topic == topic::kDeregisterSkill) {
    skill.sessions.erase(message.session_id());
    skill.fallback_sessions.erase(message.session_id());
  }
}

// ---- handlers

void RemoteSkills::run(HandlerCall call) {
  const auto found = skills_.find(call.dispatch.context().skill_id);
  if (found == skills_.end()) return;
  auto& skill = found->second;
  const std::string id = call.dispatch.context().utterance_id;
  std::erase(skill.silenced, id);
  skill.turns.push_back(id);
  if (skill.turns.size() > kMostTurns) skill.turns.pop_front();
  if (call.intent_name == reserved::kResponse) {
    for (auto& [turn, running] : skill.running) {  // the answer has come: their time goes on
      if (running.call.dispatch.session_id() != call.dispatch.session_id()) continue;
      running.question.reset();
      running.call.bound->resume();
    }
  }
  skill.running.insert_or_assign(id, Running(std::move(call)));
}

void RemoteSkills::note_question(const std::string& skill_id, const Message& sync) {
  auto& turns = skills_.at(skill_id).running;
  const auto running = turns.find(sync.context().utterance_id);
  const Json* const data = synced_session(sync);
  if (running == turns.end() || data == nullptr) return;
  std::vector<std::string> spoiled;
  const auto mode = session_from_json(*data, spoiled).response_mode;
  if (!mode || mode->skill_id != skill_id) return;
  const auto& clock = timers_.clock();
  const std::chrono::duration<double> left(
      std::clamp(mode->expires_at - unix_seconds(clock.wall()), 0.0, kLongestQuestion));
  const auto bound = running->second.call.bound;
  bound->pause();
  running->second.question = timers_.at(clock.now() + std::chrono::duration_cast<Clock::Time::duration>(left),
                                        [bound] { bound->resume(); });
}

void RemoteSkills::cancel(const std::string& skill_id, const std::string& utterance_id) {
  const auto found = skills_.find(skill_id);
  if (found == skills_.end() || found->second.running.erase(utterance_id) == 0) return;
  auto& silenced = found->second.silenced;
  silenced.push_back(utterance_id);
  if (silenced.size() > kMostSilenced) silenced.pop_front();
}

void RemoteSkills::take_report(const ClientPtr& client, const Message& report) {
  const std::string& skill_id = report.context().skill_id;
  const auto skill = skills_.find(skill_id);
  const auto refuse = [&](const std::string& why) {
    drop(client, "report", "report", fmt::format("dropped '{}': {}", report.type(), why));
  };
  if (skill == skills_.end())
    return refuse("it must be forwarded from the dispatch, with its context.skill_id");
  if (!names_its_speaker(report))
    return refuse(fmt::format("it names '{}' and comes from '{}'", report.text("skill_id"), skill_id));
  const std::string& turn = report.context().utterance_id;
  auto running = skill->second.running.extract(turn);
  if (running.empty()) {
    // It could not know yet that somebody else had ended it.
    if (is_silenced(skill->second, turn)) return count_late(skill_id);
    return refuse(fmt::format("no handler of '{}' runs in a turn '{}'", skill_id, turn.substr(0, 80)));
  }
  HandlerEnd end;
  HandlerReport said(report);
  end.exception = std::move(said.exception);
  end.not_understood = said.not_understood;
  end.session = report.context().session;
  running.mapped().call.done(std::move(end));
}

bool RemoteSkills::is_silenced(const RemoteSkill& skill, const std::string& utterance_id) {
  return std::find(skill.silenced.begin(), skill.silenced.end(), utterance_id) != skill.silenced.end();
}

void RemoteSkills::count_late(const std::string& skill_id) {
  counters_.counter("parley_late_messages_dropped_total", {{"skill", skill_id}}).add();
}

const std::string* RemoteSkills::silenced_speaker(const ClientPtr& client, const Message& message) const {
  const std::string& turn = message.context().utterance_id;
  if (message.type() != topic::kSpeak || turn.empty()) return nullptr;
  for (const auto& [id, skill] : skills_) {
    if (skill.client->id != client->id) continue;
    if (is_silenced(skill, turn)) return &id;
  }
  return nullptr;
}

}  // namespace parley::net
