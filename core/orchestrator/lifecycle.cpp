#include "orchestrator/lifecycle.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "bus/bus.hpp"
#include "message/log.hpp"
#include "orchestrator/turn_metrics.hpp"
#include "runtime/timers.hpp"
#include "turn/handler_bound.hpp"

namespace parley {
namespace {

std::string slots_text(const Slots& slots) {
  std::string text;
  for (const auto& [name, value] : slots)
    text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", name, value);
  return text;
}

}  // namespace

Lifecycle::Lifecycle(TurnOwner& owner, Message entry)
    : owner_(owner),
      entry_(std::move(entry)),
      began_(owner.timers().clock().now()),
      session_(owner, entry_, TurnSession::Keeps::kChanges),
      round_(owner, entry_, session_) {}

Task<> Lifecycle::run(std::shared_ptr<Lifecycle> self) {
  try {
    co_await self->proceed();
  } catch (const Cancelled&) {
    self->finish(Outcome::kCancelled);
  } catch (const std::exception& error) {
    // Nothing is known that gets here; a turn ends all the same (U-1).
    log_error("orchestrator", fmt::format("the turn '{}' failed inside: {}", self->id(), error.what()));
    self->finish(Outcome::kError);
  }
  self->owner_.ended(*self);
}

bool Lifecycle::is_trace_heard() const {
  return owner_.settings().trace_always || owner_.bus().has_subscribers(topic::kTrace);
}

void Lifecycle::begin_trace() {
  if (!is_trace_heard() && !owner_.keeps_traces()) return;
  record_ = std::make_shared<TraceRecord>(owner_.timers().clock(), id(), session_.id(), round_.utterances());
  round_.trace_to(Trace(record_));
  const ResolvedLanguage& language = round_.language();
  record_->set_lang(language.tag);
  round_.trace().step(TraceKind::kLanguage, language.tag,
                      fmt::format("{} from {}", language.tag, language.source));
  if (round_.candidates().size() > round_.utterances().size())
    round_.trace().note(fmt::format("read as '{}'", round_.candidates().front()));
}

Task<> Lifecycle::proceed() {
  round_.tell_problems();
  begin_trace();
  if (!round_.language().passed_over.empty()) warn_of_language(round_.language());
  if (owner_.is_closing() || is_over_) throw Cancelled("nothing is taken any more");
  const bool usable = !round_.utterances().empty() && !is_refused_;
  if (!usable) {
    round_.trace().step(
        TraceKind::kSkip, "",
        is_refused_ ? "its session is too large: no stage is asked" : "nothing was said: no stage is asked");
  }
  if (usable) co_await round_.wake_language();
  session_.open_round();
  std::optional<Match> match;
  if (usable) match = co_await find_match();
  if (match) {
    co_await dispatch(std::move(*match));
    co_return;
  }
  session_.close_round();
  round_.trace().step(TraceKind::kUnmatched, "", "no stage claimed it");
  finish(Outcome::kUnmatched,
         {reply(topic::kUnmatched, {{"utterances", round_.utterances()}, {"lang", round_.language().tag}})});
}

void Lifecycle::refuse_session() {
  session_.warn_of_size({});
  is_refused_ = !is_default_session(session_.id());
}

void Lifecycle::warn_of_language(const ResolvedLanguage& language) const {
  constexpr std::size_t kLongest = 80;
  if (!owner_.is_first_language_warning(session_.id())) return;
  log_warning(
      "orchestrator",
      fmt::format("session '{}' speaks '{}', and no language like that is enabled (language.enabled): '{}' "
                  "is taken, said once a session",
                  session_.id().substr(0, kLongest), language.passed_over.substr(0, kLongest), language.tag));
}

Task<std::optional<Match>> Lifecycle::find_match() {
  const std::vector<PipelineEntry> pipeline = round_.compose();
  prepare(pipeline);
  for (const auto& entry : pipeline) {
    if (!round_.is_loaded(entry)) continue;
    is_matching_ = true;
    auto match = co_await ask(entry);
    is_matching_ = false;
    if (is_stopped_) throw Cancelled("a stop was dispatched");
    if (match) co_return match;
  }
  co_return std::nullopt;
}

/// Tells those who begin early of what they will be asked about unless somebody before them claims it.
void Lifecycle::prepare(const std::vector<PipelineEntry>& pipeline) {
  std::vector<const HostedStage*> told;
  for (const auto& entry : pipeline) {
    if (!entry.stage->prepares()) continue;
    if (std::find(told.begin(), told.end(), entry.stage) != told.end()) continue;
    told.push_back(entry.stage);
    entry.stage->prepare(round_.request_of(entry));
  }
}

Task<std::optional<Match>> Lifecycle::ask(PipelineEntry entry) {
  const Trace& trace = round_.trace();
  trace.step(TraceKind::kAsk, entry.name, entry.stage->pipeline_id());
  const std::string pipeline_id = entry.stage->pipeline_id();
  MatchRequest request = round_.request_of(entry);
  const SessionPtr asked_with = request.message().context().session;
  Verdict verdict = co_await entry.stage->ask(std::move(request));
  log_verdict(entry.name, verdict);
  switch (verdict.kind()) {
    case Verdict::Kind::kSkipped:
      trace.step(TraceKind::kSkip, entry.name, verdict.why());
      co_return std::nullopt;
    case Verdict::Kind::kFaulted:
      trace.step(TraceKind::kFault, entry.name, verdict.why());
      co_return std::nullopt;
    case Verdict::Kind::kDeclines:
      trace.step(TraceKind::kDecline, entry.name, verdict.why());
      co_return std::nullopt;
    case Verdict::Kind::kClaims:
      break;
  }
  std::string against = round_.objection(*verdict.match);
  if (verdict.match->then.size() >= Match::kMostParts) against = "it has more parts than it may";
  for (const Match& part : verdict.match->then) {
    if (against.empty()) against = round_.objection(part);
  }
  if (!against.empty()) {
    log_warning("orchestrator",
                fmt::format("a match of stage '{}' does not count: {}", pipeline_id, against));
    trace.step(TraceKind::kGuard, entry.name, against);
    co_return std::nullopt;
  }
  take_update(*verdict.match, *asked_with, pipeline_id);
  matched_entry_ = entry.name;
  matched_stage_ = pipeline_id;
  co_return std::move(verdict.match);
}

void Lifecycle::log_verdict(const std::string& entry, const Verdict& verdict) const {
  if (!is_logged(LogLevel::kDebug)) return;
  std::string said;
  switch (verdict.kind()) {
    case Verdict::Kind::kSkipped:
      said = "is not asked";
      break;
    case Verdict::Kind::kFaulted:
      said = "failed";
      break;
    case Verdict::Kind::kDeclines:
      said = "declines";
      break;
    case Verdict::Kind::kClaims:
      said = "claims it for " + topic::dispatch(verdict.match->skill_id, verdict.match->intent_name);
      break;
  }
  if (!verdict.why().empty()) said += ": " + verdict.why();
  log_debug("turn", fmt::format("{}: {} {}", id(), entry, said));
}

void Lifecycle::take_update(Match& match, const Session& asked_with, const std::string& pipeline_id) {
  // Nothing that a plugin has made may outlive it: the snapshot becomes ours.
  const SessionPtr updated = std::exchange(match.updated_session, nullptr);
  if (!updated || updated.get() == &asked_with) return;
  if (updated->session_id != asked_with.session_id) {
    log_warning("orchestrator",
                fmt::format("stage '{}' changed session '{}' in a match for '{}': the change is ignored",
                            pipeline_id, updated->session_id, asked_with.session_id));
    return;
  }
  session_.change(asked_with, *updated, pipeline_id);
}

void Lifecycle::announce_match(const Match& match) {
  if (round_.trace())
    round_.trace().step(
        TraceKind::kMatch, matched_entry_, match.skill_id + ":" + match.intent_name,
        {{"slots", slots_text(match.slots)}, {"lang", match.lang}, {"pipeline_id", matched_stage_}});
  MatchedIntent matched;
  matched.skill_id = match.skill_id;
  matched.intent_name = match.intent_name;
  matched.pipeline_id = matched_stage_;
  matched.lang = match.lang;
  matched.utterance = match.utterance;
  matched.slots = match.slots;
  publish(derived(topic::kMatched, matched.to_json()));
}

Message Lifecycle::dispatch_message(const Match& match) const {
  Json data = {{"lang", match.lang}, {"utterance", match.utterance}, {"slots", match.slots}};
  if (match.corrects) data["corrects"] = true;
  const Message reply = entry_.reply(topic::dispatch(match.skill_id, match.intent_name), std::move(data));
  Context context = reply.context();
  context.session = session();
  context.skill_id = match.skill_id;
  context.pipeline_id = matched_stage_;
  return reply.with_context(std::move(context));
}

Task<> Lifecycle::dispatch(Match match) {
  session_.close_round();
  std::vector<Match> rest = std::exchange(match.then, {});
  Outcome outcome = co_await dispatch_part(std::move(match));
  for (Match& part : rest) {
    if (outcome != Outcome::kComplete) break;
    part.updated_session = nullptr;
    outcome = co_await dispatch_part(std::move(part));
  }
  finish(outcome);
  if (then_) then_();
}

Task<Outcome> Lifecycle::dispatch_part(Match match) {
  session_.commit(match);
  announce_match(match);
  handler_ = topic::dispatch(match.skill_id, match.intent_name);
  const Message message = dispatch_message(match);
  const SessionPtr given = message.context().session;
  HandlerReport report(match.skill_id, match.intent_name);
  publish(message);
  round_.trace().step(TraceKind::kStart, match.skill_id, match.intent_name);
  publish(message.with_session(session()).forward(topic::kHandlerStart, report.to_json()));
  // Those that were running before; what a stop itself runs comes after.
  const bool ended =
      match.intent_name == reserved::kStop && owner_.stop_turns(session_.id(), match.skill_id, id());
  const HandlerEnd end = co_await run_handler(message, std::move(match), ended);
  session_.take(end, *given, handler_skill_);
  if (end.exception) drop_question_of(report.skill_id, *given);
  const Message closing = message.with_session(session());
  if (end.exception) {
    report.exception = end.exception;
    round_.trace().step(TraceKind::kError, message.context().skill_id, *end.exception);
    publish(closing.forward(topic::kHandlerError, report.to_json()));
    co_return Outcome::kError;
  }

  report.not_understood = end.not_understood;
  if (end.then) then_ = end.then;
  round_.trace().step(TraceKind::kComplete, message.context().skill_id,
                      end.not_understood ? "it had no answer" : "");
  publish(closing.forward(topic::kHandlerComplete, report.to_json()));
  co_return end.not_understood ? Outcome::kUnmatched : Outcome::kComplete;
}

/// What a handler that failed has asked, nobody waits for; nor for what a skill asked that has gone. A
/// question that was open before is another turn's.
void Lifecycle::drop_question_of(const std::string& skill_id, const Session& dispatched) {
  const bool is_older = session()->response_mode == dispatched.response_mode;
  if (!is_older || owner_.host_of(skill_id) == nullptr) session_.drop_question(skill_id);
}

/// While it lives a handler runs for the lifecycle; also where the coroutine that waits is destroyed.
class Lifecycle::HandlerRuns {
 public:
  HandlerRuns(Lifecycle& lifecycle, HandlerBound& bound) : lifecycle_(lifecycle), bound_(bound) {}
  HandlerRuns(const HandlerRuns&) = delete;
  HandlerRuns& operator=(const HandlerRuns&) = delete;
  ~HandlerRuns() {
    bound_.end();
    lifecycle_.handler_end_ = nullptr;
  }

