#include <doctest/doctest.h>

#include <optional>
#include <parley/locale.hpp>
#include <string>
#include <vector>

#include "gate.hpp"
#include "several.hpp"

namespace parley::common_query {
namespace {

LocaleResources several_locale() {
  LocaleFolders folders;
  folders.skill = PARLEY_COMMON_QUERY;
  return LocaleResources(folders);
}

/// "time: what time is it in Rome | who was Nero", with the intent that takes a part before it.
std::string several(const std::string& utterance, const std::string& lang = "en-US") {
  static const LocaleResources locale = several_locale();
  static Gate gate(locale);
  struct Known {
    const char* begin;
    const char* name;
    std::size_t literal_words;
  };
  // What begins like that is taken, whatever follows: an open slot.
  static constexpr Known kKnown[] = {{"what time is it in ", "time", 5},
                                     {"set a timer for ", "timer", 4},
                                     {"add bread and ", "add to my list", 6},
                                     {"add bread", "add", 1},
                                     {"wie spät ist es in ", "time", 5}};
  const Takes takes = [&](const std::string& text) -> std::optional<Match> {
    for (const Known& known : kKnown) {
      if (!text.starts_with(known.begin)) continue;
      Match match("some.skill", known.name, lang, text);
      match.slots["rest"] = text;
      match.literal_words = known.literal_words;
      return match;
    }
    return std::nullopt;
  };
  std::string told;
  for (const Part& part : several_in(gate, utterance, lang, takes)) {
    told += told.empty() ? "" : " | ";
    if (part.intent) told += part.intent->intent_name + ": ";
    told += part.text;
  }
  return told;
}

}  // namespace

TEST_CASE("several: a question beside what an intent takes, in either order") {
  CHECK(several("what time is it in Rome and who was Nero") ==
        "time: what time is it in Rome | who was Nero");
  CHECK(several("who was Nero and then set a timer for ten minutes") ==
        "who was Nero | timer: set a timer for ten minutes");
  CHECK(several("wie spät ist es in Rom und wer war Nero", "de-DE") ==
        "time: wie spät ist es in Rom | wer war Nero");
}

TEST_CASE("several: questions alone, each of which begins like one") {
  CHECK(several("what's five plus seven and what's four times five?") ==
        "what's five plus seven | what's four times five");
  CHECK(several("was ist fünf plus sieben und was ist vier mal fünf", "de-DE") ==
        "was ist fünf plus sieben | was ist vier mal fünf");
  CHECK(several("who was Nero and who was Galba and how old is Rome") ==
        "who was Nero | who was Galba | how old is Rome");
}

TEST_CASE("several: what is one stays one") {
  CHECK(several("what is the capital of Bosnia and Herzegovina").empty());
  CHECK(several("what time is it in New York and Tokyo").empty());
  CHECK(several("play jazz and what is left").empty());
  CHECK(several("who is there and why").empty());
  CHECK(several("add bread and do the dishes to my list").empty());  // an intent names more of the words
  CHECK(several("and").empty());
  CHECK(several("").empty());
}

TEST_CASE("several: many parts that could be cut in many ways are looked at a few times each") {
  const LocaleResources locale = several_locale();
  Gate gate(locale);
  std::size_t asked = 0;
  const Takes takes = [&asked](const std::string& text) -> std::optional<Match> {
    ++asked;
    if (!text.starts_with("put") || !text.ends_with("there")) return std::nullopt;
    Match match("some.skill", "put", "en-US", text);
    match.literal_words = 2;
    return match;
  };
  std::string all;
  for (int i = 0; i < 11; ++i) all += "put x there and ";
  CHECK(several_in(gate, all + "nobody", "en-US", takes).empty());
  CHECK(asked < 100);  // of 2,048 ways to cut it
}

TEST_CASE("several: what intents take alone is no question") {
  CHECK(several("set a timer for ten minutes and what time is it in Rome").empty());
}

}  // namespace parley::common_query
