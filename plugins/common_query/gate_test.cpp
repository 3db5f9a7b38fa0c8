#include "gate.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <parley/locale.hpp>
#include <random>
#include <span>
#include <string>
#include <vector>

namespace parley::common_query {
namespace {

const std::filesystem::path kStage(PARLEY_COMMON_QUERY);
const std::vector<std::string> kLanguages{"en-US", "de-DE", "fr-FR", "es-ES", "pt-PT"};

LocaleResources stage_locale() {
  LocaleFolders folders;
  folders.skill = kStage;
  return LocaleResources(folders);
}

struct Labelled {
  Labelled(bool question, std::string said) : is_question(question), text(std::move(said)) {}
  bool is_question;
  std::string text;
};

/// gate_lists/LANG.txt: `q TEXT` is a question of fact, `c TEXT` is not, `#` begins a comment.
std::vector<Labelled> list_of(const std::string& lang) {
  std::ifstream file(kStage / "gate_lists" / (lang + ".txt"));
  REQUIRE(file.is_open());
  std::vector<Labelled> all;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line.front() == '#') continue;
    const bool labelled = line.size() > 2 && line[1] == ' ' && (line[0] == 'q' || line[0] == 'c');
    REQUIRE_MESSAGE(labelled, lang << ": neither 'q TEXT' nor 'c TEXT': " << line);
    all.emplace_back(line.front() == 'q', line.substr(2));
  }
  return all;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string all;
  for (const std::string& line : lines) all += "\n  " + line;
  return all;
}

}  // namespace

TEST_CASE("Q-4 gate: the stage's vocabularies have no fault") {
  const LocaleResources locale = stage_locale();
  std::vector<std::string> problems;
  for (const LocaleProblem& problem : locale.problems()) problems.push_back(to_string(problem));
  CHECK_MESSAGE(problems.empty(), joined(problems));
}

TEST_CASE("Q-4 gate: no factual question is rejected, and at least 85 % of the plain commands are") {
  const LocaleResources locale = stage_locale();
  Gate gate(locale);
  for (const std::string& lang : kLanguages) {
    CAPTURE(lang);
    const std::vector<Labelled> all = list_of(lang);
    CHECK(all.size() >= 400);
    std::size_t commands = 0;
    std::vector<std::string> lost, let_through;
    for (const Labelled& said : all) {
      if (!said.is_question) ++commands;
      const bool accepted = gate.accepts(said.text, lang);
      if (said.is_question && !accepted) lost.push_back(said.text);
      if (!said.is_question && accepted) let_through.push_back(said.text);
    }
    CHECK(commands >= 150);
    CHECK(all.size() - commands >= 150);
    CHECK_MESSAGE(lost.empty(), "questions rejected:" << joined(lost));
    CHECK_MESSAGE(let_through.size() * 100 <= commands * 15,
                  let_through.size() << " of " << commands << " commands accepted:" << joined(let_through));
  }
}

TEST_CASE("Q-4 gate: where no word may join, none does") {
  const LocaleResources locale = stage_locale();
  Gate gate(locale);
  std::size_t without = 0;
  for (const std::string& lang : kLanguages) {
    std::vector<std::string> texts{"",     " ",        "AND",         "Rom UND Wien", "a, e-b",
                                   "y?no", "Et\tpuis", "ＡＮＤ then", "sand, band"};
    for (const Labelled& one : list_of(lang)) texts.push_back(one.text);
    for (const std::string& text : texts) {
      if (gate.may_join(text, lang)) continue;
      ++without;
      const std::vector<Word> said = words(text, lang);
      for (std::size_t at = 0; at < said.size(); ++at) {
        INFO(lang, ": ", text);
        CHECK(gate.joint_at(std::span(said).subspan(at), lang) == 0);
      }
    }
  }
  CHECK(without > 100);  // else it would find out nothing
}

TEST_CASE("Q-4 gate: another region of a language is served by its files") {
  const LocaleResources locale = stage_locale();
  Gate gate(locale);
  CHECK_FALSE(gate.accepts("turn off the lights", "en-GB"));
  CHECK(gate.accepts("what is the capital of France", "en-GB"));
  CHECK_FALSE(gate.accepts("licht aus", "de-AT"));
}

