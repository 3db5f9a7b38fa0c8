#include "language/times.hpp"

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <parley/numbers.hpp>
#include <parley/text.hpp>
#include <span>
#include <utility>

#include "language/joined.hpp"
#include "language/value_file.hpp"

namespace parley {
namespace {

constexpr int kHour = 60;
constexpr int kHalfDay = 12 * kHour;
constexpr int kDay = 24 * kHour;
constexpr int kFirstHourOfNight = 6;  // "at night": from six on it is the evening's

/// "17:30", "17h30", "17h", "5.30": minutes since midnight.
std::optional<int> clock_of(std::string_view word) {
  int hour = 0;
  int minute = 0;
  const char* const end = word.data() + word.size();
  const auto first = std::from_chars(word.data(), end, hour);
  if (first.ec != std::errc() || first.ptr == end ||
      std::string_view(":.h").find(*first.ptr) == std::string_view::npos)
    return std::nullopt;
  const char* const rest = first.ptr + 1;
  if (rest != end) {
    const auto second = std::from_chars(rest, end, minute);
    if (second.ec != std::errc() || second.ptr != end || end - rest != 2) return std::nullopt;
  } else if (*first.ptr != 'h') {
    return std::nullopt;
  }
  if (hour < 0 || hour > 23 || minute < 0 || minute > 59) return std::nullopt;
  return hour * kHour + minute;
}

}  // namespace

/// Reads one time from some token on.
class TimeWords::Parser {
 public:
  Parser(const Tokens& tokens, std::size_t at) : tokens_(tokens), at_(at) {}

  /// Minutes since midnight; at() is behind the last token it took.
  std::optional<int> run() {
    const bool marked = take(Kind::kAt);
    if (is(Kind::kNamed) || is(Kind::kClock)) return clock();
    if (is(Kind::kShift)) return shifted(tokens_[at_++].value);
    if (!is(Kind::kNumber)) return std::nullopt;
    const int number = tokens_[at_++].value;
    if (is(Kind::kPast) || is(Kind::kTo)) {
      const std::size_t here = at_;
      const int sign = tokens_[at_++].kind == Kind::kPast ? 1 : -1;
      if (const auto time = shifted(sign * number)) return time;
      at_ = here;  // "às dez para as compras"
    }
    return on_the_hour(number, marked);
  }
  std::size_t at() const noexcept { return at_; }
  /// Whether it can't be twelve hours later.
  bool half_known() const noexcept { return half_known_; }

 private:
  bool is(Kind kind) const { return at_ < tokens_.size() && tokens_[at_].kind == kind; }
  bool take(Kind kind) {
    const bool here = is(kind);
    if (here) ++at_;
    return here;
  }
  bool part_of_day() const { return at_ < tokens_.size() && is_part_of_day(tokens_[at_].kind); }

  int clock() {
    const Token& token = tokens_[at_++];
    half_known_ = token.kind == Kind::kNamed || token.value < kHour || token.value >= kHalfDay + kHour;
    take(Kind::kOClock);
    return (token.value + minutes_behind() + kDay) % kDay;
  }

  /// "Y media", "moins dix".
  int minutes_behind() {
    if (is(Kind::kAfter)) return tokens_[at_++].value;
    const bool adds = is(Kind::kAnd);
    const bool is_number = at_ + 1 < tokens_.size() && tokens_[at_ + 1].kind == Kind::kNumber;
    if (!is_number || !(adds || is(Kind::kLess))) return 0;
    // "À sept heures et un à huit heures" is another one.
    const bool has_unit = at_ + 2 < tokens_.size() && tokens_[at_ + 2].kind == Kind::kMinutes;
    if (adds && tokens_[at_ + 1].value == 1 && !has_unit) return 0;
    ++at_;
    return adds ? minutes_said() : -minutes_said();
  }

  int minutes_said() {
    const int said = tokens_[at_++].value;
    take(Kind::kMinutes);
    return said;
  }

  /// "Half past five", "zehn vor acht", "fünf vor halb acht", "dez para as oito".
  std::optional<int> shifted(int minutes) {
    if (is(Kind::kShift)) minutes += tokens_[at_++].value;
    take(Kind::kAt);
    if (!is(Kind::kNumber) || tokens_[at_].value > 23) return std::nullopt;
    const int hour = tokens_[at_++].value;
    take(Kind::kOClock);
    half_known_ = hour == 0 || hour > 12;
    return (hour * kHour + minutes + kDay) % kDay;
  }

  /// "At five", "five pm", "17 Uhr 30", "at five thirty", "a las cinco y media".
  std::optional<int> on_the_hour(int hour, bool marked) {
    if (hour > 23) return std::nullopt;
    const bool oclock = take(Kind::kOClock);
    int minutes = minutes_behind();
    if ((marked || oclock) && is(Kind::kNumber)) minutes = minutes_said();
    if (!marked && !oclock && !part_of_day()) return std::nullopt;
    half_known_ = hour == 0 || hour > 12;
    return (hour * kHour + minutes + kDay) % kDay;
  }

