#include "language.hpp"

#include <unicode/dcfmtsym.h>

#include <algorithm>
#include <array>

#include <parley/yaml.hpp>
#include "language_file.hpp"

namespace parley::calculator {
namespace {

char decimal_point_of(const std::string& tag) {
  UErrorCode status = U_ZERO_ERROR;
  const icu::DecimalFormatSymbols symbols(icu::Locale::forLanguageTag(tag, status), status);
  const auto point = symbols.getConstSymbol(icu::DecimalFormatSymbols::kDecimalSeparatorSymbol);
  return U_SUCCESS(status) != 0 && point == u"," ? ',' : '.';
}

// "1,000,000" → "1000000"; nothing when a group has not three digits.
std::optional<std::string> without_groups(std::string_view digits, char separator) {
  std::string out;
  for (std::size_t from = 0; from <= digits.size();) {
    const std::size_t to = std::min(digits.find(separator, from), digits.size());
    const bool fits = from == 0 ? to <= 3 || to == digits.size() : to - from == 3;
    if (!fits) return std::nullopt;
    out += digits.substr(from, to - from);
    from = to + 1;
  }
  return out;
}

bool is_number(std::span<const Token> tokens, std::size_t at) {
  return at < tokens.size() && tokens[at].as(Kind::kNumber) != nullptr;
}

bool is(std::span<const Token> tokens, std::size_t at, Kind kind) {
  return at < tokens.size() && tokens[at].as(kind) != nullptr;
}

// Where the cents behind "forty euros" are: "fifty", "and fifty cents"; nothing: there are none.
std::optional<std::size_t> cents_at(std::span<const Token> tokens, std::size_t money, bool joins) {
  const bool joined = is(tokens, money + 1, Kind::kAnd) || is(tokens, money + 1, Kind::kWith);
  const std::size_t at = money + (joined ? 2 : 1);
  if (!is_number(tokens, at)) return std::nullopt;
  const Number& cents = tokens[at].as(Kind::kNumber)->value;
  if (!cents.is_whole() || cents.value() < 1 || cents.value() > 99) return std::nullopt;
  if (is(tokens, at + 1, Kind::kCents)) return at;
  // "doze euros e trinta", but not "soma doze euros e trinta"
  const bool follows = at == money + 1 || (joins && is(tokens, money + 1, Kind::kWith));
  if (!follows || cents.value() < 10) return std::nullopt;
  constexpr std::array kOfAnother{Kind::kPercent, Kind::kUnit, Kind::kPeople, Kind::kMoney,
                                  Kind::kOf,      Kind::kPart, Kind::kPoint,  Kind::kNumber};
  const bool alone = std::ranges::none_of(kOfAnother, [&](Kind kind) { return is(tokens, at + 1, kind); });
  return alone ? std::optional(at) : std::nullopt;
}

// "Forty euros fifty" is one number.
std::vector<Token> with_cents(std::vector<Token> tokens) {
  constexpr std::array kCommands{Kind::kTimes,    Kind::kMultiply, Kind::kAdd,
                                 Kind::kSubtract, Kind::kSumOf,    Kind::kAverageOf};
  const bool commanded = std::ranges::any_of(tokens, [&](const Token& token) {
    return std::ranges::any_of(kCommands, [&](Kind kind) { return token.as(kind) != nullptr; });
  });
  for (std::size_t i = 0; i + 2 < tokens.size(); ++i) {
    const bool money = is(tokens, i + 1, Kind::kMoney);
    const bool joined =  // "19 con 90", but not "multiplica 19 con 90"
        !commanded && is(tokens, i + 1, Kind::kWith) && !is(tokens, i + 1, Kind::kAnd);
    if (!is_number(tokens, i) || (!money && !joined)) continue;
    const auto at = cents_at(tokens, money ? i + 1 : i, !commanded);
    if (!at) continue;
    const Number whole = tokens[i].as(Kind::kNumber)->value;
    const Number cents = tokens[*at].as(Kind::kNumber)->value;
    tokens[i].meanings = {Meaning{Kind::kNumber, whole + cents / Number(100)}};
    const auto begin = tokens.begin() + static_cast<std::ptrdiff_t>(i);
    tokens.erase(begin + 2, tokens.begin() + static_cast<std::ptrdiff_t>(*at) + 1);
  }
  return tokens;
}

}  // namespace

bool Token::is_silent() const {
  return is_known() && std::ranges::all_of(meanings, [](const Meaning& one) {
           return one.kind == Kind::kIgnore || one.kind >= Kind::kAsk;
         });
}

const Meaning* Token::as(Kind kind) const {
  const auto found = std::ranges::find(meanings, kind, &Meaning::kind);
  return found == meanings.end() ? nullptr : &*found;
}

Language::Language(const std::filesystem::path& file, const std::string& tag, const Units& units)
    : decimal_point_(decimal_point_of(tag)) {
  LanguageFile reader(*this, tag, units);
  read_yaml_file(file, [&](const YAML::Node& root) { reader.read(root); });
}

void Language::add(std::string_view phrase, Meaning meaning) {
  const auto pieces = scan(phrase);
  const std::string key =
      pieces.empty() ? std::string(phrase) : joined(pieces);  // "!" is punctuation to scan()
  longest_ = std::max(longest_, pieces.size());
  phrases_[key].push_back(std::move(meaning));
}

// "Hunderteinskommavier" in one word.
std::vector<Piece> Language::split_at_point(std::vector<Piece> pieces) const {
  const auto is_number = [this](const std::string& letters) {
    const std::array one{Piece{letters, false}};
    return numbers_->read(one).has_value();
  };
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    for (const std::string& word : points_) {
      const std::string said = pieces[i].text;
      const auto at = word.size() > 3 ? said.find(word) : std::string::npos;
      if (at == std::string::npos || !is_number(said.substr(0, at)) ||
          !is_number(said.substr(at + word.size())))
        continue;
      pieces[i].text = said.substr(0, at);
      const auto behind = pieces.begin() + static_cast<std::ptrdiff_t>(i) + 1;
      pieces.insert(behind, {Piece{word, false}, Piece{said.substr(at + word.size()), false}});
    }
  }
  return pieces;
}

