#pragma once

#include <optional>
#include <span>

#include "calculation.hpp"

namespace parley::calculator {

/// What a sum is told with rather than said outright: "we're four and the bill is 96 euros, what does
/// everyone pay". Words that mean nothing here are passed over.
/// @return nothing when it is none of what is known of: shares, tips, discounts, rises, percentages,
/// averages,
///         totals, rounding and conversions
std::optional<Calculation> told(std::span<const Token> tokens);

/// Whether a percentage goes a way that only told() may know: "it was 20 percent off, what was it before".
bool is_doubtful(std::span<const Token> tokens);

}  // namespace parley::calculator
