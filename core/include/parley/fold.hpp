#pragma once

#include <string>
#include <string_view>

namespace parley::text {

/// Text in the form used to compare it: lower case, no accents, no apostrophes (after an elided letter, as in
/// "l'Inde", a space instead), any run of other punctuation, white space and invalid UTF-8 as one space.
std::string fold(std::string_view text);

/// Rewrites "ae", "oe" and "ue" in folded text to the folded form of the umlauts they may stand for.
std::string fold_umlaut_spelling(std::string folded);

}  // namespace parley::text
