#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace parley::countries {

/// Numbers and names as a language's region writes them (ICU).
class Speech {
 public:
  /// @param tag  BCP-47
  explicit Speech(std::string tag) : tag_(std::move(tag)) {}
  const std::string& lang() const noexcept { return tag_; }

  /// To three digits: "124 million", "38,800".
  std::string people(double count) const;
  /// "377,975 square kilometers"
  std::string area(double square_kilometres) const;
  std::string count(std::size_t number) const;
  /// A year is not grouped.
  static std::string year(int year) { return std::to_string(year); }
  /// @param code  ISO 639, with a country where that names another language: "sr_ME" is Montenegrin
  std::string language(const std::string& code) const;
  /// @param code  ISO 4217
  std::string currency(const std::string& code) const;
  /// Whether people call a currency so: by its name, or a word of it ("pesos" of the Mexican peso).
  bool is_currency(const std::string& code, std::string_view said) const;
  bool is_language(const std::string& code, std::string_view said) const;
  /// With a capital letter to begin a sentence.
  std::string beginning(const std::string& text) const;

 private:
  std::string tag_;
};

}  // namespace parley::countries
