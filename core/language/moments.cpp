// When something is to be, in what was said.
#include <parley/moments.hpp>

#include <algorithm>
#include <parley/numbers.hpp>
#include <parley/text.hpp>
#include <span>
#include <vector>

#include "language/moment_words.hpp"
#include "language/repeat_words.hpp"
#include "language/times.hpp"
#include "language/value_file.hpp"

namespace parley {
namespace {

namespace ch = std::chrono;

/// The longest way to say a moment that is looked for.
constexpr std::size_t kMostWordsOfMoment = 12;
constexpr std::size_t kMostWordsOfPart = 4;  ///< "Zeitig in der Früh".

class MomentFinder {
 public:
  MomentFinder(std::string_view text, std::string_view lang, ch::local_seconds now)
      : text_(text), lang_(lang), now_(now), said_(words(text, lang)) {
    const auto* const known = words_for<MomentWords>(lang);
    if (known == nullptr) return;
    const auto is_strange = [known](const Word& word) { return !known->contains(word); };
    most_front_ = words_until(said_.begin(), said_.end(), is_strange);
    most_back_ = words_until(said_.rbegin(), said_.rend(), is_strange);
  }

  std::optional<SpokenMoment> find() const {
    const std::size_t front = front_words();
    const std::size_t back = front == said_.size() ? 0 : back_words(front);
    if (front > 0 && back > 0) {
      auto both = read(std::string(part(0, front)) + ' ' + std::string(part(said_.size() - back, back)));
      if (both) return with_rest(std::move(*both), front, back);
      if (!has_time(*read(part(0, front))) && has_time(*read(part(said_.size() - back, back))))
        return with_rest(*read(part(said_.size() - back, back)), 0, back);
    }
    if (front > 0) return with_rest(*read(part(0, front)), front, 0);
    if (back > 0) return with_rest(*read(part(said_.size() - back, back)), 0, back);
    return part_of_today();
  }

 private:
  bool is_part_of_day(std::string_view text) const {
    const auto* const times = words_for<TimeWords>(lang_);
    return times != nullptr && times->without_part_of_day(text).empty();
  }

  /// "This evening", "am Nachmittag": today, at a time that was not said. A single word is mostly something
  /// else: "the party evening".
  std::optional<SpokenMoment> part_of_today() const {
    const SpokenMoment today(CalendarDate(ch::floor<ch::days>(now_)));
    for (std::size_t count = std::min(kMostWordsOfPart, said_.size()); count > 1; --count) {
      if (is_part_of_day(part(0, count))) return with_rest(today, count, 0);
      if (is_part_of_day(part(said_.size() - count, count))) return with_rest(today, 0, count);
    }
    return std::nullopt;
  }

  /// How many there are before the first strange one, of those that are looked at.
  template <class Iterator, class IsStrange>
  static std::size_t words_until(Iterator from, Iterator to, IsStrange is_strange) {
    const auto most = std::min<std::ptrdiff_t>(to - from, kMostWordsOfMoment);
    return static_cast<std::size_t>(std::find_if(from, from + most, is_strange) - from);
  }

  std::string_view part(std::size_t from, std::size_t count) const {
    return surface(text_, std::span(said_).subspan(from, count));
  }

  SpokenMoment with_rest(SpokenMoment moment, std::size_t front, std::size_t back) const {
    moment.rest = part(front, said_.size() - front - back);
    return moment;
  }

  std::size_t front_words() const {
    for (std::size_t count = most_front_; count > 0; --count) {
      const auto moment = read(part(0, count));
      if (!moment) continue;
      // "Às seis de" may be a day of the month only because of the word that follows.
      for (std::size_t n = count - 1; n > 0 && !has_time(*moment); --n) {
        const auto shorter = read(part(0, n));
        if (shorter && has_time(*shorter)) return n;
      }
      // A word that may as well stand in front says nothing of the moment: "morgen um fünf die" Blumen. Only
      // a part of the day does, and a day: "tomorrow morning", "at six tomorrow".
      while (count > 1 && !is_part_of_day(part(count - 1, 1)) && !read(part(count - 1, 1))) {
        const auto shorter = read(part(0, count - 1));
        const std::string turned = std::string(part(count - 1, 1)) + ' ' + std::string(part(0, count - 1));
        if (!shorter || !same(*shorter, read(turned))) break;
        --count;
      }
      return count;
    }
    return 0;
  }

  std::size_t back_words(std::size_t front) const {
    for (std::size_t count = std::min(said_.size() - front, most_back_); count > 0; --count) {
      if (read(part(said_.size() - count, count))) return count;
    }
    return 0;
  }

  /// All of a text as a moment.
  std::optional<SpokenMoment> read(std::string_view text) const {
    const auto all = words(text, lang_);
    const auto number = leading_number(all, lang_);
    if (number && number->words == all.size() && all.size() == 1 && !is_clock(all.front().norm))
      return std::nullopt;
    if (number && number->words == all.size() && all.size() > 1) return std::nullopt;
    if (const auto* repeats = words_for<RepeatWords>(lang_)) {
      if (const auto repeat = repeats->read(text)) return SpokenMoment(*repeat);
    }
    if (all.size() > 1 && !is_time_of_day(text)) {  // a unit alone is mostly no time: "enjoy the day"
      const auto span = read_value(SlotType::kDuration, text, lang_, now_);
      if (span) return SpokenMoment(span->duration());
    }
    const auto date = read_value(SlotType::kDate, text, lang_, now_);
    if (!date || (all.size() == 1 && read_value(SlotType::kDuration, text, lang_, now_))) return std::nullopt;
    return SpokenMoment(date->date());
  }

  /// "Sept heures" alone is seven o'clock, "dans sept heures" is not.
  bool is_time_of_day(std::string_view text) const {
    const auto* times = words_for<TimeWords>(lang_);
    const auto time = times == nullptr ? std::nullopt : times->find(text);
    return time && time->rest.empty();
  }

  static bool is_clock(std::string_view word) { return word.find(':') != std::string_view::npos; }

  static bool has_time(const SpokenMoment& moment) {
    return moment.span || (moment.date && moment.date->time) || (moment.repeat && moment.repeat->time);
  }

  static bool same(const SpokenMoment& one, const std::optional<SpokenMoment>& other) {
    return other && one.span == other->span && one.date == other->date && one.repeat == other->repeat;
  }

  std::string_view text_;
  std::string_view lang_;
  ch::local_seconds now_;
  std::vector<Word> said_;
  std::size_t most_front_ = 0, most_back_ = 0;  ///< Words a moment at that end may have.
};

}  // namespace

ScheduleRule SpokenRepeat::rule(ch::minutes at) const {
  const ch::seconds when = time.value_or(at);
  if (kind == ScheduleRule::Kind::kWeekly) return ScheduleRule::weekly(ch::weekday(day), when);
  return kind == ScheduleRule::Kind::kWeekdays ? ScheduleRule::weekdays(when) : ScheduleRule::daily(when);
}

std::optional<SpokenMoment> find_moment(std::string_view text, std::string_view lang, ch::local_seconds now) {
  return MomentFinder(text, lang, now).find();
}

}  // namespace parley
