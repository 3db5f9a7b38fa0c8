#include <doctest/doctest.h>

#include <parley/fold.hpp>

using parley::text::fold;
using parley::text::fold_umlaut_spelling;

TEST_CASE("folding: case, accents, apostrophes and punctuation go") {
  CHECK(fold("  São-Paulo,  BRAZIL! ") == "sao paulo brazil");
  CHECK(fold("St. John’s") == "st johns");
  CHECK(fold("Straße") == "strasse");
  CHECK(fold("Łódź Ærø") == "lodz aero");
  CHECK(fold("東京") == "東京");
  CHECK(fold("\xC3").empty());
  CHECK(fold("").empty());
}

TEST_CASE("folding: umlauts spelled with an e are as if they had been written") {
  CHECK(fold_umlaut_spelling(fold("Oesterreich")) == fold("Österreich"));
  CHECK(fold_umlaut_spelling(fold("Tuerkei")) == fold("Türkei"));
}

TEST_CASE("folding: a word elided to one letter is a word of its own") {
  CHECK(fold("l'Île Maurice") == "l ile maurice");
  CHECK(fold("Côte d’Ivoire") == "cote d ivoire");
  CHECK(fold("Xi'an aujourd'hui, St. John's") == "xian aujourdhui st johns");
  CHECK(fold("five o'clock, O’Brien") == "five oclock obrien");
  CHECK(fold("'l'") == "l");
}
