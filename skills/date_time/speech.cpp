#include "speech.hpp"

#include <fmt/format.h>
#include <unicode/dtptngen.h>
#include <unicode/locid.h>
#include <unicode/rbnf.h>
#include <unicode/reldatefmt.h>
#include <unicode/smpdtfmt.h>
#include <unicode/timezone.h>

#include <algorithm>
#include <stdexcept>
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
        half_day_clock(patterns.usual_clock.empty()
                           ? factory.usual_pattern(u"jmm").find('a') != std::string::npos
                           : patterns.usual_clock == "12h"),
        relative(factory.locale(), status) {
    check(status, tag);
    if (patterns.number_rules.empty()) return;
    spell = std::make_unique<icu::RuleBasedNumberFormat>(icu::URBNF_SPELLOUT, factory.locale(), status);
    spell->setDefaultRuleSet(icu::UnicodeString::fromUTF8(patterns.number_rules), status);
    check(status, fmt::format("{}, number rules {}", tag, patterns.number_rules));
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
  Phrase full_date, weekday, date_with_year, date_this_year;
  bool half_day_clock;
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

DayNames Speech::date_names(const std::string& date) const {
  return names(formats_->patterns.date, date);
}

DayNames Speech::weekday_names(const std::string& weekday) const {
  return names(formats_->patterns.weekday, weekday);
}

}  // namespace parley::date_time
