// What a turn does to its session: the match round's intent context, recency, and writing back.
#include <algorithm>
#include <parley/gates.hpp>

#include "orchestrator/lifecycle.hpp"

namespace parley {
namespace {

/// Names of handlers that do not make a skill active by being called (D-2).
bool is_passive(const std::string& intent_name) {
  return intent_name == "converse" || intent_name == "response" || intent_name == "stop" ||
         intent_name == "common_query";
}

/// A stamp of the future is from before the clock was set back: left as it is, the newest would be the
/// oldest.
void push_front(std::optional<std::vector<ActiveHandler>>& handlers, const std::string& skill_id,
                double now) {
  if (!handlers) handlers.emplace();
  std::erase_if(*handlers, [&](const ActiveHandler& one) { return one.skill_id == skill_id; });
  for (ActiveHandler& one : *handlers) one.activated_at = std::min(one.activated_at, now);
  handlers->insert(handlers->begin(), ActiveHandler(skill_id, now));
}

/// Takes the least recent ones, the one nearest the tail first (D-4), but never who waits for an answer.
void bound(std::vector<ActiveHandler>& handlers, std::size_t most, const std::string& waiting) {
  while (handlers.size() > most) {
    auto victim = handlers.end();
    for (auto one = handlers.begin(); one != handlers.end(); ++one) {
      if (one->skill_id == waiting) continue;
      if (victim == handlers.end() || one->activated_at <= victim->activated_at) victim = one;
    }
    if (victim == handlers.end()) return;
    handlers.erase(victim);
  }
}

/// Policy only narrows: what was denied stays denied, whatever a stage makes of the list.
void keep_denied(std::optional<Session::Strings>& list, const std::optional<Session::Strings>& before) {
  if (!before) return;
  if (!list) list.emplace();
  for (const auto& one : *before) {
    if (std::find(list->begin(), list->end(), one) == list->end()) list->push_back(one);
  }
}

}  // namespace

SessionPtr Lifecycle::session() const {
  return is_stored() ? owner_.sessions_.current() : session_;
}

void Lifecycle::change_session(const Session& before, const Session& after) {
  if (is_stored()) {
    session_ = owner_.sessions_.change(before, after);
    return;
  }
  auto changed = std::make_shared<Session>(*session_);
  apply_changes(*changed, before, after);
  session_ = std::move(changed);
}

void Lifecycle::patch_session(const Session& patch) {
  const SessionPtr before = session();
  Session after = *before;
  apply_patch(after, patch);
  change_session(*before, after);
}

void Lifecycle::open_round() {
  const SessionPtr before = session();
  if (before->intent_context && !before->intent_context->empty()) {
    Session after = *before;
    prune_intent_context(after, unix_seconds(owner_.bus_.timers().clock().wall()));
    if (!(after == *before)) change_session(*before, after);
  }
  round_began_ = session();
}

void Lifecycle::close_round() {
  const SessionPtr now = session();
  if (!now->intent_context || now->intent_context->empty()) return;
  Session after = *now;
  age_intent_context(after, *round_began_);
  if (!(after == *now)) change_session(*now, after);
}

void Lifecycle::activate(Session& session, const std::string& skill_id,
                         const std::string& intent_name) const {
  const double now = unix_seconds(owner_.bus_.timers().clock().wall());
  if (!is_passive(intent_name)) push_front(session.active_handlers, skill_id, now);
  if (owner_.is_stage(skill_id)) return;
  push_front(session.converse_handlers, skill_id, now);
  const bool waits = session.response_mode && session.response_mode->expires_at > now;
  bound(*session.converse_handlers, owner_.settings_.max_converse_handlers,
        waits ? session.response_mode->skill_id : std::string());
}

/// A `response_mode` that no answer can reach any more (C-1).
void Lifecycle::drop_dead_question(Session& session) const {
  if (!session.response_mode) return;
  const std::string& holder = session.response_mode->skill_id;
  const auto& owners = session.converse_handlers;
  const bool known = owners && std::any_of(owners->begin(), owners->end(),
                                           [&](const auto& owner) { return owner.skill_id == holder; });
  const double now = unix_seconds(owner_.bus_.timers().clock().wall());
  if (session.response_mode->expires_at > now && known && !is_blacklisted(session, holder)) return;
  session.response_mode.reset();
}

void Lifecycle::commit(const Match& match) {
  const SessionPtr before = session();
  Session after = *before;
  keep_denied(after.blacklisted_pipelines, round_began_->blacklisted_pipelines);
  keep_denied(after.blacklisted_skills, round_began_->blacklisted_skills);
  keep_denied(after.blacklisted_intents, round_began_->blacklisted_intents);
  activate(after, match.skill_id, match.intent_name);
  drop_dead_question(after);
  change_session(*before, after);
}

}  // namespace parley
