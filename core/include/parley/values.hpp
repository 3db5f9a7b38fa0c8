#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <parley/task.hpp>
#include <parley/templates.hpp>
#include <string>
#include <string_view>
#include <variant>

namespace parley {

/// A day, by itself ("next friday") or with a time of day ("tomorrow at five pm"), where the user is.
struct CalendarDate {
  explicit CalendarDate(std::chrono::local_days on, std::optional<std::chrono::minutes> at = std::nullopt)
      : day(on), time(at) {}
  bool operator==(const CalendarDate&) const = default;

  std::chrono::local_days day;               ///< Of the Gregorian calendar, from 1583 on.
  std::optional<std::chrono::minutes> time;  ///< Since midnight: 0 to 1439. Nothing: only a day was said.
};

/// A colour with its name, in sRGB.
struct Color {
  Color(std::string word, std::uint8_t r, std::uint8_t g, std::uint8_t b)
      : name(std::move(word)), red(r), green(g), blue(b) {}
  bool operator==(const Color&) const = default;

  std::string name;  ///< Its first name in the utterance's language: "gray" for "grey", "rot" for "rotes".
  std::uint8_t red, green, blue;
};

/// The value of a typed slot, such as the 90 seconds of "eineinhalb Minuten". A plain value.
class SlotValue {
 public:
  explicit SlotValue(double number) : value_(number) {}
  explicit SlotValue(Duration duration) : value_(duration) {}
  explicit SlotValue(CalendarDate date) : value_(date) {}
  explicit SlotValue(Color color) : value_(std::move(color)) {}
  /// A language by its tag.
  explicit SlotValue(std::string language) : value_(std::move(language)) {}
  bool operator==(const SlotValue&) const = default;

  /// Never kNone.
  SlotType type() const noexcept { return static_cast<SlotType>(value_.index() + 1); }

  // Each throws std::logic_error, naming both types, when the value is of another one: the template decides
  // the type, so the skill's author knows it.

  /// Finite; negative for "minus five".
  double number() const;
  /// More than zero, at most 1,000 days; longer ones are cut.
  Duration duration() const;
  const CalendarDate& date() const;
  const Color& color() const;
  /// BCP-47, the shortest that names it: "de", "pt-BR".
  const std::string& language() const;

 private:
  std::variant<double, Duration, CalendarDate, Color, std::string> value_;  ///< In the order of SlotType.
};

/// Reads the value of a slot of that type. The whole of `text` must be the value, apart from words around it
/// that add nothing ("in", "um", articles).
///
/// - number: see leading_number(); also with a sign or a fraction ("minus five", "two and a half").
/// - duration: see find_duration().
/// - date: see find_date(); also with a time of day. A time of day alone is the next such time.
/// - color, language: by their names in the language.
///
/// The words are those of the core's file `values/<language>.yaml`, for all its regions, and ICU's; they are
/// read at a language's first use. Without such a file there are only plain numbers.
/// @param lang  BCP-47, of the text
/// @param now   what a clock on the user's wall shows: for "tomorrow", "in an hour", "at five"
/// @return nothing when the text is no such value, the type is kNone, or there are no words for the
///         language. Safe on any bytes and from any thread.
/// @throws std::runtime_error naming the file and the line when the language's file is broken
std::optional<SlotValue> read_value(SlotType type, std::string_view text, std::string_view lang,
                                    std::chrono::local_seconds now);

}  // namespace parley
