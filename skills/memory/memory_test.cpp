#include <doctest/doctest.h>

#include <string>

#include "facts.hpp"
#include "questions.hpp"
#include "support/shipped_locale.hpp"
#include "tellings.hpp"
#include "why.hpp"

using parley::Json;
using parley::memory::corrected;
using parley::memory::Fact;
using parley::memory::Question;
using parley::memory::Questions;
using parley::memory::Reason;

namespace {

const Questions& questions() {
  static const Questions read(parley::testing::shipped_locale(PARLEY_MEMORY));
  return read;
}

Fact told(const std::string& text, const std::string& subject = "", const std::string& relation = "",
          const std::string& value = "") {
  Fact fact;
  fact.text = text;
  fact.subject = subject;
  fact.relation = relation;
  fact.value = value;
  return fact;
}

constexpr std::chrono::local_seconds kNow(std::chrono::local_days(std::chrono::year(2026) / 1 / 3));

const Fact kKey = told("the spare key is under the pot", "spare key", "where", "under the pot");

}  // namespace

TEST_CASE("a question names what it is about, and whether that is the asker's") {
  const auto where = questions().read("where is the spare key", "en-US", kNow);
  REQUIRE(where);
  CHECK(where->kind == Question::Kind::kWhere);
  CHECK(where->thing == "the spare key");
  CHECK_FALSE(where->is_own);
  const auto wife = questions().read("Wie heißt meine Frau?", "de-AT", kNow);
  REQUIRE(wife);
  CHECK(wife->is_own);
  CHECK_FALSE(questions().read("what is a key", "en-US", kNow));
  CHECK_FALSE(questions().read("set a timer", "en-US", kNow));
}

TEST_CASE("a fact answers a question about its subject, and not one about what else it names") {
  const auto ask = [](const std::string& text) { return *questions().read(text, "en-US", kNow); };
  CHECK(questions().answers(ask("where is the spare key"), kKey, "en-US"));
  CHECK(questions().answers(ask("where are the keys"), kKey, "en-US"));
  CHECK_FALSE(questions().answers(ask("what is the pot"), kKey, "en-US"));
  CHECK_FALSE(questions().answers(ask("where is Bhutan"), kKey, "en-US"));
  CHECK(questions().is_just_that(ask("where is the spare key"), kKey, "en-US"));
  CHECK_FALSE(questions().is_just_that(ask("where is the key"), kKey, "en-US"));
  const Fact ana = told("my wife is called Ana", "my wife", "name", "ana");
  CHECK(questions().answers(ask("who is Ana"), ana, "en-US"));
  CHECK(questions().answers(ask("what is my wife called"), ana, "en-US"));
  CHECK(questions().answers(ask("what do you know about Ana"), ana, "en-US"));
  CHECK_FALSE(questions().answers(ask("who is Anatole France"), ana, "en-US"));
}

TEST_CASE("a correction puts another value in the place of the one that was told") {
  CHECK(corrected("the spare key is under the pot", "under the pot", "in the drawer", "en") ==
        "the spare key is in the drawer");
  CHECK(corrected("dass der Schlüssel unter dem Topf liegt", "unter dem topf", "in der Lade", "de") ==
        "dass der Schlüssel in der Lade liegt");
  CHECK_FALSE(corrected("I'm tired", "", "awake", "en"));
}

TEST_CASE("what is told in one utterance are events of their own, of that turn") {
  const parley::memory::Asker asker{"local", "home"};
  const auto id = [&](const char* text) {
    const Json told = parley::memory::telling(asker, "turn#1", text, "en-US", {}, "");
    return told.at("events").at(0).at("event_id").get<std::string>();
  };
  CHECK(id("the bike is in the yard") != id("the ladder is in the shed"));
  CHECK(id("the bike is in the yard") == id("the bike is in the yard"));
  CHECK(parley::memory::told_in(id("the bike is in the yard")) == "turn#1");
  CHECK(parley::memory::told_in("told:turn") == "turn");
}

TEST_CASE("why: the words that no slot took, and the skills that were considered") {
  const Json turn = {
      {"said", "what time is it in Tokyo"},
      {"trace",
       {{"steps",
         {{{"kind", "candidate"},
           {"subject", "date_time.parley:what_time"},
           {"text", "template, 1 word in open slots, place = 'Tokyo'"},
           {"facts", {{"score", "0.92"}}}},
          {{"kind", "candidate"}, {"subject", "timer.parley:list"}, {"text", "resembles its templates"}},
          {{"kind", "match"},
           {"subject", "intent_high"},
           {"text", "date_time.parley:what_time"},
           {"facts", {{"slots", "place: Tokyo"}, {"pipeline_id", "intent"}}}}}}}}};
  const Reason reason = parley::memory::reason_of(turn, "en-US");
  CHECK(reason.kind == Reason::Kind::kWords);
  CHECK(reason.skill == "date time");
  CHECK(reason.words == "what time is it in");
  CHECK(reason.others == std::vector<std::string>{"timer"});
  CHECK(parley::memory::reason_of(Json::object(), "en").kind == Reason::Kind::kUnknown);
}

TEST_CASE("what was told is found by what a question names, wherever that stands") {
  const auto names = [](const char* asked, const Fact& fact, const char* lang) {
    return questions().names(questions().asked_part(asked, lang), fact, lang);
  };
  CHECK(names("que número é que calça o zé",
              told("o zé calça o quarenta e três", "ze calca quarenta", "what", "tres"), "pt-PT"));
  const Fact key =
      told("der Entlüftungsschlüssel ist im Keller", "entluftungsschlussel", "where", "im keller");
  CHECK(names("wo ist jetzt der Schlüssel zum Entlüften", key, "de-DE"));
  CHECK_FALSE(names("was ist der Schlüssel", key, "de-DE"));
  CHECK(names("cómo se llama mi jefe otra vez",
              told("mi nuevo jefe es Olivier", "mi nuevo jefe", "is", "olivier"), "es-ES"));
  const Fact nuts = told("Frau Huber verträgt keine Nüsse");
  CHECK(names("was verträgt Frau Huber nicht", nuts, "de-DE"));
  CHECK_FALSE(names("Frau Huber macht Rätsel, was ist die Hauptstadt von Lettland", nuts, "de-DE"));
}

TEST_CASE("what is to be kept is read from the sentence, without what stands around it") {
  const auto& locale = parley::testing::shipped_locale(PARLEY_MEMORY);
  const auto fact = [&](const char* said, const char* lang) {
    return parley::memory::fact_in(said, lang, locale).value_or("");
  };
  CHECK(fact("by the way remember that my bike is in the shed", "en-US") == "my bike is in the shed");
  CHECK(fact("my bike is in the shed, keep that in mind please", "en-US") == "my bike is in the shed");
  CHECK(fact("tant que j'y pense mon plombier s'appelle Vandevelde il faut le retenir", "fr-FR") ==
        "mon plombier s'appelle Vandevelde");
  CHECK(fact("die Brille ist in der Lade, merk dir das gell, ich vergesse es sonst", "de-DE") ==
        "die Brille ist in der Lade");
  CHECK(fact("merk dir das: der Luki hat am Sechsten Geburtstag", "de-DE") ==
        "der Luki hat am Sechsten Geburtstag");
  CHECK(fact("y acuérdese de que las gafas están en el cajón", "es-ES") == "las gafas están en el cajón");
  CHECK(fact("set a timer", "en-US").empty());
}
