#include <doctest/doctest.h>
#include <parley/locale.hpp>
#include <parley/templates.hpp>

#include <algorithm>

#include "support/temporary_folder.hpp"

using namespace parley;
using parley::testing::TemporaryFolder;

namespace {

using Lines = std::vector<std::string>;
using Severity = LocaleProblem::Severity;

/// A skill's folder, and the overriding and fallback ones.
class Folders {
 public:
  void skill(const std::string& file, std::string_view text) { skill_.write("locale/" + file, text); }
  void user(const std::string& file, std::string_view text) { user_.write("locale/" + file, text); }
  void core(const std::string& file, std::string_view text) { core_.write("locale/" + file, text); }
  std::filesystem::path skill_path() const { return skill_.path(); }

  LocaleResources load(const Lines& spoken = {}) const {
    LocaleFolders folders;
    folders.user = user_.path();
    folders.skill = skill_.path();
    folders.core = core_.path();
    return LocaleResources(folders, spoken);
  }

 private:
  TemporaryFolder skill_, user_, core_;
};

/// "file:line:col: severity: message" of each problem, the skill's folder left out.
Lines problems_of(const LocaleResources& resources, const Folders& folders) {
  Lines shown;
  const std::string prefix = (folders.skill_path() / "locale/").string();
  for (const LocaleProblem& problem : resources.problems()) {
    const std::string text = to_string(problem);
    shown.push_back(text.starts_with(prefix) ? text.substr(prefix.size()) : text);
  }
  return shown;
}

bool any_starts_with(const Lines& lines, std::string_view start) {
  return std::any_of(lines.begin(), lines.end(),
                     [start](const std::string& line) { return line.starts_with(start); });
}

bool any_holds(const Lines& lines, std::string_view part) {
  return std::any_of(lines.begin(), lines.end(),
                     [part](const std::string& line) { return line.find(part) != std::string::npos; });
}

}  // namespace

TEST_CASE("T-5 L-3 locale: languages that nobody speaks are read once something of them is wanted") {
  Folders folders;
  for (const char* const lang : {"de-DE", "en-US", "fr-FR"}) {
    folders.skill(std::string(lang) + "/brew.intent", "koche kaffee\n(never closed\n");
    folders.skill(std::string(lang) + "/done.dialog", std::string("done in ") + lang);
  }
  folders.skill("fr-FR/only_here.voc", "oui");
  const LocaleResources resources = folders.load({"de-AT"});
  CHECK(resources.languages() == Lines{"de-DE"});
  CHECK(resources.all_languages() == Lines{"de-DE", "en-US", "fr-FR"});
  CHECK(problems_of(resources, folders) ==
        Lines{"de-DE/brew.intent:2:1: error: '(' is never closed: ')' is missing"});
  // Nothing of it has been read yet: what is written now is what is found.
  folders.skill("fr-FR/done.dialog", "fini");
  CHECK(resources.render("done", "de-CH", {}).text == "done in de-DE");
  CHECK(resources.render("done", "fr-CA", {}).text == "fini");
  CHECK(resources.render("done", "it-IT", {}).lang == "en-US");  // the last resort
  REQUIRE(resources.intent("fr-FR", "brew") != nullptr);
  CHECK(resources.intent("fr-FR", "brew")->samples == Lines{"koche kaffee"});
  CHECK(*resources.vocabulary("fr-FR", "only_here") == Lines{"oui"});
  CHECK(resources.vocabulary("de-DE", "only_here") == nullptr);
  CHECK(problems_of(resources, folders).size() == 1);
}

