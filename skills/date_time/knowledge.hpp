#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <parley/dates.hpp>
#include <parley/zone.hpp>
#include <string>
#include <string_view>

#include "language.hpp"
#include "places.hpp"
#include "speech.hpp"

namespace parley::date_time {

/// A day the user spoke of.
struct DateInWords {
  std::chrono::local_days day;
  std::string subject;  ///< As it begins a sentence: "Christmas", "December 24, 2027", "Der 24. Dezember"
  std::string until;    ///< As it follows "until": "Christmas", "December 24, 2027", "zum 24. Dezember"
  bool weekday_only = false;  ///< "Friday"
  bool moves = false;         ///< "Easter", which is on another day each year.
};

/// What the skill knows, read from its data folder when first needed. Not for several threads at once.
class Knowledge {
 public:
  /// One language, to understand and to speak.
  struct Tongue {
    Tongue(const std::filesystem::path& data, std::string_view tag) : language(data, tag), speech(language) {}

    /// See parley::find_date().
    std::optional<DateInWords> find_date(std::string_view text, std::chrono::local_days today,
                                         Toward toward = Toward::kFuture) const;
    /// The longest run of words that is a date: "they landed on the moon on the 20th of July 1969".
    std::optional<DateInWords> date_within(std::string_view text, std::chrono::local_days today,
                                           Toward toward = Toward::kFuture) const;
    /// A day that is named beyond doubt, in any sentence: a holiday ("what date does Easter Sunday fall on in
    /// 2027"), or a date with its year. Of "the 31st of February" it is not the 31st.
    std::optional<DateInWords> named_day(std::string_view text, std::chrono::local_days today,
                                         Toward toward = Toward::kFuture) const;

    Language language;
    Speech speech;
  };

  explicit Knowledge(std::filesystem::path data) : data_(std::move(data)) {}

  /// @param tag  BCP-47; a language without a file is taken for English
  /// @throws std::runtime_error naming the file and line when the language's file is broken
  const Tongue& tongue(std::string_view tag);

  /// See Places.
  /// @throws std::runtime_error naming the file and line when a places file is broken
  Places& places();

  /// See Zone::named(); keeps the zones it has found.
  std::optional<Zone> zone(std::string_view id);

 private:
  std::filesystem::path data_;
  std::map<std::string, Tongue, std::less<>> tongues_;
  std::map<std::string, Zone, std::less<>> zones_;
  std::optional<Places> places_;
};

}  // namespace parley::date_time
