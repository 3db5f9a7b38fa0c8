#include "tellings.hpp"

#include <algorithm>
#include <parley/utterance_words.hpp>

namespace parley::memory {
namespace {

constexpr std::size_t kShortestFact = 2;  // words

/// Up to where it is told why that should be kept: "else I forget it".
WordRun without_reason(const UtteranceWords& said, WordRun run) {
  if (const auto reason = said.find("keep_reason", run)) run.end = reason->begin;
  return run;
}

/// Without words at its ends that say nothing: "by the way", "please".
WordRun without_little(const UtteranceWords& said, WordRun run) {
  const auto begins = [&] {
    for (std::size_t n = std::min(UtteranceWords::kLongestPhrase, run.size()); n > 0; --n)
      if (said.is("keep_little", {run.begin, run.begin + n})) return n;
    return std::size_t{0};
  };
  const auto ends = [&] {
    for (std::size_t n = std::min(UtteranceWords::kLongestPhrase, run.size()); n > 0; --n)
      if (said.is("keep_little", {run.end - n, run.end})) return n;
    return std::size_t{0};
  };
  while (const std::size_t n = begins()) run.begin += n;
  while (const std::size_t n = ends()) run.end -= n;
  return run;
}

std::optional<std::string> fact_of(const UtteranceWords& said, WordRun run) {
  const WordRun fact = without_little(said, without_reason(said, run));
  if (fact.size() < kShortestFact) return std::nullopt;
  return std::string(said.surface_of(fact));
}

}  // namespace

std::optional<std::string> fact_in(const std::string& text, const std::string& lang,
                                   const LocaleResources& locale) {
  const UtteranceWords said(text, lang, locale);
  const auto keep = said.find("keep");
  const auto back = said.find("keep_back");
  const auto before = [&](WordRun cue) { return fact_of(said, {0, cue.begin}); };
  const auto behind = [&](WordRun cue) { return fact_of(said, {cue.end, said.size()}); };
  // "Merk dir das: der Schlüssel …" asks for what is said behind the colon.
  const bool is_back = back && keep && back->begin == keep->begin && back->end > keep->end &&
                       said.clause_of(back->begin).end == back->end;
  if (keep && !is_back) {
    if (auto fact = behind(*keep)) return fact;
  }
  if (back) {
    if (auto fact = before(*back)) return fact;
    if (auto fact = behind(*back)) return fact;
  }
  return keep ? before(*keep) : std::nullopt;
}

}  // namespace parley::memory
