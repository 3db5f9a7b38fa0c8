#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace parley {

/// The things of a list as people say it, in its order and words: "milk", "eggs" and "two loaves of bread"
/// from "milk, eggs and two loaves of bread". Commas, semicolons and the words for "and" separate them
/// (section `lists` of the language's file of words, see read_value()). Nothing inside an amount separates:
/// "two and a half kilos of flour" is one thing.
/// @param lang  BCP-47; without a file of words for it, only commas and semicolons separate
/// @return no empty things. Safe on any bytes and from any thread.
/// @throws as read_value()
std::vector<std::string> split_list(std::string_view text, std::string_view lang);

}  // namespace parley
