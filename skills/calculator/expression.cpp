#include "expression.hpp"

#include <utility>

namespace parley::calculator {
namespace {

constexpr int kMaxDepth = 64;

}  // namespace

std::optional<Number> Expression::sum() {
  const auto found = sum_term();
  return found ? std::optional<Number>(found->value) : std::nullopt;
}

std::optional<Number> Expression::factor() {
  const auto found = factor_term();
  return found ? std::optional<Number>(found->value) : std::nullopt;
}

bool Expression::take(Kind kind) {
  if (!next_is(kind)) return false;
  rest_ = rest_.subspan(1);
  return true;
}

const Unit* Expression::take_unit() {
  if (!next_is(Kind::kUnit)) return nullptr;
  const Unit* const unit = rest_.front().as(Kind::kUnit)->unit;
  rest_ = rest_.subspan(1);
  return unit;
}

void Expression::skip_one() {
  if (next_is(Kind::kNumber) && rest_.front().as(Kind::kNumber)->value == Number(1)) rest_ = rest_.subspan(1);
}

Expression::Term Expression::computed(const Number& value) {
  ++operations_;
  return Term{value};
}

Number Expression::divide(const Number& a, const Number& b) {
  if (b.is_zero()) divided_by_zero_ = true;
  return a / b;
}

Expression::Found Expression::sum_term() {
  auto left = product();
  while (left) {
    const bool minus = next_is(Kind::kMinus);
    const bool by_and = and_adds_ && next_is(Kind::kAnd);
    if (!minus && !by_and && !next_is(Kind::kPlus)) break;
    rest_ = rest_.subspan(1);
    const bool within = std::exchange(in_sum_, true);
    const auto right = product();
    in_sum_ = within;
    if (!right) return std::nullopt;
    and_added_ = and_added_ || by_and;
    const Number change = right->percent && !left->percent ? left->value * right->value : right->value;
    left = computed(minus ? left->value - change : left->value + change);
  }
  return left;
}

Expression::Found Expression::product() {
  auto left = factor_term();
  for (bool done = false; left && !done;) left = product_step(*left, done);
  return left;
}

Expression::Found Expression::product_step(const Term& left, bool& done) {
  const auto with_right = [&](auto&& operation) -> Found {
    const auto right = factor_term();
    if (!right) return std::nullopt;
    return computed(operation(left.value, right->value));
  };
  const auto times = [](const Number& a, const Number& b) { return a * b; };
  if ((left.percent || left.part) && take(Kind::kOf)) {  // before "sobre" divides
    const auto right = factor_term();
    if (!right) return std::nullopt;
    ++operations_;
    return Term{left.value * right->value, right->percent, right->part};  // which may have an "of" again
  }
  // "120 durch 8 und dann mal 3"; behind a plus it would be of all there is, rather than of the last number
  const bool then = next_is(Kind::kAnd) && rest_.size() > 1 && !in_sum_ &&
                    (rest_[1].as(Kind::kTimes) != nullptr || rest_[1].as(Kind::kDivide) != nullptr);
  if (then) take(Kind::kAnd);
  if (take(Kind::kTimes)) {
    const auto more = and_part();  // "une fois et demie 250"
    return with_right([&](const Number& a, const Number& b) { return more ? (a + *more) * b : a * b; });
  }
  if (take(Kind::kDivide))
    return with_right([this](const Number& a, const Number& b) { return divide(a, b); });
  if (take(Kind::kModulo)) {
    return with_right([this](const Number& a, const Number& b) {
      if (b.is_zero()) divided_by_zero_ = true;
      return modulo(a, b);
    });
  }
  if (left.percent && take(Kind::kOff)) {
    return with_right([](const Number& a, const Number& b) { return b - b * a; });
  }
  if (next_is(Kind::kOpen)) return with_right(times);
  done = true;
  return left;
}

Expression::Found Expression::factor_term() {
  if (++depth_ > kMaxDepth) return std::nullopt;
  Found found;
  if (take(Kind::kMinus)) {
    found = factor_term();
    if (found) found->value = -found->value;
  } else {
    found = base();
    if (found && take(Kind::kPower)) {
      const bool ordinal = next_is(Kind::kPart);  // "to the fifth"
      auto exponent = factor_term();
      if (ordinal && exponent && !exponent->value.is_whole()) exponent->value = Number(1) / exponent->value;
      if (found->value.is_zero() && exponent && exponent->value.value() < 0) divided_by_zero_ = true;
      found = exponent ? Found(computed(power(found->value, exponent->value))) : std::nullopt;
    }
  }
  --depth_;
  return found;
}

Expression::Found Expression::base() {
  auto found = primary();
  while (found) {
    if (take(Kind::kSquared)) {
      found = computed(power(found->value, Number(2)));
    } else if (take(Kind::kCubed)) {
      found = computed(power(found->value, Number(3)));
    } else if (take(Kind::kFactorial)) {
      found = computed(factorial(found->value));
    } else if (take(Kind::kPercent)) {
      found = Term{found->value / Number(100), true};
    } else {
      break;
    }
  }
  return found;
}

Expression::Found Expression::primary() {
  if (take(Kind::kOpen)) return in_parentheses();
  if (take(Kind::kSquareRoot)) return root_of(2);
  if (take(Kind::kCubeRoot)) return root_of(3);
  if (take(Kind::kFourthRoot)) return root_of(4);
  if (take(Kind::kTwice)) return multiple_of(2);
  if (take(Kind::kThrice)) return multiple_of(3);
  if (next_is(Kind::kTimesOver)) {
    const Number times = rest_.front().as(Kind::kTimesOver)->value;
    take(Kind::kTimesOver);
    const auto of = operand_of_function();
    return of ? Found(computed(times * of->value)) : std::nullopt;
  }
  if (take(Kind::kFactorialOf)) {
    const auto of = operand_of_function();
    return of ? Found(computed(factorial(of->value))) : std::nullopt;
  }
  for (const auto& [kind, exponent] : {std::pair(Kind::kSquareOf, 2), std::pair(Kind::kCubeOf, 3)}) {
    if (!take(kind)) continue;
    const auto of = operand_of_function();
    return of ? Found(computed(power(of->value, Number(exponent)))) : std::nullopt;
  }
  if (take(Kind::kRemainderOf)) return remainder();
  for (const Kind kind :
       {Kind::kSumOf, Kind::kDifferenceOf, Kind::kProductOf, Kind::kQuotientOf, Kind::kAverageOf}) {
    if (take(kind)) return listed(kind);
  }
  return number();
}

// "the remainder of 17 divided by 5"
Expression::Found Expression::remainder() {
  take(Kind::kOf);
  const auto whole = factor_term();
  if (!take(Kind::kDivide) && !take(Kind::kBy)) return std::nullopt;
  const auto by = factor_term();
  if (!whole || !by) return std::nullopt;
  if (by->value.is_zero()) divided_by_zero_ = true;
  return computed(modulo(whole->value, by->value));
}

Expression::Found Expression::in_parentheses() {
  const bool and_added_outside = std::exchange(and_adds_, true);
  auto inside = sum_term();
  and_adds_ = and_added_outside;
  if (!inside || !take(Kind::kClose)) return std::nullopt;
  return Term{inside->value};
}

Expression::Found Expression::operand_of_function() {
  take(Kind::kOf);
  return factor_term();
}

Expression::Found Expression::root_of(int degree) {
  const auto of = operand_of_function();
  return of ? Found(computed(root(of->value, degree))) : std::nullopt;
}

Expression::Found Expression::multiple_of(int times) {
  const auto more = and_part();  // "deux fois et demie 40"
  const auto of = operand_of_function();
  if (!of) return std::nullopt;
  return computed((more ? Number(times) + *more : Number(times)) * of->value);
}

// "the sum of 3, 4 and 5"; all but sums and products are of two.
Expression::Found Expression::listed(Kind kind) {
  const bool and_added_outside = std::exchange(and_adds_, false);
  const bool any_number = kind == Kind::kSumOf || kind == Kind::kProductOf || kind == Kind::kAverageOf;
  auto result = product();
  int count = 1;
  while (result && !at_end() && (any_number || count < 2)) {
    take(Kind::kAnd);
    const auto next = product();
    ++count;
    if (!next) return std::nullopt;
    switch (kind) {
      case Kind::kSumOf:
      case Kind::kAverageOf:
        result = computed(result->value + next->value);
        break;
      case Kind::kDifferenceOf:
        result = computed(result->value - next->value);
        break;
      case Kind::kProductOf:
        result = computed(result->value * next->value);
        break;
      default:
        result = computed(divide(result->value, next->value));
    }
  }
  and_adds_ = and_added_outside;
  if (result && kind == Kind::kAverageOf) result = computed(result->value / Number(count));
  return count > 1 ? result : std::nullopt;
}

Expression::Found Expression::number() {
  if (take(Kind::kPoint)) return after_point(Number());
  const bool article = next_is(Kind::kArticle) && rest_.size() > 1 && rest_[1].as(Kind::kNumber) != nullptr;
  if (article) rest_ = rest_.subspan(1);
  if (!rest_.empty()) {
    if (const Meaning* const number = rest_.front().as(Kind::kNumber)) {
      rest_ = rest_.subspan(1);
      if (take(Kind::kPoint)) return after_point(number->value);
      return with_parts(Term{number->value});
    }
  }
  return next_is(Kind::kPart) ? with_parts(Term{Number(1)}) : std::nullopt;
}

// The decimals of a spoken number, each digit a token or several in one: "three point one four".
Expression::Found Expression::after_point(const Number& whole) {
  Number value = whole;
  Number unit(1);
  bool any = false;
  while (next_is(Kind::kNumber)) {
    const Number digits = rest_.front().as(Kind::kNumber)->value;
    if (!digits.is_whole()) return std::nullopt;
    for (std::size_t i = 0; i < digits.digits(0).size(); ++i) unit = unit / Number(10);
    value = value + digits * unit;
    rest_ = rest_.subspan(1);
    any = true;
  }
  return any ? with_parts(Term{value}) : std::nullopt;
}

// "three quarters", "two and a half", "2.5 million".
Expression::Found Expression::with_parts(Term term) {
  while (next_is(Kind::kPart)) {
    const Number part = rest_.front().as(Kind::kPart)->value;
    term.value = term.value * part;
    term.part = term.part || part.value() < 1;
    rest_ = rest_.subspan(1);
  }
  const auto more = term.part ? std::nullopt : and_part();
  if (more) term.value = term.value + *more;
  return term;
}

std::optional<Number> Expression::and_part() {
  if (!next_is(Kind::kAnd)) return std::nullopt;
  const auto before = rest_;
  rest_ = rest_.subspan(1);
  Number count(1);
  if (next_is(Kind::kNumber)) {
    count = rest_.front().as(Kind::kNumber)->value;
    rest_ = rest_.subspan(1);
  }
  if (next_is(Kind::kPart) && rest_.front().as(Kind::kPart)->value.value() < 1) {
    const Number part = rest_.front().as(Kind::kPart)->value;
    rest_ = rest_.subspan(1);
    return count * part;
  }
  rest_ = before;
  return std::nullopt;
}

}  // namespace parley::calculator
