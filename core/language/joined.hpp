#pragma once

#include <parley/text.hpp>
#include <span>
#include <string>

namespace parley {

/// Words as normalise() gives them: their matching forms, by single spaces.
inline std::string joined(std::span<const Word> said) {
  std::string text;
  for (const Word& word : said) {
    if (!text.empty()) text += ' ';
    text += word.norm;
  }
  return text;
}

}  // namespace parley
