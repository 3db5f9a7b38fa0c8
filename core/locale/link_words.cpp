#include <parley/link_words.hpp>

#include <algorithm>
#include <parley/text.hpp>
#include <span>
#include <utility>

namespace parley {

LinkWords::LinkWords(const LocaleResources& locale, std::string lang, const std::string& vocabulary)
    : lang_(std::move(lang)) {
  const auto* links = locale.vocabulary(lang_, vocabulary);
  if (links == nullptr) return;
  links_ = PhraseSet(*links, lang_);
  for (const auto& phrase : *links) longest_ = std::max(longest_, words(phrase, lang_).size());
}

std::string LinkWords::strip(std::string_view text, Ends ends) const {
  const auto all = words(text, lang_);
  std::span<const Word> said(all);
  const auto link_at = [&](bool front) {
    for (std::size_t length = std::min(longest_, said.size()); length > 0; --length) {
      if (links_.equals(front ? said.first(length) : said.last(length))) return length;
    }
    return std::size_t{0};
  };
  while (const auto length = link_at(true)) said = said.subspan(length);
  if (ends == Ends::kBoth) {
    while (const auto length = link_at(false)) said = said.first(said.size() - length);
  }
  return std::string(surface(text, said));
}

}  // namespace parley
