#include "orchestrator/round.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <parley/language.hpp>
#include <parley/text_set.hpp>

#include "language/colloquial.hpp"
#include "message/log.hpp"
#include "orchestrator/language_waker.hpp"
#include "registry/registry.hpp"
#include "runtime/cell.hpp"
#include "runtime/timers.hpp"

namespace parley {

Round::Round(TurnOwner& owner, const Message& entry, const TurnSession& session)
    : owner_(owner),
      entry_(entry),
      session_(session),
      said_(entry),
      // What others change of the session later is not this turn's (L-1).
      language_(resolve_language(said_.lang, *entry.context().session, owner.settings().languages)) {
  if (said_.utterances.empty()) return;
  std::string standard = in_standard_words(said_.utterances.front(), language_.tag);
  if (standard.empty()) return;
  candidates_.push_back(std::move(standard));
  candidates_.insert(candidates_.end(), said_.utterances.begin(), said_.utterances.end());
}

void Round::tell_problems() const {
  if (!said_.is_list)
    log_warning("orchestrator", "an utterance message without an array 'utterances' is unmatched");
  if (said_.is_cut) {
    log_warning(
        "orchestrator",
        fmt::format(
            "an utterance of {} has more than {} candidates, or more than {} bytes: the rest is left out",
            name_of_sender(entry_.context()), Utterance::kMostCandidates, Utterance::kMostBytes));
  }
}

/// How a name of the pipeline that is not loaded is told of; `nth` counts them from 0.
void Round::tell_missing(const std::string& name, std::size_t nth) const {
  constexpr std::size_t kMost = 8;  // names are the sender's, as many as it likes
  constexpr std::size_t kLongest = 80;
  if (nth > kMost) return;
  const std::string shown = nth == kMost ? "and more" : name.substr(0, kLongest);
  log_warning("orchestrator",
              fmt::format("session '{}' wants the pipeline entry '{}', which is not loaded: skipped",
                          session_.id().substr(0, kLongest), shown));
  trace_.step(TraceKind::kSkip, shown, "not loaded");
}

Task<> Round::wake_language() const {
  LanguageWaker* const waker = owner_.sleeping();
  if (waker == nullptr || waker->is_awake(language_.tag)) co_return;
  const auto awake = std::make_shared<Cell<bool>>();
  waker->wake(language_.tag, [awake] { awake->set(true); });
  const auto asked = owner_.timers().clock().now();
  co_await Cell<bool>::wait(awake);
  const auto waited = std::chrono::round<std::chrono::milliseconds>(owner_.timers().clock().now() - asked);
  if (trace_)
    trace_.note(fmt::format("waited {} ms: nobody had spoken {} yet", waited.count(), language_.tag));
}

std::vector<PipelineEntry> Round::compose() const {
  const auto now = session_.now();
  const auto& settings = owner_.settings();
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
      trace_.step(TraceKind::kSkip, name, "blacklisted for this session");
      continue;
    }
    entries.push_back(*entry);
    if (trace_) story += (story.empty() ? "" : " → ") + name;
  }
  if (trace_) trace_.step(TraceKind::kPipeline, "", story.empty() ? "empty" : story);
  return entries;
}

bool Round::is_loaded(const PipelineEntry& entry) const {
  const PipelineEntry* still = owner_.entry(entry.name);
  return still != nullptr && still->stage == entry.stage;
}

MatchRequest Round::request_of(const PipelineEntry& entry) const {
  auto state = std::make_shared<MatchRequest::State>(candidates(), language_.tag,
                                                     entry_.with_session(session_.for_stages()), trace_);
  return MatchRequest(std::move(state), entry.name, entry.options);
}

std::string Round::objection(const Match& match) const {
  if (!is_identifier(match.skill_id)) return fmt::format("'{}' is no skill_id", match.skill_id);
  if (!is_identifier(match.intent_name)) return fmt::format("'{}' is no intent_name", match.intent_name);
  if (!is_language_tag(match.lang)) return fmt::format("'{}' is no language", match.lang);
  if (match.utterance.empty()) return "it names no utterance";
  if (session_.is_blacklisted(match.skill_id))
    return fmt::format("skill '{}' is blacklisted for this session", match.skill_id);
  const std::string intent = topic::dispatch(match.skill_id, match.intent_name);
  if (session_.is_blacklisted(match.skill_id, match.intent_name))
    return fmt::format("intent '{}' is blacklisted for this session", intent);
  const auto registered =
      owner_.registry().find(*session_.now(), match.skill_id, match.intent_name, match.lang);
  if (!registered) return {};
  for (const auto& slot : registered->required_slots) {
    const auto bound = match.slots.find(slot);
    if (bound == match.slots.end() || bound->second.empty())
      return fmt::format("intent '{}' needs the slot '{}'", intent, slot);
  }
  return {};
}

bool Round::is_urgent() const {
  const auto& names = effective(session_.now()->pipeline, owner_.settings().pipeline);
  const PipelineEntry* first = names.empty() ? nullptr : owner_.entry(names.front());
  if (first == nullptr || said_.utterances.empty()) return false;
  return !first->stage->declines_at_once(request_of(*first));
}

}  // namespace parley
