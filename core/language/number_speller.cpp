#include "language/number_speller.hpp"

#include <unicode/rbnf.h>

#include "language/icu.hpp"

namespace parley {

struct NumberSpeller::Rules {
  Rules(const icu::Locale& locale, UErrorCode& status) : format(icu::URBNF_SPELLOUT, locale, status) {}
  icu::RuleBasedNumberFormat format;
};

NumberSpeller::NumberSpeller(const std::string& lang) {
  UErrorCode status = U_ZERO_ERROR;
  const auto locale = from_icu::locale(lang, status);
  auto rules = std::make_unique<const Rules>(locale, status);
  if (U_SUCCESS(status) != 0) rules_ = std::move(rules);
}

NumberSpeller::~NumberSpeller() = default;

std::vector<std::string> NumberSpeller::ways(std::string_view beginning) const {
  std::vector<std::string> names;
  for (std::int32_t i = 0; rules_ && i < rules_->format.getNumberOfRuleSetNames(); ++i) {
    std::string name = from_icu::utf8(rules_->format.getRuleSetName(i));
    if (name.starts_with(beginning)) names.push_back(std::move(name));
  }
  return names;
}

std::string NumberSpeller::spell(std::int64_t number, const std::string& way) const {
  if (!rules_) return {};
  UErrorCode status = U_ZERO_ERROR;
  icu::UnicodeString text;
  icu::FieldPosition ignored;
  rules_->format.format(number, from_icu::text(way), text, ignored, status);
  return U_SUCCESS(status) != 0 ? from_icu::utf8(text) : std::string();
}

std::string NumberSpeller::spell(double number) const {
  icu::UnicodeString text;
  return rules_ ? from_icu::utf8(rules_->format.format(number, text)) : std::string();
}

}  // namespace parley
