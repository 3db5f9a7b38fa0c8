#include "language/colloquial.hpp"

#include <doctest/doctest.h>

#include <string>

using parley::in_standard_words;

TEST_CASE("colloquial: what is said in a dialect is read in standard words; the rest stays as it was said") {
  CHECK(in_standard_words("Wos brauch i dafür?", "de-AT") == "Was brauche ich dafür?");
  CHECK(in_standard_words("milch hamma kane mehr", "de-DE") == "milch haben wir keine mehr");
  CHECK(in_standard_words("heast, stell an timer auf 5 Minuten", "de-DE") ==
        "stell einen timer auf 5 Minuten");
  CHECK(in_standard_words("agregale 2 limones a la lista, porfa", "es-ES") ==
        "agrégale 2 limones a la lista, por favor");
  CHECK(in_standard_words("põe um timer pra massa", "pt-BR") == "põe um timer para massa");
  CHECK(in_standard_words("enlève le beurre pis relis-moi la liste", "fr-CA") ==
        "enlève le beurre et relis-moi la liste");
  CHECK(in_standard_words("i'm gonna cook", "en-GB") == "i'm going to cook");
}

TEST_CASE("colloquial: what may be something else counts beside what is not, or beside another") {
  CHECK(in_standard_words("wie spät ist es in san remo", "de-DE").empty());
  CHECK(in_standard_words("erinnere mich am mi um drei", "de-DE").empty());
  CHECK(in_standard_words("wieviel san a paar stund", "de-DE") == "wie viel sind ein paar stunde");
  CHECK(in_standard_words("tant pis", "fr-FR").empty());
}

TEST_CASE("colloquial: standard words, nothing at all and languages nobody wrote down stay as they are") {
  CHECK(in_standard_words("wie spät ist es?", "de-DE").empty());
  CHECK(in_standard_words("", "de-DE").empty());
  CHECK(in_standard_words("Oida!", "de-AT").empty());
  CHECK(in_standard_words("wos", "it-IT").empty());
  CHECK(in_standard_words("wos", "no language").empty());
  CHECK(in_standard_words(std::string(5000, 'a') + " \xff wos", "de-DE").ends_with("was"));
}
