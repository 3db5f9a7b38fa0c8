#include "duration.hpp"

#include <algorithm>
#include <parley/durations.hpp>
#include <parley/numbers.hpp>
#include <parley/text.hpp>
#include <span>
#include <utility>
#include <vector>

namespace parley::timer {
namespace {

using std::chrono::seconds;

/// Seconds; longer ones are all the same to whoever refuses them.
constexpr double kMost = 1000.0 * 24 * 60 * 60;

seconds to_seconds(Duration length) {
  return std::chrono::floor<seconds>(length + std::chrono::milliseconds(500));
}

}  // namespace

DurationReader::DurationReader(const LocaleResources& locale, std::string lang) : lang_(std::move(lang)) {
  const auto* links = locale.vocabulary(lang_, "link");
  if (links == nullptr) return;
  links_ = PhraseSet(*links, lang_);
  for (const auto& phrase : *links) longest_ = std::max(longest_, words(phrase, lang_).size());
}

std::string DurationReader::unlinked(std::string_view text) const {
  const auto all = words(text, lang_);
  std::span<const Word> said(all);
  const auto link_at = [&](bool front) {
    for (std::size_t length = std::min(longest_, said.size()); length > 0; --length) {
      if (links_.equals(front ? said.first(length) : said.last(length))) return length;
    }
    return std::size_t{0};
  };
  while (const auto length = link_at(true)) said = said.subspan(length);
  while (const auto length = link_at(false)) said = said.first(said.size() - length);
  return std::string(surface(text, said));
}

Spoken DurationReader::read(std::string_view text) const {
  Spoken spoken;
  const auto found = find_duration(text, lang_);
  const auto length = found ? to_seconds(found->length) : seconds(0);
  if (length < seconds(1)) {
    spoken.rest = unlinked(text);
    return spoken;
  }
  spoken.duration = length;
  const std::string before = unlinked(text.substr(0, found->begin));
  const std::string after = unlinked(text.substr(found->end));
  spoken.rest = before.empty() || after.empty() ? before + after : before + " " + after;
  return spoken;
}

Spoken DurationReader::read_answer(std::string_view text) const {
  Spoken spoken = read(text);
  if (spoken.duration) return spoken;
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
