#pragma once

#include <parley/locale.hpp>
#include <parley/text.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace parley::follow_up {

/// What an utterance means that corrects itself, the likeliest first: of "half of 356, no sorry, of 358" and
/// "a timer for ten, I mean fifteen minutes" the sentence with what is said last, of "ten plus two no wait
/// ten plus three" the last alone. By the phrases of the core's `corrected.voc`. Empty: it does not.
/// @param said  the words of `text`
std::vector<std::string> corrected(std::string_view text, std::span<const Word> said,
                                   const LocaleResources& common, const std::string& lang);

}  // namespace parley::follow_up
