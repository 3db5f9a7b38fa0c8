#include "told.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "counted.hpp"
#include "expression.hpp"
#include "facts.hpp"
#include "story.hpp"

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

// The one unit that is asked for, of those that measure what is told: "five miles every day, how many
// kilometres".
const Unit* unit_asked_for(const Facts& facts) {
  if (facts.wanted.size() == 1) return facts.wanted.front();
  if (facts.amounts.empty() || facts.amounts.front().unit == nullptr) return nullptr;
  const Unit* asked = nullptr;
  for (const Unit* const unit : facts.wanted) {
    if (unit->quantity != facts.amounts.front().unit->quantity) continue;
    if (asked != nullptr) return nullptr;
    asked = unit;
  }
  return asked;
}

bool is_fahrenheit(const Unit* unit) {
  return unit != nullptr && unit->name == "fahrenheit";
}

// "The oven is at 400 fahrenheit, how much is that", "… it goes in fahrenheit, it says 400, how many
// celsius": of a unit that most don't know, the other one is meant.
Found from_fahrenheit(Tokens tokens, const Facts& facts) {
  static const Unit celsius{"celsius", "temperature", Number(1), *Number::parse("273.15")};
  if (facts.amounts.size() != 1 || !facts.percents.empty()) return std::nullopt;
  Amount told = facts.amounts.front();
  const bool asks = has(tokens, Kind::kAsk) || has(tokens, Kind::kHowMany) || has(tokens, Kind::kOverHere);
  const bool alone = facts.wanted.empty() && is_fahrenheit(told.unit);
  const bool in_front = told.unit == nullptr && facts.wanted.size() == 2 &&
                        is_fahrenheit(facts.wanted.front()) && facts.wanted.back()->name == "celsius";
  if (!asks || (!alone && !in_front)) return std::nullopt;
  if (in_front) told.unit = facts.wanted.front();
  auto found = result(convert(told.value, *told.unit, celsius), Outcome::kConverted);
  if (!found) return std::nullopt;
  found->from.push_back(told);
  found->to = in_front ? facts.wanted.back() : &celsius;
  return found;
}

// "What's that in centimetres", but not "which hour is it in Warsaw".
bool is_asked_in(Tokens tokens, const Unit& unit) {
  bool is_led = false;
  for (const Token& token : tokens) {
    const Meaning* const meaning = token.as(Kind::kUnit);
    if (is_led && meaning != nullptr && meaning->unit == &unit) return true;
    is_led = token.as(Kind::kTo) != nullptr ||
             (is_led && (token.is_silent() || token.as(Kind::kArticle) != nullptr));
  }
  return false;
}

// "My mum is five foot three, what's that in centimetres"
Found converted(Tokens tokens, Facts facts) {
  const Unit* const wanted = unit_asked_for(facts);
  if (wanted == nullptr || facts.amounts.empty() || !facts.percents.empty()) return std::nullopt;
  const Unit& to = *wanted;
  const bool is_temperature = !to.offset.is_zero();  // "the oven at 350 fahrenheit, I want celsius"
  if (!is_temperature && !is_asked_in(tokens, to) && !has(tokens, Kind::kHowMany)) return std::nullopt;
  name_smaller_units(facts.amounts);
  if (facts.amounts.size() > 1)  // "five miles in 40 minutes"
    std::erase_if(facts.amounts, [&](const Amount& one) {
      return one.unit != nullptr && one.unit->quantity != to.quantity;
    });
  if (facts.amounts.empty()) return std::nullopt;
  if (!measure_the_same(facts.amounts, to)) return std::nullopt;
  Number sum;
  for (const Amount& amount : facts.amounts) sum = sum + convert(amount.value, *amount.unit, to);
  auto found = result(sum, Outcome::kConverted);
  if (!found) return std::nullopt;
  found->from = std::move(facts.amounts);
  found->to = &to;
  return found;
}

/// Which way a percentage goes.
struct Way {
  Way(Tokens tokens, const Facts& facts)
      : off(has(tokens, Kind::kDiscount) || facts.percent_taken ||
            (has(tokens, Kind::kGets) && has(tokens, Kind::kPay))),
        rises(has(tokens, Kind::kRises) || facts.percent_added),
        tip(has(tokens, Kind::kTip)),
        together(has(tokens, Kind::kTogether) || facts.percent_with),
        pays(has(tokens, Kind::kPay)) {
    // "How much tip do I pay" is of the tip alone.
    for (std::size_t at = 1; at < tokens.size(); ++at)
      if (tokens[at].as(Kind::kTip) != nullptr && tokens[at - 1].as(Kind::kHowMany) != nullptr) pays = false;
  }
  /// Whether what is asked is the bill with the tip.
  bool tops_up() const { return together || rises || pays; }
  bool off, rises, tip, together, pays;
};

