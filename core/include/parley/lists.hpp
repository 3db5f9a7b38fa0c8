#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace parley {

/// The things of a list as people say it, in their order and their words: "milk", "eggs" and "two loaves of
/// bread" of "milk, eggs and two loaves of bread". They are parted by commas, semicolons, and the words for
/// "and" (section `lists` of the language's file of words, see read_value()). What belongs to an amount parts
/// nothing: "two and a half kilos of flour" is one thing.
/// @param lang  BCP-47; without words for it only the signs part things
/// @return no empty ones. Safe on any bytes and from any thread.
/// @throws as read_value()
std::vector<std::string> split_list(std::string_view text, std::string_view lang);

}  // namespace parley
