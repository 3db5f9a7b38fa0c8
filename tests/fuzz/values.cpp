// Text: words, numbers, and what typed slots say.
#include <parley/numbers.hpp>
#include <parley/text.hpp>
#include <parley/values.hpp>

#include "support/fuzz.hpp"
#include "support/fuzz_input.hpp"

using namespace parley;
using namespace parley::testing;

namespace {

std::string without_spaces(std::string text) {
  std::erase(text, ' ');
  return text;
}

}  // namespace

void parley::testing::fuzz(std::string_view input) {
  constexpr const char* kLanguages[] = {"en-US", "de-DE", "fr-FR", "es-ES", "pt-PT", "xx", ""};
  constexpr SlotType kTypes[] = {SlotType::kNumber, SlotType::kDuration, SlotType::kDate, SlotType::kColor,
                                 SlotType::kLanguage};
  FuzzInput parts(input);
  const std::string lang = kLanguages[parts.choice(std::size(kLanguages))];
  const std::string_view text = parts.rest();
  const auto said = words(text, lang);
  std::size_t begin = 0;
  for (const Word& word : said) {
    PARLEY_FUZZ_CHECK(word.begin >= begin && word.begin < word.end && word.end <= text.size());
    PARLEY_FUZZ_CHECK(!word.norm.empty());
    begin = word.begin;
  }
  if (const auto number = leading_number(said, lang)) PARLEY_FUZZ_CHECK(number->words <= said.size());
  const std::string once = normalise(text, lang);
  PARLEY_FUZZ_CHECK(without_spaces(normalise(once, lang)) == without_spaces(once));
  const std::chrono::local_seconds now(std::chrono::seconds(1'700'000'000));
  for (const SlotType type : kTypes) {
    if (const auto value = read_value(type, text, lang, now)) PARLEY_FUZZ_CHECK(value->type() == type);
  }
}
