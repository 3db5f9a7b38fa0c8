#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <parley/locale.hpp>
#include <string>
#include <string_view>

#include "calculation.hpp"
#include "language.hpp"
#include "units.hpp"

namespace parley::calculator {

/// An answer as it is spoken, and how sure it is.
struct Reply {
  std::string text;
  double confidence;
};

/// Answers sums and conversions in the languages of its data folder. Not for several threads at once.
class Calculator {
 public:
  /// @param data  the skill's folder of that name
  /// @throws std::runtime_error naming file and line when the units are broken
  Calculator(std::filesystem::path data, LocaleResources locale);

  /// Whether it is a sum or a conversion, which is decided by working it out.
  /// @param tag  BCP-47; nothing is understood in a language without a file
  /// @throws std::runtime_error naming file and line when the language's file is broken
  std::optional<Calculation> calculate(std::string_view question, const std::string& tag,
                                       const Before& before = {});
  Reply reply(const Calculation& result, const std::string& tag) const;

 private:
  const Language* language(const std::string& tag);

  std::filesystem::path data_;
  LocaleResources locale_;
  Units units_;
  std::map<std::string, Language> languages_;  // by tag
};

}  // namespace parley::calculator
