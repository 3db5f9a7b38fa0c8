#pragma once

#include <optional>
#include <vector>

#include "language.hpp"

namespace parley::calculator {

/// What a question means that goes on with the result before: "divide that by 17", "and plus ten", "now take
/// away four".
/// @return nothing when it does not
std::optional<std::vector<Token>> with_result(const std::vector<Token>& said,
                                              const std::optional<Number>& result);

/// The question before with something else in it: "and 20 kilometres", "no, I meant 30 percent".
/// @return nothing when it is no such correction
std::optional<std::vector<Token>> instead(const std::vector<Token>& said, const std::vector<Token>& before);

/// Whether it is the beginning of the question before and then what goes on with its result: that was put
/// together by somebody who did not know what stands for what.
bool is_glued(const std::vector<Token>& said, const std::vector<Token>& before);

}  // namespace parley::calculator
