#include "clauses.hpp"

#include <algorithm>
#include <cstddef>

#include "ellipsis.hpp"

namespace parley::follow_up {
namespace {

/// Of fewer words too much is a request: "the time".
constexpr std::size_t kShortestRequest = 3;
constexpr std::size_t kMostOfWords = 48;
constexpr std::size_t kMostRequests = 24;  // each is matched, and the loop waits

bool is_stop(std::string_view text, const Word& before, const Word& behind) {
  const std::string_view between = text.substr(before.end, behind.begin - before.end);
  const bool is_number = std::ranges::all_of(before.norm, [](char c) { return c >= '0' && c <= '9'; });
  if (is_number && between.starts_with('.')) return false;  // "am 3. Mai"
  return between.size() > 1 && std::string_view(",;.!?").find(between.front()) != std::string_view::npos;
}

}  // namespace

std::vector<std::span<const Word>> clauses_of(std::string_view text, std::span<const Word> said) {
  std::vector<std::span<const Word>> clauses;
  std::size_t begin = 0;
  for (std::size_t at = 1; at <= said.size(); ++at) {
    if (at < said.size() && !is_stop(text, said[at - 1], said[at])) continue;
    clauses.push_back(said.subspan(begin, at - begin));
    begin = at;
  }
  return clauses;
}

std::vector<std::span<const Word>> requests_within(std::string_view text, std::span<const Word> said,
                                                   const LocaleResources& common, const std::string& lang) {
  if (said.size() <= kShortestRequest || said.size() > kMostOfWords) return {};
  const bool tells = phrase_at(said, true, common, lang, "clause_tells") > 0;
  std::vector<std::size_t> begins(1, 0), ends;
  for (std::size_t at = 1; at < said.size(); ++at) {
    const auto rest = said.subspan(at);
    const bool stops = is_stop(text, said[at - 1], said[at]);
    if (tells || stops || phrase_at(rest, true, common, lang, "clause_asks") > 0) begins.push_back(at);
    if (stops || phrase_at(rest, true, common, lang, "clause_why") > 0) ends.push_back(at);
  }
  ends.push_back(said.size());
  std::vector<std::span<const Word>> found;
  for (const std::size_t begin : begins)
    for (const std::size_t end : ends)
      if (end >= begin + kShortestRequest && end - begin < said.size())
        found.push_back(said.subspan(begin, end - begin));
  // Of as many words that which stands last: what comes before a request leads to it.
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
    return a.size() != b.size() ? a.size() > b.size() : a.data() > b.data();
  });
  if (found.size() > kMostRequests) found.resize(kMostRequests);
  return found;
}

}  // namespace parley::follow_up
