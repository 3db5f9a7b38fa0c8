#include "going_on_among.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "going_on.hpp"

namespace parley::calculator {
namespace {

using Spoken = std::vector<Token>;

bool means(const Spoken& tokens, std::size_t at, Kind kind) {
  return at < tokens.size() && tokens[at].as(kind) != nullptr;
}

bool is_any(const Token& token, std::span<const Kind> kinds) {
  return std::ranges::any_of(kinds, [&](Kind kind) { return token.as(kind) != nullptr; });
}

Token token(Kind kind, const Number& value = {}) {
  return Token{"", {Meaning{kind, value}}};
}

bool has_number(std::span<const Token> tokens) {
  return std::ranges::any_of(tokens, [](const Token& one) { return one.as(Kind::kNumber) != nullptr; });
}

Spoken part(const Spoken& tokens, std::size_t from, std::size_t until) {
  return {tokens.begin() + static_cast<std::ptrdiff_t>(from),
          tokens.begin() + static_cast<std::ptrdiff_t>(until)};
}

/// Without "because jules was away" and ", iker isn't coming".
Spoken without_reason(const Spoken& said) {
  const std::span all(said);
  for (std::size_t at = 1; at < said.size(); ++at) {
    const bool is_comma = said[at].text == "," && has_number(all.first(at)) && !has_number(all.subspan(at));
    if (means(said, at, Kind::kReason) || is_comma) return part(said, 0, at);
  }
  return said;
}

// ---- how many share

/// Where the question before says by how many it is shared.
std::optional<std::size_t> sharers_at(const Spoken& before) {
  constexpr std::array kBefore{Kind::kWeAre, Kind::kBy, Kind::kDivide, Kind::kTo};
  const bool is_shared = std::ranges::any_of(before, [](const Token& one) {
    constexpr std::array kShares{Kind::kEach, Kind::kPeople, Kind::kDivideCommand, Kind::kPay, Kind::kMoney};
    return is_any(one, kShares);
  });
  for (std::size_t at = before.size(); at-- > 0;) {
    if (means(before, at, Kind::kGroup)) return at;
    if (!means(before, at, Kind::kNumber)) continue;
    if (means(before, at + 1, Kind::kPeople)) return at;
    if (is_shared && at > 0 && is_any(before[at - 1], kBefore)) return at;
  }
  return std::nullopt;
}

/// "And if Jonas isn't paying, so just three", "y entre tres": nothing else is counted.
std::optional<Token> other_sharers(const Spoken& said) {
  constexpr double kMost = 20;
  constexpr std::array kOfAnother{Kind::kUnit, Kind::kMoney, Kind::kPercent,
                                  Kind::kPlus, Kind::kTimes, Kind::kPart};
  std::optional<std::size_t> at;
  bool leads = !said.empty() && means(said, 0, Kind::kAnd);
  for (std::size_t i = 0; i < said.size(); ++i) {
    const bool is_group = means(said, i, Kind::kGroup);
    leads = leads || (!at && (means(said, i, Kind::kSharing) || means(said, i, Kind::kInstead))) || is_group;
    if (means(said, i, Kind::kNumber) || is_group) {
      const bool is_article = means(said, i, Kind::kArticle);
      if (is_article) continue;
      if (at) return std::nullopt;
      at = i;
    } else if (said[i].is_known() && is_any(said[i], kOfAnother)) {
      return std::nullopt;
    }
  }
  if (!at || !leads) return std::nullopt;
  const Meaning* const number = said[*at].as(Kind::kNumber);
  if (number != nullptr &&
      (!number->value.is_whole() || number->value.value() < 2 || number->value.value() > kMost))
    return std::nullopt;
  // "And three eggs" counts something else.
  constexpr std::array kBehind{Kind::kPeople, Kind::kPay, Kind::kEach, Kind::kAsk, Kind::kSharing, Kind::kIs};
  const std::size_t behind = *at + 1;
  if (behind < said.size() && said[behind].text != "," && !is_any(said[behind], kBehind) &&
      !said[behind].is_silent())
    return std::nullopt;
  return said[*at];
}

// ---- what is done with the result

/// "And that on top of the 1240": the number that is told is what the result comes to, or off.
std::optional<Spoken> put_to(const Spoken& said, const std::optional<Number>& result) {
  if (!result || !std::ranges::all_of(said, &Token::is_known)) return std::nullopt;
  std::optional<Token> number;
  bool is_that = false, is_added = false, is_taken = false;
  for (const Token& token : said) {
    if (token.as(Kind::kNumber) != nullptr && token.as(Kind::kArticle) == nullptr) {
      if (number || !is_that) return std::nullopt;
      number = token;
      continue;
    }
    is_that =
        is_that || (!number && (token.as(Kind::kThat) != nullptr || token.as(Kind::kThatFirst) != nullptr));
    is_added = is_added || token.as(Kind::kAdded) != nullptr;
    is_taken = is_taken || token.as(Kind::kTaken) != nullptr;
    constexpr std::array kLink{Kind::kAnd,  Kind::kOf,        Kind::kTo,    Kind::kFrom,
                               Kind::kThat, Kind::kThatFirst, Kind::kOff,   Kind::kAdd,
                               Kind::kPlus, Kind::kArticle,   Kind::kAdded, Kind::kTaken};
    if (!token.is_silent() && !is_any(token, kLink)) return std::nullopt;
  }
  if (!number || is_added == is_taken) return std::nullopt;
  return Spoken{*number, token(is_added ? Kind::kPlus : Kind::kMinus), token(Kind::kNumber, *result)};
}

/// "And ten percent on top", "and if we leave a ten percent tip".
std::optional<Spoken> by_percent(const Spoken& said, const std::optional<Number>& result) {
  constexpr std::array kLeads{Kind::kAnd, Kind::kInstead, Kind::kSharing};  // "et si"
  if (!result || said.empty() || !is_any(said[0], kLeads)) return std::nullopt;
  constexpr std::ptrdiff_t kMostUnknown = 3;
  const auto has_tip =
      std::ranges::any_of(said, [](const Token& one) { return one.as(Kind::kTip) != nullptr; });
  const auto unknown = std::ranges::count_if(said, [](const Token& one) { return !one.is_known(); });
  if (unknown > (has_tip ? kMostUnknown : 0)) return std::nullopt;
  std::optional<Token> number;
  bool is_percent = false, is_added = false, is_taken = false;
  for (std::size_t at = 1; at < said.size(); ++at) {
    if (means(said, at, Kind::kNumber) && !means(said, at, Kind::kArticle)) {
      if (number) return std::nullopt;
      number = said[at];
      is_percent = means(said, at + 1, Kind::kPercent);
    }
    constexpr std::array kAdds{Kind::kAdded, Kind::kRises, Kind::kTip, Kind::kTogether};
    is_added = is_added || is_any(said[at], kAdds);
    constexpr std::array kTakes{Kind::kTaken, Kind::kDiscount};
    is_taken = is_taken || is_any(said[at], kTakes);
  }
  if (!number || !is_percent || is_added == is_taken) return std::nullopt;
  return Spoken{token(Kind::kNumber, *result), token(is_added ? Kind::kPlus : Kind::kMinus), *number,
                token(Kind::kPercent)};
}

/// "And the double", "et la moitié".
std::optional<Spoken> multiple_of(const Spoken& said, const std::optional<Number>& result) {
  if (!result || said.empty() || !means(said, 0, Kind::kAnd)) return std::nullopt;
  Spoken told;
  for (std::size_t at = 1; at < said.size(); ++at)
    if (!said[at].is_silent()) told.push_back(said[at]);
  if (told.size() != 1) return std::nullopt;
  const bool is_part = means(told, 0, Kind::kPart) && told[0].as(Kind::kPart)->value.value() < 1;
  if (is_part) return Spoken{told[0], token(Kind::kOf), token(Kind::kNumber, *result)};
  if (!means(told, 0, Kind::kTwice) && !means(told, 0, Kind::kThrice)) return std::nullopt;
  return Spoken{told[0], token(Kind::kNumber, *result)};
}

/// Words that say nothing of a sum; behind a number they say what is counted.
bool is_beside(const Spoken& said, std::size_t from, std::size_t until) {
  for (std::size_t at = from; at < until; ++at)
    if (said[at].is_known() && !said[at].is_silent() && !means(said, at, Kind::kAnd)) return false;
  return true;
}

/// Whether it names the result or says what to do with it: "minus 20" alone is more often the weather.
bool is_of_result(const Spoken& some) {
  constexpr std::array kSays{Kind::kThat, Kind::kThatFirst, Kind::kAdd, Kind::kSubtract, Kind::kMultiply};
  return std::ranges::any_of(some, [&](const Token& one) { return is_any(one, kSays); });
}

void add_parts(const Spoken& said, const std::optional<Number>& result, std::vector<Spoken>& found) {
  constexpr std::size_t kShortest = 2, kMost = 16;
  if (!result || said.size() > kMost) return;
  for (std::size_t count = said.size(); count-- > kShortest;) {
    for (std::size_t at = 0; at + count <= said.size(); ++at) {
      const std::size_t end = at + count;
      const bool is_whole = end == said.size() || said[end].is_known();
      if (!is_whole || !is_beside(said, 0, at) || !is_beside(said, end, said.size())) continue;
      const Spoken some = part(said, at, end);
      if (!is_of_result(some)) continue;
      if (auto meant = with_result(some, result)) found.push_back(std::move(*meant));
    }
  }
}

/// The one unit that a sum was of; two of them multiplied are of neither.
const Unit* unit_of_result(const Spoken& said) {
  const Unit* only = nullptr;
  std::size_t amounts = 0;
  for (std::size_t at = 1; at < said.size(); ++at) {
    const Meaning* const meaning = said[at].as(Kind::kUnit);
    if (meaning == nullptr || !means(said, at - 1, Kind::kNumber)) continue;
    if (only != nullptr && only != meaning->unit) return nullptr;
    only = meaning->unit;
    ++amounts;
  }
  const bool multiplies = std::ranges::any_of(said, [](const Token& one) {
    return one.as(Kind::kTimes) != nullptr || one.as(Kind::kBy) != nullptr ||
           one.as(Kind::kDivide) != nullptr;
  });
  return amounts > 1 && multiplies ? nullptr : only;
}

}  // namespace

std::optional<Spoken> shared_otherwise(const Spoken& said, const Spoken& before) {
  const auto at = sharers_at(before);
  const auto sharers = at ? other_sharers(without_reason(said)) : std::nullopt;
  if (!sharers) return std::nullopt;
  Spoken meant = before;
  const Meaning* const number = sharers->as(Kind::kNumber);
  const Meaning* const group = sharers->as(Kind::kGroup);
  const bool was_group = before[*at].as(Kind::kGroup) != nullptr;
  if (was_group && number != nullptr)
    meant[*at] = token(Kind::kGroup, number->value);
  else if (!was_group && number == nullptr && group != nullptr)
    meant[*at] = token(Kind::kNumber, group->value);
  else
    meant[*at] = *sharers;
  return meant;
}

std::optional<Spoken> in_other_unit(const Spoken& said, const Before& before) {
  if (!before.value || said.empty()) return std::nullopt;
  const Meaning* const unit = said.back().as(Kind::kUnit);
  const Unit* const of_result = unit_of_result(before.said);
  if (unit == nullptr || of_result == nullptr || unit->unit->quantity != of_result->quantity)
    return std::nullopt;
  constexpr std::array kBefore{Kind::kAnd, Kind::kThat, Kind::kThatFirst, Kind::kIs,
                               Kind::kOf,  Kind::kTo,   Kind::kHowMany,   Kind::kOverHere};
  const std::span front(said.data(), said.size() - 1);
  const bool is_link = std::ranges::all_of(
      front, [&](const Token& one) { return one.is_known() && (one.is_silent() || is_any(one, kBefore)); });
  const bool is_asked = !front.empty() && (means(said, front.size() - 1, Kind::kTo) ||
                                           means(said, front.size() - 1, Kind::kHowMany));
  if (!is_link || !is_asked) return std::nullopt;
  const Token amount_unit{"", {Meaning{Kind::kUnit, {}, of_result}}};
  return Spoken{token(Kind::kNumber, *before.value), amount_unit, token(Kind::kTo), said.back()};
}

std::optional<Spoken> rounded_result(const Spoken& said, const std::optional<Number>& result) {
  const auto rounds = [](const Token& one) { return one.as(Kind::kRound) != nullptr; };
  const auto is_that = [](const Token& one) { return one.as(Kind::kThat) != nullptr; };
  if (!result || std::ranges::none_of(said, rounds)) return std::nullopt;
  Spoken meant = said;
  const auto that = std::ranges::find_if(meant, is_that);
  if (that == meant.end()) return std::nullopt;
  *that = token(Kind::kNumber, *result);
  return meant;
}

std::vector<Spoken> among_others(const Spoken& said, const Before& before) {
  const Spoken kept = without_reason(said);
  std::vector<Spoken> found;
  if (auto meant = put_to(kept, before.value)) found.push_back(std::move(*meant));
  if (kept.size() < said.size())
    if (auto meant = with_result(kept, before.value)) found.push_back(std::move(*meant));
  // When something else was spoken of since then, "and half" may be of that.
  if (before.asked.empty()) return found;
  if (auto meant = by_percent(kept, before.value)) found.push_back(std::move(*meant));
  if (auto meant = multiple_of(kept, before.value)) found.push_back(std::move(*meant));
  add_parts(kept, before.value, found);
  return found;
}

}  // namespace parley::calculator
