// What a skill says, asks and changes: parsers, templates inside a conversation, context, intents, chance.
#include <doctest/doctest.h>

#include "runtime/http.hpp"
#include "support/end_to_end.hpp"

using namespace parley;
using namespace parley::testing;
using namespace std::chrono_literals;

namespace {

using Words = std::vector<std::string>;

std::optional<int> cups_in(const std::string& said, const std::string& lang) {
  if (said == "two") return 2;
  if (said == "zwei" && lang == "de-DE") return 2;
  return std::nullopt;
}

/// A skill that asks how many cups.
class Cafe : public EndToEnd {
 public:
  explicit Cafe(AskOptions how) {
    locale("cafe.test", "en-US/brew.intent", "brew coffee\n");
    locale("cafe.test", "en-US/cups.dialog", "How many cups?\n");
    locale("cafe.test", "en-US/cups_again.dialog", "Say a number of cups.\n");
    locale("cafe.test", "en-US/still_there.dialog", "Still there?\n");
    skill("cafe.test", [how](LambdaSkill& skill) {
      skill.on_intent("brew", [how](Turn turn) -> Task<> {
        const Reply<int> cups = co_await turn.ask("cups", cups_in, Slots(), how);
        turn.speak(cups                                   ? "cups: " + std::to_string(*cups)
                   : cups.end() == AskEnd::kNotUnderstood ? "not understood"
                                                          : "no answer");
      });
    });
    start();
  }
};

AskOptions with_dialogs() {
  AskOptions options;
  options.retries = 2;
  options.retry = "still_there";
  options.not_understood = "cups_again";
  return options;
}

}  // namespace

TEST_CASE("ask: an answer of the skill's own kind comes as its value") {
  Cafe run{AskOptions()};
  Conversation talk(run.assistant(), session("s"));
  run.say(talk, "brew coffee");
  CHECK(run.say(talk, "two").speech_text() == "cups: 2");
}

TEST_CASE("ask: what does not fit is asked again in words of its own, and silence in others") {
  Cafe run(with_dialogs());
  Conversation talk(run.assistant(), session("s"));
  CHECK(run.say(talk, "brew coffee").speech_text() == "How many cups?");
  CHECK(run.say(talk, "a lot").speech_text() == "Say a number of cups.");
  run.assistant().run_for(21s);
  CHECK(run.spoken().back() == "Still there?");
  CHECK(run.say(talk, "two").speech_text() == "cups: 2");
}

TEST_CASE("ask: when no answer ever fits the handler is told so") {
  Cafe run{AskOptions()};
  Conversation talk(run.assistant(), session("s"));
  run.say(talk, "brew coffee");
  CHECK(run.say(talk, "a lot").speech_text() == "How many cups?");
  CHECK(run.say(talk, "many").speech_text() == "not understood");
}

TEST_CASE("understand: the skill's own templates, in the language of the turn, and only those asked for") {
  EndToEnd run;
  run.locale("game.test", "en-US/play.intent", "what about {thing}\n");
  run.locale("game.test", "en-US/guess.intent", "is it (a|an|the) {thing}\n");
  run.locale("game.test", "en-US/give_up.intent", "I give up\n");
  run.skill("game.test", [](LambdaSkill& skill) {
    skill.on_intent("play", does([](Turn& turn) {
                      const std::string said = *turn.slot("thing");
                      const auto meant = turn.understand(said, {"guess", "give_up"});
                      if (!meant) return turn.speak("nothing");
                      const auto thing = meant->slots.find("thing");
                      turn.speak(meant->intent + (thing == meant->slots.end() ? "" : " " + thing->second));
                    }));
  });
  run.start();
  CHECK(run.say("what about is it a Polar bear").speech_text() == "guess Polar bear");
  CHECK(run.say("what about I give up").speech_text() == "give_up");
  CHECK(run.say("what about the weather").speech_text() == "nothing");
}

namespace {

/// "order" opens "confirm" for so long.
class Order : public EndToEnd {
 public:
  explicit Order(const std::function<void(Turn&)>& open) {
    locale("shop.test", "en-US/order.intent", "order tea\n");
    locale("shop.test", "en-US/confirm.intent", "make it so\n");
    locale("shop.test", "en-US/other.intent", "something else\n");
    skill("shop.test", [open](LambdaSkill& skill) {
      skill.on_intent("order", does([open](Turn& turn) {
                        open(turn);
                        turn.speak("ordered");
                      }));
      skill.on_intent("confirm", does([](Turn& turn) {
                        turn.remove_context("ordering");
                        turn.speak("confirmed");
                      }),
                      in_context("ordering"));
      skill.on_intent("other", says("other"), ContextGates().exclude("ordering"));
    });
    start();
  }
};

}  // namespace

