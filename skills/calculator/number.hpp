#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace parley::calculator {

/// An integer of 128 bits; ISO C++ has none.
__extension__ typedef __int128 Integer;  // NOLINT(modernize-use-using): __extension__ wants a declaration

/// A number as exact as it can be: a fraction of two integers of 128 bits, or, when the fraction would not
/// fit or there is none (roots, pi), a double. A value.
///
/// Arithmetic never fails: what overflows goes on as a double, and what has no value (1/0, the root of a
/// negative number) is not finite.
class Number {
 public:
  Number() = default;
  Number(Integer whole) : numerator_(whole) {}  // NOLINT(google-explicit-constructor): reads as a number
  /// An inexact one.
  static Number approximate(double value);
  static Number fraction(Integer numerator, Integer denominator);
  /// "12", "12.5", "5/9", with a '.' for the decimals. Nothing when it is none of these.
  static std::optional<Number> parse(std::string_view text);

  bool exact() const noexcept { return exact_; }
  bool is_finite() const noexcept;
  bool is_zero() const noexcept;
  bool is_whole() const noexcept { return exact_ && denominator_ == 1; }
  double value() const noexcept;
  /// What is above and below the line; only of exact numbers.
  Integer numerator() const noexcept { return numerator_; }
  Integer denominator() const noexcept { return denominator_; }

  /// How many decimals the exact value has; nothing when they don't end, are more than 30, or for a double.
  std::optional<int> decimals() const;
  /// The value with a '.' and so many decimals, cut off; only of exact numbers.
  std::string digits(int decimals) const;

  friend Number operator+(const Number& a, const Number& b);
  friend Number operator-(const Number& a, const Number& b);
  friend Number operator*(const Number& a, const Number& b);
  friend Number operator/(const Number& a, const Number& b);
  friend Number operator-(const Number& a);
  friend bool operator==(const Number& a, const Number& b);

 private:
  static std::optional<Number> checked(std::optional<Integer> numerator, std::optional<Integer> denominator);

  Integer numerator_ = 0;
  Integer denominator_ = 1;  // positive, without a common divisor
  double approximation_ = 0;
  bool exact_ = true;
};

/// The remainder, with the sign of the divisor.
Number modulo(const Number& a, const Number& b);
Number power(const Number& base, const Number& exponent);
/// The root of the given degree (2 is the square root), of a negative number only for odd degrees.
Number root(const Number& of, int degree);
/// Not finite for what is no whole number from 0 to 170, the last a double can hold.
Number factorial(const Number& of);

}  // namespace parley::calculator
