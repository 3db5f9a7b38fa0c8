#include "settings/values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <limits>
#include <utility>

#include "settings/text.hpp"

namespace parley {
namespace {

struct Unit {
  std::string_view name;
  std::int64_t factor;
};

constexpr std::array kDurations{Unit{"ms", 1}, Unit{"s", 1'000}, Unit{"min", 60'000}, Unit{"h", 3'600'000},
                                Unit{"d", 86'400'000}};
constexpr std::array kSizes{Unit{"", 1}, Unit{"KiB", 1LL << 10}, Unit{"MiB", 1LL << 20},
                            Unit{"GiB", 1LL << 30}};

template <class Units>
std::optional<std::int64_t> parse_with_unit(std::string_view text, const Units& units) {
  if (text.empty() || text.front() == '-') return std::nullopt;
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{}) return std::nullopt;
  const std::string_view name = text.substr(static_cast<std::size_t>(end - text.data()));
  const auto* const unit =
      std::find_if(units.begin(), units.end(), [&](const Unit& known) { return known.name == name; });
  if (unit == units.end()) return std::nullopt;
  if (number > std::numeric_limits<std::int64_t>::max() / unit->factor) return std::nullopt;
  return number * unit->factor;
}

template <class Units>
std::string format_with_unit(std::int64_t number, const Units& units) {
  const auto unit = std::find_if(units.rbegin(), units.rend(),
                                 [&](const Unit& known) { return number % known.factor == 0; });
  return fmt::format("{}{}", number / unit->factor, unit->name);
}

// Edits between two words where swapping two neighbours counts as one (optimal string alignment).
std::size_t edits(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> cost(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) cost[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) cost[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = cost[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      cost[i][j] = std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1, replaced});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
    }
  }
  return cost[a.size()][b.size()];
}

bool is_id_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' ||
         c == '-';
}

}  // namespace

std::optional<std::chrono::milliseconds> parse_duration(std::string_view text) {
  const auto number = parse_with_unit(text, kDurations);
  if (!number) return std::nullopt;
  return std::chrono::milliseconds(*number);
}

std::string format_duration(std::chrono::milliseconds span) {
  if (span == std::chrono::milliseconds::zero()) return "0ms";
  return format_with_unit(span.count(), kDurations);
}

std::optional<std::size_t> parse_size(std::string_view text) {
  const auto number = parse_with_unit(text, kSizes);
  if (!number) return std::nullopt;
  return static_cast<std::size_t>(*number);
}

std::string format_size(std::size_t bytes) {
  if (bytes == 0) return "0";
  return format_with_unit(static_cast<std::int64_t>(bytes), kSizes);
}

std::optional<std::string> nearest(std::string_view word, const std::vector<std::string>& candidates) {
  constexpr std::size_t kLongestWord = 64;  // no declared key is longer; keeps hostile input cheap
  if (word.empty() || word.size() > kLongestWord) return std::nullopt;
  const std::string* best = nullptr;
  std::size_t fewest = 1 + word.size() / 4;
  for (const std::string& candidate : candidates) {
    if (candidate.size() > word.size() + fewest || word.size() > candidate.size() + fewest) continue;
    const std::size_t distance = edits(word, candidate);
    if (distance > fewest || distance >= candidate.size() || (best != nullptr && distance == fewest))
      continue;
    best = &candidate;
    fewest = distance;
  }
  if (best == nullptr) return std::nullopt;
  return *best;
}

bool is_id(std::string_view text) {
  return !text.empty() && text.front() != '.' && text.back() != '.' &&
         text.find("..") == std::string_view::npos && std::all_of(text.begin(), text.end(), is_id_character);
}

std::string shorten(std::string_view text) {
  constexpr std::size_t kShown = 60;
  std::string clean = config::printable(text.substr(0, 2 * kShown));
  if (clean.size() <= kShown) return clean;
  std::size_t cut = kShown;
  while ((static_cast<unsigned char>(clean[cut]) & 0xC0U) == 0x80U) --cut;  // not within a character
  return clean.substr(0, cut) + "…";
}

std::string in_quotes(std::string_view text) {
  return fmt::format("'{}'", shorten(text));
}

}  // namespace parley
