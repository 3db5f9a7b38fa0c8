#include <doctest/doctest.h>
#include <parley/locale.hpp>

#include <set>

#include "support/temporary_folder.hpp"

using namespace parley;
using parley::testing::TemporaryFolder;

namespace {

using Values = std::map<std::string, std::string>;

class SpokenSkill {
 public:
  SpokenSkill& with(const std::string& file, std::string_view text) {
    folder_.write("locale/" + file, text);
    return *this;
  }
  LocaleResources load() const {
    LocaleFolders folders;
    folders.skill = folder_.path();
    return LocaleResources(folders);
  }
  std::string file(const std::string& name) const { return (folder_.path() / "locale" / name).string(); }

 private:
  TemporaryFolder folder_;
};

Picker always(std::size_t choice) {
  return [choice](std::size_t) { return choice; };
}

std::string failure(const LocaleResources& resources, std::string_view name, std::string_view lang,
                    const Values& slots) {
  try {
    return "spoke: " + resources.render(name, lang, slots).text;
  } catch (const DialogError& error) {
    return error.what();
  }
}

}  // namespace

TEST_CASE("T-8 dialog: one phrase is picked and every slot filled, case and punctuation kept") {
  SpokenSkill skill;
  skill.with("en-US/time.dialog", "It's  {time} in {{place}}.\nIn {place}, it is {date:time}!\n");
  const LocaleResources resources = skill.load();
  const Values slots = {{"time", "5:30 PM"}, {"place", "Tokyo"}};
  CHECK(resources.problems().size() == 0);
  CHECK(resources.render("time", "en-US", slots, always(0)).text == "It's 5:30 PM in Tokyo.");
  CHECK(skill.load().render("time", "en-US", slots, always(1)).text == "In Tokyo, it is 5:30 PM!");
}

TEST_CASE("T-8 dialog: groups and optional parts are chosen as well") {
  SpokenSkill skill;
  skill.with("en-US/hi.dialog", "(Hello|Good morning)[ dear] friend, [how are you?]");
  const LocaleResources resources = skill.load();
  CHECK(resources.render("hi", "en-US", {}, always(0)).text == "Hello dear friend, how are you?");
  CHECK(resources.render("hi", "en-US", {}, always(1)).text == "Good morning friend,");
  CHECK(resources.render("hi", "en-US", {}, always(7)).text == "Good morning friend,");
}

TEST_CASE("T-8 dialog: a missing slot is an error that names dialog, language, file and slot") {
  SpokenSkill skill;
  skill.with("en-US/time.dialog", "It is {time} [in {place}].");
  const LocaleResources resources = skill.load();
  const std::string error = failure(resources, "time", "en-US", {{"time", "five"}});
  CHECK(error == "the dialog 'time' in en-US (" + skill.file("en-US/time.dialog") +
                     ") needs a value for the slot {place}");
}

TEST_CASE("T-8 dialog: all phrases of a file declare the same slots, or the dialog is left out") {
  SpokenSkill skill;
  skill.with("en-US/time.dialog", "It is {time}.\nIn {place} it is {time}.\n")
      .with("en-US/fine.dialog", "Say [{x}] a\n{x} b\n");
  const LocaleResources resources = skill.load();
  REQUIRE(resources.problems().size() == 1);
  CHECK(resources.problems()[0].line == 2);
  CHECK(resources.problems()[0].severity == LocaleProblem::Severity::kError);
  CHECK(resources.problems()[0].message.find("declares {place}, {time}, but line 1 declares {time}") !=
        std::string::npos);
  CHECK(failure(resources, "time", "en-US", {{"time", "x"}, {"place", "y"}})
            .starts_with("there is no dialog 'time'"));
  CHECK(resources.has_dialog("fine", "en-US"));
}

TEST_CASE("T-8 dialog: values go in verbatim and are never read as a template") {
  SpokenSkill skill;
  skill.with("en-US/say.dialog", "You said {what}  now");
  const LocaleResources resources = skill.load();
  for (const char* value : {"{what}", "(a|b) [c] <d>", "}}{{", "  two  spaces ", "", "a\nb", "\xff"}) {
    CAPTURE(value);
    CHECK(resources.render("say", "en-US", {{"what", value}}).text ==
          "You said " + std::string(value) + " now");
  }
}

TEST_CASE("T-8 dialog: the same phrase is not chosen twice in a row, and all get their turn") {
  SpokenSkill skill;
  skill.with("en-US/x.dialog", "one\ntwo\nthree\n").with("en-US/pair.dialog", "this\nthat\n");
  const LocaleResources resources = skill.load();
  std::set<std::string> seen;
  std::string before;
  for (int i = 0; i < 300; ++i) {
    const std::string text = resources.render("x", "en-US", {}).text;
    CHECK(text != before);
    seen.insert(text);
    before = text;
  }
  CHECK(seen.size() == 3);
  const std::string first = resources.render("pair", "en-US", {}, always(0)).text;
  CHECK(resources.render("pair", "en-US", {}, always(0)).text != first);
  CHECK(resources.render("pair", "en-US", {}, always(0)).text == first);
}

TEST_CASE("L-3 dialog: the language really rendered is told") {
  SpokenSkill skill;
  skill.with("en-US/a.dialog", "colour").with("de-DE/a.dialog", "Farbe").with("fr-CA/b.dialog", "couleur");
  const LocaleResources resources = skill.load();
  const auto rendered = [&](std::string_view name, std::string_view lang) {
    const RenderedDialog dialog = resources.render(name, lang, {});
    return dialog.text + " " + dialog.lang;
  };
  CHECK(rendered("a", "de-de") == "Farbe de-DE");
  CHECK(rendered("a", "de-AT") == "Farbe de-DE");
  CHECK(rendered("a", "es-ES") == "colour en-US");
  CHECK(rendered("b", "fr-FR") == "couleur fr-CA");
  CHECK(failure(resources, "b", "de-DE", {}) ==
        "there is no dialog 'b' for de-DE: add locale/de-DE/b.dialog (only these have it: fr-CA)");
  CHECK(failure(resources, "c", "de-DE", {}) ==
        "there is no dialog 'c' for de-DE: add locale/de-DE/c.dialog (no language has it)");
  CHECK(resources.has_dialog("a", "de-CH"));
  CHECK_FALSE(resources.has_dialog("a", "es-ES"));
  CHECK(resources.dialog_language("a", "es-ES") == "en-US");
}

TEST_CASE("T-8 dialog: slots it does not declare are ignored") {
  SpokenSkill skill;
  skill.with("en-US/a.dialog", "It is {time} o'clock");
  const LocaleResources resources = skill.load();
  CHECK(resources.render("a", "en-US", {{"time", "five"}, {"extra", "x"}}).text == "It is five o'clock");
}

TEST_CASE("T-8 dialog: phrases may refer to vocabularies") {
  SpokenSkill skill;
  skill.with("en-US/a.dialog", "<sure>, {x}.").with("en-US/sure.voc", "Sure\nOf course\n");
  CHECK(skill.load().render("a", "en-US", {{"x", "Bob"}}, always(1)).text == "Of course, Bob.");
}
