// Templates: parsing, limits, expansion, and what is written out of them.
#include <parley/templates.hpp>

#include "support/fuzz.hpp"
#include "support/fuzz_input.hpp"

using namespace parley;
using namespace parley::testing;

namespace {

TemplateOptions options(std::size_t which) {
  const VocabularyLookup lookup = [](const std::string& name) -> Result<Phrases> {
    if (name == "missing") return Error("there is no such vocabulary");
    return std::make_shared<const std::vector<std::string>>(std::vector<std::string>{"one", "two words"});
  };
  switch (which) {
    case 0:
      return TemplateOptions::for_intents().with(lookup);
    case 1:
      return TemplateOptions::for_phrases().with(lookup);
    default:
      return TemplateOptions::for_dialogs();
  }
}

}  // namespace

void parley::testing::fuzz(std::string_view input) {
  FuzzInput parts(input);
  const std::size_t which = parts.choice(3);
  const std::string text(parts.rest());
  const auto parsed = Template::parse(text, options(which));
  if (!parsed) {
    PARLEY_FUZZ_CHECK(!parsed.error().message.empty());
    PARLEY_FUZZ_CHECK(parsed.error().column <= text.size() + 1);
    return;
  }
  // What can be compiled may be far too much to expand.
  if (parsed->combinations() <= Template::kMaxExpansions) {
    const auto sentences = parsed->expand();
    PARLEY_FUZZ_CHECK(sentences.size() <= parsed->combinations());
  }
  const auto again = Template::parse(parsed->without_vocabularies(), options(which));
  PARLEY_FUZZ_CHECK(again.ok());
  PARLEY_FUZZ_CHECK(again->combinations() == parsed->combinations());
}
