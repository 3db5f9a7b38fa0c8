#include "clauses.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "test_reader.hpp"

using namespace parley;
using follow_up::follow_up_words;

namespace {

std::vector<std::string> texts(const std::string& text, const std::vector<std::span<const Word>>& parts) {
  std::vector<std::string> found;
  for (const auto& part : parts) found.emplace_back(surface(text, part));
  return found;
}

std::vector<std::string> clauses(const std::string& text) {
  const auto said = words(text, "en-US");
  return texts(text, follow_up::clauses_of(text, said));
}

std::vector<std::string> requests(const std::string& text, const std::string& lang = "en-US") {
  const auto said = words(text, lang);
  return texts(text, follow_up::requests_within(text, said, follow_up_words(), lang));
}

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("clauses: they end at a stop with a space behind it") {
  CHECK(clauses("my tap drips, how do I fix it?") == Texts{"my tap drips", "how do I fix it"});
  CHECK(clauses("wake me at 10:30 or in 3.5 hours") == Texts{"wake me at 10:30 or in 3.5 hours"});
  CHECK(clauses("am 3. Mai, ja") == Texts{"am 3. Mai", "ja"});
  CHECK(clauses("").empty());
}

TEST_CASE(
    "clauses: a request begins behind a stop, with a question word, or anywhere behind what tells "
    "something") {
  CHECK(requests("my tap drips how do I fix it").front() == "tap drips how do I fix it");
  CHECK(requests("homework again what is the capital of Peru").front() == "what is the capital of Peru");
  CHECK(requests("set a timer for ten minutes I'm baking").front() == "set a timer for ten minutes");
  CHECK(requests("quick thing, when is Easter").front() == "when is Easter");
  CHECK(requests("blöde Frage wie spät ist es", "de-AT").front() == "wie spät ist es");
}

TEST_CASE("clauses: what says one thing only, is short or endless has no request within it") {
  CHECK(requests("play the record of yesterday").empty());
  CHECK(requests("the time please").empty());
  CHECK(requests("").empty());
  std::string endless = "I think";
  for (int i = 0; i < 30; ++i) endless += " what time";
  CHECK(requests(endless).empty());
  CHECK(requests("my dog knows what time it is", "xx").empty());
}

TEST_CASE("clauses: of a long utterance so many parts are looked at, the longest first") {
  std::string text = "I know";
  for (int i = 0; i < 20; ++i) text += " why because";
  const auto found = requests(text);
  CHECK(found.size() == 24);
  CHECK(found.front().size() > found.back().size());
}
