#include "told.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "expression.hpp"

namespace parley::calculator {
namespace {

using Outcome = Calculation::Outcome;
using Tokens = std::span<const Token>;
using Found = std::optional<Calculation>;

constexpr double kFromFacts = 0.85;
const Number& one() {
  static const Number value(1);
  return value;
}

Found result(const Number& value, Outcome outcome = Outcome::kNumber) {
  if (!value.is_finite()) return std::nullopt;
  Calculation found{outcome, value};
  found.confidence = kFromFacts;
  return found;
}

bool has(Tokens tokens, Kind kind) {
  return std::ranges::any_of(tokens, [&](const Token& token) { return token.as(kind) != nullptr; });
}

/// The numbers of what is told, by what they are.
class Facts {
 public:
  explicit Facts(Tokens tokens) : tokens_(tokens) {
    while (at_ < tokens_.size()) at_ += read_one();
  }

  std::vector<Number> percents, people;
  std::vector<Amount> amounts;
  std::vector<const Unit*> wanted;  ///< Units without a number.

 private:
  bool is(std::size_t at, Kind kind) const { return at < tokens_.size() && tokens_[at].as(kind) != nullptr; }

  // How many tokens it was.
  std::size_t read_one() {
    if (const Meaning* const group = tokens_[at_].as(Kind::kGroup)) {
      people.push_back(group->value);
      return 1;
    }
    if ((is(at_, Kind::kNumber) && !is_article()) || starts_with_part()) return read_number();
    if (const Meaning* const unit = tokens_[at_].as(Kind::kUnit)) {
      // "a cup": an article goes before, or nothing.
      if (is_one_of(at_)) {
        amounts.push_back(Amount{one(), unit->unit});
      } else if (std::ranges::find(wanted, unit->unit) == wanted.end()) {
        wanted.push_back(unit->unit);
      }
    }
    return 1;
  }

  bool starts_with_part() const {
    if (!is(at_, Kind::kPart) || tokens_[at_].as(Kind::kPart)->value.value() >= 1) return false;
    const bool has_article = is(at_ + 1, Kind::kNumber) && tokens_[at_ + 1].as(Kind::kNumber)->value == one();
    return is(at_ + (has_article ? 2 : 1), Kind::kUnit);
  }

  // "A recipe", "which one": no number, unless something is counted.
  bool is_article() const {
    const Token& token = tokens_[at_];
    if (!(token.as(Kind::kNumber)->value == one()) || token.text.starts_with('1')) return false;
    const std::size_t next = at_ + 1;
    return !is(next, Kind::kPart) && !is(next, Kind::kPeople) && !is(next, Kind::kPercent) &&
           !is(next, Kind::kMoney) && !is(next, Kind::kPoint);
  }

  bool is_one_of(std::size_t unit) const {
    return unit > 0 && tokens_[unit - 1].as(Kind::kNumber) != nullptr;
  }

  std::size_t read_number() {
    Expression reader(tokens_.subspan(at_));
    const auto value = reader.factor();
    if (!value || reader.left() == tokens_.size() - at_) return 1;
    const std::size_t length = tokens_.size() - at_ - reader.left();
    const std::size_t next = at_ + length;
    if (is(next - 1, Kind::kPercent)) {
      percents.push_back(*value);
    } else if (is_people(next)) {
      people.push_back(*value);
    } else {
      return length + read_amount(*value, next);
    }
    return length;
  }

  bool is_people(std::size_t next) const {
    if (is(next, Kind::kPeople)) return true;
    if (at_ == 0) return false;
    if (is(at_ - 1, Kind::kWeAre)) return !is(next, Kind::kMoney) && !is(next, Kind::kUnit);
    return is(at_ - 1, Kind::kBy) && has(tokens_.first(at_), Kind::kDivideCommand);
  }

  // How many tokens the unit was, and the inches behind feet.
  std::size_t read_amount(const Number& value, std::size_t next) {
    std::size_t length = 0;
    if (is(next, Kind::kNumber) && is(next + 1, Kind::kUnit) &&
        tokens_[next].as(Kind::kNumber)->value == one())
      length = 1;  // the "a" of "half a mile"
    const Meaning* const unit =
        is(next + length, Kind::kUnit) ? tokens_[next + length].as(Kind::kUnit) : nullptr;
    amounts.push_back(Amount{value, unit != nullptr ? unit->unit : nullptr});
    if (unit == nullptr) return 0;
    return length + 1;
  }

