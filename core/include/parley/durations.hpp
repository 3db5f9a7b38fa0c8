#pragma once

#include <cstddef>
#include <optional>
#include <parley/task.hpp>
#include <string_view>

namespace parley {

/// A duration in a text, and where it stands.
struct SpokenDuration {
  SpokenDuration(Duration how_long, std::size_t from, std::size_t to)
      : length(how_long), begin(from), end(to) {}
  bool operator==(const SpokenDuration&) const = default;

  Duration length;    ///< More than zero, at most 1,000 days.
  std::size_t begin;  ///< First byte of its words in the text.
  std::size_t end;    ///< One past the last byte.
};

/// The first duration in a text: "an hour and a half", "1h30", "zweieinhalb Minuten", "one hour, ten minutes
/// and five seconds". Durations of more than 1,000 days are cut to 1,000 days.
///
/// A text that is only a unit means one of it ("hour"), except "second", which may be an ordinal. A unit
/// before a fraction also means one ("hour and a half", "hora y media"). Corrections are not added up: of
/// "five minutes ten minutes" the first counts.
/// @param lang  BCP-47; the words are those of read_value()
/// @return nothing without a duration or words for the language. Safe on any bytes and from any thread.
/// @throws as read_value()
std::optional<SpokenDuration> find_duration(std::string_view text, std::string_view lang);

}  // namespace parley
