#include "match/padding.hpp"

#include <doctest/doctest.h>

#include "match/test_support.hpp"
#include "support/temporary_folder.hpp"

namespace parley::intent::test {
namespace {

/// An index that is read through, with words that may be skipped.
struct ReadThrough : IndexFixture {
  ReadThrough() {
    folder.write("locale/en-US/skip.voc", "please\nhey parley\n(could|can) you\n(thanks|thank you)\num\n");
    LocaleFolders where;
    where.skill = folder.path();
    folder.write("locale/en-US/fillers.voc", "(uh|erm)\n");
    common = LocaleResources(where);
  }

  /// `skill:intent` and its slots, "-" where no template takes it.
  std::string read(const std::string& text) {
    Said said(text, lang);
    std::vector<Candidate> found = index.find(said, policy);
    remark = read_through(*index.language_of("en"), common, policy, said, found);
    if (found.empty() || found.front().veto || !found.front().is_template()) return "-";
    std::string story = found.front().intent->skill_id + ':' + found.front().intent->intent_name;
    for (const Bound& slot : found.front().bound) {
      const auto part = std::span(said.words).subspan(slot.begin, slot.end - slot.begin);
      story += ' ' + slot.slot + "='" + std::string(surface(text, part)) + '\'';
    }
    return story;
  }

  testing::TemporaryFolder folder;
  LocaleResources common;
  std::string remark;
};

}  // namespace

TEST_CASE("padding: what is said for politeness is skipped on both sides, and told") {
  ReadThrough run;
  run.add(template_intent("dice.test", "roll", {"roll {count} dice"}));
  CHECK(run.read("please roll two dice") == "dice.test:roll count='two'");
  CHECK(run.remark == "without what is said for politeness: \"roll two dice\"");
  CHECK(run.read("um hey parley could you roll two dice thanks") == "dice.test:roll count='two'");
  CHECK(run.read("roll two dice") == "dice.test:roll count='two'");
  CHECK(run.remark.empty());
  CHECK(run.read("please") == "-");
  CHECK(run.read("please thanks") == "-");
}

TEST_CASE("padding: a slot does not take it, unless it is all that the slot would have") {
  ReadThrough run;
  run.add(template_intent("timer.test", "name", {"call it {name}"}));
  CHECK(run.read("call it Bob please") == "timer.test:name name='Bob'");
  CHECK(run.read("call it please") == "timer.test:name name='please'");
}

TEST_CASE("padding: what the skill lists as a value stays, wherever it is said") {
  ReadThrough run;
  run.add(template_intent("weather.test", "weather", {"is it cold in {place}"}));
  run.add(template_intent("music.test", "play", {"play music"}));
  run.add(entity("weather.test", "when", {"thanks giving", "um"}));
  CHECK(run.read("is it cold in Graz um") == "weather.test:weather place='Graz um'");
  CHECK(run.read("is it cold in Graz thanks") == "weather.test:weather place='Graz'");
  CHECK(run.read("play music um") == "music.test:play");  // that is no value of its own
}

TEST_CASE("padding: fillers are left out wherever they are, and no slot takes one") {
  ReadThrough run;
  run.add(template_intent("timer.test", "set", {"could you set a timer for {duration}"}));
  CHECK(run.read("could you set a uh timer for erm ten minutes") == "timer.test:set duration='ten minutes'");
  CHECK(run.read("uh erm") == "-");
  run.add(template_intent("words.test", "spell", {"spell {word}"}));
  CHECK(run.read("spell erm") == "words.test:spell word='erm'");
}

TEST_CASE("padding: what a template itself names stays") {
  ReadThrough run;
  run.add(template_intent("spell.test", "spell", {"please {what}"}));
  run.add(template_intent("spell.test", "say", {"say please"}));
  CHECK(run.read("please sing") == "spell.test:spell what='sing'");
  CHECK(run.read("say please") == "spell.test:say");
}

TEST_CASE("padding: an exact template takes nothing but what it says") {
  ReadThrough run;
  run.add(template_intent("door.test", "open", {"= open the door"}));
  CHECK(run.read("open the door") == "door.test:open");
  CHECK(run.read("please open the door") == "-");
  CHECK(run.read("opne the door") == "-");
}

TEST_CASE("slips: one letter wrong, missing or too many, or two swapped, where one word alone is meant") {
  ReadThrough run;
  run.add(template_intent("clock.test", "time", {"what time is it"}));
  run.add(template_intent("lamp.test", "lamp", {"switch on the {lamp} lights", "which lamps"}));
  CHECK(run.read("what tiem is it") == "clock.test:time");
  CHECK(run.remark == "heard tiem as time");
  CHECK(run.read("swich on the Kitschen lights") == "lamp.test:lamp lamp='Kitschen'");
  CHECK(run.read("switsch on the kitchen lights") == "lamp.test:lamp lamp='kitchen'");
  CHECK(run.read("switch on the kitchen lighta") == "lamp.test:lamp lamp='kitchen'");
  CHECK(run.read("what tame is it") == "-");  // four letters: only swapped ones
  CHECK(run.read("what timee is it") == "-");
  CHECK(run.read("switch on the kitchen lightabc") == "-");
}

TEST_CASE("slips: numbers are what they are, and a slip that could be two words is none") {
  ReadThrough run;
  run.add(template_intent("bus.test", "line", {"take line 12345"}));
  run.add(template_intent("a.test", "a", {"sound louder"}));
  run.add(template_intent("b.test", "b", {"sound loudes"}));
  CHECK(run.read("take line 12346") == "-");
  CHECK(run.read("sound loudet") == "-");
}

TEST_CASE("slips: a word that went with its last use is no longer what somebody meant") {
  Lexicon lexicon;
  const WordId weather = lexicon.hold("weather"), again = lexicon.hold("weather");
  const auto heard_as = [&lexicon](const char* said) {
    std::vector<std::string> heard;
    return without_slips(words(said, "en-US"), lexicon, heard).front().norm;
  };
  for (const char* said : {"wheather", "weathr", "weahter", "weathex"}) CHECK(heard_as(said) == "weather");
  lexicon.release(weather);
  CHECK(heard_as("weathr") == "weather");
  lexicon.release(again);
  CHECK(heard_as("weathr") == "weathr");
}

}  // namespace parley::intent::test
