#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "number.hpp"

namespace parley::calculator {

/// A unit of measurement. amount in the group's first unit = factor × amount + offset.
struct Unit {
  std::string name;      ///< As CLDR spells it: "kilometer", "mile-per-hour".
  std::string quantity;  ///< What it measures: "length".
  Number factor;
  Number offset;  ///< Of temperatures.
};

/// The units of data/units.yaml. Immutable; units stay where they are.
class Units {
 public:
  /// @throws std::runtime_error naming the file, and the line where there is one
  explicit Units(const std::filesystem::path& file);

  /// Null when there is none of that name.
  const Unit* find(std::string_view name) const;
  const std::map<std::string, Unit, std::less<>>& all() const noexcept { return units_; }

 private:
  std::map<std::string, Unit, std::less<>> units_;
};

/// An amount in another unit that measures the same.
Number convert(const Number& amount, const Unit& from, const Unit& to);

}  // namespace parley::calculator
