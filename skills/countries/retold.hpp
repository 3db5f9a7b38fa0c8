#pragma once

#include <parley/locale.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "names.hpp"
#include "reply.hpp"

namespace parley::countries {

/// The questions that may be in what is said around them, the likeliest first: what stands before a comma or
/// behind it, or from a question word on; with the country that was named before it where it says "there" or
/// "their". "We're off to Portugal, what language do they speak over there" is "what language do they speak
/// in Portugal".
///
/// | file | holds |
/// | --- | --- |
/// | `question_start.voc` | what a question begins with behind other words |
/// | `there.voc` | what stands for "in" the country |
/// | `it.voc` | what stands for the country |
/// | `rather.voc` | says that something else is meant: what stands before it is not all |
///
/// @param lately  what was spoken of before
std::vector<std::string> retold(std::string_view said, const LocaleResources& locale, const std::string& lang,
                                const Names& names, const Atlas& atlas, const Subject& lately);

/// What is said with the country that was spoken of lately in place of `lately_it.voc`, too, or behind it;
/// nothing where another is named.
std::vector<std::string> about_lately(std::string_view said, const LocaleResources& locale,
                                      const std::string& lang, const Names& names, const Atlas& atlas,
                                      const Subject& lately);

}  // namespace parley::countries
