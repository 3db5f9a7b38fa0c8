// Files that people write for the command: dialogue scripts and intent cases.
#include "dialogue.hpp"
#include "intent_cases.hpp"
#include "support/fuzz.hpp"

using namespace parley;

void parley::testing::fuzz(std::string_view input) {
  const auto parsed = script::parse_dialogue(input, "fuzz.parley");
  for (const auto& fault : parsed.faults) {
    PARLEY_FUZZ_CHECK(fault.line >= 1 && !fault.message.empty());
  }
  if (parsed.faults.empty()) {
    script::Outcome outcome;
    outcome.speech = {"hello", "> world"};
    std::map<std::size_t, script::Outcome> outcomes;
    for (std::size_t i = 0; i < parsed.dialogue.steps.size(); ++i) {
      const auto& step = parsed.dialogue.steps[i];
      if (!std::holds_alternative<script::Say>(step.action) &&
          !std::holds_alternative<script::Wait>(step.action))
        continue;
      static_cast<void>(script::compare(step, outcome));
      outcomes.emplace(i, outcome);
    }
    PARLEY_FUZZ_CHECK(
        script::parse_dialogue(script::updated(parsed.dialogue, outcomes), "fuzz.parley").faults.empty());
  }
  const auto cases = command::read_intent_cases("fuzz.cases", input);
  for (const auto& problem : cases.problems) PARLEY_FUZZ_CHECK(!problem.empty());
}
