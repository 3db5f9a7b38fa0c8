#include "corrected.hpp"

#include <algorithm>
#include <optional>
#include <parley/numbers.hpp>
#include <parley/text.hpp>
#include <span>
#include <utility>

#include "ellipsis.hpp"
#include "padding.hpp"

namespace parley::follow_up {
namespace {

using Said = std::span<const Word>;

constexpr std::size_t kMostWordsCorrected = 48;

std::string joined(std::string_view text, Said front, Said rest) {
  std::string sentence(front.empty() ? std::string_view() : surface(text, front));
  sentence.append(sentence.empty() ? "" : " ").append(surface(text, rest));
  return sentence;
}

/// Where the number begins that `said` ends with.
std::optional<std::size_t> number_at_end(Said said, const std::string& lang) {
  for (std::size_t at = 0; at < said.size(); ++at) {
    const auto number = leading_number(said.subspan(at), lang);
    if (number && at + number->words == said.size()) return at;
  }
  return std::nullopt;
}

}  // namespace

std::vector<std::string> corrected(std::string_view text, Said all, const LocaleResources& common,
                                   const std::string& lang) {
  if (all.size() > kMostWordsCorrected || !common.vocabulary_occurs(lang, "corrected", all)) return {};
  for (std::size_t at = all.size() - 1; at > 0; --at) {
    const std::size_t length = phrase_at(all.subspan(at), true, common, lang, "corrected");
    if (length == 0 || at + length == all.size()) continue;
    std::size_t begin = at;  // "no, sorry, I mean": the first of them
    while (begin > 0 && phrase_at(all.subspan(begin - 1), true, common, lang, "corrected") > 0) --begin;
    if (begin == 0) return {};
    const Said before = all.first(begin);
    const Said behind = without_padding(all.subspan(at + length), common, lang);
    std::vector<std::string> meant;
    const auto same = std::find_if(before.rbegin(), before.rend(),
                                   [&](const Word& word) { return word.norm == behind.front().norm; });
    if (same != before.rend()) {
      const auto front = static_cast<std::size_t>(before.rend() - same) - 1;
      meant.push_back(joined(text, before.first(front), behind));
    } else if (leading_number(behind, lang)) {
      if (const auto number = number_at_end(before, lang))
        meant.push_back(joined(text, before.first(*number), behind));
    }
    std::string alone = joined(text, {}, behind);
    if (meant.empty() || meant.front() != alone) meant.push_back(std::move(alone));
    return meant;
  }
  return {};
}

}  // namespace parley::follow_up