TEST_CASE("T-5 locale: files are found by language, role and name, in folders of any depth") {
  Folders folders;
  folders.skill("en-US/brew.intent", "make [a] coffee\n");
  folders.skill("en-US/deep/er/size.entity", "(small|large)\nhuge\nsmall\n");
  folders.skill("en-US/deep/brew.voc", "brew\nmake\n");
  folders.skill("en-US/system.prompt", "You are {a} bot.\n# kept\n");
  const LocaleResources resources = folders.load();
  CHECK(problems_of(resources, folders) == Lines{});
  CHECK(resources.languages() == Lines{"en-US"});
  CHECK(resources.intent_names("en-us") == Lines{"brew"});
  REQUIRE(resources.intent("EN-us", "brew") != nullptr);
  CHECK(resources.intent("en-US", "brew")->samples == Lines{"make [a] coffee"});
  CHECK(*resources.entity("en-US", "size") == Lines{"small", "large", "huge"});
  CHECK(*resources.vocabulary("en-US", "brew") == Lines{"brew", "make"});
  CHECK(*resources.prompt("en-US", "system") == "You are {a} bot.\n# kept\n");
  CHECK(resources.intent("de-DE", "brew") == nullptr);
  CHECK(resources.intent("en-US", "size") == nullptr);
}

TEST_CASE("T-5 locale: the lines of a vocabulary are to be had too, with what they refer to") {
  Folders folders;
  folders.skill("en-US/animal.voc", "cat\n# no line\n(dog|hound)\n");
  folders.skill("en-US/kin.voc", "(pet|<animal>)\n  (cat|feline)\n(cat|\n");
  const LocaleResources resources = folders.load();
  CHECK(problems_of(resources, folders).size() == 1);  // what is never closed
  REQUIRE(resources.vocabulary_lines("en", "kin") != nullptr);
  CHECK(*resources.vocabulary_lines("en", "kin") == Lines{"(cat|feline)", "(pet|(cat|dog|hound))"});
  CHECK(resources.vocabulary_lines("en-US", "kith") == nullptr);
  CHECK(resources.vocabulary_lines("de-DE", "kin") == nullptr);
}

TEST_CASE("T-5 locale: byte-order mark, CRLF, comments and blank lines are tolerated") {
  Folders folders;
  folders.skill("en-US/a.intent",
                "\xEF\xBB\xBF# comment\r\n\r\n  one thing  \r\n\t\r\n  # indented\r\ntwo # things");
  const LocaleResources resources = folders.load();
  CHECK(problems_of(resources, folders) == Lines{});
  CHECK(resources.intent("en-US", "a")->samples == Lines{"one thing", "two # things"});
}

TEST_CASE("T-5 locale: an empty file is an error") {
  Folders folders;
  folders.skill("en-US/a.intent", "");
  folders.skill("en-US/b.voc", "# only\n\n");
  folders.skill("en-US/c.prompt", " \n\t");
  folders.skill("en-US/d.intent", "fine here");
  const LocaleResources resources = folders.load();
  const Lines problems = problems_of(resources, folders);
  CHECK(problems.size() == 3);
  CHECK(any_starts_with(problems, "en-US/a.intent: error: the file is empty"));
  CHECK(any_starts_with(problems, "en-US/b.voc: error: the file is empty"));
  CHECK(any_starts_with(problems, "en-US/c.prompt: error: the file is empty"));
  CHECK(resources.intent_names("en-US") == Lines{"d"});
}

TEST_CASE("T-5 locale: the user's file replaces the skill's, the skill's the core's, whole") {
  Folders folders;
  folders.core("en-US/yes.voc", "yes");
  folders.core("en-US/no.voc", "no");
  folders.core("en-US/maybe.voc", "maybe");
  folders.skill("en-US/no.voc", "nope\nnah");
  folders.skill("en-US/maybe.voc", "perhaps");
  folders.user("en-us/sub/maybe.voc", "who knows");
  const LocaleResources resources = folders.load();
  CHECK(problems_of(resources, folders) == Lines{});
  CHECK(resources.languages().size() == 1);
  CHECK(*resources.vocabulary("en-US", "yes") == Lines{"yes"});
  CHECK(*resources.vocabulary("en-US", "no") == Lines{"nope", "nah"});
  CHECK(*resources.vocabulary("en-US", "maybe") == Lines{"who knows"});
}