TEST_CASE("Q-4 gate: polite words at either end neither make a question nor hide one") {
  const LocaleResources locale = stage_locale();
  Gate gate(locale);
  CHECK_FALSE(gate.accepts("Hey, could you please turn off the lights, please?", "en-US"));
  CHECK_FALSE(gate.accepts("please", "en-US"));
  CHECK(gate.accepts("Hey, could you please tell me who built Stonehenge, please?", "en-US"));
}

TEST_CASE("Q-4 gate: a question mark makes a question of a verb, but not of a polite request") {
  const LocaleResources locale = stage_locale();
  Gate gate(locale);
  CHECK(gate.accepts("¿Cierra la biblioteca por la tarde?", "es-ES"));
  CHECK_FALSE(gate.accepts("Cierra la puerta", "es-ES"));
  CHECK_FALSE(gate.accepts("¿Puedes cerrar la puerta?", "es-ES"));
}

TEST_CASE("Q-4 gate: two numbers at the end make a calculation of an addition") {
  const LocaleResources locale = stage_locale();
  Gate gate(locale);
  CHECK(gate.accepts("add 47 to 18", "en-US"));
  CHECK(gate.accepts("ajoute 12 et 30", "fr-FR"));
  CHECK_FALSE(gate.accepts("add 12 eggs to the list", "en-US"));
  CHECK_FALSE(gate.accepts("call 555 1234", "en-US"));
}

TEST_CASE("Q-4 gate: an utterance without a word is no question") {
  const LocaleResources locale = stage_locale();
  Gate gate(locale);
  for (const std::string& lang : kLanguages) {
    for (const char* nothing : {"", " ", "\t\r\n ", "?", "... !"}) {
      CAPTURE(lang);
      CAPTURE(nothing);
      CHECK_FALSE(gate.accepts(nothing, lang));
    }
  }
}

TEST_CASE("Q-4 gate: a language without files accepts everything") {
  const LocaleResources locale = stage_locale();
  Gate gate(locale);
  CHECK(gate.accepts("sammuta valot", "fi-FI"));
  CHECK(gate.accepts("play music", "fi-FI"));
  CHECK(gate.accepts("", "fi-FI"));
  CHECK(gate.accepts("play music", ""));
  const LocaleResources nothing;
  Gate without_files(nothing);
  CHECK(without_files.accepts("play music", "en-US"));
}

TEST_CASE("Q-4 gate: arbitrary bytes get an answer, the same one each time") {
  const LocaleResources locale = stage_locale();
  Gate gate(locale);
  std::mt19937 random(20);  // NOLINT(cert-msc32-c,cert-msc51-cpp): the same bytes in every run
  std::uniform_int_distribution<int> byte(0, 255);
  for (std::size_t length = 0; length < 400; ++length) {
    std::string bytes;
    for (std::size_t i = 0; i < length; ++i) bytes.push_back(static_cast<char>(byte(random)));
    for (const std::string& lang : kLanguages) CHECK(gate.accepts(bytes, lang) == gate.accepts(bytes, lang));
  }
  CHECK(gate.accepts("what is " + std::string(100'000, 'x'), "en-US"));
  CHECK_FALSE(gate.accepts("play " + std::string(100'000, '\xff'), "en-US"));
  const std::string with_zero("what\0is\0love", 12);
  CHECK(gate.accepts(with_zero, "en-US"));
}

TEST_CASE("Q-4 gate: what is said around a question and says nothing is left out, signs between words stay") {
  const LocaleResources locale = stage_locale();
  Gate gate(locale);
  CHECK(gate.bare("by the way what does frugal mean", "en-US") == "what does frugal mean");
  CHECK(gate.bare("my son needs the capital of Peru", "en-US") == "the capital of Peru");
  CHECK(gate.bare("what's actually -5 + 3.5, please?", "en-US") == "what's -5 + 3.5");
  CHECK(gate.bare("-5 + 3", "en-US") == "-5 + 3");
  CHECK(gate.bare("please", "en-US") == "please");
  CHECK(gate.bare("", "en-US").empty());
  CHECK(gate.bare("was ist denn eigentlich die Hauptstadt von Kanada", "de-DE") ==
        "was ist die Hauptstadt von Kanada");
  CHECK(gate.bare("warte kurz, was ist acht mal neun", "de-DE") == "was ist acht mal neun");
  CHECK(gate.bare("something else", "fi-FI") == "something else");
}

}  // namespace parley::common_query
