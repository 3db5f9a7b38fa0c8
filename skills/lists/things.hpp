#pragma once

#include <parley/locale.hpp>
#include <string>
#include <vector>

#include "names.hpp"
#include "wish.hpp"

namespace parley::lists {

/// The things of an enumeration, without articles and words that are none. What somebody thinks better of is
/// left out: "milk, no wait, we've got that, eggs" are eggs, "ten rolls uh no six rolls" six. The phrases for
/// that are the vocabulary `wish_instead`. Groceries need nothing between them, "milk eggs bread", unless
/// they are of the vocabulary `wish_heads`.
/// @param lang  BCP-47
std::vector<std::string> things_in(const std::string& text, const std::string& lang,
                                   const LocaleResources& locale, const ListNames& names,
                                   const Wishes& wishes);

}  // namespace parley::lists