  Tokens tokens_;
  std::size_t at_ = 0;
};

// "five foot three", "ten stone four": the smaller unit is left out.
void name_smaller_units(std::vector<Amount>& amounts) {
  if (amounts.size() != 2 || amounts[0].unit == nullptr || amounts[1].unit != nullptr) return;
  const char* const smaller = amounts[0].unit->name == "foot"    ? "inch"
                              : amounts[0].unit->name == "stone" ? "pound"
                                                                 : nullptr;
  if (smaller == nullptr) return;
  static const Unit inch{"inch", "length", *Number::parse("0.0254"), Number()};
  static const Unit pound{"pound", "mass", *Number::parse("0.45359237"), Number()};
  amounts[1].unit = smaller == std::string_view("inch") ? &inch : &pound;
}

bool measure_the_same(const std::vector<Amount>& amounts, const Unit& to) {
  std::set<const Unit*> units;
  for (const Amount& amount : amounts) {
    if (amount.unit == nullptr || amount.unit == &to || amount.unit->quantity != to.quantity) return false;
    if (!units.insert(amount.unit).second) return false;  // "five kilometres and ten kilometres": two amounts
  }
  return amounts.size() == 1 || (to.offset.is_zero() && amounts.front().unit->offset.is_zero());
}

// "My mum is five foot three, what's that in centimetres"
Found converted(Tokens tokens, Facts facts) {
  if (facts.wanted.size() != 1 || facts.amounts.empty() || !facts.percents.empty()) return std::nullopt;
  if (!has(tokens, Kind::kTo) && !has(tokens, Kind::kHowMany)) return std::nullopt;
  const Unit& to = *facts.wanted.front();
  name_smaller_units(facts.amounts);
  if (!measure_the_same(facts.amounts, to)) return std::nullopt;
  Number sum;
  for (const Amount& amount : facts.amounts) sum = sum + convert(amount.value, *amount.unit, to);
  auto found = result(sum, Outcome::kConverted);
  if (!found) return std::nullopt;
  found->from = std::move(facts.amounts);
  found->to = &to;
  return found;
}

// What is paid in all, and by how many: "the bill is 85, add 20 percent and split it three ways"
Found paid(Tokens tokens, const Facts& facts) {
  if (facts.amounts.size() != 1 || facts.percents.size() > 1 || facts.people.size() > 1) return std::nullopt;
  const Number& price = facts.amounts.front().value;
  const bool tip = has(tokens, Kind::kTip);
  const bool off = has(tokens, Kind::kDiscount);
  const bool rises = has(tokens, Kind::kRises);
  const Number part = facts.percents.empty() ? Number() : facts.percents.front();
  if (!facts.people.empty() && (has(tokens, Kind::kEach) || has(tokens, Kind::kDivideCommand))) {
    if (facts.people.front().is_zero()) return std::nullopt;
    return result((off ? price - price * part : price + price * part) / facts.people.front());
  }
  if (facts.percents.empty() || !facts.people.empty()) return std::nullopt;
  if (tip) return result(has(tokens, Kind::kTogether) ? price + price * part : price * part);
  if (off) return result(has(tokens, Kind::kSaved) ? price * part : price - price * part);
  if (rises) return result(price + price * part);
  return std::nullopt;
}

// "I got 45 of 60 points, what percentage is that"
Found percentage(Tokens tokens, const Facts& facts) {
  if (!has(tokens, Kind::kWhatPercent) || facts.amounts.size() != 2 || !facts.percents.empty())
    return std::nullopt;
  const auto asked =
      std::ranges::find_if(tokens, [](const Token& one) { return one.as(Kind::kWhatPercent) != nullptr; });
  const bool whole_first = asked + 1 != tokens.end() && (asked + 1)->as(Kind::kOf) != nullptr;
  const Number& whole = facts.amounts[whole_first ? 0 : 1].value;
  if (whole.is_zero()) return std::nullopt;
  return result(facts.amounts[whole_first ? 1 : 0].value / whole * Number(100), Outcome::kPercentage);
}

// "The average of my marks 7, 8 and 4.5", "12 euros and 30 euros in total"
Found listed(Tokens tokens, const Facts& facts) {
  const bool average = has(tokens, Kind::kAverageOf);
  const bool sum = has(tokens, Kind::kSumOf) || has(tokens, Kind::kAdd);
  if (facts.amounts.size() < 2 || !facts.percents.empty() || (!average && !sum)) return std::nullopt;
  Number total;
  for (const Amount& amount : facts.amounts) {
    if (amount.unit != facts.amounts.front().unit) return std::nullopt;
    total = total + amount.value;
  }
  return result(average ? total / Number(static_cast<Integer>(facts.amounts.size())) : total);
}

Number rounded_to(const Number& value, const Number& step) {
  const Number steps = value / step + Number::fraction(1, 2);
  const Number whole = steps - modulo(steps, one());
  return whole * step;
}

// What is rounded to, from what stands behind the number: "two decimal places", "the nearest ten".
std::optional<Number> step_of(Tokens tokens) {
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (const Meaning* const nearest = tokens[i].as(Kind::kNearest)) return nearest->value;
    const Meaning* const number = tokens[i].as(Kind::kNumber);
    if (number == nullptr) continue;
    const double value = number->value.value();
    for (std::size_t behind = i + 1; behind < std::min(i + 3, tokens.size()); ++behind) {
      if (tokens[behind].as(Kind::kPlaces) != nullptr && value >= 0 && value <= 12)
        return power(Number::fraction(1, 10), number->value);
    }
    if (value > 1 && std::fmod(std::log10(value), 1.0) == 0) return number->value;
  }
  return has(tokens, Kind::kPlaces) ? Number::fraction(1, 10) : one();
}

// "round 3.14159 to two decimal places"
Found rounded(Tokens tokens) {
  if (!has(tokens, Kind::kRound)) return std::nullopt;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const Meaning* const number = tokens[i].as(Kind::kNumber);
    if (number == nullptr || (number->value == one() && !tokens[i].text.starts_with('1'))) continue;
    std::size_t end = i + 1;  // "to the" is no power here
    while (end < tokens.size() && tokens[end].as(Kind::kTo) == nullptr &&
           tokens[end].as(Kind::kPower) == nullptr && tokens[end].is_known())
      ++end;
    Expression reader(tokens.subspan(i, end - i));
    const auto value = reader.factor();
    if (!value || !value->exact()) return std::nullopt;
    const auto step = step_of(tokens.subspan(end - reader.left()));
    return step ? result(rounded_to(*value, *step)) : std::nullopt;
  }
  return std::nullopt;
}

}  // namespace

Found told(Tokens tokens) {
  if (auto found = rounded(tokens)) return found;
  const Facts facts(tokens);
  if (auto found = converted(tokens, facts)) return found;
  if (auto found = paid(tokens, facts)) return found;
  if (auto found = percentage(tokens, facts)) return found;
  return listed(tokens, facts);
}

}  // namespace parley::calculator
