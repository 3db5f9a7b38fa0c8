#include "follow_ups.hpp"

#include <algorithm>
#include <chrono>
#include <follow_up/indirect.hpp>
#include <follow_up/topic.hpp>
#include <nlohmann/json.hpp>
#include <parley/language.hpp>
#include <span>
#include <utility>

#include "claim.hpp"
#include "match/padding.hpp"
#include "match/tier.hpp"
#include "session_policy.hpp"

namespace parley::intent {
namespace {

using follow_up::Ellipsis;
using follow_up::Form;
using follow_up::Rewriting;
using follow_up::Subject;

/// A sentence with so few words of a template's own may be anything.
constexpr std::size_t kOwnWords = 2;

follow_up::Reader reader_of(const MatchRequest& request, StageContext& context) {
  // What day it is makes no difference to whether one was said.
  const std::chrono::local_seconds now(
      std::chrono::floor<std::chrono::seconds>(context.clock().wall()).time_since_epoch());
  return {context.common_locale(), request.lang(), now};
}

bool is_of(const IntentRegistration& intent, const Subject& subject) {
  return intent.skill_id == subject.skill_id && intent.intent_name == subject.intent_name;
}

const Bound* bound_to(const Candidate& candidate, const std::string& slot) {
  const auto found = std::find_if(candidate.bound.begin(), candidate.bound.end(),
                                  [&slot](const Bound& bound) { return bound.slot == slot; });
  return found == candidate.bound.end() ? nullptr : &*found;
}

/// Whether the new value is where it was put: not swallowed by another slot, and one of the listed ones where
/// that is all there is to go by.
bool holds(const Candidate& candidate, const Said& said, const Rewriting& rewriting, Form form) {
  if (rewriting.typed) return true;
  if (rewriting.added)
    return std::any_of(candidate.bound.begin(), candidate.bound.end(), [&](const Bound& bound) {
      const auto part = std::span(said.words).subspan(bound.begin, bound.end - bound.begin);
      return surface(said.text, part) == rewriting.value;
    });
  const Bound* const bound = bound_to(candidate, rewriting.slot);
  if (bound == nullptr || (form == Form::kNo && !bound->listed)) return false;
  const auto part = std::span(said.words).subspan(bound->begin, bound->end - bound->begin);
  return surface(said.text, part) == rewriting.value;
}

}  // namespace

std::optional<Match> FollowUps::match(const MatchRequest& request) {
  const Subject* const subject = memory_.of(request.message(), context_.clock().now());
  // Whatever the region: an intent of de-DE is matched where de-AT is spoken.
  if (subject == nullptr || primary_language(subject->lang) != primary_language(request.lang()))
    return std::nullopt;
  const follow_up::Reader reader = reader_of(request, context_);
  const std::vector<Word> said = words(request.utterance(), request.lang());
  const auto ellipsis = follow_up::ellipsis_in(said, reader.common, reader.lang);
  std::optional<Match> match;
  if (ellipsis && !subject->is_question) match = exchanged(request, *subject, *ellipsis, reader);
  if (!ellipsis) {
    const auto sentence = follow_up::pronoun_in(said, reader.common, reader.lang)
                              ? follow_up::asked_again(*subject, request.utterance(), reader)
                              : std::nullopt;
    if (sentence) match = resolved(request, *sentence);
  }
  if (match && request.trace())
    request.trace().note("follows \"" + subject->utterance + "\": " +
                         (match->corrects ? "corrected to \"" : "taken for \"") + match->utterance + '"');
  return match;
}

std::optional<Match> FollowUps::asked_directly(const MatchRequest& request) {
  for (const std::string& question :
       follow_up::asked_directly(request.utterance(), reader_of(request, context_))) {
    auto match = resolved(request, question);
    if (!match) continue;
    request.trace().note("asked directly: \"" + question + '"');
    return match;
  }
  return std::nullopt;
}

std::optional<Match> FollowUps::exchanged(const MatchRequest& request, const Subject& subject,
                                          const Ellipsis& said, const follow_up::Reader& reader) {
  if (is_taken(request, std::string(surface(request.utterance(), said.rest)))) return std::nullopt;
  const auto found = follow_up::rewritings(subject, said, request.utterance(), reader);
  for (const Rewriting& rewriting : found) {
    auto match = claim(request, subject, rewriting, said.form);
    if (!match) continue;
    match->corrects = said.corrects();
    return match;
  }
  for (const Rewriting& rewriting : found) {
    if (rewriting.added || (!rewriting.typed && (said.form == Form::kNo || said.form == Form::kAnd)))
      continue;
    auto match = claim_resembling(request, subject, rewriting);
    if (!match) continue;
    match->corrects = said.corrects();
    return match;
  }
  return std::nullopt;
}

std::optional<Match> FollowUps::claim(const MatchRequest& request, const Subject& subject,
                                      const Rewriting& rewriting, Form form) {
  Said said(rewriting.text, request.lang());
  const SessionPolicy policy(context_.registry(), request.session(), unix_seconds(context_.clock().wall()));
  std::vector<Candidate> candidates = index_.find(said, policy);
  if (LanguageIndex* const known = index_.language_of(primary_language(request.lang())))
    read_through(*known, context_.common_locale(), policy, said, candidates);
  for (const Candidate& candidate : candidates) {
    const bool fits = !candidate.veto && candidate.is_template() && candidate.unlisted_words == 0 &&
                      is_of(*candidate.intent, subject) && holds(candidate, said, rewriting, form);
    if (fits) return claim_of(candidate, said);
  }
  return std::nullopt;
}

std::optional<Match> FollowUps::claim_resembling(const MatchRequest& request, const Subject& subject,
                                                 const Rewriting& rewriting) {
  const SessionPolicy policy(context_.registry(), request.session(), unix_seconds(context_.clock().wall()));
  const Said before(subject.utterance, request.lang());
  for (const Candidate& candidate : index_.find(before, policy))  // then its templates have been asked
    if (candidate.is_template() && is_of(*candidate.intent, subject)) return std::nullopt;
  const auto slot = subject.slots.find(rewriting.slot);
  if (slot == subject.slots.end()) return std::nullopt;
  for (const IntentPtr& intent : index_.intents()) {
    const bool usable = is_of(*intent, subject) && same_language(intent->lang, subject.lang) &&
                        policy.sees(intent->session_id) && !policy.veto(*intent);
    if (!usable) continue;
    Match match(subject.skill_id, subject.intent_name, subject.lang, rewriting.text);
    match.slots = subject.slots;
    match.slots[rewriting.slot] = rewriting.value;
    return match;
  }
  return std::nullopt;
}

bool FollowUps::is_taken(const MatchRequest& request, const std::string& text) {
  const Said said(text, request.lang());
  const SessionPolicy policy(context_.registry(), request.session(), unix_seconds(context_.clock().wall()));
  const auto candidates = index_.find(said, policy);
  return std::any_of(candidates.begin(), candidates.end(), [](const Candidate& candidate) {
    return !candidate.veto && candidate.is_template() && candidate.unlisted_words == 0 &&
           (candidate.bound.empty() || candidate.literal_words >= kOwnWords);
  });
}

std::optional<Match> FollowUps::resolved(const MatchRequest& request, const std::string& sentence) {
  const Said said(sentence, request.lang());
  const SessionPolicy policy(context_.registry(), request.session(), unix_seconds(context_.clock().wall()));
  const auto candidates = index_.find(said, policy);
  const Candidate* const winner = choose(candidates, tier_of("high", Json::object()));
  const bool sure = winner != nullptr && winner->is_template() && winner->unlisted_words == 0 &&
                    winner->literal_words >= kOwnWords;
  if (!sure) return std::nullopt;
  return claim_of(*winner, said);
}

}  // namespace parley::intent
