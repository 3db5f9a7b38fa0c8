#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "language.hpp"

namespace parley::date_time {

enum class HourCycle { kOfRegion, k12, k24 };

/// Times and days as text that reads well and that a synthesiser speaks well: no leading zero to trip over,
/// nothing a listener doesn't need.
///
///   en-US  "10:35 AM", "10 AM", "noon", "midnight"; "Saturday, November 21, 2026"; "November 21"
///   de-DE  "22:35 Uhr", "22 Uhr", "12 Uhr mittags", "Mitternacht"; "Samstag, der 21. November 2026"
///   fr-FR  "vingt-deux heures trente-cinq", "midi", "minuit"; "samedi 21 novembre 2026"
///   es-ES  "son las diez y media de la noche", "es mediodía"; "sábado 21 de noviembre de 2026"
class Speech {
 public:
  /// @throws std::runtime_error when ICU can't do what the language's patterns ask for
  explicit Speech(const Language& language);
  ~Speech();
  Speech(Speech&&) noexcept;
  Speech& operator=(Speech&&) noexcept;

  /// The time of day, to the minute.
  std::string time(std::chrono::local_seconds local, HourCycle cycle = HourCycle::kOfRegion) const;
  /// The same for a sentence about nothing else, which begins with it in some languages: "Son las tres".
  std::string time_alone(std::chrono::local_seconds local, HourCycle cycle = HourCycle::kOfRegion) const;
  /// Weekday, day, month and year.
  std::string date(std::chrono::local_days day) const;
  std::string weekday(std::chrono::local_days day) const;
  /// Day and month; and the year if `with_year`.
  std::string day(std::chrono::local_days day, bool with_year) const;
  /// "today", "tomorrow", "in 34 days", "34 days ago"; "übermorgen".
  std::string days_from_today(int days) const;
  /// "6 hours, 30 minutes"; longer than a day: in hours.
  std::string span(std::chrono::minutes length) const;
  /// "5 weeks, 3 days".
  std::string weeks_and_days(int days) const;
  /// A day's month and year, as a sentence begins with them: "February 2027".
  std::string month(std::chrono::local_days day) const;
  /// What a time zone is called at that moment: "Central European Standard Time".
  /// @param id  an IANA name
  std::string zone_name(const std::string& id, std::chrono::system_clock::time_point at) const;

  /// What day() or weekday() said, as the beginning of a sentence ("Der 24. Dezember", "El viernes") and
  /// after "until" ("zum 24. Dezember", "el viernes").
  DayNames date_names(const std::string& date) const;
  DayNames weekday_names(const std::string& weekday) const;

 private:
  struct Formats;  // ICU's
  std::unique_ptr<const Formats> formats_;
};

}  // namespace parley::date_time
