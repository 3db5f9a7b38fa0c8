#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace parley {

/// Spells numbers out in all the ways a language has for them. Not for several threads at once.
class NumberSpeller {
 public:
  /// Takes some milliseconds.
  /// @param lang  BCP-47
  explicit NumberSpeller(const std::string& lang);
  ~NumberSpeller();
  NumberSpeller(const NumberSpeller&) = delete;
  NumberSpeller& operator=(const NumberSpeller&) = delete;

  /// The names of the ways that begin so, such as "%spellout-ordinal". None: there are no words for the
  /// language.
  std::vector<std::string> ways(std::string_view beginning) const;
  /// Empty: that way has no words for it.
  std::string spell(std::int64_t number, const std::string& way) const;
  /// In the usual way, also fractions.
  std::string spell(double number) const;

 private:
  struct Rules;
  std::unique_ptr<const Rules> rules_;  ///< Null: ICU has none.
};

}  // namespace parley
