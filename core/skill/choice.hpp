#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace parley {

/// Which of several things an answer means: the one it names (or names a part of), else the one it counts,
/// with an ordinal ("the second one") before a plain number ("two", "2"). Nothing when that is none of
/// them or several. Numbers are spelled as ICU knows them for the language.
std::optional<std::size_t> choice_of(const std::vector<std::string>& choices, const std::string& answer,
                                     std::string_view lang);

}  // namespace parley
