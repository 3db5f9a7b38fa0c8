#include "story.hpp"

#include <algorithm>
#include <string>

namespace parley::calculator {
namespace {

using Tokens = std::span<const Token>;
using Value = std::optional<Number>;

bool is_of(const Amount& amount, std::string_view quantity) {
  return amount.unit != nullptr && amount.unit->quantity == quantity;
}

// "I worked nineteen hours at fourteen fifty an hour, so I'm owed"
Value earned(Tokens tokens, const Facts& facts) {
  if (!has(tokens, Kind::kEarn)) return std::nullopt;
  std::vector<Amount> amounts = facts.amounts;
  std::erase_if(amounts, [](const Amount& one) { return is_of(one, "time") && one.value == Number(1); });
  if (amounts.size() != 2 || is_of(amounts[0], "time") == is_of(amounts[1], "time")) return std::nullopt;
  const Amount& rate = amounts[is_of(amounts[0], "time") ? 1 : 0];
  return rate.unit == nullptr ? Value(amounts[0].value * amounts[1].value) : std::nullopt;
}

// "Three chickens at 7.50 each"
Value priced(Tokens tokens, const Facts& facts) {
  if (facts.amounts.size() != 2 || !facts.wanted.empty()) return std::nullopt;
  const Amount& count = facts.amounts[0];
  const bool is_count = count.unit == nullptr && count.value.is_whole() && count.value.value() > 1;
  const std::size_t behind = facts.behind[1];
  const bool is_of_one = behind < tokens.size() && tokens[behind].as(Kind::kApiece) != nullptr;
  if (!is_count || !is_of_one || facts.amounts[1].unit != nullptr) return std::nullopt;
  return count.value * facts.amounts[1].value;
}

// "A rug of two metres by three, how many square metres is that", "3.8 metres high and 4.2 wide"
Value surface(Tokens tokens, const Facts& facts) {
  const auto area =
      std::ranges::find_if(facts.wanted, [](const Unit* unit) { return unit->quantity == "area"; });
  if (area == facts.wanted.end() || facts.amounts.size() != 2) return std::nullopt;
  if (!has(tokens, Kind::kBy) && !has(tokens, Kind::kTimes) && !has(tokens, Kind::kSide)) return std::nullopt;
  const Unit* const length = facts.amounts[0].unit != nullptr ? facts.amounts[0].unit : facts.amounts[1].unit;
  Number product(1);
  for (const Amount& side : facts.amounts) {
    const Unit* const unit = side.unit != nullptr ? side.unit : length;
    if (unit == nullptr || unit->quantity != "length") return std::nullopt;
    product = product * side.value * unit->factor;
  }
  return product / (*area)->factor;
}

// "4.2 metres by 2.5, what's that multiplied"
Value multiplied(Tokens tokens, const Facts& facts) {
  if (facts.amounts.size() != 2 || !facts.wanted.empty() || !has(tokens, Kind::kBy)) return std::nullopt;
  const auto ask = std::ranges::find_if(tokens, [](const Token& one) {
    return one.as(Kind::kAsk) != nullptr || one.as(Kind::kOverHere) != nullptr;
  });
  const auto asked = tokens.subspan(static_cast<std::size_t>(ask - tokens.begin()));
  const bool is_number_left =
      std::ranges::any_of(asked, [](const Token& one) { return one.as(Kind::kNumber) != nullptr; });
  if (!has(asked, Kind::kTimes) || is_number_left) return std::nullopt;
  const auto& [one, other] = std::pair(facts.amounts[0], facts.amounts[1]);
  const bool fits = one.unit == other.unit || (is_of(one, "length") && other.unit == nullptr);
  return fits ? Value(one.value * other.value) : std::nullopt;
}

// "I had 20 and spent 7.50, what is left"
Value left_over(Tokens tokens, const Facts& facts) {
  if (!has(tokens, Kind::kRemains) || facts.amounts.size() != 2) return std::nullopt;
  if (!has(tokens, Kind::kSpent) && !has(tokens, Kind::kSubtract)) return std::nullopt;
  const auto& [first, second] = std::pair(facts.amounts[0], facts.amounts[1]);
  if (first.unit != second.unit || first.value.value() < second.value.value()) return std::nullopt;
  return first.value - second.value;
}

/// The things of a story that are counted, and those that are asked for.
class Things {
 public:
  Things(Tokens tokens, const Facts& facts) : tokens_(tokens), facts_(facts) {
    for (std::size_t at = 0; at + 1 < tokens.size(); ++at)
      if (tokens[at].as(Kind::kHowMany) != nullptr && asked_ == 0) asked_ = noun_at(at + 1);
  }

  Value count() const {
    if (asked_ == 0 || facts_.amounts.size() != 2) return std::nullopt;
    const std::size_t first = noun_at(facts_.behind[0]), second = noun_at(facts_.behind[1]);
    const Number& one = facts_.amounts[0].value;
    const Number& other = facts_.amounts[1].value;
    const bool first_asked = is_asked(first), second_asked = is_asked(second);
    if (first_asked && second_asked) return std::nullopt;
    // "Five boxes with 24 cans in every box, how many cans"
    if (first_asked) return times(second) > 1 ? Value(one * other) : std::nullopt;
    if (second_asked) return times(first) > 1 ? Value(one * other) : std::nullopt;
    // "1080 tiles, and 36 go in a box: how many boxes"
    const bool fits = times(asked_) > 1 && first != 0 && one.value() >= other.value() && other.value() > 1;
    return fits ? Value(whole_boxes(one / other)) : std::nullopt;
  }

 private:
  static Number whole_boxes(const Number& boxes) {
    const Number rest = modulo(boxes, Number(1));
    return rest.is_zero() ? boxes : boxes - rest + Number(1);
  }

  // The word that stands there and means nothing in sums; 0: none does.
  std::size_t noun_at(std::size_t at) const {
    const bool is_noun = at < tokens_.size() && at > 0 && !tokens_[at].is_known();
    return is_noun && tokens_[at].text.size() > 2 ? at : 0;
  }
  bool is_asked(std::size_t at) const {
    return at != 0 && is_same_noun(tokens_[at].text, tokens_[asked_].text);
  }
  // How often the story has that word.
  std::ptrdiff_t times(std::size_t noun) const {
    if (noun == 0) return 0;
    return std::ranges::count_if(
        tokens_, [&](const Token& one) { return is_same_noun(one.text, tokens_[noun].text); });
  }

  Tokens tokens_;
  const Facts& facts_;
  std::size_t asked_ = 0;
};

}  // namespace

std::optional<Calculation> of_story(Tokens tokens, const Facts& facts) {
  if (!facts.percents.empty() || !facts.people.empty()) return std::nullopt;
  Value value = earned(tokens, facts);
  if (!value) value = priced(tokens, facts);
  if (!value) value = surface(tokens, facts);
  if (!value) value = multiplied(tokens, facts);
  if (!value) value = left_over(tokens, facts);
  if (!value) value = Things(tokens, facts).count();
  if (!value || !value->is_finite()) return std::nullopt;
  Calculation found{Calculation::Outcome::kNumber, *value};
  return found;
}

}  // namespace parley::calculator
