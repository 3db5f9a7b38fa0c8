#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "language.hpp"

namespace parley::calculator {

struct Amount {
  Number value;
  const Unit* unit = nullptr;
};

/// A sum or a conversion that was asked for, worked out.
struct Calculation {
  enum class Outcome : std::uint8_t {
    kNumber,
    kPercentage,     ///< `value` is a number of percent.
    kPrime,          ///< `value` is a prime number.
    kNotPrime,       ///< It is not; `divisor` is the smallest that divides it, or 0.
    kConverted,      ///< `from` is `value` of `to`.
    kDividedByZero,  ///< From here on there is no value.
    kUndefined,      ///< Such as the square root of a negative number.
    kTooLarge,
    kIncompatible,  ///< `from` and `to` measure different things.
  };

  Outcome outcome = Outcome::kNumber;
  Number value = {};
  Number divisor = {};
  std::vector<Amount> from = {};
  const Unit* to = nullptr;
  double confidence = 0;  ///< By Appendix B of common query.
};

/// Understands and works out what was asked.
/// @return nothing when it is neither a sum nor a conversion
/// @param before  the result that "that" stands for, and that "plus ten" adds to
std::optional<Calculation> calculate(std::string_view question, const Language& language,
                                     const std::optional<Number>& before = std::nullopt);

}  // namespace parley::calculator
