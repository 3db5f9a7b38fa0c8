#include "counted.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace parley::calculator {
namespace {

using Tokens = std::span<const Token>;

/// No noun has more words.
constexpr std::size_t kLongestNoun = 2;

bool means_at(Tokens tokens, std::size_t at, Kind kind) {
  return at < tokens.size() && tokens[at].as(kind) != nullptr;
}

bool any_at(Tokens tokens, std::size_t at, std::span<const Kind> kinds) {
  return std::ranges::any_of(kinds, [&](Kind kind) { return means_at(tokens, at, kind); });
}

// Where the words end that mean nothing here and begin at `at`; at most those of a noun.
std::size_t behind_noun(Tokens tokens, std::size_t at) {
  std::size_t end = at;
  while (end < tokens.size() && !tokens[end].is_known() && end < at + kLongestNoun) ++end;
  return end;
}

bool is_several(const Number& number) {
  return number.is_whole() && number.value() > 1;
}

bool asks_how_much(Tokens tokens) {
  constexpr std::array kAsks{Kind::kAsk, Kind::kHowMany, Kind::kOverHere,
                             Kind::kIs,  Kind::kPay,     Kind::kTogether};
  return std::ranges::any_of(kAsks, [&](Kind kind) { return has(tokens, kind); });
}

// "[Three tickets] at 8 dollars"
bool is_price(Tokens tokens, std::size_t at, std::size_t behind) {
  return means_at(tokens, at, Kind::kAt) && means_at(tokens, at + 1, Kind::kNumber) &&
         means_at(tokens, behind - 1, Kind::kMoney);
}

// Whether so many people are named right before what one of them pays: "six friends at 25 euros".
bool is_price_of_people(Tokens tokens, std::size_t behind) {
  constexpr std::array kPeople{Kind::kPeople, Kind::kGroup, Kind::kNumber};
  for (std::size_t at = 1; at < behind; ++at)
    if (any_at(tokens, at - 1, kPeople) && is_price(tokens, at, behind)) return asks_how_much(tokens);
  return false;
}

// "Twelve people with three drinks each": what one of them has, rather than what all of them share.
std::optional<Number> of_people(Tokens tokens, const Facts& facts) {
  if (facts.people.size() != 1 || facts.amounts.size() != 1 || has(tokens, Kind::kDivideCommand))
    return std::nullopt;
  const Amount& amount = facts.amounts.front();
  if (!is_several(facts.people.front()) || amount.unit != nullptr) return std::nullopt;
  const std::size_t behind = facts.behind.front();
  const std::size_t noun_end = behind_noun(tokens, behind);
  constexpr std::array kOfOne{Kind::kEach, Kind::kApiece};
  const bool is_counted = noun_end > behind || has(tokens, Kind::kTogether);  // "96 euros each, in total"
  const bool is_of_one = is_counted && any_at(tokens, noun_end, kOfOne);
  if (!is_of_one && !is_price_of_people(tokens, behind)) return std::nullopt;
  return facts.people.front() * amount.value;
}

std::optional<Number> priced_things(Tokens tokens, const Facts& facts) {
  if (!facts.people.empty() || facts.amounts.size() != 2 || !facts.wanted.empty()) return std::nullopt;
  const auto& [count, price] = std::pair(facts.amounts[0], facts.amounts[1]);
  if (count.unit != nullptr || price.unit != nullptr || !is_several(count.value)) return std::nullopt;
  const std::size_t noun_end = behind_noun(tokens, facts.behind[0]);
  if (noun_end == facts.behind[0] || !is_price(tokens, noun_end, facts.behind[1]) || !asks_how_much(tokens))
    return std::nullopt;
  return count.value * price.value;
}

}  // namespace

std::optional<Number> total_of_all(Tokens tokens, const Facts& facts) {
  if (!facts.percents.empty()) return std::nullopt;
  const auto total = of_people(tokens, facts);
  return total ? total : priced_things(tokens, facts);
}

std::optional<std::vector<Token>> without_things(Tokens tokens) {
  constexpr std::array kNumbers{Kind::kNumber, Kind::kPart};
  constexpr std::array kSigns{Kind::kTimes,  Kind::kDivide,    Kind::kTwice,
                              Kind::kThrice, Kind::kTimesOver, Kind::kOf};
  std::vector<Token> sum;
  std::size_t units = 0, things = 0;
  bool is_worked_on = false;  // there is a sign with a number behind it
  bool has_sign = false;
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    const Token& token = tokens[at];
    const bool is_behind_number = !sum.empty() && any_at(sum, sum.size() - 1, kNumbers);
    if (!token.is_known()) {
      const std::size_t end = behind_noun(tokens, at);
      if (!is_behind_number || (end < tokens.size() && !tokens[end].is_known())) return std::nullopt;
      ++things;
      at = end - 1;
    } else if (token.as(Kind::kUnit) != nullptr && is_behind_number && token.as(Kind::kNumber) == nullptr) {
      ++units;
    } else if (token.as(Kind::kOf) != nullptr && is_behind_number && at + 1 < tokens.size() &&
               !tokens[at + 1].is_known()) {
      continue;  // "250 grams of flour"
    } else if (!token.is_silent()) {
      const bool is_article = token.as(Kind::kArticle) != nullptr;
      is_worked_on = is_worked_on || (has_sign && token.as(Kind::kNumber) != nullptr && !is_article);
      has_sign = has_sign || any_at(tokens, at, kSigns);
      sum.push_back(token);
    }
  }
  // Two units multiplied are none of their kind.
  if (!is_worked_on || units > 1 || things > 2 || units + things == 0) return std::nullopt;
  return sum;
}

}  // namespace parley::calculator
