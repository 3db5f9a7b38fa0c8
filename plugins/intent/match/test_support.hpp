#pragma once

#include <map>
#include <memory>
#include <parley/turn.hpp>
#include <set>
#include <string>
#include <vector>

#include "match/intent_index.hpp"

namespace parley::intent::test {

inline IntentRegistration registration(const std::string& skill, const std::string& name,
                                       const std::string& lang = "en-US") {
  IntentRegistration made;
  made.session_id = "default";
  made.skill_id = skill;
  made.intent_name = name;
  made.lang = lang;
  return made;
}

inline IntentRegistration template_intent(const std::string& skill, const std::string& name,
                                          std::vector<std::string> samples,
                                          const std::string& lang = "en-US") {
  IntentRegistration made = registration(skill, name, lang);
  TemplateIntent pattern;
  pattern.samples = std::move(samples);
  made.pattern = std::move(pattern);
  return made;
}

/// Every vocabulary is named after its first phrase.
inline std::vector<KeywordVocabulary> vocabularies(const std::vector<std::vector<std::string>>& phrases) {
  std::vector<KeywordVocabulary> made;
  for (const auto& samples : phrases) made.emplace_back(samples.front(), samples);
  return made;
}

inline IntentRegistration keyword_intent(const std::string& skill, const std::string& name,
                                         const std::vector<std::vector<std::string>>& required,
                                         const std::string& lang = "en-US") {
  IntentRegistration made = registration(skill, name, lang);
  KeywordIntent pattern;
  pattern.required = vocabularies(required);
  made.pattern = std::move(pattern);
  return made;
}

inline EntityRegistration entity(const std::string& skill, const std::string& name,
                                 std::vector<std::string> samples, const std::string& lang = "en-US") {
  EntityRegistration made;
  made.session_id = "default";
  made.skill_id = skill;
  made.entity_name = name;
  made.lang = lang;
  made.samples = std::move(samples);
  return made;
}

/// Allows everything but what a test forbids.
class TestPolicy final : public Policy {
 public:
  bool sees(const std::string& session_id) const override {
    return session_id == "default" || session_id == session;
  }
  Veto veto(const IntentRegistration& intent) const override {
    return disabled.count(intent.intent_name) != 0 ? Veto(Veto::Kind::kDisabled) : Veto();
  }
  std::optional<std::string> context_value(const IntentRegistration&,
                                           const std::string& slot) const override {
    const auto found = context.find(slot);
    return found == context.end() ? std::nullopt : std::optional(found->second);
  }

  std::int64_t recency(const IntentRegistration& intent) const override {
    const auto found = recent.find(intent.skill_id);
    return found == recent.end() ? 0 : found->second;
  }

  std::string session = "default";
  std::set<std::string> disabled;
  std::map<std::string, std::int64_t> recent;  ///< By skill.
  std::map<std::string, std::string> context;
};

/// An index with registrations, and what it says to utterances.
struct IndexFixture {
  IntentIndex index;
  TestPolicy policy;
  std::string lang = "en-US";

  std::vector<std::string> add(const IntentRegistration& intent) {
    return index.add(std::make_shared<const IntentRegistration>(intent));
  }
  std::vector<std::string> add(const EntityRegistration& values) {
    return index.add(std::make_shared<const EntityRegistration>(values));
  }

  std::vector<Candidate> candidates(const std::string& text) { return index.find(Said(text, lang), policy); }

  /// `skill:intent` of the winner, or "-".
  std::string winner(const std::string& text) {
    const auto found = candidates(text);
    if (found.empty() || found.front().veto) return "-";
    return found.front().intent->skill_id + ':' + found.front().intent->intent_name;
  }

  /// What is bound in the first candidate, as it was said.
  Slots slots(const std::string& text) {
    const Said said(text, lang);
    const auto found = index.find(said, policy);
    Slots bound;
    if (found.empty()) return bound;
    for (const ContextSlot& slot : found.front().from_context) bound[slot.slot] = slot.value;
    for (const Bound& slot : found.front().bound) {
      bound[slot.slot] = surface(text, std::span(said.words).subspan(slot.begin, slot.end - slot.begin));
    }
    return bound;
  }

  /// What speaks against the first candidate.
  Veto::Kind veto(const std::string& text) {
    const auto found = candidates(text);
    return found.empty() ? Veto::Kind::kNone : found.front().veto.kind;
  }
};

}  // namespace parley::intent::test
