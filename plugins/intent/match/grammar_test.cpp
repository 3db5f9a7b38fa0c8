#include "match/grammar.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <parley/templates.hpp>
#include <parley/text.hpp>

#include "match/alignment.hpp"

using namespace parley;
using namespace parley::intent;

namespace {

Pattern word(const char* text) {
  return Pattern(Pattern::Kind::kWord, text);
}

/// `(w0 | w1 | …)`
Pattern any_of(const std::string& stem, int branches) {
  Pattern choice(Pattern::Kind::kChoice);
  for (int i = 0; i < branches; ++i) choice.children.push_back(word((stem + std::to_string(i)).c_str()));
  return choice;
}

struct Fixture {
  Lexicon lexicon;
  Grammar grammar{lexicon};

  Route add(const std::string& sample, Payload payload) {
    const auto parsed = Template::parse(sample, TemplateOptions::for_intents());
    REQUIRE(parsed.ok());
    return grammar.insert(word_pattern(*parsed, "en-US"), payload);
  }

  std::vector<WordId> ids(const std::string& text) const {
    std::vector<WordId> found;
    for (const Word& one : words(text, "en-US")) found.push_back(lexicon.find(one.norm));
    return found;
  }

  std::vector<Payload> match(const std::string& text) {
    std::vector<Payload> found;
    grammar.match(ids(text), found);
    std::sort(found.begin(), found.end());
    return found;
  }

  std::vector<Hit> find(const std::string& text) {
    std::vector<Hit> found;
    grammar.find(ids(text), found);
    return found;
  }
};

using Found = std::vector<Payload>;

/// Everything may fill everything.
class Anything final : public SlotRules {
 public:
  SlotFit fit(const std::string&, std::size_t, std::size_t) const override { return SlotFit::kOpen; }
};

}  // namespace

TEST_CASE_FIXTURE(Fixture, "grammar: a sentence is taken from end to end or not at all") {
  add("turn on the light", 1);
  CHECK(match("turn on the light") == Found{1});
  CHECK(match("turn on the").empty());
  CHECK(match("turn on the light now").empty());
  CHECK(match("please turn on the light").empty());
  CHECK(match("").empty());
}

TEST_CASE_FIXTURE(Fixture, "grammar: templates that begin alike share their states and nothing else") {
  add("turn on the light", 1);
  const std::size_t one = grammar.size();
  add("turn on the radio", 2);
  CHECK(grammar.size() == one + 1);
  add("turn [on] the heater", 3);
  CHECK(match("turn on the light") == Found{1});
  CHECK(match("turn on the radio") == Found{2});
  CHECK(match("turn on the heater") == Found{3});
  CHECK(match("turn the heater") == Found{3});
  CHECK(match("turn the light").empty());
}

TEST_CASE_FIXTURE(Fixture, "grammar: what several templates take is found for each of them") {
  add("play {song}", 1);
  add("play {artist}", 2);
  add("play [some] music", 3);
  CHECK(match("play some music") == Found{1, 2, 3});
  CHECK(match("play yesterday") == Found{1, 2});
  CHECK(match("play").empty());
}

TEST_CASE_FIXTURE(Fixture, "grammar: a slot takes one word or more, known or not") {
  add("remind me to {thing} at {time}", 1);
  CHECK(match("remind me to call at five") == Found{1});
  CHECK(match("remind me to call xyzzy at home at five thirty") == Found{1});
  CHECK(match("remind me to at five").empty());
  CHECK(match("remind me to call at").empty());
}

TEST_CASE_FIXTURE(Fixture, "grammar: nested groups take exactly what they expand to") {
  const std::string sample = "(set|start [up] (a|(an [old]|the)) ) timer [(now|right (now|away))]";
  add(sample, 1);
  const auto parsed = Template::parse(sample, TemplateOptions::for_intents());
  REQUIRE(parsed.ok());
  const auto sentences = parsed->expand();
  REQUIRE(sentences.size() > 20);
  for (const std::string& sentence : sentences) CHECK_MESSAGE(match(sentence) == Found{1}, sentence);
  for (const char* other : {"set a timer", "start up timer", "start old timer", "set timer right", "timer"}) {
    CHECK_MESSAGE(match(other).empty(), other);
  }
}

TEST_CASE_FIXTURE(Fixture, "grammar: groups as deep as a template may nest them are taken") {
  std::string sample = "go ";
  for (int i = 0; i < 60; ++i) sample += "[very ";
  sample += "far";
  for (int i = 0; i < 60; ++i) sample += "]";
  add(sample, 1);
  CHECK(match("go") == Found{1});
  std::string said = "go";
  for (int i = 0; i < 60; ++i) said += " very";
  CHECK(match(said + " far") == Found{1});
  CHECK(match(said).empty());
}

