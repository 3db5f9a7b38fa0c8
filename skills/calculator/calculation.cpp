#include "calculation.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "counted.hpp"
#include "expression.hpp"
#include "going_on.hpp"
#include "going_on_among.hpp"
#include "told.hpp"

namespace parley::calculator {
namespace {

bool is_number(const Token& one) {
  return one.as(Kind::kNumber) != nullptr;
}

using Outcome = Calculation::Outcome;
using Tokens = std::span<const Token>;
using Found = std::optional<Calculation>;

constexpr double kCertain = 0.95;
constexpr double kTold = 0.9;  // there is no value, and that is the answer
constexpr double kOfThings = 0.85;
constexpr double kLikely = 0.65;  // "3 and 4", "24/7": perhaps not a sum
/// A sum within a sentence has more tokens than that, and the sentence not too many.
constexpr std::size_t kShortestSum = 2, kMostAround = 24;

Calculation without_value(Outcome why) {
  Calculation found{why};
  found.confidence = kTold;
  return found;
}

Calculation number_or_failure(const Number& value, bool divided_by_zero, Outcome outcome = Outcome::kNumber) {
  if (divided_by_zero) return without_value(Outcome::kDividedByZero);
  if (!value.is_finite())
    return without_value(std::isnan(value.value()) ? Outcome::kUndefined : Outcome::kTooLarge);
  Calculation found{outcome, value};
  found.confidence = kCertain;
  return found;
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

std::optional<Kind> command_of(Expression& reader) {
  for (const Kind kind : {Kind::kAdd, Kind::kSubtract, Kind::kMultiply, Kind::kDivideCommand}) {
    if (reader.take(kind)) return kind;
  }
  return std::nullopt;
}

bool take_joint(Kind command, Expression& reader) {
  if (command == Kind::kSubtract)
    return reader.take(Kind::kFrom) || reader.take(Kind::kTo) || reader.next_is(Kind::kNumber);
  if (command == Kind::kAdd) return reader.take(Kind::kAnd) || reader.take(Kind::kTo);
  return reader.take(Kind::kBy) || reader.take(Kind::kAnd);
}

Number carried_out(Kind command, const Number& a, const Number& b) {
  if (command == Kind::kAdd) return a + b;
  if (command == Kind::kSubtract) return b - a;
  return command == Kind::kMultiply ? a * b : a / b;
}

// "… and add 8", to what there is
bool add_to(Number& result, bool& by_zero, Expression& reader) {
  reader.take(Kind::kAnd);
  const auto kind = command_of(reader);
  if (!kind) return false;
  reader.take(Kind::kBy);
  const auto b = reader.factor();
  if (!b) return false;
  by_zero = by_zero || (*kind == Kind::kDivideCommand && b->is_zero());
  result = *kind == Kind::kSubtract ? result - *b : carried_out(*kind, result, *b);
  return true;
}

// "add 5 and 7", "add 5, 7 and 9", "subtract 5 from 10", "multiply 5 by 7 and add 1", "divide 10 by 2"
Found command(Tokens tokens) {
  Expression reader(tokens);
  const auto kind = command_of(reader);
  if (!kind) return std::nullopt;
  const auto a = reader.factor();
  const bool many = *kind == Kind::kAdd || *kind == Kind::kMultiply;
  if (!take_joint(*kind, reader) && !(many && reader.next_is(Kind::kNumber))) return std::nullopt;
  const auto b = reader.factor();
  if (!a || !b) return std::nullopt;
  Number result = carried_out(*kind, *a, *b);
  bool by_zero = *kind == Kind::kDivideCommand && b->is_zero();
  while (!reader.at_end()) {
    if (add_to(result, by_zero, reader)) continue;
    const auto more = many ? reader.factor() : std::nullopt;
    if (!more) return std::nullopt;
    result = carried_out(*kind, result, *more);
  }
  return number_or_failure(result, by_zero);
}

// "From 100 take 37", "100 take away 37"
Found command_behind(Tokens tokens) {
  Expression reader(tokens);
  for (const Kind kind : {Kind::kFrom, Kind::kTo, Kind::kOf}) {
    if (reader.take(kind)) break;
  }
  const auto a = reader.factor();
  const auto kind = command_of(reader);
  if (!a || !kind) return std::nullopt;
  reader.take(Kind::kBy);
  const auto b = reader.factor();
  if (!b || !reader.at_end()) return std::nullopt;
  if (*kind == Kind::kSubtract) return number_or_failure(*a - *b, false);
  return number_or_failure(carried_out(*kind, *a, *b), *kind == Kind::kDivideCommand && b->is_zero());
}

// The smallest divisor above one, 0 when there is none, of a number above one.
Integer divisor_of(Integer number) {
  for (Integer divisor = 2; divisor * divisor <= number; ++divisor) {
    if (number % divisor == 0) return divisor;
  }
  return 0;
}

// "is 97 a prime number", "97 is prime"
Found prime(Tokens tokens) {
  constexpr double kLargest = 1e12;  // found out in a millisecond
  std::vector<Token> number;
  bool asked = false;
  for (const Token& token : tokens) {
    const bool says_so = token.as(Kind::kPrime) != nullptr;
    asked = asked || says_so;
    if (!says_so && token.as(Kind::kIs) == nullptr) number.push_back(token);
  }
  Expression reader(number);
  const auto value = asked ? reader.factor() : std::nullopt;
  if (!value || !reader.at_end() || !value->is_whole() || value->value() > kLargest) return std::nullopt;
  const Integer divisor = value->value() < 2 ? 0 : divisor_of(value->numerator());
  const bool is_prime = value->value() >= 2 && divisor == 0;
  Calculation found{is_prime ? Outcome::kPrime : Outcome::kNotPrime, *value};
  found.divisor = divisor;
  found.confidence = kCertain;
  return found;
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

// "And a half", which is no "and half an inch".
std::optional<Number> part_behind(Expression& reader) {
  const Expression before = reader;
  const auto part = reader.and_part();
  Expression behind = reader;
  behind.skip_one();
  if (!part || behind.take_unit() == nullptr) return part;
  reader = before;
  return std::nullopt;
}

// "10 kilometres", "5 feet and 3 inches", "half a mile", "three quarters of a kilo", "two kilos and a half"
std::vector<Amount> amounts(Expression& reader) {
  std::vector<Amount> found;
  while (!reader.at_end() && !reader.next_is(Kind::kTo) && !reader.next_is(Kind::kIs) &&
         !reader.next_is(Kind::kHowMany)) {
    if (!found.empty()) reader.take(Kind::kAnd);
    const auto value = reader.factor();
    reader.take(Kind::kOf);
    reader.skip_one();
    const Unit* const unit = reader.take_unit();
    if (!value || unit == nullptr) return {};
    const auto part = part_behind(reader);
    found.push_back(Amount{part ? *value + *part : *value, unit});
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
    auto failed = without_value(Outcome::kIncompatible);
    failed.from = std::move(from);
    failed.to = to;
    return failed;
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
  reader.take(Kind::kIs);
  if (!reader.take(Kind::kTo) && !reader.take(Kind::kHowMany)) return std::nullopt;
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

// A sum or a conversion that is said outright.
Found outright(Tokens tokens) {
  if (tokens.size() < 2) return std::nullopt;
  const Tokens said = without_frame(tokens);
  for (const auto form : {prime, plain_sum, how_many, amount_in, what_percent, command, command_behind}) {
    auto found = form(said);
    if (!found) continue;
    found->is_command = form == command || form == command_behind;
    return found;
  }
  return std::nullopt;
}

// Without what says nothing in a sum; nothing when something in it has no meaning.
std::optional<std::vector<Token>> plainly(Tokens tokens) {
  std::vector<Token> kept;
  for (const Token& token : tokens) {
    if (!token.is_known()) return std::nullopt;
    if (!token.is_silent()) kept.push_back(token);
  }
  return kept;
}

// What is said between commas, or from "what is" on: "I forgot again, eight times nine is what".
std::vector<Tokens> clauses(Tokens tokens) {
  std::vector<Tokens> found;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= tokens.size(); ++i) {
    const bool comma = i < tokens.size() && tokens[i].text == ",";
    if (i < tokens.size() && !comma && tokens[i].as(Kind::kAsk) == nullptr) continue;
    if (i > begin) found.push_back(tokens.subspan(begin, i - begin));
    begin = comma ? i + 1 : i;
  }
  return found;
}

// A sum beside other words, where it is one for sure.
Found in_a_clause(Tokens tokens) {
  for (const Tokens clause : clauses(tokens)) {
    const auto said = clause.size() < tokens.size() ? plainly(clause) : std::nullopt;
    auto found = said ? outright(*said) : std::nullopt;
    if (found && found->confidence > kLikely) return found;
  }
  return std::nullopt;
}

// Words that are of no sum: unknown ones, and those that ask for one or join it to a story.
bool means_nothing(Tokens tokens) {
  constexpr std::array kAround{Kind::kHowMany, Kind::kIs, Kind::kAnd, Kind::kThat, Kind::kArticle, Kind::kTo};
  return std::ranges::all_of(tokens, [&](const Token& one) {
    if (one.as(Kind::kNumber) != nullptr) return one.text.size() < 4 && one.as(Kind::kArticle) != nullptr;
    const bool around = std::ranges::any_of(kAround, [&](Kind kind) { return one.as(kind) != nullptr; });
    const bool is_short = one.text.size() < 3 && one.as(Kind::kUnit) != nullptr;  // "me ha puesto"
    return !one.is_known() || one.is_silent() || one.as(Kind::kIgnore) != nullptr || around || is_short;
  });
}

// "The cube root of", "squared": one number is enough then.
bool has_function(Tokens tokens) {
  constexpr std::array kFunctions{Kind::kSquareRoot,  Kind::kCubeRoot, Kind::kFourthRoot,
                                  Kind::kSquared,     Kind::kCubed,    Kind::kFactorial,
                                  Kind::kFactorialOf, Kind::kSquareOf, Kind::kCubeOf};
  return std::ranges::any_of(tokens, [&](const Token& token) {
    return std::ranges::any_of(kFunctions, [&](Kind kind) { return token.as(kind) != nullptr; });
  });
}

bool is_article(const Token& one) {
  return one.as(Kind::kArticle) != nullptr && is_number(one);
}

// A sum in the middle of a sentence that has nothing else of one: "mommy says I have to know nine times
// eight".
Found within(Tokens tokens) {
  const auto numbers = std::ranges::count_if(tokens, is_number);
  if (tokens.size() > kMostAround || (numbers < 2 && !has_function(tokens))) return std::nullopt;
  for (std::size_t count = tokens.size(); count-- > kShortestSum;) {
    for (std::size_t at = 0; at + count <= tokens.size(); ++at) {
      if (!means_nothing(tokens.first(at)) || !means_nothing(tokens.subspan(at + count))) continue;
      if (is_article(tokens[at + count - 1])) continue;  // "I wrote it three times, give me a word"
      const auto said = plainly(tokens.subspan(at, count));
      auto found = said ? outright(*said) : std::nullopt;
      if (found && found->confidence > kLikely) return found;
    }
  }
  return std::nullopt;
}

// "Seven and a half millilitres of syrup times three"
Found of_things(Tokens tokens) {
  const auto sum = without_things(tokens);
  auto found = sum ? outright(*sum) : std::nullopt;
  if (!found || found->confidence <= kLikely) return std::nullopt;
  found->confidence = kOfThings;
  return found;
}

Found worked_out(const std::vector<Token>& tokens) {
  const auto said = plainly(tokens);
  const bool rounds = std::ranges::any_of(tokens, [](const Token& token) { return token.as(Kind::kRound); });
  const bool doubtful = is_doubtful(tokens);
  // "Six friends share 90 euros" divides what stands behind.
  const bool shares = has(tokens, Kind::kDivideCommand) && has(tokens, Kind::kPeople);
  auto found = shares ? told(tokens) : std::nullopt;
  if (!found && said && !rounds && !doubtful) found = outright(*said);
  if (!found) found = told(tokens);
  if (!found && doubtful) return std::nullopt;
  if (!found) found = in_a_clause(tokens);
  if (!found) found = within(tokens);
  if (!found) found = of_things(tokens);
  if (found) found->said = tokens;
  return found;
}

// "48 divided by, wait, 480 divided by 12": nothing came of what is in front, so all is said behind.
Found begun_again(const std::vector<Token>& before, const std::vector<Token>& behind) {
  const auto said = plainly(behind);
  if (!said || std::ranges::none_of(before, is_number)) return std::nullopt;
  auto found = outright(*said);
  if (found) found->said = behind;
  return found;
}

// "It's thirty five off, percent I mean": of a number behind which nothing says what it is.
Found of_percent_behind(const std::vector<Token>& tokens) {
  const auto is_percent = [](const Token& one) { return one.as(Kind::kPercent) != nullptr; };
  const auto at = std::ranges::find_if(tokens, is_percent);
  if (at == tokens.begin() || at == tokens.end() ||
      std::find_if(at + 1, tokens.end(), is_percent) != tokens.end())
    return std::nullopt;
  const auto slips = [](const Token& one) {
    return one.as(Kind::kSlip) != nullptr || one.as(Kind::kInstead) != nullptr;
  };
  const bool is_slip = slips(*(at - 1)) || (at + 1 != tokens.end() && slips(*(at + 1)));
  if (!is_slip || is_number(*(at - 1))) return std::nullopt;
  std::vector<Token> meant(tokens.begin(), at);
  const auto last = std::find_if(meant.rbegin(), meant.rend(), is_number);
  if (last == meant.rend()) return std::nullopt;
  const Token percent = *at;
  meant.insert(last.base(), percent);
  std::copy_if(at + 1, tokens.end(), std::back_inserter(meant),
               [&](const Token& one) { return !slips(one); });
  return worked_out(meant);
}

// "Fourteen times thirteen, sorry, fourteen times thirty", "ten percent of 62, no, make that twelve percent":
// what is behind the slip counts, by itself or in the place of what it puts right.
Found corrected(const std::vector<Token>& tokens) {
  for (std::size_t at = tokens.size(); at-- > 0;) {
    if (tokens[at].as(Kind::kSlip) == nullptr) continue;
    const auto slip = tokens.begin() + static_cast<std::ptrdiff_t>(at);
    const auto number = std::find_if(slip, tokens.end(), is_number);
    if (number == tokens.end()) continue;
    const std::vector<Token> before(tokens.begin(), slip);
    const std::vector<Token> after(slip + 1, tokens.end());
    if (!worked_out(before)) return begun_again(before, after);
    if (auto found = worked_out(after)) return found;
    std::vector<Token> behind{*slip};
    behind.insert(behind.end(), number, tokens.end());
    const auto meant = instead(behind, before);
    return meant ? worked_out(*meant) : std::nullopt;
  }
  return std::nullopt;
}

// Whether something was asked before.
bool goes_on_at_all(const Before& before) {
  return before.value || !before.asked.empty();
}

// "Okay and eighty seven divided by three": behind words that say nothing.
bool begins_with_and(const std::vector<Token>& tokens) {
  const auto first = std::ranges::find_if_not(tokens, &Token::is_silent);
  return first != tokens.end() && first->as(Kind::kAnd) != nullptr;
}

// "And all of that together by four", behind a tip: the bill with the tip, in the place of the tip alone.
std::optional<Number> bill_with_tip(const std::vector<Token>& tokens, const Before& before) {
  if (!has(tokens, Kind::kTogether) || !has(before.said, Kind::kTip) || has(before.said, Kind::kTogether))
    return std::nullopt;
  std::vector<Token> all = before.said;
  all.push_back(Token{"", {Meaning{Kind::kTogether}}});
  const auto found = told(all);
  return found && found->outcome == Outcome::kNumber ? std::optional(found->value) : std::nullopt;
}

// By itself, or by what was asked before.
Found understood(const std::vector<Token>& tokens, const Before& before) {
  const auto going_on = [](const std::optional<std::vector<Token>>& meant) {
    auto found = meant ? worked_out(*meant) : std::nullopt;
    if (found) found->goes_on = true;
    return found;
  };
  if (auto found = corrected(tokens)) return found;
  if (auto found = of_percent_behind(tokens)) return found;
  if (auto found = going_on(shared_otherwise(tokens, before.said))) return found;
  if (auto found = going_on(in_other_unit(tokens, before))) return found;
  if (auto found = going_on(instead(tokens, before.said))) return found;
  if (is_glued(tokens, before.asked)) return std::nullopt;
  if (auto found = going_on(rounded_result(tokens, before.value))) return found;
  if (auto found = going_on(with_result(tokens, bill_with_tip(tokens, before)))) return found;
  if (auto found = going_on(with_result(tokens, before.value))) return found;
  auto found = worked_out(tokens);
  if (found && found->confidence > kLikely) {
    // "And eight times nine" is no question either, and needs nothing of the one before.
    found->is_command = found->is_command || (goes_on_at_all(before) && begins_with_and(tokens));
    return found;
  }
  for (const auto& meant : among_others(tokens, before))
    if (auto meant_so = going_on(meant)) return meant_so;
  return found;
}

}  // namespace

std::optional<Calculation> calculate(std::string_view question, const Language& language,
                                     const Before& before) {
  const auto tokens = language.read(question);
  auto found = understood(tokens, before);
  if (found) found->asked = tokens;
  return found;
}

}  // namespace parley::calculator
