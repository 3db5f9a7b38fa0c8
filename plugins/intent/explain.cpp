#include "explain.hpp"

namespace parley::intent {
namespace {

std::string counted(std::size_t number, std::string_view thing) {
  return std::to_string(number) + ' ' + std::string(thing) + (number == 1 ? "" : "s");
}

std::string describe(const Candidate& candidate, const Said& said) {
  std::string text = candidate.certainty ? "resembles its templates"
                     : candidate.is_template()
                         ? "template, " + counted(candidate.open_words, "word") + " in open slots"
                         : counted(candidate.keywords, "keyword") + ", " +
                               std::to_string(candidate.literal_words) + " of " +
                               counted(candidate.words, "word") + " covered";
  for (const Bound& bound : candidate.bound) {
    const auto part = std::span(said.words).subspan(bound.begin, bound.end - bound.begin);
    text += ", " + bound.slot + " = '" + std::string(surface(said.text, part)) + '\'';
  }
  for (const ContextSlot& slot : candidate.from_context) {
    text += ", " + slot.slot + " = '" + slot.value + "' (from the context)";
  }
  return text;
}

}  // namespace

void explain(const Trace& trace, const Reading& reading, const Tier& tier) {
  if (reading.said.words.size() > kMaxWords) {
    trace.note("more than " + counted(kMaxWords, "word") + ": not looked at");
  }
  if (!reading.remark.empty()) trace.note(reading.remark);
  for (const Candidate& candidate : reading.candidates) {
    const IntentRegistration& intent = *candidate.intent;
    trace.candidate(intent.skill_id, intent.intent_name, candidate.score(),
                    describe(candidate, reading.said));
    if (candidate.veto) {
      trace.veto(intent.skill_id, intent.intent_name, to_text(candidate.veto));
    } else if (const auto why = refusal(candidate, reading.candidates, tier); !why.empty()) {
      trace.veto(intent.skill_id, intent.intent_name, why);
    }
  }
}

}  // namespace parley::intent
