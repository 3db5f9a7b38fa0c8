#include <parley/dates.hpp>
#include <parley/numbers.hpp>
#include <parley/text.hpp>
#include <parley/values.hpp>

#include "language/amounts.hpp"
#include "language/names.hpp"
#include "language/times.hpp"
#include "language/value_file.hpp"

namespace parley {
namespace {

namespace ch = std::chrono;

template <class Read>
std::optional<SlotValue> as_value(std::optional<Read> read) {
  if (!read) return std::nullopt;
  return SlotValue(*std::move(read));
}

CalendarDate date_of(ch::local_seconds moment, bool with_time) {
  const auto day = ch::floor<ch::days>(moment);
  if (!with_time) return CalendarDate(day);
  return CalendarDate(day, ch::floor<ch::minutes>(moment - day));
}

/// An hour up to twelve, of which nobody said which half of the day: the next one, if the day is today.
CalendarDate at_time(ch::local_days day, const SpokenTime& said, bool day_said, ch::local_seconds now) {
  constexpr ch::hours kHalfDay(12);
  ch::minutes time = said.time;
  const bool over = day + time < now;
  if (over && !said.half_known && day == ch::floor<ch::days>(now)) {
    const ch::minutes later = time < kHalfDay ? time + kHalfDay : time - kHalfDay;
    if (day + later >= now) return CalendarDate(day, later);
  }
  if (over && !day_said) day += ch::days(1);
  return CalendarDate(day, time);
}

/// In a language of which only ICU knows anything.
std::optional<SlotValue> plain_number(std::string_view text, std::string_view lang) {
  const auto said = words(text, lang);
  const auto number = leading_number(said, lang);
  if (!number || number->words != said.size()) return std::nullopt;
  return SlotValue(number->value);
}

class DateReader {
 public:
  DateReader(std::string_view lang, ch::local_seconds now) : lang_(lang), now_(now) {}

  std::optional<CalendarDate> read(std::string_view text) const {
    const auto today = ch::floor<ch::days>(now_);
    const auto* const times = words_for<TimeWords>(lang_);
    const auto said = times == nullptr ? std::nullopt : times->find(text);
    // "Às sete" is no seventh, though a day may have an article.
    if (said && said->marked && said->rest.empty()) return at_time(today, *said, false, now_);
    if (const auto date = find_date(text, lang_, today)) return CalendarDate(date->day);
    if (times != nullptr) {
      const auto date_and_time = said ? with_time(*said) : std::nullopt;
      if (date_and_time) return date_and_time;
      if (const auto date = find_date(times->without_part_of_day(text), lang_, today))
        return CalendarDate(date->day);
    }
    return after(text);
  }

 private:
  std::optional<CalendarDate> with_time(const SpokenTime& said) const {
    const auto today = ch::floor<ch::days>(now_);
    if (said.rest.empty()) return at_time(today, said, false, now_);
    const auto date = find_date(said.rest, lang_, today);
    if (!date) return std::nullopt;
    return at_time(date->day, said, true, now_);
  }

  /// "In two hours"; and "three days", where the template had the "in".
  std::optional<CalendarDate> after(std::string_view text) const {
    const auto* amounts = words_for<Amounts>(lang_);
    const auto span = amounts == nullptr ? std::nullopt : amounts->duration(text);
    if (!span) return std::nullopt;
    const bool days_only = *span % ch::days(1) == Duration::zero();
    return date_of(now_ + ch::floor<ch::seconds>(*span), !days_only);
  }

  std::string_view lang_;
  ch::local_seconds now_;
};

}  // namespace

std::optional<SlotValue> read_value(SlotType type, std::string_view text, std::string_view lang,
                                    ch::local_seconds now) {
  const auto* amounts = words_for<Amounts>(lang);
  if (amounts == nullptr) return type == SlotType::kNumber ? plain_number(text, lang) : std::nullopt;
  switch (type) {
    case SlotType::kNumber:
      return as_value(amounts->number(text));
    case SlotType::kDuration:
      return as_value(amounts->duration(text));
    case SlotType::kDate:
      return as_value(DateReader(lang, now).read(text));
    case SlotType::kColor:
      return as_value(words_for<ColorNames>(lang)->find(text));
    case SlotType::kLanguage:
      return as_value(words_for<LanguageNames>(lang)->find(text));
    case SlotType::kNone:
      break;
  }
  return std::nullopt;
}

}  // namespace parley
