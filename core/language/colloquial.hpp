#pragma once

#include <string>
#include <string_view>

namespace parley {

/// What is said in a dialect or in short ("wos brauch i", "pra", "gonna"), in the standard words that
/// templates and vocabularies are written in. Names, numbers and punctuation stay. Empty: it is in those
/// words already, or nobody wrote down how that language is spoken (section `colloquial` of its file of
/// values). Safe from any thread.
/// @param lang  BCP-47
std::string in_standard_words(std::string_view text, std::string_view lang);

}  // namespace parley
