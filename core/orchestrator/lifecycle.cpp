#include "orchestrator/lifecycle.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <parley/language.hpp>
#include <parley/text_set.hpp>

#include "message/log.hpp"
#include "turn/handler_bound.hpp"

namespace parley {
namespace {

bool is_blank(const std::string& text) {
  return std::all_of(text.begin(), text.end(), [](unsigned char c) { return c <= ' '; });
}

constexpr std::size_t kMostCandidates = 32;
constexpr std::size_t kMostSaid = std::size_t{64} << 10U;  ///< Bytes of all candidates.

bool contains(const std::vector<std::string>& list, const std::string& text) {
  if (list.empty()) return false;
  TextSet::count_visits(list.size());
  return std::find(list.begin(), list.end(), text) != list.end();
}

/// A session's list, or the configured one when it has none: an empty one counts as none (S-1).
const std::vector<std::string>& effective(const std::optional<Session::Strings>& own,
                                          const std::vector<std::string>& configured) {
  return own && !own->empty() ? *own : configured;
}

std::string slots_text(const Slots& slots) {
  std::string text;
  for (const auto& [name, value] : slots)
    text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", name, value);
  return text;
}

}  // namespace

Lifecycle::Lifecycle(Orchestrator& owner, Message entry)
    : owner_(owner), entry_(std::move(entry)), session_(entry_.context().session) {}

Task<> Lifecycle::run(std::shared_ptr<Lifecycle> self) {
  try {
    co_await self->proceed();
  } catch (const Cancelled&) {
    self->finish("cancelled");
  } catch (const std::exception& error) {
    // Nothing is known that gets here; a turn ends all the same (U-1).
    log_error("orchestrator", fmt::format("the turn '{}' failed inside: {}", self->id(), error.what()));
    self->finish("error");
  }
  self->owner_.ended(*self);
}

Task<> Lifecycle::proceed() {
  const bool usable = read_utterances() && !is_refused_;
  if (owner_.settings_.trace_always || owner_.bus_.has_subscribers("parley.turn.trace")) {
    record_ =
        std::make_shared<TraceRecord>(owner_.bus_.timers().clock(), id(), session_->session_id, utterances_);
    trace_ = Trace(record_);
  }
  const ResolvedLanguage language = resolved_language();
  lang_ = language.tag;
  if (!language.passed_over.empty()) warn_of_language(language);
  if (record_) {
    record_->set_lang(lang_);
    trace_.step("language", lang_, fmt::format("{} from {}", lang_, language.source));
  }
  if (owner_.closing_ || is_over_) throw Cancelled("nothing is taken any more");
  if (!usable)
    trace_.step(
        "skip", "",
        is_refused_ ? "its session is too large: no stage is asked" : "nothing was said: no stage is asked");
  open_round();
  std::optional<Match> match;
  if (usable) match = co_await find_match();
  if (match) {
    co_await dispatch(std::move(*match));
    co_return;
  }
  close_round();
  trace_.step("unmatched", "", "no stage claimed it");
  finish("unmatched", {reply("ovos.intent.unmatched", {{"utterances", utterances_}, {"lang", lang_}})});
}

bool Lifecycle::is_urgent() {
  const auto& names = effective(session_->pipeline, owner_.settings_.pipeline);
  const PipelineEntry* first = names.empty() ? nullptr : owner_.entry(names.front());
  if (first == nullptr || !read_utterances()) return false;
  lang_ = resolved_language().tag;
  return !first->stage->declines_at_once(request_of(*first, session_for_stages()));
}

ResolvedLanguage Lifecycle::resolved_language() const {
  const Session& entered_with = *entry_.context().session;  // what others change later is not ours (L-1)
  return resolve_language(entry_.text("lang"), entered_with, owner_.settings_.languages);
}

SessionPtr Lifecycle::session_for_stages() const {
  const auto& settings = owner_.settings_;
  SessionPtr own = session();
  const auto lacks = [](const std::optional<Session::Strings>& list) { return !list || list->empty(); };
  const bool skills = !settings.blacklisted_skills.empty() && lacks(own->blacklisted_skills);
  const bool intents = !settings.blacklisted_intents.empty() && lacks(own->blacklisted_intents);
  if (!skills && !intents) return own;
  auto filled = std::make_shared<Session>(*own);
  if (skills) filled->blacklisted_skills = settings.blacklisted_skills;
  if (intents) filled->blacklisted_intents = settings.blacklisted_intents;
  return filled;
}

bool Lifecycle::read_utterances() {
  const auto& data = entry_.data();
  const auto list = data.find("utterances");
  if (list == data.end() || !list->is_array()) {
    log_warning("orchestrator", "an utterance message without an array 'utterances' is unmatched");
    return false;
  }
  std::size_t bytes = 0;
  for (const auto& one : *list) {
    if (!one.is_string() || is_blank(one.get_ref<const std::string&>())) continue;
    bytes += one.get_ref<const std::string&>().size();
    if (bytes > kMostSaid || utterances_.size() == kMostCandidates) {
      log_warning(
          "orchestrator",
          fmt::format("an utterance of {} has more than {} candidates, or more than {} bytes: the rest is "
                      "left out",
                      name_of_sender(entry_.context()), kMostCandidates, kMostSaid));
      break;
    }
    utterances_.push_back(one);
  }
  return !utterances_.empty();
}

void Lifecycle::tell_missing(const std::string& name, std::size_t nth) const {
  constexpr std::size_t kMost = 8;  // names are the sender's, as many as it likes
  constexpr std::size_t kLongest = 80;
  if (nth > kMost) return;
  const std::string shown = nth == kMost ? "and more" : name.substr(0, kLongest);
  log_warning("orchestrator",
              fmt::format("session '{}' wants the pipeline entry '{}', which is not loaded: skipped",
                          session_->session_id.substr(0, kLongest), shown));
  trace_.step("skip", shown, "not loaded");
}

std::vector<PipelineEntry> Lifecycle::effective_pipeline() {
  const auto now = session();
  const auto& settings = owner_.settings_;
  const TextSet denied(effective(now->blacklisted_pipelines, settings.blacklisted_pipelines));
  std::vector<PipelineEntry> entries;      // copies: a stage may be unloaded while another is asked
  std::vector<const PipelineEntry*> seen;  // who is named twice is asked once
  std::string story;
  std::size_t missing = 0;
  for (const auto& name : effective(now->pipeline, settings.pipeline)) {
    const PipelineEntry* entry = owner_.entry(name);
    if (entry == nullptr) {
      tell_missing(name, missing++);
      continue;
    }
    if (std::find(seen.begin(), seen.end(), entry) != seen.end()) continue;
    seen.push_back(entry);
    if (denied.contains(name) || denied.contains(entry->stage->pipeline_id())) {
      trace_.step("skip", name, "blacklisted for this session");
      continue;
    }
    entries.push_back(*entry);
    if (trace_) story += (story.empty() ? "" : " → ") + name;
  }
  if (trace_) trace_.step("pipeline", "", story.empty() ? "empty" : story);
  return entries;
}

Task<std::optional<Match>> Lifecycle::find_match() {
  const std::vector<PipelineEntry> pipeline = effective_pipeline();
  prepare(pipeline);
  for (const auto& entry : pipeline) {
    const PipelineEntry* still = owner_.entry(entry.name);
    if (still == nullptr || still->stage != entry.stage) continue;
    is_matching_ = true;
    auto match = co_await ask(entry);
    is_matching_ = false;
    if (is_stopped_) throw Cancelled("a stop was dispatched");
    if (match) co_return match;
  }
  co_return std::nullopt;
}

MatchRequest Lifecycle::request_of(const PipelineEntry& entry, const SessionPtr& asked_with) const {
  auto state =
      std::make_shared<MatchRequest::State>(utterances_, lang_, entry_.with_session(asked_with), trace_);
  return MatchRequest(std::move(state), entry.name, entry.options);
}

/// Tells those who begin early of what they will be asked about unless somebody before them claims it.
void Lifecycle::prepare(const std::vector<PipelineEntry>& pipeline) {
  std::vector<const HostedStage*> told;
  for (const auto& entry : pipeline) {
    if (!entry.stage->prepares()) continue;
    if (std::find(told.begin(), told.end(), entry.stage) != told.end()) continue;
    told.push_back(entry.stage);
    entry.stage->prepare(request_of(entry, session_for_stages()));
  }
}

Task<std::optional<Match>> Lifecycle::ask(PipelineEntry entry) {
  trace_.step("ask", entry.name, entry.stage->pipeline_id());
  const SessionPtr asked_with = session_for_stages();
  const std::string pipeline_id = entry.stage->pipeline_id();
  MatchRequest request = request_of(entry, asked_with);
  HostedStage::Answer answer = co_await entry.stage->ask(std::move(request));
  if (!answer.fault.empty()) {
    trace_.step(answer.skipped ? "skip" : "fault", entry.name, answer.fault);
    co_return std::nullopt;
  }
  if (!answer.match) {
    trace_.step("decline", entry.name, answer.gave_up);
    co_return std::nullopt;
  }
  const std::string against = objection(*answer.match);
  if (!against.empty()) {
    log_warning("orchestrator",
                fmt::format("a match of stage '{}' does not count: {}", pipeline_id, against));
    trace_.step("guard", entry.name, against);
    co_return std::nullopt;
  }
  // Nothing that a plugin has made may outlive it: the snapshot becomes ours.
  if (answer.match->updated_session) {
    if (answer.match->updated_session->session_id != asked_with->session_id) {
      log_warning(
          "orchestrator",
          fmt::format("stage '{}' changed session '{}' in a match for '{}': the change is ignored",
                      pipeline_id, answer.match->updated_session->session_id, asked_with->session_id));
    } else if (answer.match->updated_session != asked_with) {
      change_session(*asked_with, *answer.match->updated_session, pipeline_id);
    }
    answer.match->updated_session = nullptr;
  }
  matched_entry_ = entry.name;
  matched_stage_ = pipeline_id;
  co_return std::move(answer.match);
}

bool Lifecycle::is_blacklisted(const Session& session, const std::string& skill_id) const {
  return contains(effective(session.blacklisted_skills, owner_.settings_.blacklisted_skills), skill_id);
}

std::string Lifecycle::objection(const Match& match) const {
  if (!is_identifier(match.skill_id)) return fmt::format("'{}' is no skill_id", match.skill_id);
  if (!is_identifier(match.intent_name)) return fmt::format("'{}' is no intent_name", match.intent_name);
  if (!is_language_tag(match.lang)) return fmt::format("'{}' is no language", match.lang);
  if (match.utterance.empty()) return "it names no utterance";
  const auto now = session();
  const auto& settings = owner_.settings_;
  if (is_blacklisted(*now, match.skill_id)) {
    return fmt::format("skill '{}' is blacklisted for this session", match.skill_id);
  }
  const std::string intent = match.skill_id + ":" + match.intent_name;
  if (contains(effective(now->blacklisted_intents, settings.blacklisted_intents), intent)) {
    return fmt::format("intent '{}' is blacklisted for this session", intent);
  }
  const auto registered = owner_.registry_.find(*now, match.skill_id, match.intent_name, match.lang);
  if (!registered) return {};
  for (const auto& slot : registered->required_slots) {
    const auto bound = match.slots.find(slot);
    if (bound == match.slots.end() || bound->second.empty()) {
      return fmt::format("intent '{}' needs the slot '{}'", intent, slot);
    }
  }
  return {};
}

void Lifecycle::announce_match(const Match& match) {
  if (trace_)
    trace_.step("match", matched_entry_, match.skill_id + ":" + match.intent_name,
                {{"slots", slots_text(match.slots)}, {"lang", match.lang}, {"pipeline_id", matched_stage_}});
  publish(derived("ovos.intent.matched", {{"skill_id", match.skill_id},
                                          {"intent_name", match.intent_name},
                                          {"lang", match.lang},
                                          {"utterance", match.utterance},
                                          {"slots", match.slots},
                                          {"pipeline_id", matched_stage_}}));
}

Message Lifecycle::dispatch_message(const Match& match) const {
  const Message reply =
      entry_.reply(match.skill_id + ":" + match.intent_name,
                   {{"lang", match.lang}, {"utterance", match.utterance}, {"slots", match.slots}});
  Context context = reply.context();
  context.session = session();
  context.skill_id = match.skill_id;
  context.pipeline_id = matched_stage_;
  return reply.with_context(std::move(context));
}

Task<> Lifecycle::dispatch(Match match) {
  close_round();
  commit(match);
  announce_match(match);
  const Message message = dispatch_message(match);
  const SessionPtr given = message.context().session;
  const Json about = {{"skill_id", match.skill_id}, {"intent_name", match.intent_name}};
  publish(message);
  trace_.step("start", match.skill_id, match.intent_name);
  publish(message.with_session(session()).forward("ovos.intent.handler.start", about));
  // Those that were running before; what a stop itself runs comes after.
  if (match.intent_name == "stop") owner_.stop_turns(session_->session_id, match.skill_id, id());
  const HandlerEnd end = co_await run_handler(message, std::move(match));
  take_session(end, *given);
  const Message closing = message.with_session(session());
  if (end.exception) {
    Json failed = about;
    failed["exception"] = *end.exception;
    trace_.step("error", message.context().skill_id, *end.exception);
    publish(closing.forward("ovos.intent.handler.error", std::move(failed)));
    finish("error");
  } else {
    trace_.step("complete", message.context().skill_id, "");
    publish(closing.forward("ovos.intent.handler.complete", about));
    finish("complete");
  }
  if (end.then) end.then();
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

Task<HandlerEnd> Lifecycle::run_handler(Message dispatch, Match match) {
  HandlerHost* host = owner_.host_of(match.skill_id);
  if (host == nullptr) {
    co_return HandlerEnd(fmt::format("nobody hosts the skill '{}'", match.skill_id));
  }
  handler_end_ = std::make_shared<Cell<HandlerEnd>>();
  handler_skill_ = match.skill_id;
  const auto cell = handler_end_;
  const auto span = host->handler_timeout(match.skill_id);
  const auto bound = std::make_shared<HandlerBound>(
      owner_.bus_.timers(), span,
      [this, span] {
        end_handler(fmt::format("timeout: the handler did not end within {} ms", span.count()));
      },
      [this](bool waits) { waits_for_user(waits); });
  HandlerCall call(std::move(dispatch), match.intent_name, bound, trace_,
                   [cell](HandlerEnd end) { cell->set(std::move(end)); });
  call.sessions = &owner_.sessions_;
  const HandlerRuns runs(*this, *bound);
  host->run(std::move(call));
  try {
    co_return co_await Cell<HandlerEnd>::wait(cell);
  } catch (const Cancelled&) {
    // Only the end of everything cancels a lifecycle; what was started is still reported (U-1, D-5).
    co_return HandlerEnd("cancelled");
  }
}

void Lifecycle::stop(const std::string& skill_id, const std::string& why) {
  if (handler_end_ && (skill_id.empty() || skill_id == handler_skill_)) {
    end_handler(why);
    drop_question(handler_skill_);
  }
  if (!is_matching_) return;
  is_stopped_ = true;
  if (job_) job_->cancel();
}

void Lifecycle::end_handler(const std::string& failure) {
  // Silenced first: what it says from here on belongs to no turn (D-6).
  if (HandlerHost* host = owner_.host_of(handler_skill_)) host->cancel(handler_skill_, id());
  handler_end_->set(HandlerEnd(failure));
}

void Lifecycle::waits_for_user(bool waits) {
  owner_.waits_for_user(entry_, waits);
  // Who follows the trace learns why it came to the question while it is open.
  if (waits && record_) publish(derived("parley.turn.trace", record_->to_json("waiting")));
}

void Lifecycle::finish(std::string_view outcome, std::vector<Message> before) {
  trace_.step("handled", "", std::string(outcome));
  owner_.counters_.add(fmt::format("parley_utterances_total{{outcome=\"{}\"}}", outcome));
  before.push_back(reply("ovos.utterance.handled", Json::object()));
  owner_.bus_.publish_together(std::move(before));
  if (record_) publish(derived("parley.turn.trace", record_->to_json(outcome)));
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
