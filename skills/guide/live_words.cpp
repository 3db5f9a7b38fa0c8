#include "live_words.hpp"

#include <algorithm>
#include <parley/numbers.hpp>

namespace parley::guide {
namespace {

constexpr std::size_t kLongestPhrase = 10;

}  // namespace

bool LiveWords::has(const std::string& vocabulary) const {
  return locale_.vocabulary_occurs(lang_, vocabulary, said_);
}

bool LiveWords::begins(const std::string& vocabulary) const {
  if (said_.empty() || !locale_.vocabulary_equals(lang_, vocabulary, said_.first(1))) return false;
  std::vector<bool> covered(said_.size());
  cover("beside", covered, 2);
  return !covered.front();
}

bool LiveWords::is_elsewhere() const {
  if (!has("elsewhere")) return false;
  std::vector<bool> covered(said_.size());
  cover("topic_begin", covered, 2);
  for (const std::string meaning : kLiveMeanings) cover("surely_" + meaning, covered, 2);
  for (std::size_t at = 0; at < said_.size();) {
    std::size_t end = at;
    while (end < said_.size() && !covered[end]) ++end;
    if (end > at && locale_.vocabulary_occurs(lang_, "elsewhere", said_.subspan(at, end - at))) return true;
    at = end + 1;
  }
  return false;
}

/// Marks the words that phrases of a vocabulary stand on.
void LiveWords::cover(const std::string& vocabulary, std::vector<bool>& covered, std::size_t fewest) const {
  if (!has(vocabulary)) return;
  for (std::size_t at = 0; at < said_.size(); ++at) {
    for (std::size_t count = std::min(kLongestPhrase, said_.size() - at); count >= fewest; --count) {
      if (!locale_.vocabulary_equals(lang_, vocabulary, said_.subspan(at, count))) continue;
      std::fill_n(covered.begin() + static_cast<std::ptrdiff_t>(at), count, true);
      break;
    }
  }
}

bool LiveWords::has_name(const std::set<std::string>& names, const SearchWords& how) const {
  return std::ranges::any_of(said_, [&](const Word& word) {
    const auto stems = how.stems(word.norm);
    return std::ranges::any_of(stems, [&](const std::string& stem) { return names.contains(stem); });
  });
}

std::size_t LiveWords::strange(const std::set<std::string>& names, const SearchWords& how) const {
  std::vector<bool> covered(said_.size());
  for (const std::string meaning : kLiveMeanings) {
    cover("topic_" + meaning, covered);
    cover("surely_" + meaning, covered);
  }
  for (const char* const vocabulary : {"beside", "step_words"}) cover(vocabulary, covered);
  std::size_t count = 0;
  for (std::size_t at = 0; at < said_.size(); ++at) {
    if (covered[at]) continue;
    const auto stems = how.stems(said_[at].norm);
    const bool is_name =
        !stems.empty() && !leading_number(said_.subspan(at, 1), lang_) &&
        std::ranges::all_of(stems, [&](const std::string& stem) { return names.contains(stem); });
    count += is_name ? 0U : 1U;
  }
  return count;
}

bool LiveWords::asks_for_time(const SearchWords& how) const {
  if (has("step_words")) return false;
  return has("time_words") || strange({}, how) > 0;
}

}  // namespace parley::guide
