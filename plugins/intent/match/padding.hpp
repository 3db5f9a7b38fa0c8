#pragma once

#include <parley/locale.hpp>
#include <parley/text.hpp>
#include <span>
#include <string>

#include "match/language_index.hpp"
#include "match/matcher.hpp"

namespace parley::intent {

/// Words that nobody uses and that are one slip of the keyboard away from one single word that somebody does,
/// in place of which they are put: of five letters or more one letter wrong, missing or too many, of four or
/// more two neighbours swapped. Never words with digits. The places in the text stay as they are.
/// @param heard  gets "tiem as time" for each of them
std::vector<Word> without_slips(const std::vector<Word>& said, const Lexicon& lexicon,
                                std::vector<std::string>& heard);

/// Reads an utterance once more, without padding and slips, where it is not word for word what a template
/// says as it stands. What the exact templates (`= …`) take stays out.
/// @param candidates  those of the utterance as it stands; replaced when there are better ones
/// @param said        likewise
/// @return what was left out or heard otherwise; empty: nothing was replaced
std::string read_through(LanguageIndex& index, const LocaleResources& common, const Policy& policy,
                         Said& said, std::vector<Candidate>& candidates);

}  // namespace parley::intent
