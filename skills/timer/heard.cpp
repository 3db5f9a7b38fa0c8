#include "heard.hpp"

#include <algorithm>
#include <parley/text.hpp>
#include <span>
#include <utility>

namespace parley::timer {

Heard::Heard(const LocaleResources& locale, std::string lang) : lang_(std::move(lang)) {
  const auto* const phrases = locale.vocabulary(lang_, "heard");
  if (phrases == nullptr) return;
  for (const std::string& phrase : *phrases) {
    const auto said = words(phrase, lang_);
    if (said.size() < 2) continue;
    std::vector<std::string> spoken;
    for (std::size_t i = 0; i + 1 < said.size(); ++i) spoken.push_back(said[i].norm);
    longest_ = std::max(longest_, spoken.size());
    written_.emplace(std::move(spoken), std::string(surface(phrase, std::span(said).last(1))));
  }
}

std::string Heard::as_written(std::string_view text) const {
  const auto said = words(text, lang_);
  std::string made;
  std::size_t copied = 0;
  for (std::size_t at = 0; at < said.size();) {
    std::size_t taken = 1;
    for (std::size_t count = std::min(longest_, said.size() - at); count > 0; --count) {
      std::vector<std::string> spoken;
      for (std::size_t i = at; i < at + count; ++i) spoken.push_back(said[i].norm);
      const auto found = written_.find(spoken);
      if (found == written_.end()) continue;
      made.append(text.substr(copied, said[at].begin - copied)).append(found->second);
      taken = count;
      copied = said[at + count - 1].end;
      break;
    }
    at += taken;
  }
  return made.append(text.substr(copied));
}

}  // namespace parley::timer
