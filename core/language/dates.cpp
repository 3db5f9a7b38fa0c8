#include <unicode/dtptngen.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <mutex>
#include <parley/dates.hpp>
#include <vector>

#include "language/date_words.hpp"
#include "language/icu.hpp"
#include "language/value_file.hpp"

namespace parley {
namespace {

namespace ch = std::chrono;
using Kind = DateWord::Kind;
using ch::local_days;
using MaybeDay = std::optional<local_days>;

constexpr int kFirstYear = 1583;  // of the Gregorian calendar
constexpr int kMostDays = 31;
constexpr int kMonthsAWeekdayNeeds = 12;

// The words of a date, sorted by what they are; their order rarely matters.
struct Parts {
  std::vector<int> numbers;
  std::optional<int> month, weekday, relative, named, unit, unit_count;
  std::optional<Kind> which;  // kNext, kThis, kLast
  bool future = false;
  bool past = false;

  bool only_numbers_besides_named() const {
    return !month && !weekday && !relative && !unit && !future && !past;
  }
};

bool put(std::optional<int>& slot, int value) {
  if (slot) return false;
  slot = value;
  return true;
}

// "two weeks": the number belongs to the unit.
bool put_unit(Parts& parts, int unit, bool counted) {
  if (!put(parts.unit, unit)) return false;
  if (counted) {
    parts.unit_count = parts.numbers.back();
    parts.numbers.pop_back();
  }
  return true;
}

bool put_word(Parts& parts, DateWord word, bool after_number) {
  switch (word.kind) {
    case Kind::kNumber:
    case Kind::kOne:
      parts.numbers.push_back(word.value);
      return true;
    case Kind::kMonth:
      return put(parts.month, word.value);
    case Kind::kWeekday:
      return put(parts.weekday, word.value);
    case Kind::kRelative:
      return put(parts.relative, word.value);
    case Kind::kNamed:
      return put(parts.named, word.value);
    case Kind::kUnit:
      return put_unit(parts, word.value, after_number);
    case Kind::kFuture:
      parts.future = true;
      return true;
    case Kind::kPast:
      parts.past = true;
      return true;
    case Kind::kNext:
    case Kind::kThis:
    case Kind::kLast:
      if (parts.which) return false;
      parts.which = word.kind;
      return true;
    case Kind::kIgnore:
      return true;
  }
  return false;
}

std::optional<Parts> sort(const std::vector<DateWord>& words) {
  Parts parts;
  if (words.size() == 1 && words.front().kind == Kind::kOne) return std::nullopt;
  bool after_number = false;
  for (const DateWord& word : words) {
    if (!put_word(parts, word, after_number)) return std::nullopt;
    after_number = word.kind == Kind::kNumber || word.kind == Kind::kOne;
  }
  return parts;
}

MaybeDay real_day(int year, int month, int day) {
  const ch::year_month_day date(ch::year(year), ch::month(static_cast<unsigned>(month)),
                                ch::day(static_cast<unsigned>(day)));
  if (year < kFirstYear || !date.ok()) return std::nullopt;
  return local_days(date);
}

// "2027", or "twenty" "twenty seven".
std::optional<int> year_of(const std::vector<int>& numbers) {
  if (numbers.size() == 1 && numbers[0] >= kFirstYear) return numbers[0];
  if (numbers.size() == 2 && numbers[0] >= 19 && numbers[0] <= 21 && numbers[1] < 100) {
    return numbers[0] * 100 + numbers[1];
  }
  return std::nullopt;
}

MaybeDay occurrence(const DayRule& rule, std::optional<Kind> which, local_days today) {
  if (which == Kind::kLast) return last_before(rule, today);
  return first_from(rule, which == Kind::kNext ? today + ch::days(1) : today);
}

struct Found {
  explicit Found(local_days on, bool with_year = false) : day(on), year_said(with_year) {}
  local_days day;
  bool year_said;
};
using MaybeFound = std::optional<Found>;

MaybeFound found(MaybeDay day, bool year_said = false) {
  if (!day) return std::nullopt;
  return Found(*day, year_said);
}

// Works out the day that the parts mean.
class Calendar {
 public:
  Calendar(local_days today, bool month_first) : today_(today), month_first_(month_first) {}

