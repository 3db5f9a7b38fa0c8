#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace parley {

/// Which of several things an answer means: the one it names (or names a part of), else the one it counts,
/// with an ordinal ("the second one") before the last one, if it `says_last`, and that before a plain number
/// ("two", "2"; "the blue one" counts nothing). Nothing when that is none of them or
/// several. Numbers are spelled as ICU knows them for the language. From any thread.
std::optional<std::size_t> choice_of(const std::vector<std::string>& choices, const std::string& answer,
                                     std::string_view lang, bool says_last);

}  // namespace parley
