#pragma once

#include <string>
#include <string_view>

namespace parley::text {

/// Text as it is compared: lower case, no accents, no apostrophes but for a space behind an elided letter
/// ("l'Inde"), any other punctuation and white space one space. Bytes that are not UTF-8 are punctuation.
std::string fold(std::string_view text);

/// Folded text with "ae", "oe", "ue" as the umlauts they may stand for would have been folded.
std::string fold_umlaut_spelling(std::string folded);

}  // namespace parley::text
