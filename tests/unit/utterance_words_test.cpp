// What is read of an utterance wherever it stands, and how what is spoken is written.
#include <doctest/doctest.h>

#include <parley/utterance_words.hpp>
#include <string>

#include "support/temporary_folder.hpp"

using namespace parley;

namespace {

struct SpokenWords {
  SpokenWords() {
    folder.write("locale/de-DE/wish.voc", "(stell|mach)\nstell mir\n");
    folder.write("locale/de-DE/heard.voc", "(siem|siebm) sieben\nauf d'nocht abends\n");
    LocaleFolders folders;
    folders.skill = folder.path();
    locale = LocaleResources(folders);
  }
  testing::TemporaryFolder folder;
  LocaleResources locale;
};

}  // namespace

TEST_CASE("utterance words: the first phrase of a vocabulary, as long as it can be, and its clause") {
  const SpokenWords has;
  const std::string text = "der Ofen ist voll, stell mir zehn Minuten; danke";
  const UtteranceWords said(text, "de-DE", has.locale);
  const auto found = said.find("wish");
  REQUIRE(found);
  CHECK(said.surface_of(*found) == "stell mir");
  CHECK(said.surface_of(said.clause_of(found->begin)) == "stell mir zehn Minuten");
  CHECK(said.surface_of(said.clause_of(0)) == "der Ofen ist voll");
  CHECK(said.is("wish", {found->begin, found->begin + 1}));
  CHECK_FALSE(said.find("wish", {0, found->begin}));
  CHECK_FALSE(said.find("none"));
  CHECK(UtteranceWords("", "de-DE", has.locale).empty());
}

TEST_CASE("spoken forms: words are put as they are written, the others stay as they were said") {
  const SpokenWords has;
  const SpokenForms forms(has.locale, "de-AT", "heard");
  CHECK(forms.as_written("Weck mich um siem, auf d'nocht!") == "Weck mich um sieben, abends!");
  CHECK(forms.as_written("um acht") == "um acht");
  CHECK(SpokenForms(has.locale, "de-DE", "none").as_written("um siem") == "um siem");
}