TEST_CASE("T-5 locale: a base name is unique per role within a language") {
  Folders folders;
  folders.skill("en-US/a.intent", "first one");
  folders.skill("en-US/sub/a.intent", "second one");
  folders.skill("en-US/sub/a.voc", "a");
  const LocaleResources resources = folders.load();
  const Lines problems = problems_of(resources, folders);
  REQUIRE(problems.size() == 1);
  CHECK(problems[0].starts_with("en-US/sub/a.intent: error: a.intent exists twice for en-US"));
  CHECK(resources.intent("en-US", "a")->samples == Lines{"first one"});
}

TEST_CASE("T-5 locale: names, endings and folders that fit nowhere are named") {
  Folders folders;
  folders.skill("en-US/Brew.intent", "x y");
  folders.skill("en-US/brew.intnet", "x y");
  folders.skill("english!/a.intent", "x y");
  folders.skill("en-US/stop.intent", "x y");
  folders.skill("en-US/.hidden.intent", "x y");
  const LocaleResources resources = folders.load();
  const Lines problems = problems_of(resources, folders);
  CHECK(problems.size() == 4);
  CHECK(any_starts_with(problems, "en-US/Brew.intent: error: 'Brew' is no resource name"));
  CHECK(any_starts_with(problems, "en-US/brew.intnet: warning: not a locale resource"));
  CHECK(any_starts_with(problems, "english!: warning: 'english!' is no language tag"));
  CHECK(any_starts_with(problems, "en-US/stop.intent: error: 'stop' is a reserved name"));
  CHECK(resources.intent_names("en-US").empty());
}

TEST_CASE("T-5 locale: a broken line or file is named and takes nothing else down") {
  Folders folders;
  folders.skill("en-US/broken.intent", "# why\n  turn (on\n");
  folders.skill("en-US/half.intent", "good one\nbad {Slot}\nanother one\n");
  folders.skill("en-US/latin.intent", "fine\ncaf\xe9 noir\n");
  folders.skill("en-US/nul.voc", std::string_view("a\0b\nfine\n", 9));
  folders.skill("en-US/good.intent", "all is well");
  folders.skill("en-US/slot.voc", "a {b}");
  const LocaleResources resources = folders.load();
  const Lines problems = problems_of(resources, folders);
  CHECK(problems.size() == 5);
  CHECK(any_starts_with(problems, "en-US/broken.intent:2:8: error: '(' is never closed"));
  CHECK(any_starts_with(problems, "en-US/half.intent:2:5: error: 'Slot' is no slot name"));
  CHECK(any_starts_with(problems, "en-US/latin.intent:2:4: error: not UTF-8"));
  CHECK(any_starts_with(problems, "en-US/nul.voc:1:2: error: control character"));
  CHECK(any_starts_with(problems, "en-US/slot.voc:1:3: error: a slot can't stand here"));
  CHECK(resources.intent_names("en-US") == Lines{"good", "half"});
  CHECK(resources.intent("en-US", "half")->samples == Lines{"good one", "another one"});
  CHECK(*resources.vocabulary("en-US", "nul") == Lines{"fine"});
}

TEST_CASE(
    "T-2 locale: a vocabulary of more phrases than there may be is named, whether anybody refers to it or "
    "not") {
  Folders folders;
  const std::string digit = "(0|1|2|3|4|5|6|7|8|9) ";
  folders.skill("en-US/many.voc", digit + digit + digit + digit + "\none more\n");
  const LocaleResources resources = folders.load();
  CHECK(problems_of(resources, folders) ==
        Lines{"en-US/many.voc: error: the vocabulary <many> stands for more than 10000 phrases: split it"});
  CHECK(resources.vocabulary("en-US", "many") == nullptr);
}

