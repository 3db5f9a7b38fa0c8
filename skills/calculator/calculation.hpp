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
  double confidence = 0;          ///< By Appendix B of common query.
  std::vector<Token> said = {};   ///< What it was worked out from.
  std::vector<Token> asked = {};  ///< The question as it was put.
  bool goes_on = false;           ///< It means something only with what was asked before.
  bool is_command = false;        ///< "Subtract 19 from 100", which is no question.
};

/// What a question may go on with.
struct Before {
  Before() = default;
  Before(const Number& result) : value(result) {}  // NOLINT(google-explicit-constructor): reads as a number
  explicit Before(const Calculation& last)
      : value(last.outcome == Calculation::Outcome::kNumber ? std::optional(last.value) : std::nullopt),
        said(last.said),
        asked(last.asked) {}

  std::optional<Number> value;  ///< The result that "that" stands for, and that "plus ten" adds to.
  std::vector<Token> said;      ///< What "I meant 30 percent" changes.
  std::vector<Token> asked;     ///< As it was put.
};

/// Understands and works out what was asked.
/// @return nothing when it is neither a sum nor a conversion
std::optional<Calculation> calculate(std::string_view question, const Language& language,
                                     const Before& before = {});

}  // namespace parley::calculator
