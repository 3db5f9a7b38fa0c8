// Intents of one language and an utterance: a line of the input each. `k` begins the vocabularies of a
// keyword intent, `e` the values of the entity "name", `u` what is said; anything else is a template.
#include "match/test_support.hpp"
#include "parley/text.hpp"
#include "support/fuzz.hpp"
#include "support/fuzz_input.hpp"

using namespace parley;
using namespace parley::testing;
using namespace parley::intent;
using namespace parley::intent::test;

namespace {

std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> parts(1);
  for (const char byte : text) {
    if (byte == ',') {
      parts.emplace_back();
    } else {
      parts.back().push_back(byte);
    }
  }
  return parts;
}

void find(IndexFixture& fixture, std::string_view text) {
  const Said said(std::string(text), fixture.lang);
  for (const Candidate& candidate : fixture.index.find(said, fixture.policy)) {
    PARLEY_FUZZ_CHECK(candidate.score() >= 0 && candidate.score() <= 1);
    for (const Bound& slot : candidate.bound)
      PARLEY_FUZZ_CHECK(slot.begin < slot.end && slot.end <= said.words.size());
  }
}

}  // namespace

void parley::testing::fuzz(std::string_view input) {
  IndexFixture fixture;
  int count = 0;
  for (FuzzInput parts(input); !parts.empty() && count < 40; ++count) {
    const std::string_view line = parts.line();
    const std::string name = "intent" + std::to_string(count % 10);
    if (line.starts_with('u')) {
      find(fixture, line.substr(1));
    } else if (line.starts_with('k')) {
      fixture.add(keyword_intent("a.skill", name, {split(line.substr(1)), {"word"}}));
    } else if (line.starts_with('e')) {
      fixture.add(entity("a.skill", "name", split(line.substr(1))));
    } else {
      fixture.add(template_intent("a.skill", name, {std::string(line)}));
    }
  }
  find(fixture, "a word of somebody");
  for (const auto& intent : fixture.index.intents()) fixture.index.remove(*intent);
  PARLEY_FUZZ_CHECK(fixture.index.intents().empty());
}
