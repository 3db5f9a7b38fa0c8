// <parley/testing.hpp>, as test programs of skills use it.
#include <doctest/doctest.h>

#include <array>
#include <fstream>
#include <nlohmann/json.hpp>
#include <parley/testing.hpp>

#include "support/temporary_folder.hpp"

using namespace std::chrono_literals;

using parley::testing::Fixture;
using parley::testing::Outcome;

namespace {

/// Brews, asks, looks something up and draws.
class Pot final : public parley::Skill {
 public:
  static constexpr std::array kSettings{parley::Option::integer("cups", "4", 1, 20, "How many it holds.")};

  void start() override {
    on_intent("brew", &Pot::brew);
    on_intent("price", &Pot::price);
    on_intent("name", &Pot::name);
    on_intent("fail", &Pot::fail);
    on_event("kettle.boiled", [this](const parley::Message&) {
      emit(parley::Message("pot.filled", {{"cups", settings().integer("cups")}}));
      return parley::Task<>();
    });
  }

 private:
  parley::Task<> brew(parley::Turn turn) {
    turn.speak("Brewing.");
    co_await turn.sleep(50s);
    turn.speak("Ready.");
    at(clock().wall() + 1h, [turn]() mutable {
      turn.speak("It is cold.");
      return parley::Task<>();
    });
  }
  parley::Task<> price(parley::Turn turn) {
    const auto answer = co_await http(parley::HttpRequest::get("http://prices.test/coffee"));
    turn.speak(answer ? answer->body : "unknown");
    turn.speak(std::to_string(random(10)));
  }
  parley::Task<> name(parley::Turn turn) {
    const auto answer = co_await turn.ask("who");
    turn.speak(answer ? "Hello " + *answer : "nobody");
  }
  parley::Task<> fail(parley::Turn) {
    throw std::runtime_error("the pot broke");
    co_return;
  }
};

/// The stages of the build, and no skill but that of the test.
class PotHome : public Fixture {
 public:
  explicit PotHome(std::vector<std::string> more = {}) : Fixture(with(std::move(more))) {
    const auto locale = [this](const std::string& file, std::string_view text) {
      folder.write("locale/en-US/" + file, text);
    };
    locale("brew.intent", "brew a pot\n");
    locale("price.intent", "what does it cost\n");
    locale("name.intent", "ask my name\n");
    locale("fail.intent", "fall down\n");
    locale("who.dialog", "Who is it?\n");
    folder.write("locale/de-DE/brew.intent", "koch eine kanne\n");
    add_skill<Pot>("pot.test", folder.path());
  }
  parley::testing::TemporaryFolder folder;

 private:
  static std::vector<std::string> with(std::vector<std::string> more) {
    more.insert(more.end(), {"language.enabled=[en-US, de-DE]", "skills.shipped=false"});
    return more;
  }
};

}  // namespace

TEST_CASE("testing: what is said is heard, by whom, and time takes none") {
  PotHome home;
  const Outcome heard = home.say("brew a pot");
  CHECK(heard.speech == std::vector<std::string>{"Brewing.", "Ready."});
  CHECK(heard.text() == "Brewing. Ready.");
  CHECK(heard.skill_id == "pot.test");
  CHECK(heard.intent == "brew");
  CHECK(heard.stage == "intent");
  CHECK(heard.understood);
  CHECK(heard.error.empty());
  CHECK(home.wait(59min).speech.empty());
  CHECK(home.wait(1min).text() == "It is cold.");
  home.in_language("de-DE");
  CHECK(home.say("koch eine kanne").skill_id == "pot.test");
  REQUIRE_FALSE(home.warnings().empty());  // German has one file of five
  CHECK(home.warnings().front().find("is missing here") != std::string::npos);
}

TEST_CASE("testing: what a server answers and what is drawn is given") {
  PotHome home;
  home.draw({7});
  CHECK(home.say("what does it cost").text() == "unknown 7");
  home.answer("GET", "http://prices.test/coffee", 200, "three");
  CHECK(home.say("what does it cost").text() == "three 0");
}

TEST_CASE("testing: a question is answered by what is said next in that session") {
  PotHome home;
  const Outcome asked = home.say("ask my name");
  CHECK(asked.asks);
  CHECK(asked.text() == "Who is it?");
  home.in_session("other");
  CHECK_FALSE(home.say("what does it cost").asks);
  home.in_session("test");
  CHECK(home.say("Anna").text() == "Hello Anna");
}

TEST_CASE("testing: failures, what nobody understands, and messages") {
  PotHome home({"skills.settings.pot.test.cups=9", "orchestrator.speak_errors=false"});
  CHECK(home.say("fall down").error.find("the pot broke") != std::string::npos);
  CHECK(home.publish(parley::Message("kettle.boiled")).speech.empty());
  REQUIRE(home.messages("pot.filled").size() == 1);
  CHECK(home.messages("pot.filled").front().data().at("cups") == 9);
}

TEST_CASE("testing: settings that do not fit, and a skill that comes late, are refused in words") {
  CHECK_THROWS_WITH_AS(PotHome({"skills.settings.pot.test.cups=many"}).say("brew a pot"),
                       doctest::Contains("cups"), std::runtime_error);
  PotHome home;
  home.set_clock(std::chrono::sys_days(std::chrono::year(2026) / 12 / 24));
  home.say("brew a pot");
  CHECK_THROWS_AS(home.add_skill<Pot>("late.test", home.folder.path()), std::logic_error);
}
