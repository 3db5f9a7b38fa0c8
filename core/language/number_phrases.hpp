#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace parley {

/// What leading_number() reads in a language, as normalised words: numbers, and what stands between their
/// parts ("and", "point"). Some words that are made of several are not among them.
std::vector<std::string> number_phrases(std::string_view lang);

}  // namespace parley
