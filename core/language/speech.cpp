// Things said the way a language says them, by ICU.
#include <parley/speech.hpp>

#include <fmt/format.h>
#include <unicode/dtptngen.h>
#include <unicode/listformatter.h>
#include <unicode/measfmt.h>
#include <unicode/measunit.h>
#include <unicode/measure.h>
#include <unicode/smpdtfmt.h>

#include <array>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>

#include "language/icu.hpp"

namespace parley {
namespace {

/// Languages whose formats are kept; a further one takes the place of all of them.
constexpr std::size_t kMostSpoken = 64;

constexpr std::array<const char16_t*, 4> kDateFields{u"MMMMd", u"yMMMMd", u"MMMMEEEEd", u"yMMMMEEEEd"};

/// ICU's formats of one language. Their const functions may be called from several threads.
struct SpokenFormats {
  explicit SpokenFormats(const std::string& lang)
      : locale(from_icu::locale(lang, status)),
        measure(locale, UMEASFMT_WIDTH_WIDE, status),
        list(icu::ListFormatter::createInstance(locale, status)),
        choice(icu::ListFormatter::createInstance(locale, ULISTFMT_TYPE_OR, ULISTFMT_WIDTH_WIDE, status)) {
    const std::unique_ptr<icu::DateTimePatternGenerator> usual(
        icu::DateTimePatternGenerator::createInstance(locale, status));
    for (std::size_t i = 0; i < dates.size() && U_SUCCESS(status) != 0; ++i) {
      dates[i] = std::make_unique<icu::SimpleDateFormat>(usual->getBestPattern(kDateFields[i], status),
                                                         locale, status);
      if (U_SUCCESS(status) != 0) dates[i]->setTimeZone(*icu::TimeZone::getGMT());
    }
    if (U_SUCCESS(status) != 0) return;
    throw std::runtime_error(
        fmt::format("ICU can't say lists, durations and dates in '{}': {}", lang, u_errorName(status)));
  }

  UErrorCode status = U_ZERO_ERROR;
  icu::Locale locale;
  icu::MeasureFormat measure;
  std::unique_ptr<icu::ListFormatter> list;
  std::unique_ptr<icu::ListFormatter> choice;
  std::array<std::unique_ptr<icu::SimpleDateFormat>, 4> dates;
};

/// Made at the first use of a language.
std::shared_ptr<const SpokenFormats> formats_of(const std::string& lang) {
  static std::mutex mutex;
  static std::map<std::string, std::shared_ptr<const SpokenFormats>> known;
  const std::lock_guard lock(mutex);
  if (known.size() >= kMostSpoken && !known.contains(lang)) known.clear();
  auto& formats = known[lang];
  if (!formats) formats = std::make_shared<const SpokenFormats>(lang);
  return formats;
}

void demand(UErrorCode status, const char* what, const std::string& lang) {
  if (U_FAILURE(status) != 0)
    throw std::runtime_error(fmt::format("ICU can't say {} in '{}': {}", what, lang, u_errorName(status)));
}

}  // namespace

namespace {

std::string said_as(const icu::ListFormatter& how, const std::vector<std::string>& things,
                    const std::string& lang) {
  std::vector<icu::UnicodeString> texts;
  for (const auto& thing : things) texts.push_back(from_icu::text(thing));
  UErrorCode status = U_ZERO_ERROR;
  icu::UnicodeString text;
  how.format(texts.data(), static_cast<std::int32_t>(texts.size()), text, status);
  demand(status, "a list", lang);
  return from_icu::utf8(text);
}

}  // namespace

std::string say_list(const std::vector<std::string>& things, const std::string& lang) {
  return said_as(*formats_of(lang)->list, things, lang);
}

std::string say_choice(const std::vector<std::string>& things, const std::string& lang) {
  return said_as(*formats_of(lang)->choice, things, lang);
}

std::string say_duration(Duration length, const std::string& lang, Precision precision) {
  using icu::MeasureUnit;
  const auto formats = formats_of(lang);
  const auto total =
      std::max(std::chrono::floor<std::chrono::seconds>(length), std::chrono::seconds(0)).count();
  std::vector<std::string> parts;
  const auto add = [&](std::int64_t count, MeasureUnit* (*unit)(UErrorCode&)) {
    UErrorCode status = U_ZERO_ERROR;
    const icu::Measure measure(icu::Formattable(count), unit(status), status);
    icu::UnicodeString text;
    icu::FieldPosition ignored;
    formats->measure.formatMeasures(&measure, 1, text, ignored, status);
    demand(status, "a duration", lang);
    parts.push_back(from_icu::utf8(text));
  };
  if (const auto days = total / 86'400; days > 0) add(days, &MeasureUnit::createDay);
  if (const auto hours = total / 3600 % 24; hours > 0) add(hours, &MeasureUnit::createHour);
  if (const auto minutes = total / 60 % 60; minutes > 0) add(minutes, &MeasureUnit::createMinute);
  const bool to_the_second = precision == Precision::kSeconds || total < 3600;
  if (total == 0 || (to_the_second && total % 60 > 0)) add(total % 60, &MeasureUnit::createSecond);
  return say_list(parts, lang);
}

std::string say_date(std::chrono::local_days day, const std::string& lang, DateParts parts) {
  const auto formats = formats_of(lang);
  // Formatting changes the calendar inside, hence a copy.
  const std::unique_ptr<icu::Format> format(formats->dates[static_cast<std::size_t>(parts)]->clone());
  const std::chrono::duration<double, std::milli> since = day.time_since_epoch();
  UErrorCode status = U_ZERO_ERROR;
  icu::UnicodeString text;
  format->format(icu::Formattable(since.count(), icu::Formattable::kIsDate), text, status);
  demand(status, "a date", lang);
  return from_icu::utf8(text);
}

}  // namespace parley
