#include "speech.hpp"

#include <fmt/format.h>
#include <unicode/dtptngen.h>
#include <unicode/locid.h>
#include <unicode/reldatefmt.h>
#include <unicode/smpdtfmt.h>
#include <unicode/timezone.h>

#include <stdexcept>

namespace parley::date_time {
namespace {

using Formatter = std::unique_ptr<icu::SimpleDateFormat>;

void check(UErrorCode status, const std::string& tag) {
  if (U_SUCCESS(status) != 0) return;
  throw std::runtime_error(fmt::format("ICU has no date formats for '{}': {}", tag, u_errorName(status)));
}

// Makes the formatters of one language. Local times are handed to ICU as if they were UTC.
class Factory {
 public:
  explicit Factory(const std::string& tag) : tag_(tag) {
    UErrorCode status = U_ZERO_ERROR;
    locale_ = icu::Locale::forLanguageTag(tag, status);
    usual_.reset(icu::DateTimePatternGenerator::createInstance(locale_, status));
    check(status, tag_);
  }

  const icu::Locale& locale() const { return locale_; }

  icu::UnicodeString usual_pattern(const char16_t* fields) const {
    UErrorCode status = U_ZERO_ERROR;
    auto pattern = usual_->getBestPattern(fields, status);
    check(status, tag_);
    return pattern;
  }

  /// @param fields  what the region's usual pattern is to show, when there is none
  Formatter make(const std::string& pattern, const char16_t* fields) const {
    UErrorCode status = U_ZERO_ERROR;
    const auto wanted = pattern.empty() ? usual_pattern(fields) : icu::UnicodeString::fromUTF8(pattern);
    auto format = std::make_unique<icu::SimpleDateFormat>(wanted, locale_, status);
    check(status, tag_);
    format->setTimeZone(*icu::TimeZone::getGMT());
    return format;
  }

 private:
  std::string tag_;
  icu::Locale locale_;
  std::unique_ptr<icu::DateTimePatternGenerator> usual_;
};

std::string utf8(const icu::UnicodeString& text) {
  std::string out;
  text.toUTF8String(out);
  return out;
}

std::string format(const Formatter& formatter, std::chrono::local_seconds local) {
  const std::chrono::milliseconds moment = local.time_since_epoch();
  icu::UnicodeString out;
  return utf8(formatter->format(static_cast<UDate>(moment.count()), out));
}

}  // namespace

struct Speech::Formats {
  Formats(const Language& language, const Factory& factory)
      : patterns(language.patterns()),
        tag(language.tag()),
        whole_hour_12(factory.make(patterns.whole_hour_12, u"h")),
        other_12(factory.make(patterns.other_12, u"hmm")),
        whole_hour_24(factory.make(patterns.whole_hour_24, u"H")),
        other_24(factory.make(patterns.other_24, u"Hmm")),
        full_date(factory.make(patterns.full_date, u"yMMMMEEEEd")),
        weekday(factory.make("cccc", u"cccc")),
        date_with_year(factory.make(patterns.date_with_year, u"yMMMMd")),
        date_this_year(factory.make(patterns.date_this_year, u"MMMMd")),
        half_day_clock(factory.usual_pattern(u"jmm").indexOf(u'a') >= 0),
        relative(factory.locale(), status) {
    check(status, tag);
  }

  UErrorCode status = U_ZERO_ERROR;
  SpeechPatterns patterns;
  std::string tag;
  Formatter whole_hour_12, other_12, whole_hour_24, other_24;
  Formatter full_date, weekday, date_with_year, date_this_year;
  bool half_day_clock;
  icu::RelativeDateTimeFormatter relative;
};

Speech::Speech(const Language& language)
    : formats_(std::make_unique<const Formats>(language, Factory(language.tag()))) {}
Speech::~Speech() = default;
Speech::Speech(Speech&&) noexcept = default;
Speech& Speech::operator=(Speech&&) noexcept = default;

std::string Speech::time(std::chrono::local_seconds local, HourCycle cycle) const {
  namespace ch = std::chrono;
  const auto minute = ch::floor<ch::minutes>(local) - ch::floor<ch::days>(local);
  if (minute == ch::hours(0)) return formats_->patterns.midnight;
  if (minute == ch::hours(12)) return formats_->patterns.noon;
  const bool half_days = cycle == HourCycle::kOfRegion ? formats_->half_day_clock : cycle == HourCycle::k12;
  if (minute % ch::hours(1) == ch::minutes(0)) {
    return format(half_days ? formats_->whole_hour_12 : formats_->whole_hour_24, local);
  }
  return format(half_days ? formats_->other_12 : formats_->other_24, local);
}

std::string Speech::date(std::chrono::local_days day) const {
  return format(formats_->full_date, day);
}

std::string Speech::weekday(std::chrono::local_days day) const {
  return format(formats_->weekday, day);
}

std::string Speech::day(std::chrono::local_days day, bool with_year) const {
  return format(with_year ? formats_->date_with_year : formats_->date_this_year, day);
}

std::string Speech::days_from_today(int days) const {
  UErrorCode status = U_ZERO_ERROR;
  icu::UnicodeString out;
  formats_->relative.format(days, UDAT_REL_UNIT_DAY, out, status);
  check(status, formats_->tag);
  return utf8(out);
}

std::string Speech::as_subject(const std::string& date) const {
  return fmt::format(fmt::runtime(formats_->patterns.subject), date);
}

std::string Speech::as_until(const std::string& date) const {
  return fmt::format(fmt::runtime(formats_->patterns.until), date);
}

}  // namespace parley::date_time
