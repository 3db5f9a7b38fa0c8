#include "speech.hpp"

#include <fmt/format.h>
#include <unicode/dtptngen.h>
#include <unicode/locid.h>
#include <unicode/measfmt.h>
#include <unicode/rbnf.h>
#include <unicode/reldatefmt.h>
#include <unicode/smpdtfmt.h>
#include <unicode/timezone.h>

#include <algorithm>
#include <stdexcept>
#include <utility>
#include <vector>

#include "phrase.hpp"
#include "words.hpp"

namespace parley::date_time {
namespace {

namespace ch = std::chrono;

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

  std::string usual_pattern(const char16_t* fields) const {
    UErrorCode status = U_ZERO_ERROR;
    const auto pattern = usual_->getBestPattern(fields, status);
    check(status, tag_);
    return utf8(pattern);
  }

  Phrase phrase(const std::string& text) const {
    return Phrase(text, [this](const std::string& pattern) { return formatter(pattern); });
  }
  /// @param fields  what the region's usual pattern is to show, when there is no text
  Phrase phrase_or_usual(const std::string& text, const char16_t* fields) const {
    return phrase(text.empty() ? '{' + usual_pattern(fields) + '}' : text);
  }

 private:
  Phrase::Formatter formatter(const std::string& pattern) const {
    UErrorCode status = U_ZERO_ERROR;
    auto format =
        std::make_unique<icu::SimpleDateFormat>(icu::UnicodeString::fromUTF8(pattern), locale_, status);
    check(status, tag_);
    format->setTimeZone(*icu::TimeZone::getGMT());
    return format;
  }

  std::string tag_;
  icu::Locale locale_;
  std::unique_ptr<icu::DateTimePatternGenerator> usual_;
};

bool one_of(const std::vector<int>& allowed, int value) {
  return allowed.empty() || std::ranges::find(allowed, value) != allowed.end();
}

// The rules of one clock, ready to speak.
class Clock {
 public:
  Clock(const ClockSpeech& speech, const Factory& factory) : speech_(speech) {
    for (const TimeRule& rule : speech.rules) phrases_.push_back(factory.phrase(rule.say));
  }

  const Phrase& phrase_at(int hour, int minute) const {
    const auto fits = [&](const TimeRule& rule) {
      return one_of(rule.hours, hour) && one_of(rule.minutes, minute);
    };
    const auto rule = std::ranges::find_if(speech_.rules, fits);
    return phrases_[static_cast<std::size_t>(rule - speech_.rules.begin())];
  }
  std::string hour(int hour) const {
    return speech_.hours[static_cast<std::size_t>(hour) % speech_.hours.size()];
  }

 private:
  ClockSpeech speech_;
  std::vector<Phrase> phrases_;
};

std::string put_into(std::string pattern, const std::string& value) {
  constexpr std::string_view kPlace = "{0}";
  if (const auto at = pattern.find(kPlace); at != std::string::npos)
    pattern.replace(at, kPlace.size(), value);
  return pattern;
}

DayNames names(const DayNames& patterns, const std::string& value) {
  return DayNames{begin_sentence(put_into(patterns.subject, value)), put_into(patterns.until, value)};
}

}  // namespace

struct Speech::Formats {
  Formats(const Language& language, const Factory& factory)
      : patterns(language.patterns()),
        tag(language.tag()),
        clock_12(patterns.clock_12, factory),
        clock_24(patterns.clock_24, factory),
        full_date(factory.phrase_or_usual(patterns.full_date, u"yMMMMEEEEd")),
        weekday(factory.phrase("{cccc}")),
        date_with_year(factory.phrase_or_usual(patterns.date_with_year, u"yMMMMd")),
        date_this_year(factory.phrase_or_usual(patterns.date_this_year, u"MMMMd")),
        month(factory.phrase_or_usual("", u"yMMMM")),
        half_day_clock(patterns.usual_clock.empty()
                           ? factory.usual_pattern(u"jmm").find('a') != std::string::npos
                           : patterns.usual_clock == "12h"),
        locale(factory.locale()),
        relative(factory.locale(), status) {
    check(status, tag);
    if (patterns.number_rules.empty()) return;
    spell = std::make_unique<icu::RuleBasedNumberFormat>(icu::URBNF_SPELLOUT, factory.locale(), status);
    spell->setDefaultRuleSet(icu::UnicodeString::fromUTF8(patterns.number_rules), status);
    check(status, fmt::format("{}, number rules {}", tag, patterns.number_rules));
  }

  using Unit = icu::MeasureUnit* (*)(UErrorCode&);

  /// Those above zero, with their units; all zero: the last one.
  std::string amounts(const std::vector<std::pair<int, Unit>>& parts) const {
    UErrorCode failed = U_ZERO_ERROR;
    const icu::MeasureFormat format(locale, UMEASFMT_WIDTH_WIDE, failed);
    std::vector<icu::Measure> measures;
    for (const auto& [amount, unit] : parts) {
      const bool needed = amount != 0 || (&unit == &parts.back().second && measures.empty());
      if (needed) measures.emplace_back(icu::Formattable(amount), unit(failed), failed);
    }
    check(failed, tag);
    icu::UnicodeString out;
    icu::FieldPosition anywhere(icu::FieldPosition::DONT_CARE);
    format.formatMeasures(measures.data(), static_cast<std::int32_t>(measures.size()), out, anywhere, failed);
    check(failed, tag);
    return utf8(out);
  }