// What there was before a percentage came to it or off it: "84 after a quarter off, so what was it before"
Found undone(const Number& price, const Number& part, const Way& way) {
  if (way.off == way.rises || way.tip) return std::nullopt;
  const Number whole = way.off ? one() - part : one() + part;
  return whole.is_zero() ? std::nullopt : result(price / whole);
}

// "1249 net, how much with 19 percent VAT"; without the tax where that is asked of a price that has it.
Found taxed(Tokens tokens, const Number& price, const Number& part, const Way& way) {
  const bool has_it = has(tokens, Kind::kRises);
  if (has(tokens, Kind::kBefore) && has_it) return undone(price, part, way);
  const bool comes_to_it = way.together || way.rises || way.pays || has(tokens, Kind::kAdd);
  return comes_to_it ? result(price + price * part) : std::nullopt;
}

// What is paid in all, and by how many: "the bill is 85, add 20 percent and split it three ways"
Found paid(Tokens tokens, const Facts& facts) {
  if (facts.amounts.size() != 1 || facts.percents.size() > 1 || facts.people.size() > 1) return std::nullopt;
  const Number& price = facts.amounts.front().value;
  const Way way(tokens, facts);
  const Number part = facts.percents.empty() ? Number() : facts.percents.front();
  if (!facts.people.empty() && (has(tokens, Kind::kEach) || has(tokens, Kind::kDivideCommand))) {
    if (facts.people.front().is_zero() || has(tokens, Kind::kBefore)) return std::nullopt;
    return result((way.off ? price - price * part : price + price * part) / facts.people.front());
  }
  if (facts.percents.empty() || !facts.people.empty()) return std::nullopt;
  if (has(tokens, Kind::kTax) && !way.tip && !way.off) return taxed(tokens, price, part, way);
  if (has(tokens, Kind::kBefore)) return undone(price, part, way);
  if (way.tip) return result(way.tops_up() ? price + price * part : price * part);
  if (way.off) return result(has(tokens, Kind::kSaved) ? price * part : price - price * part);
  if (way.rises || has(tokens, Kind::kAdd)) return result(price + price * part);
  return std::nullopt;
}

// "It went from 45 to 60 euros, how many percent is that"
Found change(const Number& before, const Number& after) {
  const Number way = after - before;
  const Number part = (way.value() < 0 ? -way : way) / before * Number(100);
  return result(part, Outcome::kPercentage);
}

// "I got 45 of 60 points, what percentage is that"
Found percentage(Tokens tokens, const Facts& facts) {
  if (!has(tokens, Kind::kWhatPercent) || facts.amounts.size() != 2 || !facts.percents.empty())
    return std::nullopt;
  const auto asked =
      std::ranges::find_if(tokens, [](const Token& one) { return one.as(Kind::kWhatPercent) != nullptr; });
  const bool whole_first = asked + 1 != tokens.end() && (asked + 1)->as(Kind::kOf) != nullptr;
  const bool changes = has(tokens, Kind::kRises) || has(tokens, Kind::kDiscount);
  const Number& whole = facts.amounts[whole_first || changes ? 0 : 1].value;
  if (whole.is_zero()) return std::nullopt;
  if (changes) return change(whole, facts.amounts[1].value);
  return result(facts.amounts[whole_first ? 1 : 0].value / whole * Number(100), Outcome::kPercentage);
}

// "The average of my marks 7, 8 and 4.5", "12 euros and 30 euros in total"
Found listed(Tokens tokens, const Facts& facts) {
  const bool average = has(tokens, Kind::kAverageOf);
  const bool sum = has(tokens, Kind::kSumOf) || has(tokens, Kind::kAdd);
  if (facts.amounts.size() < 2 || !facts.percents.empty() || (!average && !sum)) return std::nullopt;
  Number total;
  // "12, 5 and 3 kilos": a unit behind the last is that of all.
  const bool is_of_all = std::ranges::all_of(facts.amounts.begin(), facts.amounts.end() - 1,
                                             [](const Amount& amount) { return amount.unit == nullptr; });
  for (const Amount& amount : facts.amounts) {
    if (!is_of_all && amount.unit != facts.amounts.front().unit) return std::nullopt;
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
  if (auto found = from_fahrenheit(tokens, facts)) return found;
  if (const auto total = total_of_all(tokens, facts)) return result(*total);
  if (auto found = paid(tokens, facts)) return found;
  if (auto found = percentage(tokens, facts)) return found;
  if (auto found = of_story(tokens, facts)) {
    found->confidence = kFromFacts;
    return found;
  }
  return listed(tokens, facts);
}

bool is_doubtful(Tokens tokens) {
  const Facts facts(tokens);
  if (facts.percents.empty()) return false;
  return has(tokens, Kind::kBefore) ||
         (has(tokens, Kind::kPay) && (has(tokens, Kind::kGets) || has(tokens, Kind::kDiscount)));
}

}  // namespace parley::calculator
