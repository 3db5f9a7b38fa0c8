#include "knowledge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <parley/text.hpp>
#include <parley/values.hpp>
#include <span>

#include "words.hpp"

namespace parley::date_time {

namespace ch = std::chrono;

namespace {

constexpr std::size_t kMaxTongues = 64;

/// "Easter in 2027", "natal de 2027": the same without the word between; else nothing.
std::string without_word_before_year(std::string_view text) {
  constexpr std::size_t kYear = 4;
  const auto year = text.rfind(' ');
  if (year == std::string_view::npos || text.size() - year - 1 != kYear) return {};
  if (text.find_first_not_of("0123456789", year + 1) != std::string_view::npos) return {};
  const auto word = text.substr(0, year).rfind(' ');
  if (word == std::string_view::npos) return {};
  return std::string(text.substr(0, word)) + std::string(text.substr(year));
}

/// Whether a holiday has another day of the year the next time.
bool moves(const std::string& holiday, ch::local_days day, const std::string& lang) {
  const auto next = parley::find_date(holiday, lang, day + ch::days(1), Toward::kFuture);
  const ch::year_month_day now(day);
  return next && ch::year_month_day(next->day) != (now + ch::years(1));
}

}  // namespace

std::optional<DateInWords> Knowledge::Tongue::find_date(std::string_view text, ch::local_days today,
                                                        Toward toward) const {
  auto date = parley::find_date(text, language.tag(), today, toward);
  if (!date) date = parley::find_date(without_word_before_year(text), language.tag(), today, toward);
  if (!date) return std::nullopt;
  const auto year = ch::year_month_day(date->day).year();
  if (!date->holiday.empty()) {
    const DayNames names = language.day_names(date->holiday);
    const auto suffix = date->year_said ? fmt::format(" {}", static_cast<int>(year)) : std::string();
    return DateInWords{date->day, begin_sentence(names.subject) + suffix, names.until + suffix, false,
                       moves(date->holiday, date->day, language.tag())};
  }
  if (date->weekday_only) {
    const DayNames names = speech.weekday_names(speech.weekday(date->day));
    return DateInWords{date->day, names.subject, names.until, true};
  }
  const bool other_year = year != ch::year_month_day(today).year();
  const DayNames names = speech.date_names(speech.day(date->day, date->year_said || other_year));
  return DateInWords{date->day, names.subject, names.until};
}

std::optional<DateInWords> Knowledge::Tongue::date_within(std::string_view text, ch::local_days today,
                                                          Toward toward) const {
  const auto said = words(text, language.tag());
  for (std::size_t count = said.size(); count > 0; --count) {
    for (std::size_t at = 0; at + count <= said.size(); ++at) {
      const auto run = surface(text, std::span(said).subspan(at, count));
      // "un chèque" is no first of the month
      const bool counts =
          read_value(SlotType::kNumber, run, language.tag(), ch::local_seconds(today)).has_value();
      if (count == 1 && counts && run.find_first_of("0123456789") == run.npos) continue;
      if (auto found = find_date(run, today, toward)) return found;
    }
  }
  return std::nullopt;
}

std::optional<DateInWords> Knowledge::Tongue::named_day(std::string_view text, ch::local_days today,
                                                        Toward toward) const {
  constexpr std::size_t kYear = 4;
  constexpr std::size_t kClear = 4;  // words: "three weeks from today", but not "the 31st of" February
  const auto is_year = [](const Word& word) {
    return word.norm.size() == kYear && word.norm.find_first_not_of("0123456789") == std::string::npos;
  };
  const auto said = words(text, language.tag());
  const auto year = std::find_if(said.begin(), said.end(), is_year);
  const std::string suffix = year == said.end() ? std::string() : ' ' + year->norm;
  for (std::size_t count = said.size(); count > 0; --count) {
    for (std::size_t at = 0; at + count <= said.size(); ++at) {
      const auto some = std::span(said).subspan(at, count);
      if (std::any_of(some.begin(), some.end(), is_year)) continue;
      const std::string run(surface(text, some));
      const auto date = parley::find_date(run, language.tag(), today, toward);
      if (!date || (date->holiday.empty() && count < kClear && (suffix.empty() || count == 1))) continue;
      if (auto found = find_date(run + suffix, today, toward)) return found;
    }
  }
  return std::nullopt;
}

const Knowledge::Tongue& Knowledge::tongue(std::string_view tag) {
  if (const auto known = tongues_.find(tag); known != tongues_.end()) return known->second;
  const bool room = tongues_.size() < kMaxTongues;  // tags come from clients
  const std::string wanted(room && Language::exists(data_, tag) ? tag : "en-US");
  if (const auto known = tongues_.find(wanted); known != tongues_.end()) return known->second;
  return tongues_.try_emplace(wanted, data_, wanted).first->second;
}

Places& Knowledge::places() {
  if (!places_) places_.emplace(data_ / "places");
  return *places_;
}

std::optional<Zone> Knowledge::zone(std::string_view id) {
  if (const auto known = zones_.find(id); known != zones_.end()) return known->second;
  auto zone = Zone::named(id);
  if (zone) zones_.emplace(id, *zone);
  return zone;
}

}  // namespace parley::date_time