TEST_CASE_FIXTURE(Fixture, "grammar: a template of 10^8 expansions costs as many states as it has words") {
  Pattern sequence(Pattern::Kind::kSequence);
  for (int group = 0; group < 8; ++group)
    sequence.children.push_back(any_of("g" + std::to_string(group) + "w", 10));
  grammar.insert(sequence, 1);
  CHECK(grammar.size() == 1 + 8 * (10 + 1));
  CHECK(match("g0w3 g1w1 g2w4 g3w1 g4w5 g5w9 g6w2 g7w6") == Found{1});
  CHECK(match("g0w3 g1w1 g2w4 g3w1 g4w5 g5w9 g6w2").empty());
  CHECK(match("g0w3 g1w1 g2w4 g3w1 g5w5 g5w9 g6w2 g7w6").empty());
}

TEST_CASE_FIXTURE(Fixture, "grammar: templates with the same group at their beginning share it") {
  add("(turn|switch) on [the] light", 1);
  const std::size_t one = grammar.size();
  add("(turn|switch) on [the] radio", 2);
  CHECK(grammar.size() == one + 1);
  CHECK(match("switch on radio") == Found{2});
}

TEST_CASE_FIXTURE(Fixture, "grammar: removing a template leaves the others and nothing of its own") {
  const Route light = add("(turn|switch) on [the] light", 1);
  const std::size_t states = grammar.size();
  const std::size_t known = lexicon.size();
  const Route radio = add("(turn|switch) on [the] (radio|wireless) {station} [please]", 2);
  grammar.remove(radio, 2);
  CHECK(grammar.size() == states);
  CHECK(lexicon.size() == known);
  CHECK(match("switch on the light") == Found{1});
  CHECK(match("switch on the radio one").empty());
  grammar.remove(light, 1);
  CHECK(grammar.size() == 1);
  CHECK(lexicon.size() == 0);
  add("good morning", 3);
  CHECK(match("good morning") == Found{3});
  CHECK(match("switch on the light").empty());
}

TEST_CASE_FIXTURE(Fixture, "grammar: removing what is not there changes nothing") {
  const Route route = add("good morning", 1);
  grammar.remove(route, 2);
  CHECK(match("good morning") == Found{1});
}

TEST_CASE_FIXTURE(Fixture,
                  "T-6 grammar: phrases are found as contiguous runs of whole words, overlapping too") {
  add("living room", 1);
  add("room", 2);
  add("[the] living", 3);
  const auto hits = find("in the living room upstairs");
  const auto has = [&hits](std::uint32_t begin, std::uint32_t end, Payload payload) {
    return std::any_of(hits.begin(), hits.end(), [&](const Hit& hit) {
      return hit.begin == begin && hit.end == end && hit.payload == payload;
    });
  };
  CHECK(hits.size() == 4);
  CHECK(has(2, 4, 1));
  CHECK(has(3, 4, 2));
  CHECK(has(1, 3, 3));
  CHECK(has(2, 3, 3));
  CHECK(find("roommate").empty());
  CHECK(find("living in a room").size() == 2);
  CHECK(find("").empty());
}

TEST_CASE_FIXTURE(Fixture, "T-0 alignment: of several readings the one with fewest open words counts") {
  const Route route = add("play {song} [by {artist}] [please]", 1);
  const auto read = [&](const std::string& text) {
    const auto aligned = align(grammar, route, ids(text), Anything());
    REQUIRE(aligned);
    return *aligned;
  };
  auto best = read("play hello by adele please");
  CHECK(best.open_words == 2);
  CHECK(best.literal_words == 3);
  CHECK(best.bound == std::vector{Bound("song", 1, 2, false), Bound("artist", 3, 4, false)});
  best = read("play stand by me by ben king");
  CHECK(best.bound.size() == 2);
  CHECK(best.bound[0] == Bound("song", 1, 4, false));
  CHECK(best.bound[1] == Bound("artist", 5, 7, false));
  CHECK(read("play please").bound == std::vector{Bound("song", 1, 2, false)});
}

TEST_CASE_FIXTURE(Fixture, "alignment: two slots in one place are told apart by what suits them") {
  class Names final : public SlotRules {
   public:
    SlotFit fit(const std::string& slot, std::size_t, std::size_t) const override {
      return slot == "artist" ? SlotFit::kListed : SlotFit::kOpen;
    }
  };
  const Route route = add("play ({song}|{artist}) now", 1);
  const auto said = ids("play abba now");
  const auto open = align(grammar, route, said, Anything());
  REQUIRE(open);
  CHECK(open->bound == std::vector{Bound("song", 1, 2, false)});
  const auto listed = align(grammar, route, said, Names());
  REQUIRE(listed);
  CHECK(listed->bound == std::vector{Bound("artist", 1, 2, true)});
  CHECK(listed->open_words == 0);
}

TEST_CASE_FIXTURE(Fixture, "alignment: when no value is allowed there is no reading") {
  class Nothing final : public SlotRules {
   public:
    SlotFit fit(const std::string&, std::size_t, std::size_t) const override { return SlotFit::kForbidden; }
  };
  const Route route = add("play {song}", 1);
  CHECK_FALSE(align(grammar, route, ids("play abba"), Nothing()).has_value());
}
