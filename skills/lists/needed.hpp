#pragma once

#include <parley/locale.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace parley::lists {

/// What the text says is lacking, as it was said; empty when it says no such thing.
/// @param lang  BCP-47
std::string lacking_in(std::string_view text, const LocaleResources& locale, const std::string& lang);

/// What somebody lacks who says no more than that: "we need milk and two loaves of bread", "wir haben keine
/// Eier mehr". Only what a household buys, since "we need help" is said in the same words. Vocabularies:
/// `needed` before the things, `needed_end` behind them, `gone` behind what runs out ("the milk is all
/// gone"), `amounts`, `articles`, `groceries`.
/// @param lang  BCP-47
/// @return with its amount, as it was said; empty when anything in the text is something else
std::vector<std::string> needed_in(std::string_view text, const LocaleResources& locale,
                                   const std::string& lang);

}  // namespace parley::lists
