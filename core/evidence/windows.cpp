#include "evidence/windows.hpp"

#include <algorithm>
#include <array>
#include <parley/dates.hpp>
#include <parley/fold.hpp>
#include <parley/language.hpp>
#include <parley/text.hpp>
#include <vector>

namespace parley::evidence {
namespace {

enum class Span { kWeek, kMonth, kYear };

/// Spans of time by their distance from now, folded.
struct SpanWords {
  const char* language;
  std::string_view words;
  Span span;
  int ago;
};

constexpr SpanWords kSpans[] = {
    {"en", "last week", Span::kWeek, 1},         {"en", "this week", Span::kWeek, 0},
    {"en", "last month", Span::kMonth, 1},       {"en", "this month", Span::kMonth, 0},
    {"en", "last year", Span::kYear, 1},         {"en", "this year", Span::kYear, 0},
    {"de", "letzten woche", Span::kWeek, 1},     {"de", "vergangene woche", Span::kWeek, 1},
    {"de", "vergangenen woche", Span::kWeek, 1}, {"de", "letztes monat", Span::kMonth, 1},
    {"de", "voriges monat", Span::kMonth, 1},    {"de", "vergangenen monat", Span::kMonth, 1},
    {"de", "dieser woche", Span::kWeek, 0},      {"de", "diesem monat", Span::kMonth, 0},
    {"de", "letzten jahr", Span::kYear, 1},      {"de", "heuer", Span::kYear, 0},
    {"de", "letzte woche", Span::kWeek, 1},      {"de", "vorige woche", Span::kWeek, 1},
    {"de", "diese woche", Span::kWeek, 0},       {"de", "letzten monat", Span::kMonth, 1},
    {"de", "vorigen monat", Span::kMonth, 1},    {"de", "diesen monat", Span::kMonth, 0},
    {"de", "letztes jahr", Span::kYear, 1},      {"de", "voriges jahr", Span::kYear, 1},
    {"de", "dieses jahr", Span::kYear, 0},       {"fr", "la semaine derniere", Span::kWeek, 1},
    {"fr", "cette semaine", Span::kWeek, 0},     {"fr", "le mois dernier", Span::kMonth, 1},
    {"fr", "ce mois ci", Span::kMonth, 0},       {"fr", "l annee derniere", Span::kYear, 1},
    {"fr", "cette annee", Span::kYear, 0},       {"es", "la semana anterior", Span::kWeek, 1},
    {"es", "el mes anterior", Span::kMonth, 1},  {"es", "la semana pasada", Span::kWeek, 1},
    {"es", "esta semana", Span::kWeek, 0},       {"es", "el mes pasado", Span::kMonth, 1},
    {"es", "este mes", Span::kMonth, 0},         {"es", "el ano pasado", Span::kYear, 1},
    {"es", "este ano", Span::kYear, 0},          {"pt", "semana passada", Span::kWeek, 1},
    {"pt", "mes passado", Span::kMonth, 1},      {"pt", "ano passado", Span::kYear, 1},
    {"pt", "nesta semana", Span::kWeek, 0},      {"pt", "neste mes", Span::kMonth, 0},
    {"pt", "na semana passada", Span::kWeek, 1}, {"pt", "esta semana", Span::kWeek, 0},
    {"pt", "no mes passado", Span::kMonth, 1},   {"pt", "este mes", Span::kMonth, 0},
    {"pt", "no ano passado", Span::kYear, 1},    {"pt", "este ano", Span::kYear, 0}};

SpokenWindow month_of(const std::chrono::year_month_day& day, const std::string& words) {
  const auto first = day.year() / day.month() / 1;
  return {std::chrono::local_days(first),
          std::chrono::local_days(first + std::chrono::months(1)) - std::chrono::days(1), words};
}

SpokenWindow window_of(const SpanWords& span, std::chrono::local_days today, const std::string& words) {
  if (span.span == Span::kWeek) {
    const auto since_monday = std::chrono::weekday(today) - std::chrono::Monday;
    const std::chrono::local_days monday = today - since_monday - std::chrono::days(7 * span.ago);
    return {monday, monday + std::chrono::days(6), words};
  }
  const std::chrono::year_month_day now(today);
  if (span.span == Span::kMonth)
    return month_of(now.year() / now.month() / 1 - std::chrono::months(span.ago), words);
  const auto year = now.year() - std::chrono::years(span.ago);
  return {std::chrono::local_days(year / 1 / 1), std::chrono::local_days(year / 12 / 31), words};
}

/// "March", "March 2025": what is a date with a day before it, too.
bool is_month(const std::string& part, std::string_view lang, std::chrono::local_days today,
              std::chrono::local_days first) {
  const auto second = find_date("2 " + part, lang, today, Toward::kPast);
  return second && second->day == first + std::chrono::days(1);
}

std::optional<SpokenWindow> window_of(const std::string& part, std::string_view lang,
                                      std::chrono::local_days today) {
  const std::string language = primary_language(std::string(lang));
  const std::string folded = text::fold(part);
  for (const auto& span : kSpans) {
    if (span.language == language && span.words == folded) return window_of(span, today, part);
  }
  const bool has_letters = std::any_of(part.begin(), part.end(), [](unsigned char c) { return c >= 'A'; });
  const auto date = has_letters ? find_date(part, lang, today, Toward::kPast) : std::nullopt;
  if (!date) return std::nullopt;
  const std::chrono::year_month_day day(date->day);
  if (day.day() == std::chrono::day(1) && is_month(part, lang, today, date->day)) return month_of(day, part);
  return SpokenWindow(date->day, date->day, part);
}

}  // namespace

std::optional<SpokenWindow> find_window(std::string_view text, std::string_view lang,
                                        std::chrono::local_days today) {
  const auto said = words(text, lang);
  constexpr std::size_t kMostWords = 24, kLongest = 4;
  const std::size_t count = std::min(said.size(), kMostWords);
  for (std::size_t length = std::min(kLongest, count); length > 0; --length) {
    for (std::size_t begin = 0; begin + length <= count; ++begin) {
      const std::string part(
          text.substr(said[begin].begin, said[begin + length - 1].end - said[begin].begin));
      if (auto window = window_of(part, lang, today)) return window;
    }
  }
  return std::nullopt;
}

}  // namespace parley::evidence