  std::string number(int value) const {
    if (!spell) return std::to_string(value);
    icu::UnicodeString out;
    return utf8(spell->format(value, out));
  }

  std::string say(const Phrase& phrase, ch::local_days day) const {
    const auto in_month = static_cast<int>(static_cast<unsigned>(ch::year_month_day(day).day()));
    return phrase.say(day, [&](std::string_view) {
      const auto own = patterns.days.find(in_month);
      return own == patterns.days.end() ? std::to_string(in_month) : own->second;
    });
  }

  UErrorCode status = U_ZERO_ERROR;
  SpeechPatterns patterns;
  std::string tag;
  Clock clock_12, clock_24;
  Phrase full_date, weekday, date_with_year, date_this_year, month;
  bool half_day_clock;
  icu::Locale locale;
  icu::RelativeDateTimeFormatter relative;
  std::unique_ptr<icu::RuleBasedNumberFormat> spell;
};

Speech::Speech(const Language& language)
    : formats_(std::make_unique<const Formats>(language, Factory(language.tag()))) {}
Speech::~Speech() = default;
Speech::Speech(Speech&&) noexcept = default;
Speech& Speech::operator=(Speech&&) noexcept = default;

std::string Speech::time(ch::local_seconds local, HourCycle cycle) const {
  constexpr int kMinutesOfHour = 60;
  const auto of_day = ch::floor<ch::minutes>(local) - ch::floor<ch::days>(local);
  const auto hour = static_cast<int>(of_day / ch::hours(1));
  const auto minute = static_cast<int>(of_day % ch::hours(1) / ch::minutes(1));
  const bool half_days = cycle == HourCycle::kOfRegion ? formats_->half_day_clock : cycle == HourCycle::k12;
  const Clock& clock = half_days ? formats_->clock_12 : formats_->clock_24;
  return clock.phrase_at(hour, minute).say(local, [&](std::string_view word) {
    if (word == "hour") return clock.hour(hour);
    if (word == "next") return clock.hour(hour + 1);
    return formats_->number(word == "left" ? kMinutesOfHour - minute : minute);
  });
}

std::string Speech::time_alone(ch::local_seconds local, HourCycle cycle) const {
  const std::string said = time(local, cycle);
  return formats_->patterns.time_begins ? begin_sentence(said) : said;
}

std::string Speech::date(ch::local_days day) const {
  return formats_->say(formats_->full_date, day);
}

std::string Speech::weekday(ch::local_days day) const {
  return formats_->say(formats_->weekday, day);
}

std::string Speech::day(ch::local_days day, bool with_year) const {
  return formats_->say(with_year ? formats_->date_with_year : formats_->date_this_year, day);
}

std::string Speech::days_from_today(int days) const {
  UErrorCode status = U_ZERO_ERROR;
  icu::UnicodeString out;
  formats_->relative.format(days, UDAT_REL_UNIT_DAY, out, status);
  check(status, formats_->tag);
  return utf8(out);
}

std::string Speech::span(ch::minutes length) const {
  const auto hours = ch::floor<ch::hours>(length);
  return formats_->amounts({{static_cast<int>(hours.count()), &icu::MeasureUnit::createHour},
                            {static_cast<int>((length - hours).count()), &icu::MeasureUnit::createMinute}});
}

std::string Speech::weeks_and_days(int days) const {
  constexpr int kWeek = 7;
  return formats_->amounts(
      {{days / kWeek, &icu::MeasureUnit::createWeek}, {days % kWeek, &icu::MeasureUnit::createDay}});
}

std::string Speech::month(ch::local_days day) const {
  return begin_sentence(formats_->say(formats_->month, day));
}

std::string Speech::zone_name(const std::string& id, ch::system_clock::time_point at) const {
  const std::unique_ptr<icu::TimeZone> zone(icu::TimeZone::createTimeZone(icu::UnicodeString::fromUTF8(id)));
  UErrorCode status = U_ZERO_ERROR;
  std::int32_t raw = 0;
  std::int32_t saving = 0;
  const auto since = ch::duration_cast<ch::milliseconds>(at.time_since_epoch()).count();
  zone->getOffset(static_cast<UDate>(since), 0, raw, saving, status);
  check(status, formats_->tag);
  icu::UnicodeString out;
  zone->getDisplayName(saving != 0 ? 1 : 0, icu::TimeZone::LONG, formats_->locale, out);
  return utf8(out);
}

DayNames Speech::date_names(const std::string& date) const {
  return names(formats_->patterns.date, date);
}

DayNames Speech::weekday_names(const std::string& weekday) const {
  return names(formats_->patterns.weekday, weekday);
}

}  // namespace parley::date_time
