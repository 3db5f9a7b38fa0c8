#pragma once

#include <parley/text.hpp>
#include <span>
#include <string>
#include <vector>

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

/// The phrases of a map by phrase, in no order.
template <class Map>
std::vector<std::string> keys_of(const Map& by_phrase) {
  std::vector<std::string> keys;
  keys.reserve(by_phrase.size());
  for (const auto& [phrase, meaning] : by_phrase) keys.push_back(phrase);
  return keys;
}

}  // namespace parley
