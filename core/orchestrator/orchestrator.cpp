#include "orchestrator/orchestrator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <parley/text_set.hpp>
#include <utility>

#include "message/log.hpp"
#include "message/topics.hpp"
#include "orchestrator/dry_run.hpp"
#include "orchestrator/lifecycle.hpp"
#include "runtime/random_id.hpp"

namespace parley {
Orchestrator::Orchestrator(Bus& bus, Timers& timers, IntentRegistry& registry, Counters& counters,
                           boost::asio::any_io_executor loop, OrchestratorSettings settings)
    : bus_(bus),
      timers_(timers),
      registry_(registry),
      metrics_(counters),
      delayed_(counters.counter("parley_utterances_delayed_total")),
      ended_by_share_(counters.counter("parley_turns_ended_total", {{"reason", "share"}})),
      loop_(std::move(loop)),
      settings_(std::move(settings)),
      sessions_(settings_.max_session_size),
      shares_(timers_.clock()) {
  shares_.set_limits(settings_.limits);
  subscriptions_.push_back(bus_.subscribe(topic::kUtterance, [this](const Message& m) { enter(m); }));
  subscriptions_.push_back(
      bus_.subscribe(topic::kSessionSync, [this](const Message& m) { sync_session(m); }));
  subscriptions_.push_back(
      bus_.subscribe(topic::kActiveList, [this](const Message& m) { answer_active_list(m); }));
  subscriptions_.push_back(bus_.subscribe(topic::kStop, [this](const Message& m) {
    if (stop_turns(m.session_id(), {}, m.context().utterance_id))
      bus_.publish(m.reply(topic::kStopDone, {{"stopped", true}}));
  }));
}

Orchestrator::~Orchestrator() = default;

void Orchestrator::add_entry(PipelineEntry entry) {
  entries_.insert_or_assign(entry.name, std::move(entry));
}

void Orchestrator::remove_stage(const HostedStage& stage) {
  std::erase_if(entries_, [&](const auto& entry) { return entry.second.stage == &stage; });
}

const PipelineEntry* Orchestrator::entry(const std::string& name) const {
  const auto found = entries_.find(name);
  return found == entries_.end() ? nullptr : &found->second;
}

void Orchestrator::reconfigure(OrchestratorSettings settings) {
  settings_ = std::move(settings);
  shares_.set_limits(settings_.limits);
  sessions_.set_max_size(settings_.max_session_size);
  begin_waiting();
}

bool Orchestrator::is_stage(const std::string& pipeline_id) const {
  return std::any_of(entries_.begin(), entries_.end(),
                     [&](const auto& entry) { return entry.second.stage->pipeline_id() == pipeline_id; });
}

HandlerHost* Orchestrator::host_of(const std::string& skill_id) const {
  const auto found = std::find_if(hosts_.begin(), hosts_.end(),
                                  [&](const HandlerHost* host) { return host->hosts(skill_id); });
  return found == hosts_.end() ? nullptr : *found;
}

/// With an id that nothing in flight has (M-8).
Message Orchestrator::stamped(const Message& entry) {
  const std::string& given = entry.context().utterance_id;
  if (!given.empty() && ids_.emplace(given, entry.context().sender).second) return entry;
  Context context = entry.context();
  context.utterance_id = random_id();
  ids_.emplace(context.utterance_id, context.sender);
  return entry.with_context(std::move(context));
}

void Orchestrator::enter(const Message& message) {
  Message entry = stamped(message);
  if (shares_.may_begin(entry) || (shares_.may_begin_urgently(entry) && is_urgent(entry))) {
    begin(entry);
    return;
  }
  delayed_.add();
  shares_.wait(std::move(entry));
  if (!next_begins_) begin_waiting();  // time has gone on since it was asked whether it may
}

bool Orchestrator::is_urgent(const Message& entry) {
  Context context = entry.context();
  context.session = sessions_.preview(context.session).session;
  const Message previewed = entry.with_context(std::move(context));
  const TurnSession session(*this, previewed, TurnSession::Keeps::kNothing);
  return Round(*this, previewed, session).is_urgent();
}

void Orchestrator::begin(const Message& message, bool is_over) {
  Context context = message.context();
  const SessionStore::Entered entered = sessions_.enter(context.session);
  context.session = entered.session;
  const auto lifecycle = std::make_shared<Lifecycle>(owner(), message.with_context(std::move(context)));
  shares_.began(lifecycle->entry());
  if (is_over) lifecycle->give_up();
  if (entered.too_large) lifecycle->refuse_session();
  running_.emplace(lifecycle->id(), lifecycle);
  if (auto job = scope_.spawn(loop_, Lifecycle::run(lifecycle))) {
    lifecycle->runs_as(std::move(job));
    return;
  }
  running_.erase(lifecycle->id());
  ids_.erase(lifecycle->id());
  shares_.ended(lifecycle->entry());
}

void Orchestrator::ended(const Lifecycle& lifecycle) {
  shares_.ended(lifecycle.entry());
  running_.erase(lifecycle.id());
  ids_.erase(lifecycle.id());
  begin_waiting();
}

void Orchestrator::begin_waiting() {
  const Clock::Time now = timers_.clock().now();
  while (auto next = shares_.next(now)) {
    told_begun(*next);
    begin(*next);
  }
  begin_later(now);
}

/// Those that only wait until their clients' others have been under way for a moment.
void Orchestrator::begin_later(Clock::Time now) {
  if (next_begins_ || closing_) return;
  const auto when = shares_.next_time(now);
  if (!when) return;
  next_begins_ = timers_.at(*when, [this] {
    next_begins_.reset();
    begin_waiting();
  });
}

void Orchestrator::told_begun(const Message& entry) {
  if (begun_ && entry.context().sender) begun_(entry.context().sender->id);
}

void Orchestrator::waits_for_user(const Message& entry, bool waits) {
  const auto first = shares_.waits_for_user(entry, waits);
  if (first) {
    end_turn(*first, fmt::format("cancelled: more than {} questions of this client wait for an answer",
                                 settings_.limits.questions));
  }
  if (waits) begin_waiting();
}

void Orchestrator::end_turn(const std::string& utterance_id, const std::string& why) {
  const auto found = running_.find(utterance_id);
  if (found == running_.end()) return;
  ended_by_share_.add();
  found->second->stop({}, why);
}

void Orchestrator::departed(std::uint64_t client) {
  auto left = shares_.departed(client);
  for (const auto& id : left.surplus) end_turn(id, "cancelled: its client has gone");
  for (const auto& entry : left.waiting) begin(entry, true);
}

SessionPtr Orchestrator::session_of(const Message& message) const {
  const auto turn = running_.find(message.context().utterance_id);
  if (turn != running_.end() && turn->second->session()->session_id == message.session_id())
    return turn->second->session();
  return is_default_session(message.session_id()) ? sessions_.current() : message.context().session;
}

std::optional<SenderPtr> Orchestrator::sender_of(const std::string& utterance_id) const {
  const auto found = ids_.find(utterance_id);
  if (found == ids_.end()) return std::nullopt;
  return found->second;
}

bool Orchestrator::stop_turns(const std::string& session_id, const std::string& skill_id,
                              const std::string& except) {
  bool any = false;
  for (const auto& [id, lifecycle] : running_) {
    if (id != except && lifecycle->session()->session_id == session_id)
      any = lifecycle->stop(skill_id) || any;
  }
  return due_turns_.stop(session_id, skill_id) || any;
}

bool Orchestrator::is_busy(const std::function<bool(const std::string&)>& which) const {
  return shares_.waiting() > 0 || std::any_of(running_.begin(), running_.end(), [&](const auto& one) {
           return which(one.second->session()->session_id);
         });
}

void Orchestrator::end_turns(const std::function<bool(const std::string&)>& which, const std::string& why) {
  for (const auto& message : shares_.take_waiting()) {
    if (which(message.session_id())) {
      begin(message, true);
    } else {
      shares_.wait(message);
    }
  }
  for (const auto& [id, lifecycle] : running_) {
    if (which(lifecycle->session()->session_id)) lifecycle->stop({}, why);
  }
}

void Orchestrator::interrupt_questions(const std::function<std::string(const std::string&)>& words) {
  for (const auto& [id, lifecycle] : running_) {
    if (lifecycle->is_asking())
      lifecycle->interrupt(words, "cancelled: parley ends, and can't wait for the answer");
  }
}

void Orchestrator::end_session(const std::string& owner, const std::string& session_id) {
  const bool is_default = is_default_session(session_id);
  for (const auto& [id, lifecycle] : running_) {
    const bool is_theirs = is_default || lifecycle->entry().owner() == owner;
    if (is_theirs && lifecycle->is_asking() && lifecycle->session()->session_id == session_id)
      lifecycle->stop({}, "cancelled: its session has ended");
  }
  if (!is_default) return;
  Session ended = *sessions_.current();
  ended.response_mode.reset();
  ended.converse_handlers.reset();
  ended.active_handlers.reset();
  sessions_.set(std::make_shared<const Session>(std::move(ended)));
}

void Orchestrator::sync_session(const Message& message) {
  const Json* const data = synced_session(message);
  if (data == nullptr) {
    log_warning("session", "ovos.session.sync without an object 'session': ignored");
    return;
  }
  std::vector<std::string> spoiled;
  const Session patch = session_from_json(*data, spoiled);
  for (const auto& field : spoiled) log_warning("session", "ovos.session.sync: " + field);
  const std::string& session_id = data->contains("session_id") ? patch.session_id : message.session_id();
  if (message.context().session && session_id != message.session_id()) {
    log_warning("session", fmt::format("ovos.session.sync of session '{}' names session '{}': ignored",
                                       message.session_id(), session_id));
    return;
  }
  const auto named = running_.find(message.context().utterance_id);
  if (named != running_.end()) {
    if (named->second->session()->session_id == session_id)
      named->second->patch_session(patch, name_of_sender(message.context()));
    return;
  }
  if (is_default_session(session_id)) {
    auto changed = *sessions_.current();
    apply_patch(changed, patch);
    if (!sessions_.set(std::make_shared<const Session>(std::move(changed)))) {
      log_warning("session", fmt::format("a change by {} would make session 'default' larger than {} bytes "
                                         "(session.max_size): refused",
                                         name_of_sender(message.context()), sessions_.max_size()));
    }
    return;
  }
  for (const auto& [id, lifecycle] : running_) {
    if (lifecycle->session()->session_id == session_id)
      lifecycle->patch_session(patch, name_of_sender(message.context()));
  }
}

bool Orchestrator::is_first_language_warning(const std::string& session_id) {
  constexpr std::size_t kMost = 1024;
  if (language_warnings_.size() >= kMost) language_warnings_.clear();
  return language_warnings_.insert(std::hash<std::string>()(session_id)).second;
}

/// Who is still remembered as active, the latest first (C-5).
void Orchestrator::answer_active_list(const Message& query) {
  const SessionPtr session =
      is_default_session(query.session_id()) ? sessions_.current() : query.context().session;
  const double oldest =
      unix_seconds(timers_.clock().wall()) - std::chrono::duration<double>(handler_age_).count();
  Json handlers = Json::array();
  for (const auto& one : session->converse_handlers.value_or(std::vector<ActiveHandler>())) {
    if (one.activated_at >= oldest)
      handlers.push_back({{"skill_id", one.skill_id}, {"activated_at", one.activated_at}});
  }
  bus_.publish(query.response({{"converse_handlers", std::move(handlers)}}));
}

std::optional<Match> Orchestrator::word_for_word(const MatchRequest& request) const {
  const Session& session = request.session();
  const TextSet denied(effective(session.blacklisted_pipelines, settings_.blacklisted_pipelines));
  for (const auto& name : effective(session.pipeline, settings_.pipeline)) {
    const PipelineEntry* const asked = entry(name);
    if (asked == nullptr || denied.contains(name) || denied.contains(asked->stage->pipeline_id())) continue;
    auto match = asked->stage->takes_word_for_word(request.as_seen_by(name, asked->options));
    if (!match || session.blacklists_skill(match->skill_id)) continue;
    if (!session.blacklists_intent(topic::dispatch(match->skill_id, match->intent_name))) return match;
  }
  return std::nullopt;
}

void Orchestrator::dry_run(const Message& message, std::function<void(Result<Json>)> done) {
  Context context = message.context();
  const SessionStore::Entered entered = sessions_.preview(context.session);
  context.session = entered.session;
  context.utterance_id = random_id();
  const auto run = std::make_shared<DryRun>(owner(), message.with_context(std::move(context)));
  if (entered.too_large && !is_default_session(entered.session->session_id)) run->refuse_session();
  if (!scope_.spawn(loop_, DryRun::run(run, done))) done(Error("the assistant is ending"));
}

void Orchestrator::close() {
  subscriptions_.clear();
  closing_ = true;
  next_begins_.reset();
  for (const auto& message : shares_.take_waiting())
    begin(message, true);  // to their end, which is near (U-1)
  scope_.close();
}

}  // namespace parley
