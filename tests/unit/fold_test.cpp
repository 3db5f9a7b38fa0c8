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
