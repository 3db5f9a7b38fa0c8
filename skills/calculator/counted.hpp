#pragma once

#include <optional>
#include <span>
#include <vector>

#include "facts.hpp"
#include "language.hpp"

namespace parley::calculator {

/// What so many cost or have together: "twelve people, three drinks each", "three tickets at 8 dollars".
/// @return nothing when it is no such thing
std::optional<Number> total_of_all(std::span<const Token> tokens, const Facts& facts);

/// The sum without what is counted in it: "250 grams of flour times three", "20 apples divided by four kids".
/// @return nothing when nothing is counted, or more is said than a sum
std::optional<std::vector<Token>> without_things(std::span<const Token> tokens);

}  // namespace parley::calculator
