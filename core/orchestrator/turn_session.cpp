// What a turn does to its session: the match round's intent context, recency, and writing back.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <parley/gates.hpp>
#include <parley/text_set.hpp>

#include "message/log.hpp"
#include "message/topics.hpp"
#include "orchestrator/turn_session.hpp"
#include "runtime/timers.hpp"

namespace parley {
namespace {

/// Names of handlers that do not make a skill active by being called (D-2).
bool is_passive(const std::string& intent_name) {
  return is_reserved(intent_name) && intent_name != reserved::kFallback;
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
  if (handlers.size() <= most) return;
  std::vector<std::size_t> by_recency(handlers.size());
  std::iota(by_recency.begin(), by_recency.end(), std::size_t{0});
  std::stable_sort(by_recency.begin(), by_recency.end(), [&](std::size_t a, std::size_t b) {
    const bool a_waits = handlers[a].skill_id == waiting;
    const bool b_waits = handlers[b].skill_id == waiting;
    if (a_waits != b_waits) return a_waits;
    return handlers[a].activated_at > handlers[b].activated_at;
  });
  by_recency.resize(most);
  std::sort(by_recency.begin(), by_recency.end());
  std::vector<ActiveHandler> kept;
  for (const std::size_t place : by_recency) kept.push_back(std::move(handlers[place]));
  handlers = std::move(kept);
}

/// Policy only narrows: what was denied stays denied, whatever a stage makes of the list.
void keep_denied(std::optional<Session::Strings>& list, const std::optional<Session::Strings>& before) {
  if (!before || list == before) return;
  if (!list) list.emplace();
  std::vector<std::string> lost;
  const TextSet denied(*list);
  for (const auto& one : *before) {
    if (!denied.contains(one)) lost.push_back(one);
  }
  list->insert(list->end(), lost.begin(), lost.end());
}

bool contains(const std::vector<std::string>& list, const std::string& text) {
  if (list.empty()) return false;
  TextSet::count_visits(list.size());
  return std::find(list.begin(), list.end(), text) != list.end();
}

}  // namespace

const std::vector<std::string>& effective(const std::optional<Session::Strings>& own,
                                          const std::vector<std::string>& configured) {
  return own && !own->empty() ? *own : configured;
}

TurnSession::TurnSession(TurnOwner& owner, const Message& entry, Keeps keeps)
    : owner_(owner), entry_(entry), keeps_(keeps), session_(entry.context().session) {}

bool TurnSession::is_stored() const {
  return keeps_ == Keeps::kChanges && is_default_session(session_->session_id);
}

double TurnSession::now_seconds() const {
  return unix_seconds(owner_.timers().clock().wall());
}

bool TurnSession::is_blacklisted(const Session& session, const std::string& skill_id) const {
  return contains(effective(session.blacklisted_skills, owner_.settings().blacklisted_skills), skill_id);
}

bool TurnSession::is_blacklisted(const std::string& skill_id, const std::string& intent_name) const {
  return contains(effective(now()->blacklisted_intents, owner_.settings().blacklisted_intents),
                  topic::dispatch(skill_id, intent_name));
}

SessionPtr TurnSession::for_stages() const {
  const auto& settings = owner_.settings();
  SessionPtr own = now();
  const auto lacks = [](const std::optional<Session::Strings>& list) { return !list || list->empty(); };
  const bool skills = !settings.blacklisted_skills.empty() && lacks(own->blacklisted_skills);
  const bool intents = !settings.blacklisted_intents.empty() && lacks(own->blacklisted_intents);
  if (!skills && !intents) return own;
  auto filled = std::make_shared<Session>(*own);
  if (skills) filled->blacklisted_skills = settings.blacklisted_skills;
  if (intents) filled->blacklisted_intents = settings.blacklisted_intents;
  return filled;
}

SessionPtr TurnSession::now() const {
  return is_stored() ? owner_.sessions().current() : session_;
}

void TurnSession::change(const Session& before, const Session& after, const std::string& by) {
  if (is_stored()) {
    if (!owner_.sessions().change(before, after)) warn_of_size(by);
    session_ = owner_.sessions().current();
    return;
  }
  auto changed = std::make_shared<Session>(*session_);
  apply_changes(*changed, before, after);
  if (fits(*changed, owner_.sessions().max_size())) {
    session_ = std::move(changed);
  } else {
    warn_of_size(by);
  }
}

void TurnSession::warn_of_size(const std::string& by) const {
  constexpr std::size_t kLongest = 80;
  const std::string who = name_of_sender(entry_.context());
  log_warning(
      "session",
      fmt::format("a change by {} would make session '{}' larger than {} bytes (session.max_size): refused",
                  by.empty() ? who : fmt::format("'{}', in a turn of {},", by, who),
                  session_->session_id.substr(0, kLongest), owner_.sessions().max_size()));
}

void TurnSession::patch(const Session& patch, const std::string& by) {
  const SessionPtr before = now();
  Session after = *before;
  apply_patch(after, patch);
  change(*before, after, by);
}

void TurnSession::take(const HandlerEnd& end, const Session& dispatched, const std::string& skill_id) {
  if (!end.session || end.session.get() == &dispatched) return;
  if (end.session->session_id != dispatched.session_id) {
    log_warning("session", fmt::format("a handler of session '{}' reported session '{}': ignored",
                                       dispatched.session_id, end.session->session_id));
  } else if (end.base) {
    change(is_stored() ? *end.base : dispatched, *end.session, skill_id);
  } else {
    patch(reported_changes(dispatched, *end.session), skill_id);
  }
}

void TurnSession::drop_question(const std::string& skill_id) {
  const SessionPtr before = now();
  if (!before->response_mode || before->response_mode->skill_id != skill_id) return;
  Session after = *before;
  after.response_mode.reset();
  change(*before, after);
}

void TurnSession::open_round() {
  const SessionPtr before = now();
  if (before->intent_context && !before->intent_context->empty()) {
    Session after = *before;
    prune_intent_context(after, now_seconds());
    if (!(after == *before)) change(*before, after);
  }
  round_began_ = now();
}

void TurnSession::close_round() {
  const SessionPtr before = now();
  if (!before->intent_context || before->intent_context->empty()) return;
  Session after = *before;
  age_intent_context(after, *round_began_);
  if (!(after == *before)) change(*before, after);
}

void TurnSession::activate(Session& session, const std::string& skill_id,
                           const std::string& intent_name) const {
  const double now = now_seconds();
  if (!is_passive(intent_name)) push_front(session.active_handlers, skill_id, now);
  if (owner_.is_stage(skill_id)) return;
  push_front(session.converse_handlers, skill_id, now);
  const bool waits = session.response_mode && session.response_mode->expires_at > now;
  bound(*session.converse_handlers, owner_.most_handlers(),
        waits ? session.response_mode->skill_id : std::string());
}

/// A `response_mode` that no answer can reach any more (C-1).
void TurnSession::drop_dead_question(Session& session) const {
  if (!session.response_mode) return;
  const std::string& holder = session.response_mode->skill_id;
  const auto& owners = session.converse_handlers;
  const bool known = owners && std::any_of(owners->begin(), owners->end(),
                                           [&](const auto& owner) { return owner.skill_id == holder; });
  const double now = now_seconds();
  if (session.response_mode->expires_at > now && known && !is_blacklisted(session, holder)) return;
  session.response_mode.reset();
}

void TurnSession::commit(const Match& match) {
  const SessionPtr before = now();
  Session after = *before;
  keep_denied(after.blacklisted_pipelines, round_began_->blacklisted_pipelines);
  keep_denied(after.blacklisted_skills, round_began_->blacklisted_skills);
  keep_denied(after.blacklisted_intents, round_began_->blacklisted_intents);
  activate(after, match.skill_id, match.intent_name);
  drop_dead_question(after);
  change(*before, after);
}

}  // namespace parley