  MaybeFound named(const DayRule& rule, const Parts& parts) const {
    if (parts.unit == kYear && !parts.unit_count && parts.which) return in_named_year(rule, parts);
    if (!parts.only_numbers_besides_named()) return std::nullopt;
    if (parts.numbers.empty()) return found(occurrence(rule, parts.which, today_));
    const auto year = year_of(parts.numbers);
    if (!year || parts.which) return std::nullopt;
    return found(day_in(rule, ch::year(*year)), true);
  }

  MaybeFound unnamed(const Parts& parts) const {
    if (parts.month && parts.unit == kYear && !parts.unit_count && parts.which) return in_month_of(parts);
    if (parts.unit) return found(shifted(parts));
    if (parts.past) return std::nullopt;
    if (parts.relative) return alone(parts) ? found(today_ + ch::days(*parts.relative)) : std::nullopt;
    if (parts.month) return in_month(parts);
    if (!parts.numbers.empty()) return numeric(parts);
    if (parts.weekday) return found(occurrence(coming(*parts.weekday), parts.which, today_));
    return std::nullopt;
  }

 private:
  static constexpr int kYear = -12;  // months

  // "easter next year"
  MaybeFound in_named_year(const DayRule& rule, const Parts& parts) const {
    Parts others = parts;
    others.unit.reset();
    if (!others.only_numbers_besides_named() || !parts.numbers.empty()) return std::nullopt;
    return found(day_in(rule, ch::year(year_named(parts))), true);
  }

  // "24 december this year"
  MaybeFound in_month_of(const Parts& parts) const {
    if (parts.past || parts.future) return std::nullopt;
    Parts dated = parts;
    dated.unit.reset();
    dated.which.reset();
    dated.numbers.push_back(year_named(parts));
    return in_month(dated);
  }

  int year_named(const Parts& parts) const {
    const int years = parts.which == Kind::kNext ? 1 : parts.which == Kind::kLast ? -1 : 0;
    return static_cast<int>(ch::year_month_day(today_).year()) + years;
  }

  static DayRule coming(int weekday) { return ComingWeekday{ch::weekday(static_cast<unsigned>(weekday))}; }

  static bool alone(const Parts& parts) {
    return parts.numbers.empty() && !parts.month && !parts.weekday && !parts.which;
  }

  // "in two weeks", "tomorrow in a week", "three days ago", "next month"
  MaybeDay shifted(const Parts& parts) const {
    if (!parts.numbers.empty() || parts.month || parts.weekday) return std::nullopt;
    if (!parts.unit_count) return next_unit(parts);
    if (parts.future == parts.past || parts.which) return std::nullopt;
    const int count = parts.past ? -*parts.unit_count : *parts.unit_count;
    const local_days from = today_ + ch::days(parts.relative.value_or(0));
    if (*parts.unit > 0) return from + ch::days(*parts.unit * count);
    ch::year_month_day date = ch::year_month_day(from) + ch::months(-*parts.unit * count);
    if (!date.ok()) date = date.year() / date.month() / ch::last;  // 31 January and a month
    return real_day(static_cast<int>(date.year()), static_cast<int>(static_cast<unsigned>(date.month())),
                    static_cast<int>(static_cast<unsigned>(date.day())));
  }

  MaybeDay next_unit(const Parts& parts) const {
    if (parts.which != Kind::kNext || parts.relative || parts.past) return std::nullopt;
    const ch::year_month_day date(today_);
    switch (*parts.unit) {
      case 1:
        return today_ + ch::days(1);
      case 7:
        return occurrence(ComingWeekday{ch::Monday}, Kind::kNext, today_);
      case -1:
        return local_days((date.year() / date.month() + ch::months(1)) / 1);
      case -12:
        return local_days((date.year() + ch::years(1)) / ch::January / 1);
      default:
        return std::nullopt;
    }
  }

  // "december", "december 24", "24 december 2027", "december 2027"
  MaybeFound in_month(const Parts& parts) const {
    if (parts.relative) return std::nullopt;
    std::vector<int> numbers = parts.numbers;
    int day = 1;
    const auto said = std::ranges::find_if(numbers, [](int number) { return number <= kMostDays; });
    if (said != numbers.end() && !year_of(numbers)) {
      day = *said;
      numbers.erase(said);
    }
    if (numbers.empty()) return yearly(*parts.month, day, parts.which);
    const auto year = year_of(numbers);
    if (!year || parts.which) return std::nullopt;
    return found(real_day(*year, *parts.month, day), true);
  }

