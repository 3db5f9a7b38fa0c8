#include "topics.hpp"

#include <algorithm>
#include <array>
#include <parley/numbers.hpp>
#include <parley/text.hpp>
#include <parley/values.hpp>
#include <span>
#include <utility>

#include "calendar.hpp"
#include "calendar_answers.hpp"

namespace parley::date_time {
namespace {

namespace ch = std::chrono;
using ch::local_days;

/// A longer sentence is about more than one thing, a shorter one has templates.
constexpr std::size_t kMostAround = 30, kFewestAround = 3;
/// No place that is named, and no span, has more words.
constexpr std::size_t kLongestName = 4;

/// What comes first wins: who asks how many hours it is later somewhere also says "what time".
constexpr std::array<std::pair<const char*, Topic>, 10> kTopics{{{"about_clocks", Topic::kClocks},
                                                                 {"about_difference", Topic::kDifference},
                                                                 {"about_sunset", Topic::kSunset},
                                                                 {"about_sunrise", Topic::kSunrise},
                                                                 {"about_leap_year", Topic::kLeapYear},
                                                                 {"about_month_days", Topic::kMonthDays},
                                                                 {"about_week", Topic::kWeek},
                                                                 {"about_time", Topic::kTime},
                                                                 {"about_weekday", Topic::kWeekday},
                                                                 {"about_date", Topic::kDate}}};

/// The first thing that `read` makes of a run of words, the longest first.
template <typename Read>
auto longest_run(const std::string& text, const std::string& lang, std::size_t longest, Read read)
    -> decltype(read(std::string())) {
  const auto said = words(text, lang);
  for (std::size_t count = std::min(longest, said.size()); count > 0; --count) {
    for (std::size_t at = 0; at + count <= said.size(); ++at) {
      if (auto found = read(std::string(surface(text, std::span(said).subspan(at, count))))) return found;
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<Topic> Topics::topic() const {
  const auto count = words(text_, lang_).size();
  if (count < kFewestAround || count > kMostAround || mentions_("about_not")) return std::nullopt;
  for (const auto& [vocabulary, topic] : kTopics)
    if (mentions_(vocabulary)) return topic;
  return asks_which_of_two_days() ? std::optional(Topic::kDate) : std::nullopt;
}

std::optional<Asked> Topics::asked() const {
  const auto about = topic();
  if (!about) return std::nullopt;
  Asked asked{*about, {}, {}};
  switch (*about) {
    case Topic::kWeek:
      return asked;
    case Topic::kClocks:
      if (mentions_("about_clocks_forward") != mentions_("about_clocks_back"))
        asked.forward = mentions_("about_clocks_forward");
      return asked;
    case Topic::kLeapYear:
    case Topic::kMonthDays:
      return of_calendar(std::move(asked));
    case Topic::kDifference:
      asked.places = places(true);
      return asked.places.empty() || asked.places.size() > 2 ? std::nullopt : std::optional(asked);
    default:
      break;
  }
  asked.places = places();
  if (asked.places.size() > 1 || (asked.places.empty() && mentions_("about_there"))) return std::nullopt;
  if (*about == Topic::kTime) return asked;
  return *about == Topic::kSunrise || *about == Topic::kSunset ? of_sun(std::move(asked))
                                                               : of_day(std::move(asked));
}

std::optional<Asked> Topics::of_sun(Asked asked) const {
  const auto found = knowledge_.tongue(lang_).date_within(text_, today_);
  if (found && found->day != today_) asked.on = found->day;
  return asked;
}

/// Of today, or of a day so many days from today; any other is named_day()'s.
std::optional<Asked> Topics::of_day(Asked asked) const {
  asked.on = counted_from_day();
  if (!asked.on) asked.on = after_span();
  if (asked.on) return asked.places.empty() ? std::optional(asked) : std::nullopt;
  if (!mentions_("about_today")) return std::nullopt;
  if (asks_which_of_two_days()) return asked;
  const auto named = knowledge_.tongue(lang_).named_day(text_, today_);
  return named && named->day != today_ ? std::nullopt : std::optional(asked);
}

std::optional<Asked> Topics::of_calendar(Asked asked) const {
  // "The next leap year is when": no year is needed
  if (asked.topic == Topic::kLeapYear && mentions_("about_next_leap_year")) return asked;
  asked.on = asked.topic == Topic::kLeapYear ? year() : month();
  return asked.on ? std::optional(asked) : std::nullopt;
}

std::optional<local_days> Topics::year() const {
  const auto& tongue = knowledge_.tongue(lang_);
  const auto read = [&](const std::string& run) -> std::optional<local_days> {
    constexpr std::size_t kYear = 4;  // "29" is no year
    const auto found = run.size() < kYear ? std::nullopt : tongue.find_date(run, today_);
    return found && is_new_year(found->day) ? std::optional(found->day) : std::nullopt;
  };
  return longest_run(text_, lang_, kLongestName, read);
}

std::optional<local_days> Topics::month() const {
  const auto& tongue = knowledge_.tongue(lang_);
  return longest_run(text_, lang_, kLongestName + 3,
                     [&](const std::string& run) -> std::optional<local_days> {
                       if (run.size() < 3 || run.find_first_not_of("0123456789") == std::string::npos)
                         return std::nullopt;
                       return month_in_words(tongue, run, today_);
                     });
}

/// So many days, weeks or months; of more than a day, as "on a day" says nothing.
std::optional<ch::days> Topics::span_in_days(const std::string& run) const {
  // "Qué día de la semana" is no week from now.
  if (!leading_number(words(run, lang_), lang_)) return std::nullopt;
  const auto value = read_value(SlotType::kDuration, run, lang_, ch::local_seconds(today_));
  const auto days = value ? ch::floor<ch::days>(value->duration()) : ch::days::zero();
  return days > ch::days(1) ? std::optional(days) : std::nullopt;
}

/// "In 45 days the baby comes, which date is that": so many days, weeks or months from today.
std::optional<local_days> Topics::after_span() const {
  if (!mentions_("about_from_today") || mentions_("topic_past")) return std::nullopt;
  return longest_run(text_, lang_, kLongestName + 1,
                     [&](const std::string& run) -> std::optional<local_days> {
                       const auto days = span_in_days(run);
                       return days ? std::optional(today_ + *days) : std::nullopt;
                     });
}

/// The day that some words begin with.
std::optional<local_days> Topics::day_in_front(std::span<const Word> said) const {
  const auto& tongue = knowledge_.tongue(lang_);
  for (std::size_t length = std::min(kLongestName, said.size()); length > 0; --length) {
    const auto found = tongue.find_date(surface(text_, said.first(length)), today_);
    if (found && !is_new_year(found->day)) return found->day;
  }
  return std::nullopt;
}

/// "Three weeks from this Friday", "ten days before Christmas": a span and right behind it a day.
std::optional<local_days> Topics::counted_from_day() const {
  constexpr std::size_t kLongestJoint = 3;  // "a partir de"
  const bool back = mentions_("counted_back");
  if (!back && !mentions_("counted_from")) return std::nullopt;
  const auto words_said = words(text_, lang_);
  const auto said = std::span(words_said);
  for (std::size_t at = 0; at + 2 < said.size(); ++at) {
    const auto days = span_in_days(std::string(surface(text_, said.subspan(at, 2))));
    if (!days) continue;
    for (std::size_t skip = 1; skip <= kLongestJoint && at + 2 + skip < said.size(); ++skip) {
      const auto day = day_in_front(said.subspan(at + 2 + skip));
      if (day) return back ? *day - *days : *day + *days;
    }
  }
  return std::nullopt;
}

/// "The 24th", "vinte e quatro": a day of this month. "Two" alone may count anything.
std::optional<unsigned> Topics::day_of_month(std::span<const Word> run) const {
  constexpr double kClear = 10, kLast = 31;
  const std::string said(surface(text_, run));
  const bool has_digits = said.find_first_of("0123456789") != std::string::npos;
  const auto number = read_value(SlotType::kNumber, said, lang_, ch::local_seconds(today_));
  if (number) {
    const double value = number->number();
    const bool is_day = value >= (has_digits ? 1 : kClear) && value <= kLast;
    return is_day ? std::optional(static_cast<unsigned>(value)) : std::nullopt;
  }
  const auto date = knowledge_.tongue(lang_).find_date(said, today_);
  const bool is_day = date && !date->weekday_only && !is_new_year(date->day);
  return is_day ? std::optional(static_cast<unsigned>(ch::year_month_day(date->day).day())) : std::nullopt;
}

/// "Is it the 23rd or the 24th today".
bool Topics::asks_which_of_two_days() const {
  constexpr std::size_t kLongestDay = 4;
  constexpr unsigned kFarthest = 3;
  if (!mentions_("about_today") || !mentions_("either_or")) return false;
  const auto words_said = words(text_, lang_);
  const auto said = std::span(words_said);
  for (std::size_t at = 1; at + 1 < said.size(); ++at) {
    std::optional<unsigned> one, other;
    for (std::size_t length = std::min(kLongestDay, at); length > 0 && !one; --length)
      one = day_of_month(said.subspan(at - length, length));
    for (std::size_t length = std::min(kLongestDay, said.size() - at - 1); one && length > 0 && !other;
         --length)
      other = day_of_month(said.subspan(at + 1, length));
    if (one && other && *one != *other && std::max(*one, *other) - std::min(*one, *other) <= kFarthest)
      return true;
  }
  return false;
}

bool Topics::is_preposition(const std::string& word) const {
  const auto& known = knowledge_.tongue(lang_).language.before_places();
  return std::ranges::find(known, word) != known.end();
}

std::vector<std::string> Topics::places(bool all) const {
  constexpr std::size_t kShortest = 4;
  const auto said = words(text_, lang_);
  std::vector<std::string> found;
  std::vector<std::string> zones;
  for (std::size_t at = 0; at < said.size();) {
    std::size_t step = 1;
    const bool may_be = all || (at > 0 && is_preposition(said[at - 1].norm));
    // the shortest first: "Paris il est" is no Paris at Eastern Standard Time
    for (std::size_t count = 1; may_be && count <= std::min(kLongestName, said.size() - at); ++count) {
      const std::string name(surface(text_, std::span(said).subspan(at, count)));
      const bool ends_short = count > 1 && said[at + count - 1].norm.size() < kShortest;  // "il est"
      if (name.size() < kShortest || ends_short || is_preposition(said[at].norm)) continue;
      const auto place = knowledge_.places().find(name, lang_);
      if (!place || place->is_here()) continue;
      step = count;
      if (std::ranges::find(zones, place->zone) == zones.end()) found.push_back(name);
      zones.push_back(place->zone);
      break;
    }
    at += step;
  }
  return found;
}

}  // namespace parley::date_time
