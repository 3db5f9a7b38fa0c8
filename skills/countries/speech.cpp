#include "speech.hpp"

#include <fmt/format.h>
#include <unicode/locdspnm.h>
#include <unicode/locid.h>
#include <unicode/measunit.h>
#include <unicode/numberformatter.h>
#include <unicode/ucurr.h>
#include <parley/fold.hpp>

#include <memory>
#include <stdexcept>

namespace parley::countries {
namespace {

using icu::number::LocalizedNumberFormatter;
using icu::number::Notation;
using icu::number::NumberFormatter;
using icu::number::Precision;

constexpr double kMillion = 1e6;

icu::Locale locale_of(const std::string& tag) {
  UErrorCode status = U_ZERO_ERROR;
  return icu::Locale::forLanguageTag(tag, status);
}

void check(UErrorCode status, const char* what) {
  if (U_FAILURE(status) != 0)
    throw std::runtime_error(fmt::format("ICU can't format {}: {}", what, u_errorName(status)));
}

std::string utf8(const icu::UnicodeString& text) {
  std::string out;
  return text.toUTF8String(out);
}

std::string formatted(const LocalizedNumberFormatter& format, double value) {
  UErrorCode status = U_ZERO_ERROR;
  const auto text = format.formatDouble(value, status).toString(status);
  check(status, "a number");
  return utf8(text);
}

}  // namespace

std::string Speech::people(double count) const {
  const auto digits =
      NumberFormatter::withLocale(locale_of(tag_)).precision(Precision::maxSignificantDigits(3));
  return formatted(count < kMillion ? digits : digits.notation(Notation::compactLong()), count);
}

std::string Speech::area(double square_kilometres) const {
  UErrorCode status = U_ZERO_ERROR;
  const auto unit = icu::MeasureUnit::forIdentifier("square-kilometer", status);
  check(status, "square kilometres");
  return formatted(
      NumberFormatter::withLocale(locale_of(tag_)).unit(unit).unitWidth(UNUM_UNIT_WIDTH_FULL_NAME),
      square_kilometres);
}

std::string Speech::count(std::size_t number) const {
  return formatted(NumberFormatter::withLocale(locale_of(tag_)), static_cast<double>(number));
}

std::string Speech::language(const std::string& code) const {
  const std::unique_ptr<icu::LocaleDisplayNames> names(
      icu::LocaleDisplayNames::createInstance(locale_of(tag_), ULDN_DIALECT_NAMES));
  icu::UnicodeString name;
  return utf8(names->localeDisplayName(code.c_str(), name));
}

std::string Speech::currency(const std::string& code) const {
  UErrorCode status = U_ZERO_ERROR;
  auto letters = icu::UnicodeString::fromUTF8(code);
  std::int32_t length = 0;
  UBool unused = 0;
  const char16_t* const name = ucurr_getPluralName(letters.getTerminatedBuffer(), locale_of(tag_).getName(),
                                                   &unused, "one", &length, &status);
  check(status, "a currency");
  return utf8(icu::UnicodeString(name, length));
}

bool Speech::is_currency(const std::string& code, std::string_view said) const {
  const std::string wanted = text::fold(said);
  auto letters = icu::UnicodeString::fromUTF8(code);
  const char16_t* const currency = letters.getTerminatedBuffer();
  for (const char* count : {"one", "other", "many"}) {
    UErrorCode status = U_ZERO_ERROR;
    std::int32_t length = 0;
    UBool unused = 0;
    const char16_t* const name =
        ucurr_getPluralName(currency, locale_of(tag_).getName(), &unused, count, &length, &status);
    check(status, "a currency");
    const std::string known = ' ' + text::fold(utf8(icu::UnicodeString(name, length))) + ' ';
    if (!wanted.empty() && known.find(' ' + wanted + ' ') != std::string::npos) return true;
  }
  return false;
}

bool Speech::is_language(const std::string& code, std::string_view said) const {
  return text::fold(language(code)) == text::fold(said);
}

std::string Speech::beginning(const std::string& text) const {
  auto out = icu::UnicodeString::fromUTF8(text);
  icu::UnicodeString first(out, 0, out.moveIndex32(0, 1));
  out.replace(0, first.length(), first.toUpper(locale_of(tag_)));
  return utf8(out);
}

}  // namespace parley::countries
