#include "sentences.hpp"

#include <algorithm>

namespace parley::llm {
namespace {

constexpr std::size_t kShortest = 12;  ///< Bytes of a sentence that stands alone.
constexpr std::string_view kSpace = " \t\r\n";
constexpr std::string_view kEnds[] = {".", "!", "?", ":", "…", "。", "！", "？"};

std::string trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(kSpace);
  if (begin == std::string_view::npos) return {};
  return std::string(text.substr(begin, text.find_last_not_of(kSpace) - begin + 1));
}

/// Whether a sentence can end before `at`, quotes and brackets that close included.
bool ends_before(std::string_view text, std::size_t at) {
  constexpr std::string_view kClosing = "\"')]*";
  while (at > 0 && kClosing.find(text[at - 1]) != std::string_view::npos) --at;
  const std::string_view said = text.substr(0, at);
  return std::any_of(std::begin(kEnds), std::end(kEnds),
                     [&](std::string_view end) { return said.ends_with(end); });
}

}  // namespace

std::optional<std::string> Sentences::next() {
  const std::size_t first = text_.find_first_not_of(kSpace);
  if (first == std::string::npos) return std::nullopt;
  for (std::size_t at = text_.find_first_of(kSpace, first); at != std::string::npos;
       at = text_.find_first_of(kSpace, at + 1)) {
    const bool line = text_[at] == '\n';
    if (!line && (at - first < kShortest || !ends_before(text_, at))) continue;
    std::string sentence = trimmed(std::string_view(text_).substr(0, at));
    text_.erase(0, at + 1);
    return sentence;
  }
  return std::nullopt;
}

std::string Sentences::rest() {
  std::string last = trimmed(text_);
  text_.clear();
  return last;
}

}  // namespace parley::llm
