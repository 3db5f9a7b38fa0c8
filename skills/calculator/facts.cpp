#include "facts.hpp"

#include <algorithm>
#include <array>

#include "expression.hpp"

namespace parley::calculator {

bool is_same_noun(std::string_view one, std::string_view other) {
  constexpr std::size_t kShortest = 3, kEnding = 2;
  const auto same = static_cast<std::size_t>(std::ranges::mismatch(one, other).in1 - one.begin());
  return same >= kShortest && same + kEnding >= std::max(one.size(), other.size());
}

bool has(std::span<const Token> tokens, Kind kind) {
  return std::ranges::any_of(tokens, [&](const Token& token) { return token.as(kind) != nullptr; });
}

Facts::Facts(std::span<const Token> tokens) : tokens_(tokens) {
  while (at_ < tokens_.size()) at_ += read_one();
}

// How many tokens it was.
std::size_t Facts::read_one() {
  if (const Meaning* const group = tokens_[at_].as(Kind::kGroup)) {
    people.push_back(group->value);
    return 1;
  }
  if ((is(at_, Kind::kNumber) && !is_article()) || starts_with_part()) return read_number();
  if (const Meaning* const unit = tokens_[at_].as(Kind::kUnit)) {
    // "a cup": an article goes before, or nothing.
    if (is_one_of(at_)) {
      amounts.push_back(Amount{Number(1), unit->unit});
      behind.push_back(at_ + 1);
    } else if (std::ranges::find(wanted, unit->unit) == wanted.end()) {
      wanted.push_back(unit->unit);
    }
  }
  return 1;
}

bool Facts::starts_with_part() const {
  if (!is(at_, Kind::kPart) || tokens_[at_].as(Kind::kPart)->value.value() >= 1) return false;
  if (is(at_ + 1, Kind::kDiscount)) return true;  // "half off"
  const bool has_article =
      is(at_ + 1, Kind::kNumber) && tokens_[at_ + 1].as(Kind::kNumber)->value == Number(1);
  return is(at_ + (has_article ? 2 : 1), Kind::kUnit);
}

// "A recipe", "which one": no number, unless something is counted.
bool Facts::is_article() const {
  const Token& token = tokens_[at_];
  if (!(token.as(Kind::kNumber)->value == Number(1)) || token.text.starts_with('1')) return false;
  const std::size_t next = at_ + 1;
  return !is(next, Kind::kPart) && !is(next, Kind::kPeople) && !is(next, Kind::kPercent) &&
         !is(next, Kind::kMoney) && !is(next, Kind::kPoint);
}

bool Facts::is_one_of(std::size_t unit) const {
  return unit > 0 && tokens_[unit - 1].as(Kind::kNumber) != nullptr;
}

std::size_t Facts::read_number() {
  Expression reader(tokens_.subspan(at_));
  const auto value = reader.factor();
  if (!value || reader.left() == tokens_.size() - at_) return 1;
  const std::size_t length = tokens_.size() - at_ - reader.left();
  const std::size_t next = at_ + length;
  const bool part_off = is(next - 1, Kind::kPart) && value->value() < 1 && is(next, Kind::kDiscount);
  if (is(next - 1, Kind::kPercent) || part_off) {
    note_percent(*value);
  } else if (is_people(next)) {
    people.push_back(*value);
  } else {
    return length + read_amount(*value, next);
  }
  return length;
}

void Facts::note_percent(const Number& value) {
  percents.push_back(value);
  std::size_t before = at_;
  while (before > 0 && tokens_[before - 1].is_silent() && !is(before - 1, Kind::kWith)) --before;
  if (before == 0) return;
  percent_added = percent_added || is(before - 1, Kind::kPlus);
  percent_taken = percent_taken || is(before - 1, Kind::kMinus);
  percent_with = percent_with || is(before - 1, Kind::kWith);
}

bool Facts::recurs(std::size_t noun) const {
  if (noun >= tokens_.size() || tokens_[noun].is_known()) return false;
  return std::ranges::any_of(tokens_.subspan(noun + 1), [&](const Token& token) {
    return !token.is_known() && is_same_noun(token.text, tokens_[noun].text);
  });
}

bool Facts::is_people(std::size_t next) const {
  if (is(next, Kind::kPeople)) return true;
  if (at_ == 0) return false;
  constexpr double kMost = 50;  // "son 86 con 50" are euros
  const Meaning* const count = tokens_[at_].as(Kind::kNumber);
  const bool few = count != nullptr && count->value.is_whole() && count->value.value() <= kMost;
  if (few && recurs(next)) return false;  // "there are four trays with 15 muffins on each tray"
  if (few && is(at_ - 1, Kind::kWeAre)) return !is(next, Kind::kMoney) && !is(next, Kind::kUnit);
  const bool is_shared = has(tokens_, Kind::kMoney) || has(tokens_, Kind::kEach);
  const bool is_into = is(at_ - 1, Kind::kBy) || (is_shared && is(at_ - 1, Kind::kTo));
  return is_into && has(tokens_.first(at_), Kind::kDivideCommand);
}

// "Eighty six forty" is a price, "three fifty fahrenheit" three hundred and fifty. How many tokens that was.
std::size_t Facts::with_hundredths(Number& value, std::size_t next) const {
  if (!is(next, Kind::kNumber) || !is_spelled(at_) || !is_spelled(next) || next == 0) return 0;
  constexpr std::array kLists{Kind::kAverageOf, Kind::kSumOf, Kind::kAdd, Kind::kTimes};
  if (std::ranges::any_of(kLists, [&](Kind kind) { return has(tokens_, kind); })) return 0;
  const Number& rest = tokens_[next].as(Kind::kNumber)->value;
  if (!value.is_whole() || !rest.is_whole() || rest.value() < 10 || rest.value() > 99) return 0;
  const Meaning* const unit = is(next + 1, Kind::kUnit) ? tokens_[next + 1].as(Kind::kUnit) : nullptr;
  if (unit != nullptr && !unit->unit->offset.is_zero() && value.value() < 10) {
    value = value * Number(100) + rest;
    return 1;
  }
  constexpr std::array kOfAnother{Kind::kPercent, Kind::kUnit, Kind::kPeople, Kind::kPart, Kind::kPoint};
  if (std::ranges::any_of(kOfAnother, [&](Kind kind) { return is(next + 1, kind); })) return 0;
  value = value + rest / Number(100);
  return 1;
}

// How many tokens the unit was, and what belongs to it: the inches behind feet, "of a", "and a half".
std::size_t Facts::read_amount(Number value, std::size_t next) {
  std::size_t length = with_hundredths(value, next);
  const std::size_t unit_at = next + length;
  std::size_t skipped = 0;
  if (is(unit_at, Kind::kOf) && is(unit_at + 2, Kind::kUnit)) ++skipped;  // "three quarters of a cup"
  const std::size_t one = unit_at + skipped;
  if (value.value() < 1 && is(one, Kind::kNumber) && is(one + 1, Kind::kUnit) &&
      tokens_[one].as(Kind::kNumber)->value == Number(1))
    ++skipped;  // the "a" of "half a mile"
  const Meaning* const unit =
      is(unit_at + skipped, Kind::kUnit) ? tokens_[unit_at + skipped].as(Kind::kUnit) : nullptr;
  if (unit != nullptr) length += skipped + 1;
  if (unit == nullptr && is(unit_at, Kind::kMoney)) ++length;
  if (unit != nullptr || is(unit_at, Kind::kMoney)) {
    Expression more(tokens_.subspan(next + length));
    const std::size_t left = more.left();
    if (const auto part = more.and_part()) {
      value = value + *part;
      length += left - more.left();
    }
  }
  amounts.push_back(Amount{value, unit != nullptr ? unit->unit : nullptr});
  behind.push_back(next + length);
  return length;
}

}  // namespace parley::calculator
