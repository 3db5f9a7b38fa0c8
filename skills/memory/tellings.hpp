#pragma once

#include <optional>
#include <parley/locale.hpp>
#include <string>

namespace parley::memory {

/// What somebody wants kept, wherever in the sentence they ask for that: "my plumber is called Vandevelde,
/// that is worth remembering", "ah, and note that my seat is 42". By the phrases of `keep.voc`, behind which
/// it stands, and of `keep_back.voc`, before which it stands. Nothing: there is no such phrase, or nothing
/// beside it.
std::optional<std::string> fact_in(const std::string& text, const std::string& lang,
                                   const LocaleResources& locale);

}  // namespace parley::memory
