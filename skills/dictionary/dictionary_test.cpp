#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <utility>

#include "lexicon.hpp"
#include "support/shipped_locale.hpp"
#include "support/temporary_folder.hpp"

using parley::dictionary::Lexicon;
using parley::dictionary::PartOfSpeech;
using parley::dictionary::WordNet;

namespace {

const char* const kDatabase = "/usr/share/wordnet";

const WordNet& wordnet() {
  static const WordNet known{kDatabase};
  return known;
}

std::optional<parley::dictionary::Reply> reply(const std::string& question, const char* tag = "en-US") {
  static const Lexicon lexicon(parley::testing::shipped_locale(PARLEY_DICTIONARY),
                               std::make_shared<const parley::dictionary::WordNet>(kDatabase), "en-US");
  const auto inquiry = lexicon.understand(question, tag);
  return inquiry ? lexicon.answer(*inquiry) : std::nullopt;
}

std::string say(const std::string& question) {
  const auto found = reply(question);
  return found ? found->text : "nothing";
}

std::string lemma(const char* word, PartOfSpeech part) {
  const auto entry = wordnet().look_up(word, part);
  return entry ? entry->lemma : "nothing";
}

}  // namespace

TEST_CASE("wordnet: words are found by binary search, from the first to the last") {
  for (const char* word :
       {"'hood", "a", "dog", "hot dog", "Hot Dog", "zyrian", "merry-go-round", "world war ii"}) {
    CHECK_MESSAGE(wordnet().find(word, PartOfSpeech::kNoun), word);
  }
  CHECK(wordnet().find("abandon", PartOfSpeech::kVerb));
  CHECK(wordnet().find("zoom", PartOfSpeech::kVerb));
  for (const char* word :
       {"", " ", "dogg", "zzzz", "caf\xC3\xA9", "\xff", "dog\ncat", "1 this", "of electricity is"}) {
    CHECK_FALSE_MESSAGE(wordnet().look_up(word, PartOfSpeech::kNoun), word);
  }
  CHECK_FALSE(wordnet().find(std::string(100'000, 'a'), PartOfSpeech::kNoun));
}

TEST_CASE("wordnet: inflected words lead to their base form") {
  CHECK(lemma("mice", PartOfSpeech::kNoun) == "mouse");
  CHECK(lemma("boxes", PartOfSpeech::kNoun) == "box");
  CHECK(lemma("cities", PartOfSpeech::kNoun) == "city");
  CHECK(lemma("firemen", PartOfSpeech::kNoun) == "fireman");
  CHECK(lemma("went", PartOfSpeech::kVerb) == "go");
  CHECK(lemma("hoping", PartOfSpeech::kVerb) == "hope");
  CHECK(lemma("carried", PartOfSpeech::kVerb) == "carry");
  CHECK(lemma("happier", PartOfSpeech::kAdjective) == "happy");
  CHECK(lemma("s", PartOfSpeech::kVerb) == "nothing");
}

TEST_CASE("wordnet: a meaning has its words, its definition without examples, and its relations") {
  const auto entry = wordnet().find("car", PartOfSpeech::kNoun);
  REQUIRE(entry);
  const auto synset = wordnet().synset(entry->senses.front(), PartOfSpeech::kNoun);
  CHECK(synset.words == std::vector<std::string>{"car", "auto", "automobile", "machine", "motorcar"});
  CHECK(synset.gloss ==
        "a motor vehicle with four wheels; usually propelled by an internal combustion engine");
  CHECK(std::ranges::count(synset.pointers, "@", &parley::dictionary::Pointer::symbol) == 1);
  CHECK_THROWS_WITH(wordnet().synset(entry->senses.front() + 1, PartOfSpeech::kNoun),
                    doctest::Contains("data.noun: no synset at byte"));
}

TEST_CASE("wordnet: a database that is not there is seen, one that is incomplete is not opened") {
  const parley::testing::TemporaryFolder folder;
  CHECK_FALSE(WordNet::is_installed(folder.path()));
  CHECK_THROWS_WITH(WordNet(folder.path()), doctest::Contains("index.noun: can't be read"));
  folder.write("index.noun", "");
  CHECK_FALSE(WordNet::is_installed(folder.path()));
  CHECK(WordNet::is_installed(kDatabase));
}

TEST_CASE("dictionary: definitions") {
  const std::string dog = "Dog means a member of the genus Canis";
  for (const char* question :
       {"define dog", "what does the word dog mean", "what is a dog", "what's the meaning of dog?",
        "do you know what a dog is", "what is the definition of dog", "what are dogs"}) {
    CHECK_MESSAGE(say(question).starts_with(dog), question);
  }
  CHECK(say("what does abandon mean").starts_with("To abandon means to "));
  CHECK(say("what is photosynthesis").starts_with("Photosynthesis means synthesis of compounds"));
  CHECK(say("who was Albert Einstein").starts_with("Albert Einstein: physicist"));
}

TEST_CASE("dictionary: synonyms and opposites") {
  CHECK(say("what is a synonym for car") ==
        "Other words for car are auto, automobile, machine, motorcar, and railcar.");
  CHECK(say("what's another word for quick").find("fast") != std::string::npos);
  CHECK(say("what is the opposite of hot") == "The opposite of hot is cold.");
  CHECK(say("what is the opposite of table") == "nothing");
}

TEST_CASE("dictionary: what is a kind of what") {
  CHECK(say("is a dog a kind of animal") == "Yes, a dog is a kind of animal.");
  CHECK(say("is an apple a fruit") == "Yes, an apple is a kind of fruit.");
  CHECK(say("is Berlin a city") == "Yes, Berlin is a kind of city.");
  CHECK(say("are whales a kind of mammal") == "Yes, whales are a kind of mammal.");
  CHECK(say("is an animal a kind of dog") == "Not always, but every dog is a kind of animal.");
  CHECK(say("is a whale a kind of fish") == "Not that I know, a whale is no kind of fish.");
  CHECK(say("is a tomato a fruit") == "nothing");
  CHECK(say("is a dog a kind of fruit") == "Not that I know, a dog is no kind of fruit.");
}

TEST_CASE("dictionary: what is not about words it knows is not claimed") {
  for (const char* question :
       {"what is it", "what is the time", "who are you", "what is up", "what does xyzzyx mean", "define",
        "what is the population of france", "what is your name", "is it a dog", "play music", "", "\xff",
        "is a dog a xyzzyx", "define the"}) {
    CHECK_MESSAGE(say(question) == "nothing", question);
  }
  CHECK_FALSE(reply("define dog", "de-DE"));
  CHECK_FALSE(reply("define dog", ""));
  CHECK(reply("define dog", "en-GB"));
}

TEST_CASE("Appendix B the clearer the question asks for a meaning, the surer the answer") {
  const auto sure = [](const char* question) { return reply(question).value().confidence; };
  CHECK(sure("what does love mean") > sure("what is a dog"));
  CHECK(sure("what is a dog") > sure("what is love"));
  CHECK(sure("what is love") >= 0.5);
  CHECK(sure("is a dog a kind of animal") >= 0.7);
  CHECK(sure("is a dog a kind of fruit") >= 0.5);
  CHECK(sure("is a dog a kind of fruit") < 0.7);
}

TEST_CASE("dictionary: spelling, parts of speech, kinds, parts and sentences") {
  CHECK(say("how do you spell necessary") == "Necessary is spelled N, E, C, E, S, S, A, R, Y.");
  CHECK(say("is run a noun or a verb") == "Run can be a verb and a noun.");
  CHECK(say("what part of speech is quickly") == "Quickly is an adverb.");
  CHECK(say("some types of cheese").starts_with("Some kinds of cheese are "));
  CHECK(say("what are the parts of a flower").starts_with("Parts of flower: "));
  CHECK(say("use melancholy in a sentence").find("melancholy") != std::string::npos);
  CHECK(say("what kind of animal is an okapi").find("giraffe") != std::string::npos);
  CHECK(say("look up gregarious") != "nothing");
  CHECK(say("a fancy word for tired") != "nothing");
  CHECK(say("spell qwrtzp") == "nothing");
}

TEST_CASE("dictionary: a word is found by what its definition says") {
  CHECK(say("what do you call someone who studies insects") == "The word may be entomologist.");
  CHECK(say("what's the word for fear of heights") == "The word may be acrophobia.");
  CHECK(say("what do you call someone who is the") == "nothing");
  CHECK(wordnet().noun_defined_by({"qwrtzp"}).empty());
  CHECK(wordnet().noun_defined_by({}).empty());
}

TEST_CASE("a word for somebody who is afraid, and a question between two others") {
  CHECK(say("what's that word when somebody's scared to death of spiders") ==
        "The word may be arachnophobia.");
  CHECK(say("i'm scared of spiders") == "nothing");
  CHECK(say("rhythm, how is it spelled, is there an e in it") == "Rhythm is spelled R, H, Y, T, H, M.");
}
