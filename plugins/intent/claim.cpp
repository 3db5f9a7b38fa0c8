#include "claim.hpp"

#include <parley/language.hpp>
#include <span>

namespace parley::intent {

Match claim_of(const Candidate& winner, const Said& said) {
  const IntentRegistration& intent = *winner.intent;
  const bool same = same_language(intent.lang, said.lang);  // then spelled as the turn spells it
  Match match(intent.skill_id, intent.intent_name, same ? std::string(said.lang) : intent.lang,
              std::string(said.text));
  for (const ContextSlot& slot : winner.from_context) match.slots[slot.slot] = slot.value;
  for (const Bound& bound : winner.bound) {
    const auto part = std::span(said.words).subspan(bound.begin, bound.end - bound.begin);
    match.slots[bound.slot] = surface(said.text, part);
  }
  return match;
}

}  // namespace parley::intent
