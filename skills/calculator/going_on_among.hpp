#pragma once

#include <optional>
#include <vector>

#include "calculation.hpp"
#include "language.hpp"

namespace parley::calculator {

/// The question before, shared by so many as are said now: "and if Jonas isn't paying, so just three".
/// @return nothing when it is no such thing, or that question shares nothing
std::optional<std::vector<Token>> shared_otherwise(const std::vector<Token>& said,
                                                   const std::vector<Token>& before);

/// "Round that to two decimals".
/// @return nothing when it is no such thing
std::optional<std::vector<Token>> rounded_result(const std::vector<Token>& said,
                                                 const std::optional<Number>& result);

/// The result before in another unit: "and that in centimetres", after half of 56 inches.
/// @return nothing when it is no such thing, or that result has no unit
std::optional<std::vector<Token>> in_other_unit(const std::vector<Token>& said, const Before& before);

/// What may be meant by a question that goes on with the one before in a sentence that has more, the
/// likeliest first: "and double that for the two coats", "and if Jonas isn't paying, so just three".
std::vector<std::vector<Token>> among_others(const std::vector<Token>& said, const Before& before);

}  // namespace parley::calculator
