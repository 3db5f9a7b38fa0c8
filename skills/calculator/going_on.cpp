#include "going_on.hpp"

#include <algorithm>
#include <array>
#include <iterator>

namespace parley::calculator {
namespace {

using Spoken = std::vector<Token>;
using Meant = std::optional<Spoken>;

bool is(const Spoken& tokens, std::size_t at, Kind kind) {
  return at < tokens.size() && tokens[at].as(kind) != nullptr;
}

bool has(const Spoken& tokens, Kind kind) {
  return std::ranges::any_of(tokens, [&](const Token& token) { return token.as(kind) != nullptr; });
}

Spoken from(const Spoken& tokens, std::size_t at) {
  return {tokens.begin() + static_cast<std::ptrdiff_t>(std::min(at, tokens.size())), tokens.end()};
}

Token token_of(Kind kind) {
  return Token{"", {Meaning{kind}}};
}

// Without what says nothing, and without the "and" before it all.
Spoken telling(const Spoken& said) {
  Spoken kept;
  for (const Token& token : said) {
    const bool counts = token.as(Kind::kThatFirst) != nullptr || token.as(Kind::kPeople) != nullptr ||
                        token.as(Kind::kGroup) != nullptr || token.as(Kind::kWeAre) != nullptr;
    const bool first_and = kept.empty() && token.as(Kind::kAnd) != nullptr;
    if ((!token.is_silent() || counts) && !first_and) kept.push_back(token);
  }
  return kept;
}

bool is_command(const Token& token) {
  constexpr std::array kCommands{Kind::kAdd, Kind::kSubtract, Kind::kMultiply, Kind::kDivideCommand};
  return std::ranges::any_of(kCommands, [&](Kind kind) { return token.as(kind) != nullptr; });
}

// "take away four", "and add 8", "now divide by three": with the sign that it stands for.
std::optional<Token> sign_of(const Token& command) {
  if (command.as(Kind::kAdd) != nullptr) return token_of(Kind::kPlus);
  if (command.as(Kind::kSubtract) != nullptr) return token_of(Kind::kMinus);
  if (command.as(Kind::kMultiply) != nullptr) return token_of(Kind::kTimes);
  if (command.as(Kind::kDivideCommand) != nullptr) return token_of(Kind::kDivide);
  return std::nullopt;
}

bool joins(const Token& token) {
  constexpr std::array kJoints{Kind::kBy, Kind::kAnd,   Kind::kTo,     Kind::kFrom,
                               Kind::kOf, Kind::kTimes, Kind::kDivide, Kind::kPower};  // "to the 1240"
  return std::ranges::any_of(kJoints, [&](Kind kind) { return token.as(kind) != nullptr; });
}

// "[that] take away four [from that]"
Meant commanded(const Spoken& tokens, const Token& number) {
  std::size_t at = 0;
  while (is(tokens, at, Kind::kThat) || is(tokens, at, Kind::kThatFirst)) ++at;
  if (at >= tokens.size() || !is_command(tokens[at])) return std::nullopt;
  const auto sign = sign_of(tokens[at++]);
  // "Subtract that from 100".
  const bool takes_result =
      sign->as(Kind::kMinus) != nullptr && is(tokens, at, Kind::kThat) && is(tokens, at + 1, Kind::kFrom);
  while (at < tokens.size() && (is(tokens, at, Kind::kThat) || joins(tokens[at]))) ++at;
  Spoken operand = from(tokens, at);
  while (!operand.empty() &&
         (operand.back().as(Kind::kThat) != nullptr || (operand.size() > 1 && joins(operand.back()))))
    operand.pop_back();
  const bool percent = operand.size() == 2 && is(operand, 1, Kind::kPercent);
  if ((operand.size() != 1 && !percent) || !is(operand, 0, Kind::kNumber)) return std::nullopt;
  if (takes_result && !percent) return Spoken{operand.front(), *sign, number};
  Spoken meant{number, *sign};
  std::ranges::copy(operand, std::back_inserter(meant));
  return meant;
}

// "And of that the half": what is taken of it stands behind.
Meant part_behind(const Spoken& tokens, const Token& number) {
  if (tokens.size() < 2 || !is(tokens, 0, Kind::kThat)) return std::nullopt;
  const bool part = tokens.size() == 2 && is(tokens, 1, Kind::kPart);
  const bool share = tokens.size() == 3 && is(tokens, 1, Kind::kNumber) &&
                     (is(tokens, 2, Kind::kPart) || is(tokens, 2, Kind::kPercent));
  if (!part && !share) return std::nullopt;
  Spoken meant = from(tokens, 1);
  meant.push_back(token_of(Kind::kOf));
  meant.push_back(number);
  return meant;
}

bool goes_on(const Spoken& tokens) {
  if (tokens.empty()) return false;
  // "Minus five" alone takes away; with more behind it, it begins a sum of its own.
  const bool percent = tokens.size() == 3 && is(tokens, 2, Kind::kPercent);
  const bool takes_away = (tokens.size() == 2 || percent) && is(tokens, 0, Kind::kMinus);
  return takes_away || is(tokens, 0, Kind::kPlus) || is(tokens, 0, Kind::kTimes) ||
         is(tokens, 0, Kind::kDivide) || is(tokens, 0, Kind::kSquared) || is(tokens, 0, Kind::kCubed);
}

bool is_percent(const Spoken& tokens, std::size_t at) {
  return is(tokens, at, Kind::kNumber) && is(tokens, at + 1, Kind::kPercent);
}

bool is_count(const Spoken& tokens, std::size_t at) {
  if (is(tokens, at, Kind::kGroup)) return true;
  if (!is(tokens, at, Kind::kNumber)) return false;
  if (is(tokens, at + 1, Kind::kPeople)) return true;
  return at > 0 && (is(tokens, at - 1, Kind::kWeAre) || is(tokens, at - 1, Kind::kBy));
}

// Where the question before has what is changed: the last that `fits`.
template <typename Fits>
std::optional<std::size_t> last_place(const Spoken& before, Fits fits) {
  for (std::size_t at = before.size(); at-- > 0;) {
    if (fits(at)) return at;
  }
  return std::nullopt;
}

Meant replaced(Spoken before, std::optional<std::size_t> at, const Token& with) {
  if (!at) return std::nullopt;
  before[*at] = with;
  return before;
}

// "20 kilometres", in a conversion of something like it.
Meant other_amount(const Spoken& said, const Spoken& before) {
  const auto amount_at = [&](std::size_t at) {
    return is(before, at, Kind::kNumber) && is(before, at + 1, Kind::kUnit);
  };
  if (said.size() != 2 || !is(said, 1, Kind::kUnit)) return std::nullopt;
  const auto at = last_place(before, amount_at);
  if (!at || before[*at + 1].as(Kind::kUnit)->unit->quantity != said[1].as(Kind::kUnit)->unit->quantity)
    return std::nullopt;
  Spoken meant = before;
  meant[*at] = said[0];
  meant[*at + 1] = said[1];
  return meant;
}

// "in metres", after a conversion to something else
Meant other_unit(const Spoken& said, const Spoken& before) {
  if (said.size() != 2 || !is(said, 0, Kind::kTo) || !is(said, 1, Kind::kUnit)) return std::nullopt;
  const auto at = last_place(before, [&](std::size_t place) {
    return is(before, place, Kind::kUnit) && (place == 0 || !is(before, place - 1, Kind::kNumber));
  });
  return replaced(before, at, said[1]);
}

// "No, times nine", of "seven times eight".
Meant other_step(const Spoken& said, const Spoken& before) {
  const auto is_step = [](const Spoken& tokens, std::size_t at) {
    constexpr std::array kSteps{Kind::kPlus, Kind::kMinus, Kind::kTimes, Kind::kDivide};
    const bool has_sign = std::ranges::any_of(kSteps, [&](Kind kind) { return is(tokens, at, kind); });
    return has_sign && is(tokens, at + 1, Kind::kNumber);
  };
  const auto at = last_place(before, [&](std::size_t place) { return is_step(before, place); });
  if (said.size() != 2 || !is_step(said, 0) || !at) return std::nullopt;
  Spoken meant = before;
  meant[*at] = said[0];
  meant[*at + 1] = said[1];
  return meant;
}

// What is meant instead of something said before, without the words that say so.
Meant exchanged(Spoken said, const Spoken& before, bool corrects) {
  if (auto meant = other_unit(said, before)) return meant;
  if (corrects)
    if (auto meant = other_step(said, before)) return meant;
  bool counts = said.size() == 1 && is(said, 0, Kind::kGroup);
  while (!said.empty() && (is(said, 0, Kind::kOf) || is(said, 0, Kind::kTo) || is(said, 0, Kind::kFrom) ||
                           is(said, 0, Kind::kWeAre))) {
    counts = counts || (is(said, 0, Kind::kWeAre) && said.size() == 2);
    said.erase(said.begin());
  }
  if (said.empty() || (!is(said, 0, Kind::kNumber) && !counts)) return std::nullopt;
  if (auto meant = other_amount(said, before)) return meant;
  if (said.size() == 2 && is(said, 1, Kind::kPercent))
    return replaced(before, last_place(before, [&](auto at) { return is_percent(before, at); }), said[0]);
  const auto count = last_place(before, [&](auto at) { return is_count(before, at); });
  if (counts || (said.size() == 2 && is(said, 1, Kind::kPeople))) return replaced(before, count, said[0]);
  if (said.size() != 1 || !corrects) return std::nullopt;
  return replaced(before,
                  last_place(before,
                             [&](auto at) {
                               return is(before, at, Kind::kNumber) && !is_percent(before, at) &&
                                      !is_count(before, at);
                             }),
                  said[0]);
}

std::size_t common_beginning(const Spoken& a, const Spoken& b) {
  const auto [in_a, in_b] = std::ranges::mismatch(a, b, {}, &Token::text, &Token::text);
  return static_cast<std::size_t>(in_a - a.begin());
}

// The question before with a percentage where its number was: "20 percent of 30 percent".
Meant percentage_at_the_end(const Spoken& said, const Spoken& before) {
  const std::size_t same = common_beginning(said, before);
  if (same < 3 || before.size() != same + 1 || said.size() != same + 2 || !is_percent(said, same))
    return std::nullopt;
  return exchanged(from(said, same), before, true);
}

}  // namespace

std::optional<Spoken> with_result(const Spoken& said, const std::optional<Number>& result) {
  if (!result || !std::ranges::all_of(said, &Token::is_known)) return std::nullopt;
  const Token number{"", {Meaning{Kind::kNumber, *result}}};
  Spoken tokens = telling(said);
  if (auto meant = commanded(tokens, number)) return meant;
  if (auto meant = part_behind(tokens, number)) return meant;
  bool named = false;
  if (tokens.size() == 2 && is(tokens, 0, Kind::kNumber) && is(tokens, 1, Kind::kPlus) &&
      tokens[1].text.size() > 1)  // "zehn dazu"
    std::swap(tokens[0], tokens[1]);
  if (!tokens.empty() && is(tokens, 0, Kind::kThatFirst)) {
    named = goes_on(from(tokens, 1));
    if (named) tokens.front() = number;
  }
  std::erase_if(tokens, [](const Token& token) { return token.is_silent(); });
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (!is(tokens, i, Kind::kThat)) continue;
    tokens[i] = number;
    named = true;
    // "Half of it" in two words: "metade disso", "die Hälfte davon"
    if (i > 0 && (is(tokens, i - 1, Kind::kPart) || is(tokens, i - 1, Kind::kPercent)))
      tokens.insert(tokens.begin() + static_cast<std::ptrdiff_t>(i++), token_of(Kind::kOf));
  }
  if (!named && goes_on(tokens)) {
    tokens.insert(tokens.begin(), number);
    named = true;
  }
  return named ? Meant(tokens) : std::nullopt;
}