TEST_CASE("T-5 locale: no folders, or folders that are not there, hold nothing") {
  CHECK(LocaleResources().languages().empty());
  CHECK(LocaleResources(LocaleFolders()).problems().empty());
  LocaleFolders nowhere;
  const TemporaryFolder folder;
  nowhere.skill = folder.path() / "missing";
  CHECK(LocaleResources(nowhere).languages().empty());
  CHECK(LocaleResources(nowhere).problems().empty());
}

TEST_CASE("T-1 locale: vocabularies that an intent refers to are written out") {
  Folders folders;
  folders.skill("en-US/play.intent", "<play> {song} [<polite>]");
  folders.skill("en-US/play.voc", "play\n(put|turn) on\n");
  folders.skill("en-US/polite.voc", "please");
  const LocaleResources resources = folders.load();
  CHECK(problems_of(resources, folders) == Lines{});
  const IntentResource* play = resources.intent("en-US", "play");
  REQUIRE(play != nullptr);
  CHECK(play->samples == Lines{"(play|put on|turn on) {song} (please|)"});
  CHECK(Template::parse(play->samples[0], TemplateOptions::for_intents()).ok());
}

TEST_CASE("T-3 locale: unknown and cyclic vocabularies are refused where they are referred to") {
  Folders folders;
  folders.skill("en-US/a.voc", "x\n<b> y\n");
  folders.skill("en-US/b.voc", "<a>");
  folders.skill("en-US/one.intent", "say <a>\n");
  folders.skill("en-US/two.intent", "say <missing>\nsay hello\n");
  const LocaleResources resources = folders.load();
  const Lines problems = problems_of(resources, folders);
  CHECK(any_starts_with(problems, "en-US/a.voc:2:1: error: the vocabulary <b> can't be used"));
  CHECK(any_starts_with(problems, "en-US/b.voc:1:1: error: the vocabulary <a> can't be used"));
  CHECK(any_starts_with(problems, "en-US/one.intent:1:5: error: the vocabulary <a> can't be used"));
  CHECK(any_starts_with(problems, "en-US/two.intent:1:5: error: the vocabulary <missing> is unknown"));
  CHECK(any_holds(problems, "refers to itself"));
  CHECK(resources.intent_names("en-US") == Lines{"two"});
  CHECK(resources.vocabulary("en-US", "a") == nullptr);
}

TEST_CASE("T-6 locale: a blacklist suppresses the intent beside it, or excludes values of a slot") {
  Folders folders;
  folders.skill("en-US/play.intent", "play {person} [at {time}]");
  folders.skill("en-US/play.blacklist", "(music|movie) trailer");
  folders.skill("en-US/person.blacklist", "(he|she)\nit");
  folders.skill("en-US/time.intent", "what time is it");
  folders.skill("en-US/time.blacklist", "tokyo");
  folders.skill("en-US/lonely.blacklist", "nobody");
  const LocaleResources resources = folders.load();
  const IntentResource* play = resources.intent("en-US", "play");
  REQUIRE(play != nullptr);
  CHECK(play->blacklist == Lines{"music trailer", "movie trailer"});
  REQUIRE(play->slot_blacklist.size() == 1);  // time.blacklist belongs to the intent
  CHECK(play->slot_blacklist.at("person") == Lines{"he", "she", "it"});
  CHECK(resources.intent("en-US", "time")->blacklist == Lines{"tokyo"});
  CHECK(
      problems_of(resources, folders) ==
      Lines{
          "en-US/lonely.blacklist: warning: there is no intent, entity or slot 'lonely' it could belong to"});
}

