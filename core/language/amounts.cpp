#include "language/amounts.hpp"

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cmath>
#include <parley/durations.hpp>
#include <parley/numbers.hpp>
#include <span>
#include <utility>

#include "language/ascii.hpp"
#include "language/joined.hpp"
#include "language/value_file.hpp"

namespace parley {
namespace {

constexpr double kMinuteSeconds = 60;
constexpr double kHourSeconds = 60 * kMinuteSeconds;
constexpr double kDaySeconds = 24 * kHourSeconds;
constexpr double kLongest = 1000 * kDaySeconds;
constexpr std::size_t kMostAmountWords = 64;

/// "1h30" is said as four words: where digits meet letters, a word ends.
std::vector<Word> split_at_digits(const Word& word) {
  std::vector<Word> parts;
  if (word.norm.size() != word.end - word.begin || !is_ascii_digit(word.norm.front())) return {word};
  for (std::size_t from = 0; from < word.norm.size();) {
    const auto is_number = [](char c) { return is_ascii_digit(c) || c == '.' || c == ','; };
    const bool number = is_number(word.norm[from]);
    std::size_t to = from;
    while (to < word.norm.size() && is_number(word.norm[to]) == number) ++to;
    parts.emplace_back(word.norm.substr(from, to - from), word.begin + from, word.begin + to);
    from = to;
  }
  return parts;
}

std::vector<Word> words_of(std::string_view text, const std::string& lang) {
  std::vector<Word> all;
  for (const Word& word : words(text, lang)) {
    for (Word& part : split_at_digits(word)) all.push_back(std::move(part));
    if (all.size() >= kMostAmountWords) break;
  }
  return all;
}

Duration from_seconds(double seconds) {
  return Duration(std::llround(std::min(seconds, kLongest) * 1e9));
}

bool is_minus(std::string_view text) {
  return text.starts_with('-') || text.starts_with("\u2212");
}

}  // namespace

/// Reads one duration from some token on.
class Amounts::Parser {
 public:
  Parser(const Tokens& tokens, std::size_t at) : tokens_(tokens), at_(at) {}

  /// The seconds, or nothing; at() is behind the last token it took.
  std::optional<double> run() {
    double total = 0;
    double smallest = 0;
    while (const auto part = next_part(smallest)) {
      total += part->first;
      smallest = part->second;
    }
    if (smallest == 0) return std::nullopt;
    return total + bare_rest(smallest);
  }
  /// "Two and a half", "half a", "anderthalb"; at() is behind it.
  std::optional<double> amount() { return quantity(at_); }
  std::size_t at() const noexcept { return at_; }

 private:
  bool is(std::size_t at, Kind kind) const { return at < tokens_.size() && tokens_[at].meaning.kind == kind; }
  double value(std::size_t at) const { return tokens_[at].meaning.value; }
  std::size_t skip(std::size_t at, Kind kind) const { return is(at, kind) ? at + 1 : at; }

  /// "[and] two hours [and a half]", of a smaller unit than the one before: its seconds, and its unit's.
  std::optional<std::pair<double, double>> next_part(double smaller_than) {
    std::size_t at = smaller_than == 0 ? at_ : skip(at_, Kind::kAnd);
    auto count = quantity(at);
    if (!count && smaller_than == 0 && needs_no_count(at)) count = 1;
    if (!count || !is(at, Kind::kUnit)) return std::nullopt;
    const double unit = value(at);
    if (smaller_than != 0 && unit >= smaller_than) return std::nullopt;
    at_ = at + 1;
    return std::pair((*count + half_after()) * unit, unit);
  }

  /// "Hour and a half", "hora y media", "three quarters of an hour".
  bool needs_no_count(std::size_t at) const {
    if (!is(at, Kind::kUnit)) return false;
    if (value(at) == 3 * kHourSeconds / 4) return true;
    return is(at + 1, Kind::kAnd) && is(skip(at + 2, Kind::kOne), Kind::kFraction);
  }

  /// "two", "a", "one and a half", "half an", "three quarters of an".
  std::optional<double> quantity(std::size_t& at) const {
    if (is(at, Kind::kOne) && (is(at + 1, Kind::kFraction) || is(at + 1, Kind::kNumber))) ++at;
    if (is(at, Kind::kFraction)) return part_of(at, 1);
    if (is(at, Kind::kOne)) return ++at, 1;
    if (!is(at, Kind::kNumber)) return std::nullopt;
    const double number = value(at++);
    if (is(at, Kind::kFraction)) return part_of(at, number);
    const std::size_t half = skip(skip(at, Kind::kAnd), Kind::kOne);
    if (half == at || !is(half, Kind::kFraction)) return number;
    at = half + 1;
    return number + value(half);
  }

