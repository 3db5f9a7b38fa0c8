#pragma once

#include <functional>
#include <optional>
#include <parley/locale.hpp>
#include <parley/text.hpp>
#include <span>
#include <string_view>

namespace parley {

/// Where the words of that name are.
using FindVocabulary = std::function<const LocaleResources&(std::string_view name)>;
/// Whether the words are a phrase of the vocabulary of that name.
using SaysWords = std::function<bool(std::string_view name, std::span<const Word> words)>;

/// What an answer to a question for yes or no says; nothing: neither, or both. Their words (`yes.voc`,
/// `no.voc`) have to come first, or be half of what is said, or end a few words ("I'd say no"): elsewhere
/// they say nothing ("what's the right time", "wie spät ist es bitte"), and a yes that nobody meant may cost
/// a lot.
std::optional<bool> yes_or_no(std::span<const Word> said, const SaysWords& says);
std::optional<bool> yes_or_no(std::span<const Word> said, std::string_view lang, const FindVocabulary& find);

}  // namespace parley
