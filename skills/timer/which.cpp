#include "which.hpp"

#include <algorithm>
#include <iterator>
#include <parley/numbers.hpp>
#include <parley/text.hpp>
#include <utility>

namespace parley::timer {
namespace {

/// Words of a name that don't tell it from others.
bool is_plain(const Word& word, const LocaleResources& locale, const std::string& lang) {
  constexpr std::size_t kShortest = 2;  // bytes
  const std::span<const Word> alone(&word, 1);
  if (word.norm.size() < kShortest || leading_number(alone, lang)) return true;
  return std::ranges::any_of(
      std::array{"link", "known", "new", "timer", "wish_aside", "wish_for", "live_plain"},
      [&](const char* vocabulary) { return locale.vocabulary_equals(lang, vocabulary, alone); });
}

/// How many words of a name an utterance has, and which of its own these are.
struct Named {
  std::size_t hits = 0, words = 0;
  std::vector<std::size_t> places;
  /// Named by more of its words than another, or by all of them.
  auto rank() const { return std::pair(hits == words, hits); }
};

}  // namespace

NamedTimers::NamedTimers(const UtteranceWords& said, const std::vector<Timer>& running,
                         const LocaleResources& locale, const DurationReader& durations)
    : in_name_(said.size(), false) {
  const std::string& lang = durations.lang();
  std::vector<std::string> heard;
  for (std::size_t at = 0; at < said.size(); ++at) {
    const std::string before_timer = durations.compound_name(said.surface_of({at, at + 1}));
    const auto parts = words(before_timer, lang);
    heard.push_back(parts.size() == 1 ? parts.front().norm : said[at].norm);
  }
  std::vector<Named> found;
  for (const Timer& one : running) {
    Named named;
    for (const Word& word : words(one.name, lang)) {
      if (is_plain(word, locale, lang)) continue;
      ++named.words;
      const auto before = named.places.size();
      for (std::size_t at = 0; at < said.size(); ++at)
        if (is_form_of(heard[at], word.norm)) named.places.push_back(at);
      if (named.places.size() > before) ++named.hits;
    }
    found.push_back(std::move(named));
  }
  const auto best = std::ranges::max_element(found, {}, &Named::rank);
  if (best == found.end() || best->hits == 0) return;
  for (std::size_t i = 0; i < found.size(); ++i) {
    // Two that are named in one breath are both meant: "the eggs and the rice".
    const bool is_meant = found[i].hits > 0 && (found[i].rank() == best->rank() ||
                                                std::ranges::none_of(found[i].places, [&](std::size_t at) {
                                                  return std::ranges::count(best->places, at) > 0;
                                                }));
    if (!is_meant) continue;
    ids_.push_back(running[i].id);
    for (const std::size_t at : found[i].places) in_name_[at] = true;
  }
}

bool NamedTimers::have(WordRun run) const {
  for (std::size_t at = run.begin; at < run.end; ++at)
    if (!in_name_[at]) return false;
  return true;
}

std::size_t NamedTimers::first() const {
  return static_cast<std::size_t>(std::ranges::find(in_name_, true) - in_name_.begin());
}

std::size_t NamedTimers::last() const {
  std::size_t last = first();
  for (std::size_t at = last; at < in_name_.size(); ++at)
    if (in_name_[at]) last = at;
  return last;
}

}  // namespace parley::timer