  double part_of(std::size_t& at, double times) const {
    const double part = times * value(at);
    at = skip(skip(at + 1, Kind::kOf), Kind::kOne);
    return part;
  }

  /// The "and a half" of "an hour and a half"; not that of "an hour and a half minute".
  double half_after() {
    const std::size_t half = skip(skip(at_, Kind::kAnd), Kind::kOne);
    if (half == at_ || !is(half, Kind::kFraction)) return 0;
    if (is(skip(skip(half + 1, Kind::kOf), Kind::kOne), Kind::kUnit)) return 0;
    at_ = half + 1;
    return value(half);
  }

  /// The "twenty" of "an hour twenty", when nothing follows.
  double bare_rest(double unit) {
    const std::size_t at = skip(at_, Kind::kAnd);
    if (!is(at, Kind::kNumber) || at + 1 != tokens_.size() || value(at) >= 60) return 0;
    if (unit != kHourSeconds && unit != kMinuteSeconds) return 0;
    at_ = at + 1;
    return value(at) * unit / 60;
  }

  const Tokens& tokens_;
  std::size_t at_;
};

Amounts::Amounts(const std::filesystem::path& file, std::string lang) : lang_(std::move(lang)) {
  read_value_file(file, [this](const YAML::Node& root) {
    read_numbers(root["numbers"]);
    read_units(root["durations"]);
  });
  note_endings();
}

void Amounts::read_numbers(const YAML::Node& numbers) {
  if (!numbers) return;
  add(numbers["one"], {Kind::kOne, 1});
  add(numbers["half"], {Kind::kFraction, 0.5});
  add(numbers["third"], {Kind::kFraction, 1.0 / 3});
  add(numbers["quarter"], {Kind::kFraction, 0.25});
  add(numbers["three_quarters"], {Kind::kFraction, 0.75});
  add(numbers["and"], {Kind::kAnd, 0});
  add(numbers["of"], {Kind::kOf, 0});
  add(numbers["minus"], {Kind::kMinus, 0});
  add(numbers["around"], {Kind::kAround, 0});
  for (const auto& entry : numbers["others"]) add(entry.second, {Kind::kNumber, entry.first.as<double>()});
}

void Amounts::read_units(const YAML::Node& units) {
  if (!units) return;
  add(units["millisecond"], {Kind::kUnit, 0.001});
  add(units["second"], {Kind::kUnit, 1});
  add(units["minute"], {Kind::kUnit, kMinuteSeconds});
  add(units["quarter_hour"], {Kind::kUnit, kHourSeconds / 4});
  add(units["half_hour"], {Kind::kUnit, kHourSeconds / 2});
  add(units["three_quarter_hour"], {Kind::kUnit, 3 * kHourSeconds / 4});
  add(units["hour"], {Kind::kUnit, kHourSeconds});
  add(units["day"], {Kind::kUnit, kDaySeconds});
  add(units["week"], {Kind::kUnit, 7 * kDaySeconds});
  add(units["fortnight"], {Kind::kUnit, 14 * kDaySeconds});
}

void Amounts::add(const YAML::Node& phrases, Meaning meaning) {
  for (const auto& phrase : phrases) {
    const auto said = words(phrase.as<std::string>(), lang_);
    longest_ = std::max(longest_, said.size());
    phrases_.try_emplace(joined(said), meaning);
  }
}

/// What a number may be grown together with: "zweieinhalb", "zehnminütig".
void Amounts::note_endings() {
  for (const auto& [one, meaning] : phrases_) {
    if (meaning.kind != Kind::kOne) continue;
    for (const auto& [part, fraction] : phrases_) {
      if (fraction.kind == Kind::kFraction) fractions_.emplace_back(one + part, fraction);
    }
  }
  for (const auto& [phrase, meaning] : phrases_) {
    if (meaning.kind == Kind::kUnit) units_.emplace_back(phrase, meaning);
  }
}

std::optional<Amounts::Meaning> Amounts::compound(const Word& word, std::optional<Meaning>& unit) const {
  const auto number_before = [&](const std::string& ending) -> std::optional<double> {
    if (word.norm.size() <= ending.size() || !word.norm.ends_with(ending)) return std::nullopt;
    const auto before = words(std::string_view(word.norm).substr(0, word.norm.size() - ending.size()), lang_);
    const auto number = leading_number(before, lang_);
    if (!number || number->words != before.size()) return std::nullopt;
    return number->value;
  };
  for (const auto& [ending, fraction] : fractions_) {
    if (const auto number = number_before(ending)) return Meaning{Kind::kNumber, *number + fraction.value};
  }
  for (const auto& [ending, meaning] : units_) {
    const auto number = number_before(ending);
    if (!number) continue;
    unit = meaning;
    return Meaning{Kind::kNumber, *number};
  }
  return std::nullopt;
}

bool Amounts::is_compound(const Word& word) const {
  std::optional<Meaning> unit;
  return compound(word, unit).has_value();
}

std::pair<Amounts::Meaning, std::size_t> Amounts::meaning(const std::vector<Word>& said,
                                                          std::size_t at) const {
  const auto from = std::span(said).subspan(at);
  for (std::size_t length = std::min(longest_, from.size()); length > 0; --length) {
    const auto found = phrases_.find(joined(from.first(length)));
    if (found == phrases_.end()) continue;
    // "Eine Million" is more than the "eine" of "eine Stunde".
    const auto number = found->second.kind == Kind::kOne ? leading_number(from, lang_) : std::nullopt;
    if (number && number->words > length) return {{Kind::kNumber, number->value}, number->words};
    return {found->second, length};
  }
  if (const auto number = leading_number(from, lang_)) return {{Kind::kNumber, number->value}, number->words};
  return {{}, 1};
}

Amounts::Tokens Amounts::tokens(std::string_view text) const {
  const auto said = words_of(text, lang_);
  Tokens all;
  for (std::size_t at = 0; at < said.size();) {
    const auto [means, length] = meaning(said, at);
    const std::size_t begin = said[at].begin;
    const std::size_t end = said[at + length - 1].end;
    std::optional<Meaning> unit;
    const auto grown = means.kind == Kind::kOther ? compound(said[at], unit) : std::nullopt;
    all.push_back(Token{grown.value_or(means), begin, end});
    if (unit) all.push_back(Token{*unit, begin, end});
    at += length;
  }
  return all;
}

bool Amounts::only_around(const Tokens& said, std::size_t from, std::size_t to) {
  return std::all_of(said.begin() + static_cast<std::ptrdiff_t>(from),
                     said.begin() + static_cast<std::ptrdiff_t>(to), [](const Token& token) {
                       return token.meaning.kind == Kind::kAround || token.meaning.kind == Kind::kOne;
                     });
}

std::optional<Amounts::FoundDuration> Amounts::find(const Tokens& said) {
  for (std::size_t at = 0; at < said.size(); ++at) {
    Parser parser(said, at);
    const auto seconds = parser.run();
    if (seconds && *seconds > 0) return FoundDuration{*seconds, at, parser.at()};
  }
  const bool unit_alone = said.size() == 1 && said[0].meaning.kind == Kind::kUnit;
  if (!unit_alone || said[0].meaning.value < kMinuteSeconds) return std::nullopt;
  return FoundDuration{said[0].meaning.value, 0, 1};
}

std::optional<SpokenDuration> Amounts::find_duration(std::string_view text) const {
  const Tokens said = tokens(text);
  const auto found = find(said);
  if (!found) return std::nullopt;
  return SpokenDuration(from_seconds(found->seconds), said[found->from].begin, said[found->to - 1].end);
}

std::optional<Duration> Amounts::duration(std::string_view text) const {
  const Tokens said = tokens(text);
  const auto found = find(said);
  if (!found || !only_around(said, 0, found->from) || !only_around(said, found->to, said.size()))
    return std::nullopt;
  return from_seconds(found->seconds);
}

std::optional<double> Amounts::number(std::string_view text) const {
  const Tokens said = tokens(text);
  std::size_t from = 0;
  while (from < said.size() && said[from].meaning.kind == Kind::kAround) ++from;
  if (from == said.size()) return std::nullopt;
  const bool minus_word = said[from].meaning.kind == Kind::kMinus;
  const bool minus = minus_word || is_minus(text.substr(said[from].begin));
  Parser parser(said, minus_word ? from + 1 : from);
  const std::size_t begin = parser.at();
  const auto amount = parser.amount();
  // "A" alone is no number, "ein" is one.
  const bool article = parser.at() == begin + 1 && said[begin].meaning.kind == Kind::kOne;
  if (article && !leading_number(words(text.substr(said[begin].begin), lang_), lang_)) return std::nullopt;
  if (!amount || !only_around(said, parser.at(), said.size())) return std::nullopt;
  return minus ? -*amount : *amount;
}

std::optional<SpokenDuration> find_duration(std::string_view text, std::string_view lang) {
  const auto* amounts = words_for<Amounts>(lang);
  return amounts == nullptr ? std::nullopt : amounts->find_duration(text);
}

}  // namespace parley
