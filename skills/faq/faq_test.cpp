#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "question_file.hpp"
#include "shelf.hpp"
#include "support/temporary_folder.hpp"

using namespace parley;
using namespace parley::faq;

namespace {

constexpr double kThreshold = 0.6;

Entry entry(std::vector<std::string> phrasings, std::string answer) {
  Entry made;
  made.phrasings = std::move(phrasings);
  made.answer = std::move(answer);
  return made;
}

/// The answer of what comes along, by its first words; "" when nothing fits well enough.
std::string answer(const std::string& lang, const std::string& said) {
  static Shelf* const shelf = [] {
    auto* made = new Shelf(PARLEY_FAQ_DATA);
    for (const auto& problem : made->refresh()) FAIL_CHECK(problem);
    return made;
  }();
  const auto hit = shelf->questions(lang)->best(said);
  INFO(said << " → " << hit.score << " " << hit.entry->answer);
  CHECK((hit.score >= 0 && hit.score <= 1));
  return hit.score >= kThreshold ? hit.entry->answer : "";
}

bool begins(const std::string& text, const std::string& start) {
  return text.compare(0, start.size(), start) == 0;
}

QuestionFile read(const std::string& yaml) {
  const parley::testing::TemporaryFolder folder;
  return read_questions(folder.write("en-US.yaml", yaml));
}

}  // namespace

TEST_CASE("questions: the very words of a phrasing are found for certain, whatever case and punctuation") {
  const QuestionIndex index({entry({"What is a skill?"}, "skill"), entry({"What is a stage?"}, "stage")}, {},
                            "en-US");
  CHECK(index.best("what IS a skill").score == doctest::Approx(1));
  CHECK(index.best("what is a skill").entry->answer == "skill");
  CHECK(index.best("What's a stage, what is it").entry->answer == "stage");
}

TEST_CASE("questions: inflection and order do not matter") {
  const QuestionIndex index(
      {entry({"how do I configure the timers"}, "timers"), entry({"who wrote it"}, "author")}, {}, "en-US");
  CHECK(index.best("configuring a timer how").entry->answer == "timers");
  CHECK(index.best("configuring the timer, how do I do that").score > 0.6);
  const QuestionIndex german(
      {entry({"wie lösche ich einen Wecker"}, "wecker"), entry({"was ist neu"}, "neu")}, {}, "de");
  CHECK(german.best("wie löscht man Wecker").entry->answer == "wecker");
}

TEST_CASE("questions: a word that no question has speaks against all of them") {
  const QuestionIndex index(
      {entry({"what is a skill", "explain skills"}, "skill"), entry({"what is a stage"}, "stage")}, {},
      "en-US");
  CHECK(index.best("what is a giraffe").score < kThreshold);
  CHECK(index.best("flurb the grommet").score == 0);
  CHECK(index.best("").score == 0);
  CHECK(index.best("?!").score == 0);
}

TEST_CASE("questions: ignored words count neither for nor against") {
  const QuestionIndex index({entry({"what is a skill"}, "skill")}, {"please", "tell"}, "en-US");
  CHECK(index.best("please tell, what is a skill").score == doctest::Approx(1));
  CHECK(index.best("please").score == 0);
}

TEST_CASE("questions: a language without a stemmer compares words as they are") {
  const QuestionIndex index({entry({"ano ang kakayahan"}, "skill")}, {}, "tl-PH");
  CHECK(index.best("Ano ang kakayahan?").score == doctest::Approx(1));
}

TEST_CASE("questions: of equally good ones the earlier") {
  const QuestionIndex index({entry({"what now"}, "first"), entry({"what now"}, "second")}, {}, "en-US");
  CHECK(index.best("what now").entry->answer == "first");
}

TEST_CASE("faq: what comes along answers what people ask, however they put it") {
  const std::vector<std::pair<std::string, std::string>> english{
      {"what's parley", "Parley is a voice assistant"},
      {"hey, so what is parley exactly?", "Parley is a voice assistant"},
      {"what can you actually do", "I can do what my skills can"},
      {"who are you", "I am parley"},
      {"how can I write my own skills", "Make a folder under skills"},
      {"how do I disable skills", "Add its name to skills disabled"},
      {"how does the pipeline work", "The pipeline is the list"},
      {"how do I write stages", "Derive a class from Stage"},
      {"which languages do you speak", "English, German"},
      {"where's the configuration file", "Everything is in one file"},
      {"how do I check my configuration", "Run parley check"},
      {"why did you say that", "Ask with the option explain"},
      {"how do I test my skill", "Write down a conversation"},
      {"how do I install parley please", "Run tools slash run"},
      {"do you work without the internet", "I work without the internet"},
      {"is parley free", "Parley comes under the Apache"},
      {"what is parley written in", "Parley is written in C++"},
      {"how do I add questions", "From a file of questions"},
  };
  for (const auto& one : english) {
    const std::string& said = one.first;
    const std::string& start = one.second;
    CAPTURE(said);
    CAPTURE(answer("en-GB", said));
    CHECK(begins(answer("en-GB", said), start));
  }
  const std::vector<std::pair<std::string, std::string>> german{
      {"was ist denn parley", "Parley ist das Herz"},
      {"was kannst du so", "Ich kann, was meine Skills"},
      {"wie heißt du eigentlich", "Ich bin parley"},
      {"wie schreibe ich eigene Skills", "Lege unter skills"},
      {"welche Sprache sprichst du", "Deutsch, Englisch"},
      {"wo finde ich die Konfiguration", "Alles steht in einer Datei"},
      {"brauchst du Internet", "Ich komme ohne Internet aus"},
      {"welche Lizenzen hat parley", "Parley steht unter"},
      {"speicherst du Daten über mich", "Was gesagt und geantwortet wurde"},
  };
  for (const auto& one : german) {
    const std::string& said = one.first;
    const std::string& start = one.second;
    CAPTURE(said);
    CAPTURE(answer("de-DE", said));
    CHECK(begins(answer("de-DE", said), start));
  }
}

