#pragma once

#include <string>
#include <vector>

#include "calculation.hpp"

namespace parley::calculator {

/// Numbers and amounts as the language's region writes them (ICU). Values with few decimals are exact, others
/// are rounded.
class Speech {
 public:
  /// @param tag  BCP-47
  explicit Speech(std::string tag) : tag_(std::move(tag)) {}

  struct Spoken {
    std::string text;
    bool rounded;
    int exponent = 0;  ///< Not 0: times ten to this power.
  };
  /// Up to 6 decimals when they are exact, else 4 (below 1: 4 digits); from 10^15 on as a power of ten.
  Spoken number(const Number& value) const;
  /// With its unit in words; up to 4 decimals when they are exact, else 2 (below 1: 3 digits).
  Spoken amount(const Number& value, const Unit& unit) const;
  /// As it was given: "5 feet, 3 inches". All digits.
  std::string given(const std::vector<Amount>& amounts) const;

 private:
  std::string tag_;
};

}  // namespace parley::calculator