  MaybeFound yearly(int month, int day, std::optional<Kind> which) const {
    const YearlyDate date{ch::month(static_cast<unsigned>(month)) / ch::day(static_cast<unsigned>(day))};
    if (!date.on.ok()) return std::nullopt;
    return found(occurrence(date, which, today_));
  }

  // "2026 12 24", "12 24", "24", "2027"
  MaybeFound numeric(const Parts& parts) const {
    const auto& numbers = parts.numbers;
    if (parts.relative || parts.which) return std::nullopt;
    const auto month_and_day = [&](std::size_t at) {
      std::array<int, 2> pair{numbers[at], numbers[at + 1]};
      if (!month_first_ && at == 0) std::swap(pair[0], pair[1]);
      return pair;
    };
    if (numbers.size() == 3 && numbers[0] >= kFirstYear) {
      return found(real_day(numbers[0], numbers[1], numbers[2]), true);
    }
    if (numbers.size() == 3) {
      const auto [month, day] = month_and_day(0);
      return found(real_day(numbers[2], month, day), true);
    }
    if (numbers.size() == 2) {
      const auto [month, day] = month_and_day(0);
      return yearly(month, day, parts.which);
    }
    if (numbers.size() != 1) return std::nullopt;
    return numbers[0] <= kMostDays ? found(next_day_of_month(numbers[0])) : found(new_year(numbers[0]), true);
  }

  static MaybeDay new_year(int year) { return real_day(year, 1, 1); }

  MaybeDay next_day_of_month(int day) const {
    const ch::year_month_day date(today_);
    for (int i = 0; i < kMonthsAWeekdayNeeds; ++i) {
      const auto candidate =
          (date.year() / date.month() + ch::months(i)) / ch::day(static_cast<unsigned>(day));
      if (candidate.ok() && local_days(candidate) >= today_) return local_days(candidate);
    }
    return std::nullopt;
  }

  local_days today_;
  bool month_first_;
};

bool usually_month_first(const std::string& tag) {
  UErrorCode status = U_ZERO_ERROR;
  const auto locale = from_icu::locale(tag, status);
  const std::unique_ptr<icu::DateTimePatternGenerator> usual(
      icu::DateTimePatternGenerator::createInstance(locale, status));
  if (U_FAILURE(status) != 0) return false;
  const icu::UnicodeString pattern = usual->getBestPattern(u"yMd", status);
  return pattern.indexOf(u'M') < pattern.indexOf(u'd');
}

/// Kept, since ICU takes half a millisecond for it; of so many tags, since they come from outside.
bool region_says_month_first(const std::string& tag) {
  constexpr std::size_t kMostTags = 256;
  static std::mutex mutex;
  static std::map<std::string, bool> known;
  const std::lock_guard lock(mutex);
  if (const auto found = known.find(tag); found != known.end()) return found->second;
  if (known.size() == kMostTags) known.clear();
  return known[tag] = usually_month_first(tag);
}

bool only_weekday(const Parts& parts) {
  return parts.weekday && !parts.month && parts.numbers.empty();
}

std::optional<SpokenDate> spoken_date(const Parts& parts, local_days today, const DateWords& words,
                                      std::string_view lang) {
  const Calendar calendar(today, parts.numbers.size() > 1 && region_says_month_first(std::string(lang)));
  const NamedDay* const named = parts.named ? &words.named_day(*parts.named) : nullptr;
  const auto when = named != nullptr ? calendar.named(named->rule, parts) : calendar.unnamed(parts);
  if (!when) return std::nullopt;
  SpokenDate date(when->day);
  if (named != nullptr) date.holiday = named->name;
  date.year_said = when->year_said;
  date.weekday_only = only_weekday(parts);
  return date;
}

}  // namespace

std::optional<SpokenDate> find_date(std::string_view text, std::string_view lang, local_days today,
                                    Toward toward) {
  const auto* const words = words_for<DateWords>(lang);
  const auto said = words == nullptr ? std::nullopt : words->read(text);
  const auto parts = said ? sort(*said) : std::nullopt;
  if (!parts) return std::nullopt;
  if (toward == Toward::kPast && !parts->which) {
    Parts last = *parts;
    last.which = Kind::kLast;
    if (auto date = spoken_date(last, today, *words, lang)) return date;  // else its time is settled
  }
  return spoken_date(*parts, today, *words, lang);
}

}  // namespace parley
