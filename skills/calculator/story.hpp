#pragma once

#include <optional>
#include <span>

#include "calculation.hpp"
#include "facts.hpp"

namespace parley::calculator {

/// What two numbers of a story make, where its words leave no doubt: hours at a rate, boxes of so many, a
/// surface, what is left.
std::optional<Calculation> of_story(std::span<const Token> tokens, const Facts& facts);

}  // namespace parley::calculator