  const Tokens& tokens_;
  std::size_t at_;
  bool half_known_ = false;
};

TimeWords::TimeWords(const std::filesystem::path& file, std::string lang) : lang_(std::move(lang)) {
  read_value_file(file, [this](const YAML::Node& root) {
    if (root["times"]) read(root["times"]);
  });
}

void TimeWords::read(const YAML::Node& section) {
  add(section["at"], Kind::kAt);
  add(section["oclock"], Kind::kOClock);
  add(section["noon"], Kind::kNamed, kHalfDay);
  add(section["midnight"], Kind::kNamed, 0);
  for (const auto& entry : section["before_the_hour"])
    add(entry.second, Kind::kShift, -entry.first.as<int>());
  for (const auto& entry : section["past_the_hour"]) add(entry.second, Kind::kShift, entry.first.as<int>());
  for (const auto& entry : section["after_the_hour"]) add(entry.second, Kind::kAfter, entry.first.as<int>());
  add(section["minutes"], Kind::kMinutes);
  add(section["and_minutes"], Kind::kAnd);
  add(section["less_minutes"], Kind::kLess);
  add(section["past"], Kind::kPast);
  add(section["to"], Kind::kTo);
  add(section["morning"], Kind::kMorning);
  add(section["evening"], Kind::kEvening);
  add(section["night"], Kind::kNight);
}

void TimeWords::add(const YAML::Node& phrases, Kind kind, int value) {
  for (const auto& phrase : phrases) {
    const auto said = words(phrase.as<std::string>(), lang_);
    longest_ = std::max(longest_, said.size());
    phrases_.try_emplace(joined(said), Token{kind, value});
  }
}

bool TimeWords::is_part_of_day(Kind kind) noexcept {
  return kind == Kind::kMorning || kind == Kind::kEvening || kind == Kind::kNight;
}

TimeWords::Tokens TimeWords::tokens(std::string_view text) const {
  constexpr std::size_t kMostWords = 32;
  const auto said = words(text, lang_);
  Tokens all;
  if (said.size() > kMostWords) return all;
  for (std::size_t at = 0; at < said.size();) {
    const auto from = std::span(said).subspan(at);
    std::size_t length = std::min(longest_, from.size());
    Token token;
    for (; length > 0; --length) {
      const auto found = phrases_.find(joined(from.first(length)));
      if (found == phrases_.end()) continue;
      token = found->second;
      break;
    }
    if (length == 0) {
      length = 1;
      if (const auto clock = clock_of(from.front().norm)) {
        token = Token{Kind::kClock, *clock};
      } else if (const auto number = leading_number(from, lang_)) {
        if (number->value < 60 && std::floor(number->value) == number->value)
          token = Token{Kind::kNumber, static_cast<int>(number->value)};
        length = number->words;
      }
    }
    token.begin = from.front().begin;
    token.end = from[length - 1].end;
    all.push_back(token);
    at += length;
  }
  return all;
}

std::string TimeWords::rest_of(std::string_view text, const Tokens& said, std::size_t from, std::size_t to) {
  std::string rest;
  for (std::size_t i = 0; i < said.size(); ++i) {
    if ((i >= from && i < to) || is_part_of_day(said[i].kind)) continue;
    if (!rest.empty()) rest += ' ';
    rest += text.substr(said[i].begin, said[i].end - said[i].begin);
  }
  return rest;
}

std::string TimeWords::without_part_of_day(std::string_view text) const {
  return rest_of(text, tokens(text), 0, 0);
}

std::optional<SpokenTime> TimeWords::find(std::string_view text) const {
  const Tokens said = tokens(text);
  for (std::size_t at = 0; at < said.size(); ++at) {
    Parser parser(said, at);
    const auto minutes = parser.run();
    if (!minutes) continue;
    int time = *minutes;
    bool half_known = parser.half_known();
    const auto is_part = [](const Token& one) { return is_part_of_day(one.kind); };
    const auto behind = said.begin() + static_cast<std::ptrdiff_t>(parser.at());
    // Of two the one that goes with the hour: "tomorrow morning – six – no, six in the evening".
    const auto part =
        behind != said.end() && is_part(*behind) ? behind : std::find_if(said.begin(), said.end(), is_part);
    if (part != said.end() && !half_known) {
      const bool later = part->kind == Kind::kEvening ||
                         (part->kind == Kind::kNight && time % kHalfDay >= kFirstHourOfNight * kHour);
      time = time % kHalfDay + (later ? kHalfDay : 0);
      half_known = true;
    }
    const bool marked = said[at].kind == Kind::kAt;
    return SpokenTime{std::chrono::minutes(time), half_known, marked, rest_of(text, said, at, parser.at())};
  }
  return std::nullopt;
}

}  // namespace parley