TEST_CASE("X-2 set_context: opens an intent in its session, and remove_context shuts it again") {
  Order run([](Turn& turn) { turn.set_context("ordering"); });
  Conversation talk(run.assistant(), session("s"));
  Conversation elsewhere(run.assistant(), session("t"));
  CHECK(run.say(talk, "make it so").status == TurnStatus::kUnmatched);
  CHECK(run.say(talk, "something else").speech_text() == "other");
  CHECK(run.say(talk, "order tea").speech_text() == "ordered");
  CHECK(run.say(elsewhere, "make it so").status == TurnStatus::kUnmatched);
  CHECK(run.say(talk, "something else").status == TurnStatus::kUnmatched);
  CHECK(run.say(talk, "make it so").speech_text() == "confirmed");
  CHECK(run.say(talk, "make it so").status == TurnStatus::kUnmatched);
}

TEST_CASE("X-1 set_context: lasts for so many turns, or so long") {
  ContextOptions options;
  SUBCASE("turns") {
    options.turns = 1;
  }
  SUBCASE("time") {
    options.lifetime = 1min;
  }
  Order run([options](Turn& turn) { turn.set_context("ordering", "tea", options); });
  Conversation talk(run.assistant(), session("s"));
  run.say(talk, "order tea");
  CHECK(run.say(talk, "make it so").speech_text() == "confirmed");
  run.say(talk, "order tea");
  run.say(talk, "order tea");
  if (options.turns) {
    run.say(talk, "no such thing");
  } else {
    run.assistant().run_for(61s);
  }
  CHECK(run.say(talk, "make it so").status == TurnStatus::kUnmatched);
}

TEST_CASE("set_context: is the skill's own under its name, or everybody's; a bad key is refused by name") {
  ContextOptions shared;
  shared.shared = true;
  Order run([shared](Turn& turn) {
    turn.set_context("ordering", "tea");
    turn.set_context("room", "kitchen", shared);
    CHECK_THROWS_WITH_AS(turn.set_context("two words"),
                         "'two words' can't be the key of an intent context: it takes letters, digits, '.', "
                         "'_' and '-'",
                         std::invalid_argument);
  });
  Conversation talk(run.assistant(), session("s"));
  CHECK(run.say(talk, "order tea").status == TurnStatus::kAnswered);
  const auto& context = *talk.session()->intent_context;
  REQUIRE(context.size() == 2);
  CHECK(context.at("shop.test:ordering").value == "tea");
  CHECK(context.at("room").value == "kitchen");
}

TEST_CASE("disable_intent: it matches no more until enable_intent; a name the skill has not is refused") {
  EndToEnd run;
  run.locale("lamp.test", "en-US/on.intent", "light on\n");
  run.locale("lamp.test", "en-US/lock.intent", "lock the lamp\n");
  run.locale("lamp.test", "en-US/unlock.intent", "unlock the lamp\n");
  run.skill("lamp.test", [](LambdaSkill& skill) {
    skill.on_intent("on", says("on"));
    skill.on_intent("lock", does([&skill](Turn&) { skill.disable_intent("on"); }));
    skill.on_intent("unlock", does([&skill](Turn&) {
                      skill.enable_intent("on");
                      skill.enable_intent("off");
                    }));
  });
  run.start();
  CHECK(run.say("light on").speech_text() == "on");
  run.say("lock the lamp");
  CHECK(run.say("light on").status == TurnStatus::kUnmatched);
  CHECK(run.say("unlock the lamp").error == "the skill has no intent 'off'");
  CHECK(run.say("light on").speech_text() == "on");
}

