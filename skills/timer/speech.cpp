#include "speech.hpp"

#include <fmt/format.h>
#include <unicode/listformatter.h>
#include <unicode/measfmt.h>
#include <unicode/measunit.h>
#include <unicode/measure.h>

#include <stdexcept>

namespace parley::timer {
namespace {

std::string utf8(const icu::UnicodeString& text) {
  std::string out;
  return text.toUTF8String(out);
}

}  // namespace

struct Speech::Formats {
  Formats(const icu::Locale& locale, UErrorCode& status)
      : measure(locale, UMEASFMT_WIDTH_WIDE, status),
        list(icu::ListFormatter::createInstance(locale, status)) {}
  icu::MeasureFormat measure;
  std::unique_ptr<icu::ListFormatter> list;
};

Speech::Speech(const std::string& lang) {
  UErrorCode status = U_ZERO_ERROR;
  formats_ = std::make_unique<const Formats>(icu::Locale::forLanguageTag(lang, status), status);
  if (U_SUCCESS(status) != 0) return;
  throw std::runtime_error(fmt::format("ICU can't say durations in '{}': {}", lang, u_errorName(status)));
}

Speech::~Speech() = default;

std::string Speech::duration(std::chrono::seconds time, bool exact) const {
  using icu::MeasureUnit;
  const auto total = time.count();
  std::vector<std::string> parts;
  const auto add = [&](long long count, MeasureUnit* (*unit)(UErrorCode&)) {
    if (count == 0) return;
    UErrorCode status = U_ZERO_ERROR;
    const icu::Measure measure(icu::Formattable(static_cast<std::int64_t>(count)), unit(status), status);
    icu::UnicodeString text;
    icu::FieldPosition ignored;
    formats_->measure.formatMeasures(&measure, 1, text, ignored, status);
    parts.push_back(utf8(text));
  };
  add(total / 86400, &MeasureUnit::createDay);
  add(total / 3600 % 24, &MeasureUnit::createHour);
  add(total / 60 % 60, &MeasureUnit::createMinute);
  if (exact || total < 3600) add(total % 60, &MeasureUnit::createSecond);
  return list(parts);
}

std::string Speech::list(const std::vector<std::string>& things) const {
  std::vector<icu::UnicodeString> texts;
  for (const auto& thing : things) texts.push_back(icu::UnicodeString::fromUTF8(thing));
  UErrorCode status = U_ZERO_ERROR;
  icu::UnicodeString text;
  formats_->list->format(texts.data(), static_cast<std::int32_t>(texts.size()), text, status);
  return utf8(text);
}

}  // namespace parley::timer
