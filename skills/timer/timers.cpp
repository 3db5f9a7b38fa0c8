#include "timers.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <parley/phrases.hpp>
#include <parley/text.hpp>
#include <utility>

namespace parley::timer {

bool is_form_of(std::string_view a, std::string_view b) {
  constexpr std::size_t kStem = 3, kEnding = 2;  // bytes
  if (a == b) return true;
  const auto [left, right] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  const auto same = static_cast<std::size_t>(left - a.begin());
  return same >= kStem && a.size() - same <= kEnding && b.size() - same <= kEnding;
}

const std::vector<Timer>& Timers::of(const SessionKey& session) const {
  static const std::vector<Timer> none;
  const auto found = sessions_.find(session);
  return found == sessions_.end() ? none : found->second;
}

bool Timers::any(const SessionKey& session, const Which& which) const {
  const std::vector<Timer>& all = of(session);
  return std::any_of(all.begin(), all.end(), which);
}

std::vector<Id> Timers::ids(const SessionKey& session) const {
  std::vector<Id> numbers;
  for (const Timer& one : of(session)) numbers.push_back(one.id);
  return numbers;
}

Timer* Timers::find(const SessionKey& session, Id id) {
  const auto found = sessions_.find(session);
  if (found == sessions_.end()) return nullptr;
  const auto timer = std::find_if(found->second.begin(), found->second.end(),
                                  [id](const Timer& one) { return one.id == id; });
  return timer == found->second.end() ? nullptr : &*timer;
}

Timer& Timers::add(const SessionKey& session, Timer timer) {
  return sessions_[session].emplace_back(std::move(timer));
}

std::vector<Timer> Timers::take(const SessionKey& session, const Which& which) {
  std::vector<Timer> taken;
  const auto found = sessions_.find(session);
  if (found == sessions_.end()) return taken;
  std::copy_if(found->second.begin(), found->second.end(), std::back_inserter(taken), which);
  std::erase_if(found->second, which);
  if (found->second.empty()) sessions_.erase(found);
  return taken;
}

std::size_t Timers::count() const {
  return count_if([](const Timer&) { return true; });
}

std::size_t Timers::count_if(const Which& which) const {
  return std::accumulate(
      sessions_.begin(), sessions_.end(), std::size_t{0}, [&which](std::size_t sum, const auto& session) {
        const std::vector<Timer>& all = session.second;
        return sum + static_cast<std::size_t>(std::count_if(all.begin(), all.end(), which));
      });
}

bool are_twins(const std::vector<Timer>& all, Clock::Time now) {
  const Timer& first = all.front();
  return std::all_of(all.begin(), all.end(), [&](const Timer& one) {
    return one.name == first.name && one.length == first.length &&
           one.paused.has_value() == first.paused.has_value() &&
           std::chrono::abs(one.rest(now) - first.rest(now)) < kAlike;
  });
}

std::vector<Id> named(const std::vector<Timer>& among, const std::string& text,
                      const DurationReader& reader) {
  const std::string& lang = reader.lang();
  const auto said = words(text, lang);
  const PhraseSet whole({text}, lang);
  const auto length = reader.read(text).duration;
  std::vector<Id> by_name;
  std::vector<Id> by_length;
  for (const Timer& one : among) {
    if (PhraseSet({one.name}, lang).occurs_in(said) || whole.occurs_in(words(one.name, lang)))
      by_name.push_back(one.id);
    if (one.length == length) by_length.push_back(one.id);
  }
  if (by_name.empty()) by_name = named_within(among, text, lang);
  return by_name.empty() ? by_length : by_name;
}

std::vector<Id> named_within(const std::vector<Timer>& among, std::string_view text,
                             const std::string& lang) {
  const auto said = words(text, lang);
  std::vector<Id> found;
  for (const Timer& one : among) {
    const auto name = words(one.name, lang);
    const bool all = !name.empty() && std::all_of(name.begin(), name.end(), [&](const Word& part) {
      return std::any_of(said.begin(), said.end(),
                         [&](const Word& word) { return is_form_of(word.norm, part.norm); });
    });
    if (all) found.push_back(one.id);
  }
  return found;
}

std::vector<Id> with_left(const std::vector<Timer>& among, std::string_view text,
                          const DurationReader& reader, Clock::Time now) {
  std::vector<Id> found;
  const auto told = reader.read(text).duration;
  if (!told) return found;
  for (const Timer& one : among) {
    const auto rest = one.left(now);
    if (one.length != *told && rest - *told < kAlike && *told - rest < kAlike) found.push_back(one.id);
  }
  return found;
}

}  // namespace parley::timer
