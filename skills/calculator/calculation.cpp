#include "calculation.hpp"

#include <algorithm>
#include <cmath>

#include "expression.hpp"

namespace parley::calculator {
namespace {

using Outcome = Calculation::Outcome;
using Tokens = std::span<const Token>;
using Found = std::optional<Calculation>;

constexpr double kCertain = 0.95;
constexpr double kTold = 0.9;     // there is no value, and that is the answer
constexpr double kLikely = 0.65;  // "3 and 4", "24/7": perhaps not a sum

Calculation number_or_failure(const Number& value, bool divided_by_zero, Outcome outcome = Outcome::kNumber) {
  if (divided_by_zero) return Calculation{Outcome::kDividedByZero, {}, {}, nullptr, kTold};
  if (value.is_finite()) return Calculation{outcome, value, {}, nullptr, kCertain};
  const bool undefined = std::isnan(value.value());
  return Calculation{undefined ? Outcome::kUndefined : Outcome::kTooLarge, {}, {}, nullptr, kTold};
}

// "24/7", "9-11": as likely a name or a date.
bool may_be_a_name(Tokens tokens) {
  const auto digits = [](const Token& token) { return token.text[0] >= '0' && token.text[0] <= '9'; };
  return tokens.size() == 3 && digits(tokens[0]) && digits(tokens[2]) &&
         (tokens[1].text == "/" || tokens[1].text == "-");
}

Found plain_sum(Tokens tokens) {
  Expression reader(tokens);
  const auto value = reader.sum();
  if (!value || !reader.at_end() || !reader.calculated()) return std::nullopt;
  auto result = number_or_failure(*value, reader.divided_by_zero());
  if (reader.and_added() || may_be_a_name(tokens)) result.confidence = kLikely;
  return result;
}

// "add 5 and 7", "subtract 5 from 10", "multiply 5 by 7", "divide 10 by 2"
Found command(Tokens tokens) {
  Expression reader(tokens);
  for (const Kind kind : {Kind::kAdd, Kind::kSubtract, Kind::kMultiply, Kind::kDivideCommand}) {
    if (!reader.take(kind)) continue;
    const auto a = reader.factor();
    const bool joined = kind == Kind::kSubtract ? reader.take(Kind::kFrom)
                        : kind == Kind::kAdd    ? reader.take(Kind::kAnd) || reader.take(Kind::kTo)
                                                : reader.take(Kind::kBy) || reader.take(Kind::kAnd);
    const auto b = reader.factor();
    if (!a || !joined || !b || !reader.at_end()) return std::nullopt;
    if (kind == Kind::kAdd) return number_or_failure(*a + *b, false);
    if (kind == Kind::kSubtract) return number_or_failure(*b - *a, false);
    if (kind == Kind::kMultiply) return number_or_failure(*a * *b, false);
    return number_or_failure(*a / *b, b->is_zero());
  }
  return std::nullopt;
}

Found percentage(const std::optional<Number>& part, const std::optional<Number>& whole,
                 const Expression& reader) {
  if (!part || !whole || !reader.at_end()) return std::nullopt;
  const bool by_zero = whole->is_zero() || reader.divided_by_zero();
  return number_or_failure(*part / *whole * Number(100), by_zero, Outcome::kPercentage);
}

// "what percent of 80 is 20", "20 is what percent of 80"
Found what_percent(Tokens tokens) {
  Expression reader(tokens);
  if (reader.take(Kind::kWhatPercent)) {
    if (reader.take(Kind::kOf)) {
      const auto whole = reader.sum();
      if (!reader.take(Kind::kIs)) return std::nullopt;
      const auto part = reader.sum();
      return percentage(part, whole, reader);
    }
    reader.take(Kind::kIs);
    const auto part = reader.sum();
    if (!reader.take(Kind::kOf)) return std::nullopt;
    const auto whole = reader.sum();
    return percentage(part, whole, reader);
  }
  const auto part = reader.sum();
  if (!reader.take(Kind::kIs) || !reader.take(Kind::kWhatPercent) || !reader.take(Kind::kOf))
    return std::nullopt;
  const auto whole = reader.sum();
  return percentage(part, whole, reader);
}

// "10 kilometres", "5 feet and 3 inches", "half a mile"
std::vector<Amount> amounts(Expression& reader) {
  std::vector<Amount> found;
  while (!reader.at_end() && !reader.next_is(Kind::kTo) && !reader.next_is(Kind::kIs)) {
    if (!found.empty()) reader.take(Kind::kAnd);
    const auto value = reader.factor();
    reader.skip_one();
    const Unit* const unit = reader.take_unit();
    if (!value || unit == nullptr) return {};
    found.push_back(Amount{*value, unit});
  }
  return found;
}

Found converted(std::vector<Amount> from, const Unit* to, const Expression& reader) {
  if (from.empty() || to == nullptr || !reader.at_end()) return std::nullopt;
  const bool comparable = std::ranges::all_of(
      from, [&](const Amount& amount) { return amount.unit->quantity == from.front().unit->quantity; });
  const bool temperatures = !to->offset.is_zero() || !from.front().unit->offset.is_zero();
  if (!comparable || (from.size() > 1 && temperatures)) return std::nullopt;
  if (from.front().unit->quantity != to->quantity) {
    return Calculation{Outcome::kIncompatible, {}, std::move(from), to, kTold};
  }
  Number sum;
  for (const Amount& amount : from) sum = sum + convert(amount.value, *amount.unit, *to);
  auto result = number_or_failure(sum, reader.divided_by_zero(), Outcome::kConverted);
  result.from = std::move(from);
  result.to = to;
  return result;
}

// "how many miles are (in) 10 kilometres"
Found how_many(Tokens tokens) {
  Expression reader(tokens);
  if (!reader.take(Kind::kHowMany)) return std::nullopt;
  const Unit* const to = reader.take_unit();
  while (reader.take(Kind::kIs) || reader.take(Kind::kTo)) {
  }
  auto from = amounts(reader);
  return converted(std::move(from), to, reader);
}

// "10 kilometres in miles", "10 kilometres are how many miles"
Found amount_in(Tokens tokens) {
  Expression reader(tokens);
  auto from = amounts(reader);
  const bool asked = reader.take(Kind::kIs);
  if (!reader.take(Kind::kTo) && !(asked && reader.take(Kind::kHowMany))) return std::nullopt;
  reader.take(Kind::kHowMany);
  const Unit* const to = reader.take_unit();
  return converted(std::move(from), to, reader);
}

// What a question may begin and end with besides: "how much is …", "… equals", "… is how much".
Tokens without_frame(Tokens tokens) {
  if (tokens.size() > 1 && tokens[0].as(Kind::kHowMany) != nullptr && tokens[1].as(Kind::kIs) != nullptr) {
    tokens = tokens.subspan(2);
  }
  while (!tokens.empty() &&
         (tokens.back().as(Kind::kIs) != nullptr || tokens.back().as(Kind::kHowMany) != nullptr)) {
    tokens = tokens.first(tokens.size() - 1);
  }
  return tokens;
}

}  // namespace

std::optional<Calculation> calculate(std::string_view question, const Language& language) {
  const auto tokens = language.read(question);
  if (!tokens || tokens->size() < 2) return std::nullopt;
  const Tokens said = without_frame(*tokens);
  for (const auto form : {plain_sum, how_many, amount_in, what_percent, command}) {
    if (auto found = form(said)) return found;
  }
  return std::nullopt;
}

}  // namespace parley::calculator
