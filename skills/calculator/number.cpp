#include "number.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace parley::calculator {
namespace {

constexpr Integer kMax = (((Integer{1} << 126) - 1) << 1) + 1;
constexpr int kMaxDecimals = 30;

Integer magnitude(Integer value) {
  return value < 0 ? -value : value;
}

// The smallest integer is left out, so that magnitude() always exists.
std::optional<Integer> add(Integer a, Integer b) {
  if (b > 0 ? a > kMax - b : a < -kMax - b) return std::nullopt;
  return a + b;
}

std::optional<Integer> multiply(Integer a, Integer b) {
  if (a != 0 && b != 0 && magnitude(a) > kMax / magnitude(b)) return std::nullopt;
  return a * b;
}

std::optional<Integer> add(std::optional<Integer> a, std::optional<Integer> b) {
  return a && b ? add(*a, *b) : std::nullopt;
}

Integer common_divisor(Integer a, Integer b) {
  a = magnitude(a);
  b = magnitude(b);
  while (b != 0) {
    const Integer rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

// The whole root of a number that is not negative, if it has one.
std::optional<Integer> whole_root(Integer of, int degree) {
  const double estimate = std::pow(static_cast<double>(of), 1.0 / degree);
  if (estimate > 1e15) return std::nullopt;  // a double can't tell neighbours apart
  const auto guess = static_cast<Integer>(std::llround(estimate));
  for (Integer candidate = std::max<Integer>(guess - 2, 0); candidate <= guess + 2; ++candidate) {
    std::optional<Integer> raised = 1;
    for (int i = 0; i < degree && raised; ++i) raised = multiply(*raised, candidate);
    if (raised && *raised == of) return candidate;
  }
  return std::nullopt;
}

std::string text_of(Integer value) {
  std::string digits;
  for (Integer rest = magnitude(value); rest != 0 || digits.empty(); rest /= 10) {
    digits.push_back(static_cast<char>('0' + static_cast<int>(rest % 10)));
  }
  if (value < 0) digits.push_back('-');
  std::ranges::reverse(digits);
  return digits;
}

}  // namespace

Number Number::approximate(double value) {
  Number number;
  number.exact_ = false;
  number.approximation_ = value;
  return number;
}

Number Number::fraction(Integer numerator, Integer denominator) {
  if (denominator == 0) return approximate(std::numeric_limits<double>::quiet_NaN());
  const Integer divisor = common_divisor(numerator, denominator) * (denominator < 0 ? -1 : 1);
  Number number;
  number.numerator_ = numerator / divisor;
  number.denominator_ = denominator / divisor;
  return number;
}

std::optional<Number> Number::checked(std::optional<Integer> numerator, std::optional<Integer> denominator) {
  if (!numerator || !denominator) return std::nullopt;
  return fraction(*numerator, *denominator);
}

std::optional<Number> Number::parse(std::string_view text) {
  if (const auto line = text.find('/'); line != std::string_view::npos) {
    const auto above = parse(text.substr(0, line));
    const auto below = parse(text.substr(line + 1));
    if (!above || !below || below->is_zero()) return std::nullopt;
    return *above / *below;
  }
  Number value;
  Number scale(1);
  bool after_point = false;
  bool digit_seen = false;
  for (const char c : text) {
    if (c == '.' && !after_point) {
      after_point = true;
    } else if (c >= '0' && c <= '9') {
      digit_seen = true;
      value = value * Number(10) + Number(c - '0');
      if (after_point) scale = scale * Number(10);
    } else {
      return std::nullopt;
    }
  }
  if (!digit_seen) return std::nullopt;
  return value / scale;
}

bool Number::is_finite() const noexcept {
  return exact_ || std::isfinite(approximation_);
}

bool Number::is_zero() const noexcept {
  return exact_ ? numerator_ == 0 : approximation_ == 0;
}

double Number::value() const noexcept {
  return exact_ ? static_cast<double>(numerator_) / static_cast<double>(denominator_) : approximation_;
}

std::optional<int> Number::decimals() const {
  if (!exact_) return std::nullopt;
  Integer scale = 1;
  for (int count = 0; count <= kMaxDecimals; ++count, scale *= 10) {
    if (scale % denominator_ == 0) return count;
  }
  return std::nullopt;
}

std::string Number::digits(int decimals) const {
  std::string text = text_of(numerator_ / denominator_);
  if (numerator_ < 0 && text.front() != '-') text.insert(0, 1, '-');
  Integer rest = magnitude(numerator_ % denominator_);
  if (decimals > 0) text.push_back('.');
  for (int i = 0; i < decimals; ++i) {
    const auto shifted = multiply(rest, 10);
    if (!shifted) break;  // a denominator of 38 digits: the decimals before are exact
    text.push_back(static_cast<char>('0' + static_cast<int>(*shifted / denominator_)));
    rest = *shifted % denominator_;
  }
  return text;
}

Number operator+(const Number& a, const Number& b) {
  if (a.exact_ && b.exact_) {
    const auto top = add(multiply(a.numerator_, b.denominator_), multiply(b.numerator_, a.denominator_));
    if (auto sum = Number::checked(top, multiply(a.denominator_, b.denominator_))) return *sum;
  }
  return Number::approximate(a.value() + b.value());
}

Number operator-(const Number& a, const Number& b) {
  return a + -b;
}

Number operator*(const Number& a, const Number& b) {
  if (a.exact_ && b.exact_) {
    const Number left = Number::fraction(a.numerator_, b.denominator_);
    const Number right = Number::fraction(b.numerator_, a.denominator_);
    if (auto product = Number::checked(multiply(left.numerator_, right.numerator_),
                                       multiply(left.denominator_, right.denominator_))) {
      return *product;
    }
  }
  return Number::approximate(a.value() * b.value());
}

Number operator/(const Number& a, const Number& b) {
  if (b.is_zero()) return Number::approximate(std::numeric_limits<double>::quiet_NaN());
  if (b.exact_) return a * Number::fraction(b.denominator_, b.numerator_);
  return Number::approximate(a.value() / b.value());
}

Number operator-(const Number& a) {
  Number negative = a;
  negative.numerator_ = -a.numerator_;
  negative.approximation_ = -a.approximation_;
  return negative;
}

bool operator==(const Number& a, const Number& b) {
  if (a.exact_ && b.exact_) return a.numerator_ == b.numerator_ && a.denominator_ == b.denominator_;
  return a.value() == b.value();
}

Number modulo(const Number& a, const Number& b) {
  const Number ratio = a / b;
  if (!ratio.is_finite()) return ratio;
  if (!ratio.exact()) return Number::approximate(a.value() - b.value() * std::floor(ratio.value()));
  Integer whole = ratio.numerator() / ratio.denominator();
  if (ratio.numerator() % ratio.denominator() < 0) --whole;
  return a - b * Number(whole);
}

Number power(const Number& base, const Number& exponent) {
  if (base.is_zero() && exponent.value() < 0) return Number(1) / base;
  if (base.exact() && exponent.is_whole() && magnitude(exponent.numerator()) <= 4096) {
    Number result(1);
    for (Integer i = magnitude(exponent.numerator()); i > 0 && result.exact(); --i) result = result * base;
    if (result.exact()) return exponent.numerator() < 0 ? Number(1) / result : result;
  }
  if (exponent == Number::fraction(1, 2)) return root(base, 2);
  return Number::approximate(std::pow(base.value(), exponent.value()));
}

Number root(const Number& of, int degree) {
  if (of.value() < 0) {
    if (degree % 2 == 0) return Number::approximate(std::numeric_limits<double>::quiet_NaN());
    return -root(-of, degree);
  }
  if (of.exact()) {
    const auto above = whole_root(of.numerator(), degree);
    const auto below = whole_root(of.denominator(), degree);
    if (above && below) return Number::fraction(*above, *below);
  }
  return Number::approximate(std::pow(of.value(), 1.0 / degree));
}

Number factorial(const Number& of) {
  if (!of.is_whole() || of.numerator() < 0) {
    return Number::approximate(std::numeric_limits<double>::quiet_NaN());
  }
  if (of.numerator() > 170) return Number::approximate(std::numeric_limits<double>::infinity());
  Number result(1);
  for (Integer factor = 2; factor <= of.numerator(); ++factor) result = result * Number(factor);
  return result;
}

}  // namespace parley::calculator
