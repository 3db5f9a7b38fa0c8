#include "duration.hpp"

#include <algorithm>
#include <parley/durations.hpp>
#include <parley/numbers.hpp>
#include <parley/text.hpp>
#include <parley/values.hpp>
#include <span>
#include <utility>

namespace parley::timer {
namespace {

using std::chrono::seconds;

/// Seconds; longer ones are all the same to whoever refuses them.
constexpr double kMost = 1000.0 * 24 * 60 * 60;

seconds to_seconds(Duration length) {
  return std::chrono::floor<seconds>(length + std::chrono::milliseconds(500));
}

}  // namespace

DurationReader::DurationReader(const LocaleResources& locale, std::string lang)
    : lang_(lang), links_(locale, lang, "link"), next_(locale, std::move(lang), "next") {}

bool DurationReader::is_minus(const std::string& word) const {
  const auto number = read_value(SlotType::kNumber, word + " 1", lang_, {});
  return number && number->number() < 0;
}

Spoken DurationReader::read(std::string_view text) const {
  Spoken spoken;
  const auto found = find_duration(text, lang_);
  const auto length = found ? to_seconds(found->length) : seconds(0);
  if (length < seconds(1)) {
    spoken.rest = links_.strip(text);
    return spoken;
  }
  const auto in_front = words(text.substr(0, found->begin), lang_);
  spoken.negative = !in_front.empty() && is_minus(in_front.back().norm);
  if (spoken.negative) return spoken;
  spoken.duration = length;
  const std::string before = links_.strip(text.substr(0, found->begin));
  const std::string after = links_.strip(text.substr(found->end));
  spoken.rest = before.empty() || after.empty() ? before + after : before + " " + after;
  return spoken;
}

Spoken DurationReader::read_answer(std::string_view text) const {
  Spoken spoken = read(text);
  if (spoken.duration || spoken.negative) return spoken;
  const auto said = words(spoken.rest, lang_);
  spoken.negative =
      said.size() > 1 && is_minus(said.front().norm) && leading_number(std::span(said).subspan(1), lang_);
  const auto number = leading_number(said, lang_);
  if (!number || number->words != said.size()) return spoken;
  const std::chrono::duration<double> said_minutes(std::min(number->value * 60, kMost));
  const auto length = to_seconds(std::chrono::duration_cast<Duration>(said_minutes));
  if (length < seconds(1)) return spoken;
  spoken.duration = length;
  spoken.rest.clear();
  return spoken;
}

/// What follows the first timer: "one for seven", "a tea timer for 5".
Spoken DurationReader::read_next(std::string_view text) const {
  Spoken spoken = read_answer(text);
  if (spoken.duration || spoken.negative) return spoken;
  const auto said = words(text, lang_);
  if (const auto first = leading_number(said, lang_); first && first->words < said.size()) {
    const std::size_t behind = said[first->words].begin;  // "twelve for the sauce"
    spoken = read_answer(text.substr(0, behind));
    spoken.rest = links_.strip(text.substr(behind));
    return spoken;
  }
  for (std::size_t from = 1; from < said.size(); ++from) {
    const std::span number(said.begin() + static_cast<std::ptrdiff_t>(from), said.end());
    const auto value = leading_number(number, lang_);
    if (!value || value->words != number.size()) continue;
    spoken = read_answer(text.substr(said[from].begin));
    spoken.negative = is_minus(said[from - 1].norm);
    spoken.rest = links_.strip(text.substr(0, said[from].begin));
    return spoken;
  }
  return spoken;
}

std::vector<Spoken> DurationReader::read_all(std::string_view text) const {
  std::vector<Spoken> all;
  all.push_back(read(text));
  const auto found = all.front().duration ? find_duration(text, lang_) : std::nullopt;
  if (!found) {
    all.front() = read_answer(text);
    return all;
  }
  const std::string after(text.substr(found->end));
  const std::string another = next_.strip(after, LinkWords::Ends::kFront);
  if (words(another, lang_).size() == words(after, lang_).size()) return all;
  const Spoken next = read_next(another);
  if (!next.duration && !next.negative) return all;
  all.front() = read(text.substr(0, found->end));
  std::vector<Spoken> others = read_all(another);
  if (!others.front().duration) others.assign(1, next);
  all.insert(all.end(), others.begin(), others.end());
  return all;
}

std::vector<Spoken> DurationReader::read_two(const std::string& first, const std::string& second) const {
  std::vector<Spoken> both{read(first), read_next(second)};
  const auto said = words(second, lang_);
  const auto number = leading_number(said, lang_);
  if (!both.front().duration && number && number->words < said.size())
    both.front() = read(first + " " + second.substr(said[number->words].begin));
  if (!both.front().duration) both.front() = read_answer(first);
  return both;
}

std::vector<Spoken> DurationReader::read_many(const std::string& text) const {
  std::vector<Spoken> all;
  std::string unit;
  const auto parts = parts_of(text);
  for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
    const auto said = words(*part, lang_);
    const auto number = leading_number(said, lang_);
    if (number && number->words < said.size()) unit = part->substr(said[number->words].begin);
    Spoken one = read_next(*part);
    if (number && number->words == said.size() && !unit.empty()) one = read(*part + ' ' + unit);
    all.push_back(std::move(one));
  }
  if (all.empty()) all.emplace_back();
  std::reverse(all.begin(), all.end());
  return all;
}

/// Between commas and what begins another one.
std::vector<std::string> DurationReader::parts_of(const std::string& text) const {
  std::vector<std::string> parts;
  const auto said = words(text, lang_);
  std::size_t from = 0;
  const auto end_part = [&](std::size_t until) {
    if (until > from) parts.emplace_back(surface(text, std::span(said).subspan(from, until - from)));
  };
  for (std::size_t at = 0; at < said.size();) {
    const std::string_view rest = std::string_view(text).substr(said[at].begin);
    const std::size_t left = words(next_.strip(rest, LinkWords::Ends::kFront), lang_).size();
    const std::size_t next = said.size() - at - left;
    const bool is_behind_comma =
        at > 0 && text.substr(said[at - 1].end, said[at].begin - said[at - 1].end).find(',') != text.npos;
    if (next > 0 || is_behind_comma) {
      end_part(at);
      from = at + next;
    }
    at += std::max<std::size_t>(next, 1);
  }
  end_part(said.size());
  return parts;
}

std::string DurationReader::compound_name(std::string_view text) const {
  constexpr std::string_view kTimer = "timer";
  for (const Word& word : words(text, lang_)) {
    if (!word.norm.ends_with(kTimer) || word.norm.size() == kTimer.size()) continue;
    return std::string(text.substr(word.begin, word.end - word.begin - kTimer.size()));
  }
  return "";
}

}  // namespace parley::timer