TEST_CASE("faq: what is about something else is left to others") {
  for (const std::string said :
       {"what is the capital of france", "how do I write a poem", "what time is it",
        "who is the king of spain", "what is love", "set a timer for five minutes", "how do I make a cake",
        "tell me a joke", "what is the meaning of life", "where is the train station", "do you like cheese",
        "what languages are spoken in belgium", "how do I change a tyre", "flurb the grommet",
        "play some music", "is it free to park here", "what is your favourite colour"}) {
    CAPTURE(said);
    CHECK(answer("en-US", said).empty());
  }
  for (const std::string said :
       {"was ist die Hauptstadt von Frankreich", "wie spät ist es", "wie schreibe ich ein Gedicht",
        "was ist Liebe", "welche Farbe hat der Himmel", "was ist der Sinn des Lebens",
        "wie backe ich einen Kuchen", "wo ist der Bahnhof"}) {
    CAPTURE(said);
    CHECK(answer("de-DE", said).empty());
  }
}

TEST_CASE("question file: one phrasing or several, and words to ignore") {
  const auto file = read(
      "ignore: [please]\nquestions:\n  - ask: who is it\n    answer: me\n"
      "  - {ask: [why, how come], answer: because}\n");
  CHECK(file.problems.empty());
  REQUIRE(file.entries.size() == 2);
  CHECK(file.entries[0].phrasings == std::vector<std::string>{"who is it"});
  CHECK(file.entries[1].phrasings.size() == 2);
  CHECK(file.ignored == std::vector<std::string>{"please"});
}

TEST_CASE("question file: what is wrong has its place, and the rest works") {
  const auto file = read(
      "questions:\n"
      "  - ask: why\n"
      "    answer: because\n"
      "  - ask: when\n"
      "  - answer: never asked\n"
      "  - just a text\n"
      "  - ask: how\n"
      "    answr: so\n"
      "  - ask: ['?', [nested]]\n"
      "    answer: nothing to find\n"
      "qestions: []\n");
  REQUIRE(file.entries.size() == 1);
  const std::vector<std::string> expected{":4:5: a question without 'answer'",
                                          ":5:5: a question without 'ask'",
                                          ":6:5: a question must have 'ask' and 'answer'",
                                          ":8:5: 'answr' is not known here",
                                          ":7:5: a question without 'answer'",
                                          ":9:16: 'ask' must be a text",
                                          ":9:5: a question without 'ask'",
                                          ":11:1: unknown key 'qestions'"};
  REQUIRE(file.problems.size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    CAPTURE(file.problems[i]);
    CHECK(file.problems[i].find("en-US.yaml" + expected[i]) != std::string::npos);
  }
}

TEST_CASE("question file: no YAML, no map, no list, no file") {
  CHECK(read("questions: [").problems.size() == 1);
  CHECK(read("just text").problems.size() == 1);
  CHECK(read("").problems.size() == 1);
  CHECK(read("questions: 5\n").problems.size() == 1);
  const auto none = read_questions("/nowhere/en-US.yaml");
  REQUIRE(none.problems.size() == 1);
  CHECK(none.problems[0] == "/nowhere/en-US.yaml: can't be read: No such file or directory");
}

TEST_CASE("shelf: changed, new and deleted files are noticed; a broken one leaves what it held") {
  const parley::testing::TemporaryFolder folder;
  Shelf shelf(folder.path());
  CHECK(shelf.refresh().empty());
  CHECK(shelf.questions("en-US") == nullptr);
  folder.write("en-US.yaml", "questions: [{ask: why, answer: because}]\n");
  folder.write("notes.txt", "not mine");
  folder.write("no language.yaml", "not mine either");
  CHECK(shelf.refresh().empty());
  REQUIRE(shelf.questions("en-GB"));
  CHECK(shelf.questions("en-GB")->best("why").entry->answer == "because");
  CHECK(shelf.questions("de-DE") == nullptr);
  folder.write("en-US.yaml", "questions: [{ask: why, answer: because it is so}]\n");
  CHECK(shelf.refresh().empty());
  CHECK(shelf.questions("en-US")->best("why").entry->answer == "because it is so");
  folder.write("en-US.yaml", "questions: [\n");
  const auto problems = shelf.refresh();
  REQUIRE(problems.size() == 2);
  CHECK(problems[1].find("what it held before stays") != std::string::npos);
  CHECK(shelf.refresh().empty());
  CHECK(shelf.questions("en-US")->best("why").entry->answer == "because it is so");
  std::filesystem::remove(folder.path() / "en-US.yaml");
  CHECK(shelf.refresh().empty());
  CHECK(shelf.questions("en-US") == nullptr);
}
