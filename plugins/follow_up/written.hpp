#pragma once

#include <optional>
#include <parley/locale.hpp>
#include <parley/text.hpp>
#include <string>
#include <string_view>

// What is spoken otherwise than it is written: "wia spät is es" for "wie spät ist es". The language's
// vocabulary `written` has it; each of its phrases is a word as it is spoken and the words that it stands
// for.
namespace parley::follow_up {

/// What a word stands for; nothing: it is written so.
std::optional<std::string> written_for(const Word& word, const LocaleResources& common,
                                       const std::string& lang);

/// The text with all such words in place.
std::string as_written(std::string_view text, const LocaleResources& common, const std::string& lang);

}  // namespace parley::follow_up
