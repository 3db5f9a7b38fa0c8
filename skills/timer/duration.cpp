#include "duration.hpp"

#include <algorithm>
#include <cmath>
#include <parley/numbers.hpp>
#include <span>
#include <utility>

namespace parley::timer {
namespace {

constexpr double kMinute = 60;
constexpr double kHour = 60 * kMinute;
constexpr double kDay = 24 * kHour;
/// Longer ones are all the same to whoever refuses them.
constexpr double kMost = 1000 * kDay;
constexpr std::size_t kMostWords = 64;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// "1h30" is said as four words: where digits meet letters, a word ends.
std::vector<Word> split_at_digits(const Word& word) {
  std::vector<Word> parts;
  if (word.norm.size() != word.end - word.begin || !is_digit(word.norm.front())) return {word};
  for (std::size_t from = 0; from < word.norm.size();) {
    const auto is_number = [](char c) { return is_digit(c) || c == '.' || c == ','; };
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
    if (all.size() >= kMostWords) break;
  }
  return all;
}

std::string joined(std::span<const Word> said) {
  std::string text;
  for (const Word& word : said) {
    if (!text.empty()) text += ' ';
    text += word.norm;
  }
  return text;
}

}  // namespace

/// Reads one duration from some token on.
class DurationReader::Parser {
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
    if (value(at) == 3 * kHour / 4) return true;
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
    if (unit != kHour && unit != kMinute) return 0;
    at_ = at + 1;
    return value(at) * unit / 60;
  }

  const Tokens& tokens_;
  std::size_t at_;
};

DurationReader::DurationReader(const LocaleResources& locale, std::string lang) : lang_(std::move(lang)) {
  add(locale, "unit_second", {Kind::kUnit, 1});
  add(locale, "unit_minute", {Kind::kUnit, kMinute});
  add(locale, "unit_quarter_hour", {Kind::kUnit, kHour / 4});
  add(locale, "unit_three_quarter_hour", {Kind::kUnit, 3 * kHour / 4});
  add(locale, "unit_half_hour", {Kind::kUnit, kHour / 2});
  add(locale, "unit_hour", {Kind::kUnit, kHour});
  add(locale, "unit_day", {Kind::kUnit, kDay});
  add(locale, "unit_week", {Kind::kUnit, 7 * kDay});
  add(locale, "one", {Kind::kOne, 1});
  add(locale, "two", {Kind::kNumber, 2});
  add(locale, "one_and_a_half", {Kind::kNumber, 1.5});
  add(locale, "half", {Kind::kFraction, 0.5});
  add(locale, "quarter", {Kind::kFraction, 0.25});
  add(locale, "three_quarters", {Kind::kFraction, 0.75});
  add(locale, "and", {Kind::kAnd, 0});
  add(locale, "of", {Kind::kOf, 0});
  add(locale, "link", {Kind::kLink, 0});
}

void DurationReader::add(const LocaleResources& locale, std::string_view vocabulary, Meaning meaning) {
  const auto* phrases = locale.vocabulary(lang_, vocabulary);
  if (phrases == nullptr) return;  // not every language needs all of them
  for (const auto& phrase : *phrases) {
    const auto said = words(phrase, lang_);
    longest_ = std::max(longest_, said.size());
    phrases_.try_emplace(joined(said), meaning);
  }
}

/// A number and what it is grown together with: "zweieinhalb", "zehnminütig".
std::optional<DurationReader::Meaning> DurationReader::compound(const Word& word,
                                                                std::optional<Meaning>& unit) const {
  const auto number_before = [&](const std::string& ending) -> std::optional<double> {
    if (word.norm.size() <= ending.size() || !word.norm.ends_with(ending)) return std::nullopt;
    const auto before = words(std::string_view(word.norm).substr(0, word.norm.size() - ending.size()), lang_);
    const auto number = leading_number(before, lang_);
    if (!number || number->words != before.size()) return std::nullopt;
    return number->value;
  };
  for (const auto& [one, meaning] : phrases_) {
    if (meaning.kind != Kind::kOne) continue;
    for (const auto& [part, fraction] : phrases_) {
      if (fraction.kind != Kind::kFraction) continue;
      if (const auto number = number_before(one + part))
        return Meaning{Kind::kNumber, *number + fraction.value};
    }
  }
  for (const auto& [phrase, meaning] : phrases_) {
    if (meaning.kind != Kind::kUnit) continue;
    const auto number = number_before(phrase);
    if (!number) continue;
    unit = meaning;
    return Meaning{Kind::kNumber, *number};
  }
  return std::nullopt;
}

std::pair<DurationReader::Meaning, std::size_t> DurationReader::meaning(const std::vector<Word>& said,
                                                                        std::size_t at) const {
  const auto from = std::span(said).subspan(at);
  for (std::size_t length = std::min(longest_, from.size()); length > 0; --length) {
    const auto found = phrases_.find(joined(from.first(length)));
    if (found != phrases_.end()) return {found->second, length};
  }
  if (const auto number = leading_number(from, lang_)) return {{Kind::kNumber, number->value}, number->words};
  return {{}, 1};
}

DurationReader::Tokens DurationReader::tokens(std::string_view text) const {
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

std::string DurationReader::words_between(std::string_view text, const Tokens& tokens, std::size_t from,
                                          std::size_t to) {
  const auto links = [&](std::size_t at) {
    const Kind kind = tokens[at].meaning.kind;
    return kind == Kind::kLink || kind == Kind::kOne || kind == Kind::kOf || kind == Kind::kAnd;
  };
  while (from < to && links(from)) ++from;
  while (to > from && links(to - 1)) --to;
  if (from == to) return {};
  return std::string(text.substr(tokens[from].begin, tokens[to - 1].end - tokens[from].begin));
}

Spoken DurationReader::read(std::string_view text) const {
  const Tokens said = tokens(text);
  for (std::size_t at = 0; at < said.size(); ++at) {
    Parser parser(said, at);
    const auto seconds = parser.run();
    if (!seconds || *seconds < 0.5) continue;
    Spoken spoken;
    spoken.duration = std::chrono::seconds(std::llround(std::min(*seconds, kMost)));
    const std::string before = words_between(text, said, 0, at);
    const std::string after = words_between(text, said, parser.at(), said.size());
    spoken.rest = before.empty() || after.empty() ? before + after : before + " " + after;
    return spoken;
  }
  Spoken spoken;
  const bool unit_alone = said.size() == 1 && said[0].meaning.kind == Kind::kUnit;
  if (unit_alone && said[0].meaning.value >= kMinute) {
    spoken.duration = std::chrono::seconds(std::llround(said[0].meaning.value));
  } else {
    spoken.rest = words_between(text, said, 0, said.size());
  }
  return spoken;
}

Spoken DurationReader::read_answer(std::string_view text) const {
  Spoken spoken = read(text);
  if (spoken.duration) return spoken;
  const auto said = words(spoken.rest, lang_);
  const auto number = leading_number(said, lang_);
  if (!number || number->words != said.size() || number->value * kMinute < 0.5) return spoken;
  spoken.duration = std::chrono::seconds(std::llround(std::min(number->value * kMinute, kMost)));
  spoken.rest.clear();
  return spoken;
}

}  // namespace parley::timer
