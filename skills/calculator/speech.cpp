#include "speech.hpp"

#include <fmt/format.h>
#include <unicode/listformatter.h>
#include <unicode/measunit.h>
#include <unicode/numberformatter.h>

#include <cmath>
#include <memory>
#include <stdexcept>

namespace parley::calculator {
namespace {

using icu::number::LocalizedNumberFormatter;
using icu::number::Precision;

constexpr double kScientificFrom = 1e15;
constexpr int kMaxWholeDigits = 30;

/// How many decimals are spoken.
struct Places {
  int when_exact;
  int when_rounded;
  int digits_below_one;
};
constexpr Places kOfNumbers{6, 4, 4};
constexpr Places kOfAmounts{4, 2, 3};

icu::Locale locale_of(const std::string& tag) {
  UErrorCode status = U_ZERO_ERROR;
  return icu::Locale::forLanguageTag(tag, status);
}

void check(UErrorCode status, const std::string& what) {
  if (U_FAILURE(status) != 0)
    throw std::runtime_error(fmt::format("ICU can't format {}: {}", what, u_errorName(status)));
}

std::string utf8(const icu::UnicodeString& text) {
  std::string out;
  text.toUTF8String(out);
  return out;
}

LocalizedNumberFormatter plain(const std::string& tag) {
  return icu::number::NumberFormatter::withLocale(locale_of(tag)).roundingMode(UNUM_ROUND_HALFUP);
}

LocalizedNumberFormatter with_unit(const std::string& tag, const Unit& unit) {
  UErrorCode status = U_ZERO_ERROR;
  const auto measure = icu::MeasureUnit::forIdentifier(unit.name, status);
  check(status, unit.name);
  return plain(tag).unit(measure).unitWidth(UNUM_UNIT_WIDTH_FULL_NAME);
}

std::string exactly(const LocalizedNumberFormatter& format, const Number& value, int decimals) {
  UErrorCode status = U_ZERO_ERROR;
  const auto text =
      format.precision(Precision::unlimited()).formatDecimal(value.digits(decimals), status).toString(status);
  check(status, "a number");
  return utf8(text);
}

std::string rounded(const LocalizedNumberFormatter& format, double value, const Places& places) {
  UErrorCode status = U_ZERO_ERROR;
  const auto precision = std::abs(value) < 1 ? Precision::maxSignificantDigits(places.digits_below_one)
                                             : Precision::maxFraction(places.when_rounded);
  const auto text = format.precision(precision).formatDouble(value, status).toString(status);
  check(status, "a number");
  return utf8(text);
}

bool is_short(const Number& value) {
  return value.exact() && Number(value.numerator() / value.denominator()).digits(0).size() <= kMaxWholeDigits;
}

Speech::Spoken spoken(const LocalizedNumberFormatter& format, const Number& value, const Places& places) {
  const auto decimals = value.decimals();
  if (decimals && *decimals <= places.when_exact && is_short(value)) {
    return {exactly(format, value, *decimals), false};
  }
  return {rounded(format, value.value(), places), true};
}

}  // namespace

Speech::Spoken Speech::number(const Number& value) const {
  const auto format = plain(tag_);
  auto words = spoken(format, value, kOfNumbers);
  if (!words.rounded || std::abs(value.value()) < kScientificFrom) return words;
  words.exponent = static_cast<int>(std::floor(std::log10(std::abs(value.value()))));
  words.text = rounded(format, value.value() / std::pow(10.0, words.exponent), kOfNumbers);
  return words;
}

Speech::Spoken Speech::amount(const Number& value, const Unit& unit) const {
  return spoken(with_unit(tag_, unit), value, kOfAmounts);
}

std::string Speech::given(const std::vector<Amount>& amounts) const {
  std::vector<icu::UnicodeString> parts;
  for (const Amount& amount : amounts) {
    const auto format = with_unit(tag_, *amount.unit);
    const auto decimals = amount.value.decimals();
    const std::string text = decimals ? exactly(format, amount.value, *decimals)
                                      : rounded(format, amount.value.value(), kOfNumbers);
    parts.push_back(icu::UnicodeString::fromUTF8(text));
  }
  UErrorCode status = U_ZERO_ERROR;
  const std::unique_ptr<icu::ListFormatter> list(
      icu::ListFormatter::createInstance(locale_of(tag_), ULISTFMT_TYPE_UNITS, ULISTFMT_WIDTH_WIDE, status));
  check(status, "a list");
  icu::UnicodeString out;
  list->format(parts.data(), static_cast<std::int32_t>(parts.size()), out, status);
  check(status, "a list");
  return utf8(out);
}

}  // namespace parley::calculator