std::vector<Token> Language::read(std::string_view text) const {
  const auto pieces = split_at_point(scan(text));
  std::span<const Piece> rest(pieces);
  std::vector<Token> tokens;
  while (!rest.empty()) {
    Token token;
    const std::size_t length = read_token(rest, token);
    if (length == 0) token = Token{rest.front().text, {}};
    tokens.push_back(std::move(token));
    rest = rest.subspan(std::max<std::size_t>(length, 1));
  }
  return with_cents(std::move(tokens));
}

std::size_t Language::read_token(std::span<const Piece> said, Token& token) const {
  if (said[0].digits) {
    const auto value = literal(said[0].text);
    if (!value) return 0;
    token = Token{said[0].text, {Meaning{Kind::kNumber, *value}}};
    return 1;
  }
  const std::size_t length = longest_phrase(said, token);
  const auto number = numbers_->read(said);
  if (!number || number->pieces < length) return length;
  if (number->pieces > length)
    token = Token{joined({said.begin(), said.begin() + static_cast<std::ptrdiff_t>(number->pieces)}), {}};
  token.meanings.push_back(Meaning{Kind::kNumber, number->value});
  return number->pieces;
}

std::size_t Language::longest_phrase(std::span<const Piece> said, Token& token) const {
  std::string phrase;
  std::size_t length = 0;
  for (std::size_t i = 0; i < std::min(said.size(), longest_); ++i) {
    phrase += (i == 0 ? "" : " ") + said[i].text;
    if (const auto found = phrases_.find(phrase); found != phrases_.end()) {
      token = Token{phrase, found->second};
      length = i + 1;
    }
  }
  return length;
}

std::optional<Number> Language::literal(const std::string& digits) const {
  const char group = decimal_point_ == '.' ? ',' : '.';
  const auto point = digits.find(decimal_point_);
  if (point != std::string::npos && digits.find(group, point) != std::string::npos) return std::nullopt;
  auto whole = without_groups(digits.substr(0, point), group);
  if (whole)
    return Number::parse(*whole + (point == std::string::npos ? "" : "." + digits.substr(point + 1)));
  // "3.5" where a point is not what separates decimals, and can't separate thousands either
  if (group == '.') return Number::parse(digits);
  return std::nullopt;
}

}  // namespace parley::calculator
