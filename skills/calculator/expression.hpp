#pragma once

#include <optional>
#include <span>

#include "language.hpp"

namespace parley::calculator {

/// Reads sums out of tokens and works them out as it goes, by recursive descent. The parts of the grammar
/// return nothing, having read an unknown number of tokens, when what stands there is not one of them.
///
///   sum      = product { (plus | minus) product }          20 + 10 % is 22
///   product  = factor { (times | divide | modulo | of | off) factor }
///   factor   = [minus] base [power factor]
///   base     = primary { squared | cubed | factorial | percent }
///   primary  = number | "(" sum ")" | root of base | sum of … and … | remainder of factor divided by factor
class Expression {
 public:
  explicit Expression(std::span<const Token> tokens) : rest_(tokens) {}

  std::optional<Number> sum();
  std::optional<Number> factor();

  bool at_end() const noexcept { return rest_.empty(); }
  /// How many tokens were not read yet.
  std::size_t left() const noexcept { return rest_.size(); }
  bool next_is(Kind kind) const { return !rest_.empty() && rest_.front().as(kind) != nullptr; }
  bool take(Kind kind);
  const Unit* take_unit();
  /// The "and a half" behind a number or its unit.
  std::optional<Number> and_part();
  /// The "a" of "half a mile".
  void skip_one();

  /// Whether anything was worked out, rather than only read.
  bool calculated() const noexcept { return operations_ > 0; }
  bool divided_by_zero() const noexcept { return divided_by_zero_; }
  /// Whether "3 and 4" was taken for a sum.
  bool and_added() const noexcept { return and_added_; }

 private:
  /// A value, and what it makes of an "of" behind it.
  struct Term {
    Number value;
    bool percent = false;
    bool part = false;
  };
  using Found = std::optional<Term>;

  Found sum_term();
  Found product();
  Found product_step(const Term& left, bool& done);
  Found factor_term();
  Found base();
  Found primary();
  Found number();
  Found after_point(const Number& whole);
  Found with_parts(Term term);
  Found root_of(int degree);
  Found multiple_of(int times);
  Found listed(Kind kind);
  Found remainder();
  Found in_parentheses();
  Found operand_of_function();
  Number divide(const Number& a, const Number& b);
  Term computed(const Number& value);

  std::span<const Token> rest_;
  int depth_ = 0;
  int operations_ = 0;
  bool and_adds_ = true;
  bool and_added_ = false;
  bool in_sum_ = false;
  bool divided_by_zero_ = false;
};

}  // namespace parley::calculator
