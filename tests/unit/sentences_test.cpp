#include <parley/sentences.hpp>

#include <doctest/doctest.h>

#include <map>
#include <string>

#include "support/temporary_folder.hpp"

using parley::LocaleFolders;
using parley::LocaleResources;
using parley::Sentences;

namespace {

Sentences made_of(const parley::testing::TemporaryFolder& folder) {
  LocaleFolders folders;
  folders.skill = folder.path();
  return Sentences(LocaleResources(folders), "en-US");
}

std::string best(const Sentences& questions, const char* text) {
  const auto found = questions.match(text);
  if (found.empty()) return "nothing";
  std::string out = found.front().name;
  for (const auto& [slot, value] : found.front().slots) out += " " + slot + "=" + value;
  return out;
}

}  // namespace

TEST_CASE("questions: sentences match word for word, slots take what was said") {
  const parley::testing::TemporaryFolder folder;
  folder.write("locale/en-US/capital.intent",
               "(what is|name) [the] capital of {country}\n{city} is the capital of what\n");
  folder.write("locale/en-US/border.intent", "does {country} border {other}\n");
  const auto questions = made_of(folder);
  CHECK(best(questions, "What is the capital of the Netherlands?") == "capital country=the Netherlands");
  CHECK(best(questions, "name capital of Côte d’Ivoire") == "capital country=Côte d’Ivoire");
  CHECK(best(questions, "New York is the capital of what") == "capital city=New York");
  CHECK(best(questions, "does the Czech Republic border Costa Rica") ==
        "border country=the Czech Republic other=Costa Rica");
  CHECK(best(questions, "what is the capital of") == "nothing");
  CHECK(best(questions, "so what is the capital of france") == "nothing");
  CHECK(best(questions, "does border france") == "nothing");
  CHECK(best(questions, "") == "nothing");
  CHECK(best(questions, "\xff\xfe") == "nothing");
}

TEST_CASE("questions: the sentence with the most words of its own comes first") {
  const parley::testing::TemporaryFolder folder;
  folder.write("locale/en-US/about.intent", "what is {thing}\n");
  folder.write("locale/en-US/capital.intent", "what is the capital of {country}\n");
  const auto questions = made_of(folder);
  CHECK(best(questions, "what is the capital of france") == "capital country=france");
  CHECK(questions.match("what is the capital of france").size() == 2);
  CHECK(best(questions, "what is love") == "about thing=love");
}

TEST_CASE("questions: templates may stand for more sentences than could be written out") {
  const parley::testing::TemporaryFolder folder;
  std::string many;
  for (int i = 0; i < 8; ++i) many += "(a|b|c|d|e|f|g|h|i|j) ";
  folder.write("locale/en-US/many.intent", many + "{thing} end\n");
  const auto questions = made_of(folder);
  CHECK(best(questions, "a b c d e f g h what comes then end") == "many thing=what comes then");
  CHECK(best(questions, "a b c d e f g z what comes then end") == "nothing");
}

TEST_CASE(
    "questions: a sentence is found once, its slots as short as they can be, in the order of the files") {
  const parley::testing::TemporaryFolder folder;
  folder.write("locale/en-US/both.intent", "[please|please] tell {one} and {two}\n{one} and {two}\n");
  folder.write("locale/en-US/also.intent", "tell {one} and {two}\n");
  const auto found = made_of(folder).match("please tell a and b and c");
  REQUIRE(found.size() == 2);
  CHECK(found[0].slots == std::map<std::string, std::string>{{"one", "a"}, {"two", "b and c"}});
  CHECK(found[1].slots == std::map<std::string, std::string>{{"one", "please tell a"}, {"two", "b and c"}});
  const auto two = made_of(folder).match("tell a and b");
  REQUIRE(two.size() == 3);
  CHECK(two[0].name == "also");
  CHECK(two[1].name == "both");
}

TEST_CASE("questions: polite words may stand before and after") {
  const parley::testing::TemporaryFolder folder;
  folder.write("locale/en-US/about.intent", "tell me about {thing}\nwhat [is] {thing} is\n");
  folder.write("locale/en-US/polite.voc", "please\nhey\n[could you] tell me\n");
  const auto questions = made_of(folder);
  CHECK(best(questions, "hey, please tell me what love is please") == "about thing=love");
  CHECK(best(questions, "Tell me about love, please!") == "about thing=love");
  CHECK(best(questions, "tell me about love") == "about thing=love");
  CHECK(best(questions, "hey please") == "nothing");
}

TEST_CASE("questions: a broken sentence is left out, a language without files knows none") {
  const parley::testing::TemporaryFolder folder;
  folder.write("locale/en-US/capital.intent", "what (is the capital of {country}\ncapital of {country}\n");
  CHECK(best(made_of(folder), "capital of france") == "capital country=france");
  LocaleFolders folders;
  folders.skill = folder.path();
  CHECK(Sentences(LocaleResources(folders), "de-DE").match("capital of france").empty());
}
