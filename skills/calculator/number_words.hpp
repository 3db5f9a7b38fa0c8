#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "number.hpp"
#include "scanner.hpp"

namespace parley::calculator {

/// What ICU does not know of a language's number words. All phrases as scan() gives them.
struct NumberWordRules {
  std::vector<std::string> one;  ///< May begin "one hundred", and be left out there.
  std::vector<std::string> conjunctions;
  std::unordered_map<std::string, Integer> scales;  ///< "thousand", "million"
  std::vector<std::string> also;  ///< Tags of regions whose words are understood as well: "septante".
};

/// Reads spelled-out whole numbers, in one word or several: "two hundred and five", "zweihundertfünf". Knows
/// zero to 999 as ICU spells them (RBNF, every cardinal form), and puts larger ones together. Immutable.
class NumberWords {
 public:
  /// Costs some milliseconds.
  NumberWords(const std::string& tag, NumberWordRules rules);

  struct Found {
    Number value;
    std::size_t pieces;  ///< How many were read.
  };
  /// The longest number that `said` begins with.
  std::optional<Found> read(std::span<const Piece> said) const;

 private:
  std::optional<Integer> whole(std::string_view letters, Integer below) const;
  std::optional<Integer> below_thousand(std::string_view letters) const;
  std::optional<Integer> after_scale(std::string_view letters, Integer scale) const;
  void add_all_of(const std::string& tag);
  void add(const std::string& spelled, int value);

  NumberWordRules rules_;
  std::unordered_map<std::string, int> small_;  // without spaces
};

}  // namespace parley::calculator