TEST_CASE("T-6 locale: required slots are those of the file, each declared by some line") {
  Folders folders;
  folders.skill("en-US/play.intent", "play {number:count} songs\nplay {song} now");
  folders.skill("en-US/play.required", "# the one\nsong\n");
  folders.skill("en-US/wrong.intent", "do {this} now");
  folders.skill("en-US/wrong.required", "this\nthat\n");
  folders.skill("en-US/odd.required", "{song}\n");
  const LocaleResources resources = folders.load();
  const Lines problems = problems_of(resources, folders);
  CHECK(problems.size() == 3);
  CHECK(any_starts_with(problems,
                        "en-US/wrong.required:2:1: error: no line of wrong.intent declares the slot {that}"));
  CHECK(any_starts_with(problems, "en-US/odd.required:1:1: error: '{song}' is no slot name"));
  CHECK(any_starts_with(problems, "en-US/odd.required: warning: there is no odd.intent"));
  const IntentResource* play = resources.intent("en-US", "play");
  REQUIRE(play != nullptr);
  CHECK(play->required_slots == Lines{"song"});
  CHECK(play->slots == Lines{"count", "song"});
  CHECK(play->slot_types == std::map<std::string, std::string>{{"count", "number"}});
  CHECK(resources.intent("en-US", "wrong") == nullptr);
}

TEST_CASE("T-6 locale: a vocabulary occurs as whole words, or equals the whole utterance") {
  Folders folders;
  folders.skill("en-US/stop.voc", "stop\nshut [it] down\n");
  folders.skill("de-DE/stop.voc", "halt\n");
  const LocaleResources resources = folders.load();
  const auto said = words("please SHUT it down!", "en-US");
  CHECK(resources.vocabulary_occurs("en-US", "stop", said));
  CHECK_FALSE(resources.vocabulary_equals("en-US", "stop", said));
  CHECK(resources.vocabulary_equals("en-US", "stop", words("Shut down.", "en-US")));
  CHECK_FALSE(resources.vocabulary_occurs("en-US", "stop", words("nonstop", "en-US")));
  CHECK(resources.vocabulary_occurs("en-GB", "stop", words("stop", "en-GB")));
  CHECK_FALSE(resources.vocabulary_occurs("fr-FR", "stop", words("stop", "fr-FR")));
  CHECK_FALSE(resources.vocabulary_occurs("en-US", "nothing", words("stop", "en-US")));
}

TEST_CASE("locale: what one language has and another lacks is a warning") {
  Folders folders;
  folders.skill("en-US/a.intent", "go {there} now");
  folders.skill("de-DE/a.intent", "geh jetzt");
  folders.skill("en-US/b.dialog", "Hello");
  folders.skill("en-US/a.blacklist", "x");
  folders.core("fr-FR/c.voc", "oui");
  const LocaleResources resources = folders.load();
  CHECK(problems_of(resources, folders) ==
        Lines{"de-DE: warning: b.dialog is missing here: en-US has it",
              "de-DE/a.intent: warning: the intent declares no slot {there} here: en-US does"});
}