TEST_CASE("says and mentions: the skill's own words first, then the core's") {
  EndToEnd run;
  run.locale("dog.test", "en-US/sit.voc", "sit [down]\n");
  run.locale("dog.test", "en-US/no.voc", "bad dog\n");
  Words lines;
  run.skill("dog.test", [&lines](LambdaSkill& skill) {
    const auto line = [&](const char* vocabulary, const char* text) {
      lines.push_back(std::string(skill.says(vocabulary, text, "en-US") ? "says" : "-") +
                      (skill.mentions(vocabulary, text, "en-US") ? " mentions" : " -"));
    };
    line("sit", "Sit down!");
    line("sit", "will you sit, please");
    line("sit", "stand");
    line("yes", "yes");
    line("no", "no");
    line("no", "bad dog");
    line("nothing", "nothing");
  });
  run.start();
  CHECK(lines == Words{"says mentions", "- mentions", "- -", "says mentions", "- -", "says mentions", "- -"});
}

TEST_CASE("random: what the test chooses, else always the first with a clock that jumps") {
  EndToEnd run;
  std::vector<std::size_t> drawn;
  run.skill("dice.test", [&drawn](LambdaSkill& skill) {
    for (int i = 0; i < 2; ++i) drawn.push_back(skill.random(6));
    CHECK_THROWS_WITH_AS(skill.random(0), "random() takes a count of 1 or more", std::invalid_argument);
  });
  SUBCASE("chosen") {
    run.options.random = [next = std::size_t{3}](std::size_t count) mutable { return next++ % count; };
    run.start();
    CHECK(drawn == std::vector<std::size_t>{3, 4});
  }
  SUBCASE("not chosen") {
    run.start();
    CHECK(drawn == std::vector<std::size_t>{0, 0});
  }
}

TEST_CASE("on_settings_changed: is called once the new values are there, and only when they fit") {
  EndToEnd run;
  std::vector<std::int64_t> told;
  static constexpr std::array kPot{Option::integer("cups", "4", 1, 20, "How many.")};
  LambdaSkill& pot = run.skill(
      "pot.test", [](LambdaSkill&) {}, kPot);
  pot.when_set = [&told, &pot] { told.push_back(pot.settings().integer("cups")); };
  run.start();
  const auto take = [&run](const Json& settings) {
    run.config.skills.settings["pot.test"] = settings;
    run.assistant().reconfigure(run.config);
    run.assistant().run_until_idle();
  };
  take({{"cups", 7}});
  take({{"cups", 7}});
  take({{"cups", 21}});
  CHECK(told == std::vector<std::int64_t>{7});
  CHECK(run.log.has("skills.settings.pot.test: "));
  CHECK(pot.settings().integer("cups") == 7);
  take(Json::object());
  CHECK(told == std::vector<std::int64_t>{7, 4});
}

TEST_CASE("log: a line has the level and the name of the skill") {
  EndToEnd run;
  std::vector<std::pair<LogLevel, std::string>> lines;
  const LogListener listener([&lines](LogLevel level, std::string_view who, std::string_view text) {
    if (who == "skill lamp.test") lines.emplace_back(level, text);
  });
  run.skill("lamp.test", [](LambdaSkill& skill) {
    skill.log(LogLevel::kDebug, "flickers");
    skill.log(LogLevel::kError, "is broken");
  });
  run.start();
  CHECK(lines == std::vector<std::pair<LogLevel, std::string>>{{LogLevel::kDebug, "flickers"},
                                                               {LogLevel::kError, "is broken"}});
}

TEST_CASE("http: with a clock that jumps nothing is sent, and what was given is the answer") {
  EndToEnd run;
  const auto given = std::make_shared<GivenAnswers>();
  given->give("GET", "https://weather.test/today", 200, "sunny");
  run.options.http = given;
  run.locale("sky.test", "en-US/today.intent", "how is the sky {when}\n");
  run.skill("sky.test", [](LambdaSkill& skill) {
    skill.on_intent("today", [&skill](Turn turn) -> Task<> {
      const auto ask = HttpRequest::get("https://weather.test/" + *turn.slot("when"));
      const Result<HttpResponse> answer = co_await skill.http(ask);
      turn.speak(answer ? std::to_string(answer->status) + " " + answer->body : answer.error().message);
    });
  });
  run.start();
  CHECK(run.say("how is the sky today").speech_text() == "200 sunny");
  CHECK(
      run.say("how is the sky tomorrow").speech_text() ==
      "GET https://weather.test/tomorrow: nothing is sent here, and no answer to it is given; in a dialogue "
      "script: ~ GET https://weather.test/tomorrow → 200 FILE");
}