 private:
  Lifecycle& lifecycle_;
  HandlerBound& bound_;
};

Task<HandlerEnd> Lifecycle::run_handler(Message dispatch, Match match, bool ended_turns) {
  HandlerHost* host = owner_.host_of(match.skill_id);
  if (host == nullptr) {
    co_return HandlerEnd(fmt::format("nobody hosts the skill '{}'", match.skill_id));
  }
  handler_end_ = std::make_shared<Cell<HandlerEnd>>();
  handler_skill_ = match.skill_id;
  const auto cell = handler_end_;
  const auto span = host->handler_timeout(match.skill_id);
  const auto bound = std::make_shared<HandlerBound>(
      owner_.timers(), span,
      [this, span] {
        end_handler(fmt::format("timeout: the handler did not end within {} ms", span.count()));
      },
      [this](bool waits) { waits_for_user(waits); });
  HandlerCall call(std::move(dispatch), match.intent_name, bound, round_.trace(),
                   [cell](HandlerEnd end) { cell->set(std::move(end)); });
  call.sessions = &owner_.sessions();
  call.ended_turns = ended_turns;
  const HandlerRuns runs(*this, *bound);
  const auto dispatched = owner_.timers().clock().now();
  host->run(std::move(call));
  try {
    HandlerEnd end = co_await Cell<HandlerEnd>::wait(cell);
    owner_.metrics().handled(handler_skill_, owner_.timers().clock().now() - dispatched);
    co_return end;
  } catch (const Cancelled&) {
    // Only the end of everything cancels a lifecycle; what was started is still reported (U-1, D-5).
    co_return HandlerEnd("cancelled");
  }
}

bool Lifecycle::stop(const std::string& skill_id, const std::string& why) {
  const bool runs = handler_end_ && (skill_id.empty() || skill_id == handler_skill_);
  if (runs) {
    end_handler(why);
    session_.drop_question(handler_skill_);
  }
  if (!is_matching_) return runs;
  is_stopped_ = true;
  if (job_) job_->cancel();
  return runs;
}

void Lifecycle::interrupt(const std::function<std::string(const std::string& lang)>& words,
                          const std::string& why) {
  if (std::exchange(is_interrupted_, true)) return;
  session_.drop_question(handler_skill_);
  const std::string lang = session()->output_lang.value_or(round_.language().tag);
  publish(reply(topic::kSpeak, Speech(words(lang), lang, false).to_json()));
  stop({}, why);
}

void Lifecycle::end_handler(const std::string& failure) {
  // Silenced first: what it says from here on belongs to no turn (D-6).
  owner_.cancel_handler(handler_skill_, id());
  handler_end_->set(HandlerEnd(failure));
}

void Lifecycle::waits_for_user(bool waits) {
  is_asking_ = waits;
  owner_.waits_for_user(entry_, waits);
  // Why it came to the question may be asked while it is open.
  if (!waits) return;
  keep_trace("waiting");
  tell_trace("waiting");
}

void Lifecycle::finish(Outcome outcome, std::vector<Message> before) {
  round_.trace().step(TraceKind::kHandled, "", to_string(outcome));
  owner_.metrics().ended(outcome, handler_skill_, owner_.timers().clock().now() - began_);
  log_turn(outcome);
  keep_trace(to_string(outcome));  // so that it is there with the turn
  before.push_back(reply(topic::kHandled, Json::object()));
  owner_.bus().publish_together(std::move(before));
  tell_trace(to_string(outcome));
}

void Lifecycle::keep_trace(std::string_view outcome) {
  if (record_) owner_.traced(record_, outcome);
}

void Lifecycle::tell_trace(std::string_view outcome) {
  if (record_ && is_trace_heard()) publish(derived(topic::kTrace, record_->to_json(outcome)));
}

void Lifecycle::log_turn(Outcome outcome) const {
  if (round_.utterances().empty() || !is_logged(LogLevel::kInfo)) return;
  constexpr std::size_t kLongest = 200;
  const std::string said = round_.utterances().front().substr(0, kLongest);
  if (outcome == Outcome::kUnmatched)
    return log_info("turn", fmt::format("not understood, in {}: \"{}\"", round_.language().tag, said));
  const auto took = std::chrono::duration<double, std::milli>(owner_.timers().clock().now() - began_);
  log_info(
      "turn",
      fmt::format("\"{}\" ({}, session '{}') → {} by {}: {} after {:.1f} ms", said, round_.language().tag,
                  session_.id().substr(0, kLongest), handler_.empty() ? "nobody" : handler_,
                  matched_entry_.empty() ? "no entry" : matched_entry_, to_string(outcome), took.count()));
}

void Lifecycle::publish(Message message) {
  owner_.bus().publish(std::move(message));
}

Message Lifecycle::derived(std::string type, Json data) const {
  Context context = entry_.context();
  context.destination.clear();
  context.destination_is_list = false;
  context.session = session();
  return Message(std::move(type), std::move(data), std::move(context));
}

Message Lifecycle::reply(std::string type, Json data) const {
  return entry_.with_session(session()).reply(std::move(type), std::move(data));
}

}  // namespace parley
