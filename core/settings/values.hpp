#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace parley {

/// Reads a whole number with a unit: `500ms`, `5s`, `30min`, `2h`, `1d`. The unit is never left out, so
/// that nobody has to guess it.
/// @return nothing when the text is no such duration or does not fit.
std::optional<std::chrono::milliseconds> parse_duration(std::string_view text);

/// The shortest text `parse_duration` reads as `span`: the largest unit that divides it. Negative spans
/// are written with a minus sign, which `parse_duration` refuses.
std::string format_duration(std::chrono::milliseconds span);

/// Reads a number of bytes: `4096`, `64KiB`, `1MiB`, `2GiB`.
/// @return nothing when the text is no such size or does not fit.
std::optional<std::size_t> parse_size(std::string_view text);

/// The shortest text `parse_size` reads as `bytes`.
std::string format_size(std::size_t bytes);

/// The candidate that is the fewest edits away from `word` (insert, delete, replace, swap neighbours),
/// or nothing when none is near enough to be a likely slip. The first of equally near ones.
std::optional<std::string> nearest(std::string_view word, const std::vector<std::string>& candidates);

/// Whether `text` may name a stage, an entry or a skill: ASCII letters, digits, `.`, `_` and `-`, no dot
/// at either end and no two in a row (M-2).
bool is_id(std::string_view text);

/// `text` fit for one line of a report: control characters and bytes that are not UTF-8 become `?`, and
/// what is long is cut.
std::string shorten(std::string_view text);

/// The same in single quotes.
std::string in_quotes(std::string_view text);

}  // namespace parley
