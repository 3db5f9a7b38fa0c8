#pragma once

#include <cstdint>
#include <optional>
#include <parley/locale.hpp>
#include <parley/text.hpp>
#include <string>
#include <string_view>

// What is spoken otherwise than it is written: "wia spät is es" for "wie spät ist es". The language's
// vocabulary `written` has it; each of its phrases is a word as it is spoken and the words that it stands
// for. Words that are others as well are in `written_maybe` ("an" for "einen"): they are read so only when
// nothing else helps.
namespace parley::follow_up {

/// Whether words are read as what they may stand for, too.
enum class Written : std::uint8_t { kSurely, kMaybe };

/// What a word stands for; nothing: it is written so.
std::optional<std::string> written_for(const Word& word, const LocaleResources& common,
                                       const std::string& lang, Written how = Written::kSurely);

/// The text with all such words in place.
std::string as_written(std::string_view text, const LocaleResources& common, const std::string& lang,
                       Written how = Written::kSurely);

}  // namespace parley::follow_up