TEST_CASE("locale: a hostile file is refused, never a crash") {
  Folders folders;
  folders.skill("en-US/deep.intent",
                std::string(10'000, '[') + "\n" + std::string(10'000, '(') + "\nfine here");
  folders.skill("en-US/long.voc", std::string(3'000'000, 'x') + "\nfine");
  folders.skill("en-US/big.voc", std::string(5'000'000, '\n'));
  folders.skill("en-US/many.entity",
                "(0|1|2|3|4|5|6|7|8|9)(0|1|2|3|4|5|6|7|8|9)(0|1|2|3|4|5|6|7|8|9)"
                "(0|1|2|3|4|5|6|7|8|9)(0|1|2|3|4|5|6|7|8|9)\nfine");
  std::filesystem::create_directory_symlink(folders.skill_path() / "locale",
                                            folders.skill_path() / "locale/en-US/loop");
  std::filesystem::create_symlink(folders.skill_path() / "gone",
                                  folders.skill_path() / "locale/en-US/dead.intent");
  const LocaleResources resources = folders.load();
  const Lines problems = problems_of(resources, folders);
  CHECK(any_starts_with(problems, "en-US/deep.intent:1:65: error: groups are nested deeper"));
  CHECK(any_starts_with(problems, "en-US/long.voc:1:1: error: the template is 3000000 bytes long"));
  CHECK(any_starts_with(problems, "en-US/big.voc: error: the file has more than 4194304 bytes"));
  CHECK(any_starts_with(
      problems, "en-US/many.entity:1:1: error: groups that join without a space between them have 100000"));
  CHECK(any_starts_with(problems, "en-US/dead.intent: error: not a regular file"));
  CHECK(any_starts_with(problems, "en-US/loop: warning: links to folders are not followed"));
  CHECK(problems.size() == 7);
  CHECK(resources.intent("en-US", "deep")->samples == Lines{"fine here"});
  CHECK(*resources.entity("en-US", "many") == Lines{"fine"});
}

TEST_CASE("locale: only {{name}} with a value is filled in a prompt") {
  const std::map<std::string, std::string> values = {{"query", "{{tone}} $1"}, {"x", "y"}};
  CHECK(fill_prompt("Ask {{query}}: {query} {\"a\": {}} {{tone}} {{ query }} {{query", values) ==
        "Ask {{tone}} $1: {query} {\"a\": {}} {{tone}} {{ query }} {{query");
  CHECK(fill_prompt("{{{x}}}", values) == "{y}");
  CHECK(fill_prompt("", values).empty());
}

TEST_CASE("T-6 locale: a required slot with a dialog is asked for, in the order of the file") {
  Folders folders;
  folders.skill("en-US/brew.intent", "brew {size} coffee\nbrew coffee in the {room}\nbrew");
  folders.skill("en-US/brew.required", "size which_size\nroom\n");
  folders.skill("en-US/which_size.dialog", "Which size?");
  folders.skill("en-US/boil.intent", "boil {what} now");
  folders.skill("en-US/boil.required", "what no_such_dialog\n");
  folders.skill("en-US/odd.intent", "an {odd} one");
  folders.skill("en-US/odd.required", "odd two words\n");
  const LocaleResources resources = folders.load();
  const Lines problems = problems_of(resources, folders);
  CHECK(problems.size() == 2);
  CHECK(any_starts_with(problems, "en-US/boil.required:1:1: error: there is no no_such_dialog.dialog"));
  CHECK(any_starts_with(problems, "en-US/odd.required:1:1: error: 'odd two words' is no slot name"));
  const IntentResource* brew = resources.intent("en-US", "brew");
  REQUIRE(brew != nullptr);
  CHECK(brew->required_slots == Lines{"room"});
  REQUIRE(brew->asked_slots.size() == 1);
  CHECK(brew->asked_slots.front() == std::pair<std::string, std::string>("size", "which_size"));
  REQUIRE(resources.intent("en-US", "boil") != nullptr);
  CHECK(resources.intent("en-US", "boil")->required_slots == Lines{"what"});
}

TEST_CASE("T-3 locale: a line with slots side by side only teaches, and says so") {
  Folders folders;
  folders.skill("en-US/play.intent", "play {song}\nplay {song} {artist}");
  folders.skill("en-US/only.intent", "hear {song} {artist}");
  const LocaleResources resources = folders.load();
  const Lines problems = problems_of(resources, folders);
  CHECK(any_starts_with(problems, "en-US/play.intent:2:13: warning: two slots can stand next to each other"));
  CHECK(any_starts_with(problems, "en-US/only.intent: error: no line can match anything"));
  const IntentResource* play = resources.intent("en-US", "play");
  REQUIRE(play != nullptr);
  CHECK(play->samples == Lines{"play {song}"});
  CHECK(play->teaching == Lines{"play {song} {artist}"});
  CHECK(play->slots == Lines{"artist", "song"});
  CHECK(resources.intent("en-US", "only") == nullptr);
}
