#include "duration.hpp"

#include <algorithm>
#include <parley/durations.hpp>
#include <parley/numbers.hpp>
#include <parley/text.hpp>
#include <parley/values.hpp>
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
    : lang_(lang), links_(locale, std::move(lang), "link") {}

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
  const auto number = leading_number(said, lang_);
  if (!number || number->words != said.size()) return spoken;
  const std::chrono::duration<double> said_minutes(std::min(number->value * 60, kMost));
  const auto length = to_seconds(std::chrono::duration_cast<Duration>(said_minutes));
  if (length < seconds(1)) return spoken;
  spoken.duration = length;
  spoken.rest.clear();
  return spoken;
}

}  // namespace parley::timer
