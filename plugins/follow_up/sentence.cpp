#include "sentence.hpp"

#include <algorithm>
#include <cmath>

#include "ellipsis.hpp"

namespace parley::follow_up {
namespace {

constexpr std::size_t kLongestRun = 8;
/// What follows the last preposition of a question is a name only if it is so short.
constexpr std::size_t kLongestName = 4;

std::string padded(auto number, std::size_t digits) {
  std::string text = std::to_string(number);
  return text.insert(0, digits - std::min(digits, text.size()), '0');
}

}  // namespace

Sentence::Sentence(const Subject& subject, const Reader& reader)
    : subject_(subject), reader_(reader), words_(words(subject.utterance, reader.lang)) {}

std::span<const Word> Sentence::part(const Run& run) const {
  return std::span(words_).subspan(run.begin, run.end - run.begin);
}
std::string Sentence::text(const Run& run) const {
  return std::string(surface(subject_.utterance, part(run)));
}

std::string Sentence::with(const Run& run, std::string_view instead) const {
  const std::string& whole = subject_.utterance;
  return whole.substr(0, words_[run.begin].begin) + std::string(instead) +
         whole.substr(words_[run.end - 1].end);
}

std::optional<Run> Sentence::place_of(const std::string& value) const {
  const auto wanted = words(value, reader_.lang);
  if (wanted.empty() || wanted.size() > words_.size()) return std::nullopt;
  for (std::size_t at = words_.size() - wanted.size() + 1; at-- > 0;) {
    const bool same =
        std::equal(wanted.begin(), wanted.end(), words_.begin() + static_cast<std::ptrdiff_t>(at),
                   [](const Word& a, const Word& b) { return a.norm == b.norm; });
    if (same) return Run(at, at + wanted.size());
  }
  return std::nullopt;
}

bool Sentence::reads_as(SlotType type, std::string_view value) const {
  return read_value(type, value, reader_.lang, reader_.now).has_value();
}

bool Sentence::has_type(std::string_view value) const {
  return std::any_of(kTypes.begin(), kTypes.end(), [&](SlotType type) { return reads_as(type, value); });
}

std::optional<Run> Sentence::typed_within(const Run& run, SlotType type, bool is_last) const {
  for (std::size_t length = std::min(kLongestRun, run.end - run.begin); length > 0; --length) {
    const std::size_t last = run.end - length;
    for (std::size_t at = run.begin; at <= last; ++at) {
      const std::size_t begin = is_last ? last - (at - run.begin) : at;
      Run found(begin, begin + length);
      const auto value = read_value(type, text(found), reader_.lang, reader_.now);
      if (!value) continue;
      while (found.end - found.begin > 1) {
        const Run less(found.begin + 1, found.end);
        const bool is_apart = subject_.utterance[words_[found.begin].end] == ' ';  // not: "2026-01-05"
        if (!is_apart || read_value(type, text(less), reader_.lang, reader_.now) != value) break;
        found = less;
      }
      return found;
    }
  }
  return std::nullopt;
}

std::optional<std::chrono::minutes> Sentence::time_of(std::string_view value,
                                                      std::chrono::minutes later) const {
  const auto read = read_value(SlotType::kDate, value, reader_.lang, reader_.now + later);
  return read ? read->date().time : std::nullopt;
}

std::optional<Run> Sentence::time_within(const Run& run) const {
  for (std::size_t length = 1; length <= std::min(kLongestRun, run.end - run.begin); ++length) {
    for (std::size_t at = run.begin; at + length <= run.end; ++at) {
      Run found(at, at + length);
      const bool is_unit = length == 1 && reads_as(SlotType::kDuration, text(found));  // "heures"
      if (!time_of(text(found)) || is_unit) continue;
      const auto time = take_minutes(found, run);
      const std::size_t link = found.begin > run.begin ? link_before(found) : 0;
      if (link > 0 && time_of(text(Run(found.begin - link, found.end))) == time) found.begin -= link;
      return found;
    }
  }
  return std::nullopt;
}

std::optional<std::chrono::minutes> Sentence::take_minutes(Run& time, const Run& within) const {
  constexpr std::size_t kMinuteWords = 3;
  constexpr std::chrono::minutes kHalfDay = std::chrono::hours(12);
  const auto read = [&](const Run& words) {
    return read_value(SlotType::kDate, text(words), reader_.lang, reader_.now);
  };
  auto said = read(time);
  const std::size_t first = time.begin - std::min(kMinuteWords, time.begin - within.begin);
  for (std::size_t at = time.begin; at-- > first;) {
    const Run added(at, at + 1);
    const auto more = read(Run(at, time.end));
    if (!more || !more->date().time) continue;
    const bool is_other = (*more->date().time - *said->date().time) % kHalfDay != std::chrono::minutes(0);
    const bool belongs = reads_as(SlotType::kNumber, text(added)) ||
                         link_at(part(added), reader_.common, reader_.lang) > 0;  // "um" of "um quarto"
    if (!is_other && (more != said || !belongs || added.end != time.begin)) continue;
    time.begin = at;
    said = more;
  }
  const std::size_t least = time.end;
  for (std::size_t until = time.end + 1; until <= std::min(time.end + kMinuteWords, within.end); ++until) {
    const auto more = read(Run(time.begin, until));
    if (!more || !more->date().time) continue;
    const auto later = *more->date().time - *said->date().time;
    const bool is_other = later % kHalfDay != std::chrono::minutes(0);
    if (!is_other && more != said) break;  // "in the evening", "tomorrow"
    said = more;
    time.end = until;
  }
  while (time.end > least && link_at(part(Run(time.end - 1, time.end)), reader_.common, reader_.lang) > 0)
    --time.end;
  return said->date().time;
}

std::optional<Run> Sentence::day_within(const Run& run) const {
  const auto time = time_within(run);
  const auto is_day = [&](const Run& part) {
    if (time && part.begin < time->end && time->begin < part.end) return false;  // a number may be a day, too
    const auto value = read_value(SlotType::kDate, text(part), reader_.lang, reader_.now);
    return value && !value->date().time;
  };
  for (std::size_t length = std::min(kLongestRun, run.end - run.begin); length > 0; --length) {
    for (std::size_t at = run.begin; at + length <= run.end; ++at) {
      Run found(at, at + length);
      if (!is_day(found)) continue;
      while (found.end - found.begin > 1 && is_day(Run(found.begin + 1, found.end))) ++found.begin;
      return found;
    }
  }
  return std::nullopt;
}

std::optional<std::pair<Run, std::string>> Sentence::in_half_of_day(const Run& run,
                                                                    const std::string& part) const {
  if (has_type(part)) return std::nullopt;
  auto there = time_within(run);
  std::optional<std::chrono::minutes> time;
  if (there) {
    // Of "7:30 PM" the first word says a time, too.
    for (std::size_t end = run.end; end > there->end; --end)
      if (time_of(text(Run(there->begin, end)))) there->end = end;
    time = time_of(text(*there));
  } else if ((there = typed_within(run, SlotType::kNumber, false))) {  // "an alarm for 7"
    time = std::chrono::hours(
        std::lround(read_value(SlotType::kNumber, text(*there), reader_.lang, reader_.now)->number()));
  }
  for (std::size_t end = there ? there->begin + 1 : 0; time && end <= there->end; ++end) {
    std::string value = text(Run(there->begin, end)) + ' ' + part;
    const auto named = time_of(value);
    if (named && (*named - *time) % std::chrono::hours(12) == std::chrono::minutes(0))
      return std::pair(*there, std::move(value));
  }
  return std::nullopt;
}

std::optional<std::pair<Run, std::string>> Sentence::days_from(const Run& run, int days, bool is_last) const {
  const auto said = typed_within(run, SlotType::kDate, is_last);
  if (!said) return std::nullopt;
  const auto read = read_value(SlotType::kDate, text(*said), reader_.lang, reader_.now);
  const std::chrono::year_month_day day{read->date().day + std::chrono::days(days)};
  return std::pair(*said, padded(static_cast<int>(day.year()), 4) + '-' +
                              padded(static_cast<unsigned>(day.month()), 2) + '-' +
                              padded(static_cast<unsigned>(day.day()), 2));
}

int Sentence::fit(const Run& run, std::span<const Word> link) const {
  const auto same = [](const Word& a, const Word& b) { return a.norm == b.norm; };
  const auto begins = [&](std::size_t at) {
    const auto there = part(Run(at, words_.size()));
    return there.size() >= link.size() && std::equal(link.begin(), link.end(), there.begin(), same);
  };
  if (!link.empty() && ((run.begin >= link.size() && begins(run.begin - link.size())) || begins(run.begin)))
    return 2;
  return is_linked(run) == !link.empty() ? 1 : 0;
}

bool Sentence::is_completed(const Run& run, const std::string& value) const {
  const auto read = [&](const std::string& date) {
    return read_value(SlotType::kDate, date, reader_.lang, reader_.now);
  };
  if (time_of(text(run)) && time_of(value)) return false;  // "at five", "seven in the morning"
  const auto both = read(text(run) + ' ' + value);
  return both && both != read(value);
}

std::size_t Sentence::link_before(const Run& run) const {
  for (std::size_t n = std::min<std::size_t>(2, run.begin); n > 0; --n)
    if (link_at(part(Run(run.begin - n, run.end)), reader_.common, reader_.lang) == n) return n;
  return 0;
}

Run Sentence::without_article(Run run, std::span<const Word> value) const {
  const bool is_double = run.begin > 0 && is_article(value.front()) && is_article(words_[run.begin - 1]);
  if (is_double) --run.begin;
  return run;
}

bool Sentence::is_linked(const Run& run) const {
  for (std::size_t n = std::min<std::size_t>(3, run.begin); n > 0; --n)
    if (link_at(part(Run(run.begin - n, run.begin)), reader_.common, reader_.lang) > 0) return true;
  return false;
}

std::optional<Run> Sentence::topic() const {
  const std::size_t end = words_.size() - end_at(words_, reader_.common, reader_.lang);
  if (auto asked_whether = subject_of_verb(); asked_whether) return asked_whether;
  for (std::size_t at = end; at-- > 1;) {
    const std::size_t n = link_at(part(Run(at, end)), reader_.common, reader_.lang);
    if (n == 0) continue;
    const std::size_t begin = at + n;
    if (begin < end && end - begin <= kLongestName) return Run(begin, end);
    return std::nullopt;
  }
  if (words_.size() < 3 || end == 0) return std::nullopt;
  return Run(end - 1, end);
}

std::optional<Run> Sentence::subject_of_verb() const {
  const auto is = [&](std::string_view vocabulary, std::size_t at) {
    return reader_.common.vocabulary_equals(reader_.lang, vocabulary, part(Run(at, at + 1)));
  };
  if (words_.size() < 4 || !is("follow_up_verb", 0)) return std::nullopt;
  for (std::size_t at = 2; at < words_.size() && at <= kLongestName + 1; ++at)
    if (link_at(part(Run(at, words_.size())), reader_.common, reader_.lang) > 0)
      return is("follow_up_there", 1) ? std::nullopt : std::optional(Run(1, at));
  return std::nullopt;
}

bool Sentence::is_article(const Word& word) const {
  return reader_.common.vocabulary_equals(reader_.lang, "follow_up_article", std::span(&word, 1));
}

std::vector<std::pair<std::string, Run>> slots_of(const Subject& subject, const Sentence& sentence) {
  std::vector<std::pair<std::string, Run>> slots;
  for (const auto& [name, value] : subject.slots)
    if (const auto run = sentence.place_of(value)) slots.emplace_back(name, *run);
  std::sort(slots.begin(), slots.end(),
            [](const auto& a, const auto& b) { return a.second.begin > b.second.begin; });
  return slots;
}

}  // namespace parley::follow_up
