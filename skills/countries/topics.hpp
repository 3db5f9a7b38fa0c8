#pragma once

#include <optional>
#include <parley/locale.hpp>
#include <parley/sentences.hpp>
#include <string>
#include <string_view>

#include "names.hpp"

namespace parley::countries {

/// The question that somebody asks who says neither more nor less than what it is about and which country is
/// meant, in whatever words: "in Japan, which side of the road would I be driving on these days". What it is
/// about is told by the phrases of `topic_<question>.voc`.
/// @returns nothing when that is not clear
std::optional<Sentences::Match> by_topic(std::string_view said, const LocaleResources& locale,
                                         const std::string& lang, const Names& names);
/// As by_topic(), with the name of the country that was spoken of before put in: less says what is asked.
std::optional<Sentences::Match> by_topic_lately(std::string_view said, const LocaleResources& locale,
                                                const std::string& lang, const Names& names);

/// Whether one country is named in a question about two: somebody put it in who did not know what "of the
/// two" stands for.
bool is_one_of_both(std::string_view said, const LocaleResources& locale, const std::string& lang,
                    const Names& names);
/// What compares the two countries that were spoken of before: "and which of the two's got more people".
std::optional<Sentences::Match> by_topic_of_both(std::string_view said, const LocaleResources& locale,
                                                 const std::string& lang, const Names& names);

}  // namespace parley::countries
