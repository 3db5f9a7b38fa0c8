#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace parley::calculator {

/// A piece of what was said: a word as it is compared (lower case, no accents or apostrophes), a symbol, or
/// digits with the separators between them.
struct Piece {
  bool operator==(const Piece&) const = default;
  std::string text;
  bool digits = false;
};

/// Takes a text apart. Words and digits separate even without a space ("10km"); a hyphen between letters, and
/// punctuation at the end, are left out. Bytes that are not UTF-8 are symbols nobody knows.
std::vector<Piece> scan(std::string_view text);

/// The pieces of a phrase that has no digits, with single spaces between them.
std::string joined(const std::vector<Piece>& pieces);

}  // namespace parley::calculator
