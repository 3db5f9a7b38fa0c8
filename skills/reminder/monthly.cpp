#include "monthly.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <parley/link_words.hpp>
#include <parley/numbers.hpp>
#include <parley/text.hpp>
#include <parley/values.hpp>
#include <span>

namespace parley::reminder {
namespace {

namespace ch = std::chrono;

/// "Every 31st day of the".
constexpr std::size_t kMostWordsOfDay = 6;
constexpr std::size_t kMostWordsOfMonth = 4;
constexpr unsigned kLastDay = 31;

class MonthlyFinder {
 public:
  MonthlyFinder(std::string_view text, std::string_view lang, const LocaleResources& locale)
      : text_(text), lang_(lang), locale_(locale), said_(words(text, lang)) {}

  std::optional<Monthly> find() const {
    for (std::size_t at = 0; at < said_.size(); ++at) {
      for (std::size_t count = std::min(kMostWordsOfMonth, said_.size() - at); count > 0; --count) {
        const bool is_every = is("every_month", at, count);
        if (!is_every && !is("of_month", at, count)) continue;
        if (auto found = around(at, count, is_every)) return found;
      }
    }
    return std::nullopt;
  }

 private:
  std::string_view part(std::size_t from, std::size_t count) const {
    return surface(text_, std::span(said_).subspan(from, count));
  }

  bool is(std::string_view vocabulary, std::size_t from, std::size_t count) const {
    return locale_.vocabulary_equals(lang_, vocabulary, std::span(said_).subspan(from, count));
  }

  /// With the day in front of "every month" or, where that says it all, behind it.
  std::optional<Monthly> around(std::size_t at, std::size_t count, bool is_every) const {
    for (std::size_t n = std::min(kMostWordsOfDay, at); n > 0; --n) {
      const auto before = std::span(said_).subspan(at - n, n);
      if (!is_every && !locale_.vocabulary_occurs(lang_, "each", before)) continue;
      if (const auto day = day_in(part(at - n, n))) return made(*day, at - n, n + count);
    }
    const std::size_t behind = at + count;
    for (std::size_t n = std::min(kMostWordsOfDay, said_.size() - behind); is_every && n > 0; --n) {
      if (const auto day = day_in(part(behind, n))) return made(*day, at, count + n);
    }
    return std::nullopt;
  }

  Monthly made(unsigned day, std::size_t from, std::size_t count) const {
    Monthly found;
    found.day = day;
    found.rest =
        std::string(part(0, from)) + ' ' + std::string(part(from + count, said_.size() - from - count));
    return found;
  }

  std::optional<unsigned> day_in(std::string_view text) const {
    const std::string bare = LinkWords(locale_, std::string(lang_), "month_day").strip(text);
    const auto said = words(bare, lang_);
    if (said.empty()) return std::nullopt;
    if (locale_.vocabulary_equals(lang_, "month_last", said)) return kLastDay;
    const auto number = leading_number(said, lang_);
    if (number && number->words == said.size() && number->value >= 1 && number->value <= kLastDay &&
        std::floor(number->value) == number->value)
      return static_cast<unsigned>(number->value);
    return ordinal(bare);
  }

  /// "First", "15th": what is the same day in any month, as no weekday is.
  std::optional<unsigned> ordinal(const std::string& text) const {
    const auto in = [&](ch::month month) -> std::optional<unsigned> {
      const auto first = ch::local_days(ch::year(2024) / month / ch::day(1));
      const auto date = read_value(SlotType::kDate, text, lang_, first);
      if (!date || date->date().time) return std::nullopt;
      return static_cast<unsigned>(ch::year_month_day(date->date().day).day());
    };
    const auto day = in(ch::January);
    return day && day == in(ch::March) ? day : std::nullopt;
  }

  std::string_view text_;
  std::string_view lang_;
  const LocaleResources& locale_;
  std::vector<Word> said_;
};

}  // namespace

std::optional<Monthly> find_monthly(std::string_view text, std::string_view lang,
                                    const LocaleResources& locale) {
  return MonthlyFinder(text, lang, locale).find();
}

}  // namespace parley::reminder
