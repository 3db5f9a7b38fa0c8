#include <doctest/doctest.h>

#include <parley/numbers.hpp>
#include <string>

using parley::leading_number;

namespace {

/// "12 in 2 words"; "none".
std::string read(const std::string& text, const std::string& lang) {
  const auto said = parley::words(text, lang);
  const auto number = leading_number(said, lang);
  if (!number) return "none";
  std::string value = std::to_string(number->value);
  value.erase(value.find_last_not_of('0') + 1);
  if (value.ends_with('.')) value.pop_back();
  return value + " in " + std::to_string(number->words);
}

}  // namespace

TEST_CASE("numbers: words and digits are read as the language writes them") {
  CHECK(read("forty-two", "en-US") == "42 in 2");
  CHECK(read("Twenty five eggs", "en-US") == "25 in 2");
  CHECK(read("two hundred and fifty", "en-GB") == "250 in 4");
  CHECK(read("two hundred fifty", "en") == "250 in 3");
  CHECK(read("hundred and one", "en") == "101 in 3");
  CHECK(read("zero", "en") == "0 in 1");
  CHECK(read("1,000 words", "en") == "1000 in 1");
  CHECK(read("2.5", "en") == "2.5 in 1");
  CHECK(read("zweiundvierzig", "de-DE") == "42 in 1");
  CHECK(read("Hundertzwanzig", "de-AT") == "120 in 1");
  CHECK(read("einhundertzwanzig", "de") == "120 in 1");
  CHECK(read("fünf", "de") == "5 in 1");
  CHECK(read("1.000", "de") == "1000 in 1");
  CHECK(read("2,5", "de") == "2.5 in 1");
  CHECK(read("quarante-deux", "fr-FR") == "42 in 2");
  CHECK(read("cuarenta y dos", "es") == "42 in 3");
}

TEST_CASE("numbers: a sign that can't group is the decimal one") {
  CHECK(read("2.5", "de") == "2.5 in 1");
  CHECK(read("2,5", "en") == "2.5 in 1");
  CHECK(read("1,000.5", "en") == "1000.5 in 1");
  CHECK(read("1.2.3", "en") == "none");
}

TEST_CASE("numbers: decimals may be said") {
  CHECK(read("two point five hours", "en") == "2.5 in 3");
  CHECK(read("three point one four", "en") == "3.14 in 4");
  CHECK(read("zwei Komma fünf", "de") == "2.5 in 3");
  CHECK(read("two point", "en") == "2 in 1");
  CHECK(read("two point taken", "en") == "2 in 1");
}

TEST_CASE("numbers: what is no number at the beginning is none") {
  CHECK(read("", "en") == "none");
  CHECK(read("eggs twenty", "en") == "none");
  CHECK(read("second", "en") == "none");
  CHECK(read("tenth", "en") == "none");
  CHECK(read("10min", "en") == "none");
  CHECK(read("12345678901234567890", "en") == "none");
  CHECK(read("zwanzig", "en") == "none");
}

TEST_CASE("numbers: any tag is good for digits") {
  CHECK(read("12", "") == "12 in 1");
  CHECK(read("12", "not a tag") == "12 in 1");
  CHECK(read("12", "tlh") == "12 in 1");
}
