#include "match/candidate.hpp"

namespace parley::intent {

std::string to_text(const Veto& veto) {
  switch (veto.kind) {
    case Veto::Kind::kNone:
      return {};
    case Veto::Kind::kSkillBlacklisted:
      return "the session blacklists the skill";
    case Veto::Kind::kIntentBlacklisted:
      return "the session blacklists the intent";
    case Veto::Kind::kDisabled:
      return "disabled";
    case Veto::Kind::kGateClosed:
      return "closed by the intent context" + (veto.detail.empty() ? "" : ": " + veto.detail);
    case Veto::Kind::kBetterLanguage:
      return "also registered for " + veto.detail + ", which suits the speaker better";
    case Veto::Kind::kBlacklistPhrase:
      return "its blacklist has '" + veto.detail + "'";
    case Veto::Kind::kSlotForbidden:
      return "what was said for a slot is on the slot's blacklist";
    case Veto::Kind::kSlotMissing:
      return "slot '" + veto.detail + "' is required, and neither the utterance nor the context fills it";
    case Veto::Kind::kExcluded:
      return "excluded vocabulary '" + veto.detail + "' occurs";
  }
  return {};
}

double Candidate::coverage() const noexcept {
  if (words == 0) return 0;
  return static_cast<double>(words - open_words) / static_cast<double>(words);
}

double Candidate::score() const noexcept {
  if (certainty) return *certainty;
  return is_template() ? (1.0 + coverage()) / 2 : coverage();
}

bool outranks(const Candidate& a, const Candidate& b) {
  if (a.certainty || b.certainty) return a.certainty.value_or(2) > b.certainty.value_or(2);
  if (a.open_words != b.open_words) return a.open_words < b.open_words;
  if (a.literal_words != b.literal_words) return a.literal_words > b.literal_words;
  if (a.is_template() != b.is_template()) return a.is_template();
  if (a.keywords != b.keywords) return a.keywords > b.keywords;
  if (a.recency != b.recency && a.recency > 0 && b.recency > 0) return a.recency > b.recency;
  if (const int order = a.intent->skill_id.compare(b.intent->skill_id); order != 0) return order < 0;
  if (const int order = a.intent->intent_name.compare(b.intent->intent_name); order != 0) return order < 0;
  return a.intent->session_id != "default" && b.intent->session_id == "default";
}

bool same_intent(const IntentRegistration& a, const IntentRegistration& b) noexcept {
  return a.skill_id == b.skill_id && a.intent_name == b.intent_name;
}

}  // namespace parley::intent