std::optional<Spoken> instead(const Spoken& said, const Spoken& before) {
  if (before.empty() || said.empty()) return std::nullopt;
  if (auto meant = percentage_at_the_end(said, before)) return meant;
  const bool corrects = has(said, Kind::kInstead) || said.front().as(Kind::kSlip) != nullptr;
  const bool follows = corrects || said.front().as(Kind::kAnd) != nullptr;
  if (!follows || !std::ranges::all_of(said, &Token::is_known)) return std::nullopt;
  return exchanged(telling(said), before, corrects || is(telling(said), 0, Kind::kOf));
}

bool is_glued(const Spoken& said, const Spoken& before) {
  const std::size_t same = common_beginning(said, before);
  if (same < 2 || same == said.size()) return false;
  // "Fünf zehn Kilometer" is none of fifteen.
  if (same < before.size() && before[same].as(Kind::kNumber) != nullptr &&
      said[same].text.starts_with(before[same].text + ' '))
    return true;
  const Spoken rest = from(said, same);
  if (is(rest, 0, Kind::kNumber) && rest.size() > 1 && !rest[1].is_known()) return true;  // "and three eggs"
  if (same + 1 == before.size() && goes_on(rest)) return true;  // "divide it by minus ten percent"
  if (same < before.size()) return has(rest, Kind::kThat);
  // "Five kilometres and ten kilometres"
  return is(rest, 0, Kind::kAnd) && has(rest, Kind::kUnit);
}

}  // namespace parley::calculator
