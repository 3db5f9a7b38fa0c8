// What the intent stage learns while the assistant runs: from templates, and from what is nobody's.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>

#include "registry/registry.hpp"
#include "session/session.hpp"
#include "support/end_to_end.hpp"
#include "support/temporary_folder.hpp"

using namespace parley;
using namespace parley::testing;

namespace {

/// An assistant of one language.
class OneLanguage : public EndToEnd {
 public:
  explicit OneLanguage(const std::string& tag) : lang_(tag) {
    config.language.enabled = {tag};
    config.language.default_tag = tag;
  }
  std::string answer(const std::string& text) {
    const TurnResult result = finish(begin(text, session("s"), lang_));
    return result.intent_name.empty() ? "nobody" : result.speech_text();
  }

 private:
  std::string lang_;
};

/// A skill that explains words in French.
class Lexicon : public OneLanguage {
 public:
  Lexicon() : OneLanguage("fr-FR") {
    locale("lexique.test", "fr-FR/explain.intent",
           "que veut dire {word}\nque veut dire l'amour\nqu'est ce qu'un chat\nd'où vient le mot {word}\n"
           "donne moi la définition de {word}\n");
    skill("lexique.test", [](LambdaSkill& skill) {
      skill.on_intent("explain", does([](Turn& turn) { turn.speak(turn.slot("word").value_or("-")); }));
    });
    start();
  }
};

/// How lights are switched in a language: by templates, and in other words.
struct Switching {
  const char *lang, *on, *off, *says_on, *says_off;
};
constexpr Switching kSwitching[] = {
    {"en-US", "turn on the light\nlight on\nswitch on the light please\ni need some light\n",
     "turn off the light\nlight off\nswitch off the light please\nit is too bright\n",
     "could you activate the lamps", "could you kill the lamps"},
    {"de-DE", "schalte das licht ein\nlicht an\nmach bitte das licht an\nich brauche etwas licht\n",
     "schalte das licht aus\nlicht aus\nmach bitte das licht aus\nes ist zu hell\n",
     "bitte die lampe anmachen", "bitte die lampe ausmachen"},
    {"fr-FR", "allume la lumière\nallume la lumière s'il te plaît\nj'ai besoin de lumière\n",
     "éteins la lumière\néteins la lumière s'il te plaît\nil y a trop de lumière\n",
     "tu peux activer la lampe", "tu peux couper la lampe"},
    {"es-ES", "enciende la luz\nenciende la luz por favor\nnecesito luz\n",
     "apaga la luz\napaga la luz por favor\nhay demasiada luz\n", "puedes activar la lámpara",
     "puedes desactivar la lámpara"},
    {"pt-PT", "acende a luz\nacende a luz por favor\npreciso de luz\n",
     "apaga a luz\napaga a luz por favor\nhá demasiada luz\n", "podes ativar a lâmpada",
     "podes desativar a lâmpada"},
};

}  // namespace

TEST_CASE("learning: words the templates lack are understood by what they are said for, in every language") {
  for (const Switching& words : kSwitching) {
    CAPTURE(words.lang);
    OneLanguage run(words.lang);
    // So few templates leave it unsure of everything: here it only matters who is nearer.
    run.config.stages.at("intent").entries["intent_low"]["min_certainty"] = 0;
    run.locale("lamps.test", std::string(words.lang) + "/on.intent", words.on);
    run.locale("lamps.test", std::string(words.lang) + "/off.intent", words.off);
    run.skill("lamps.test", [](LambdaSkill& skill) {
      skill.on_intent("on", does([](Turn& turn) { turn.speak("on"); }));
      skill.on_intent("off", does([](Turn& turn) { turn.speak("off"); }));
    });
    run.start();
    CHECK(run.answer(words.says_on) == "on");
    CHECK(run.answer(words.says_off) == "off");
  }
}

TEST_CASE(
    "T-4 learning: what is nobody's is read as its language is written, and known after more was learnt") {
  Lexicon run;
  CHECK(run.answer("tu sais ce que veut dire perroquet") == "perroquet");
  // As nobody's as the next one; but its own templates have all words of it.
  CHECK(run.answer("qu'est ce que l'amour") == "-");
  CHECK(run.answer("est ce qu'il va pleuvoir demain") == "nobody");
  CHECK(run.answer("rappelle moi d'acheter du lait") == "nobody");
  Context context;
  context.skill_id = "cuisine.test";
  run.assistant().bus().publish(
      Message("ovos.intent.register.template",
              {{"skill_id", "cuisine.test"},
               {"intent_name", "cook"},
               {"lang", "fr-FR"},
               {"samples", {"comment cuire {food}", "combien de temps faut il cuire {food}"}}},
              std::move(context)));
  CHECK(run.answer("tu sais ce que veut dire perroquet") == "perroquet");
  CHECK(run.answer("qu'est ce que l'amour") == "-");
  CHECK(run.answer("est ce qu'il va pleuvoir demain") == "nobody");
}

TEST_CASE(
    "learning: it begins before anybody speaks, and the first sentence that only resembles waits for "
    "nothing") {
  EndToEnd run(EndToEnd::Time::kReal);
  run.config.language.enabled = {"en-US"};
  run.config.stages.at("intent").entries["intent_low"]["min_certainty"] = 0;
  run.locale("lamps.test", "en-US/on.intent", kSwitching[0].on);
  run.skill("lamps.test",
            [](LambdaSkill& skill) { skill.on_intent("on", does([](Turn& turn) { turn.speak("on"); })); });
  run.start();
  REQUIRE(run.until(
      [&] { return run.assistant().counters().of("parley_stage_learned_total{stage=\"intent\"}") > 0; }));
  std::optional<TurnResult> turn;
  TurnInput input(kSwitching[0].says_on);
  input.trace = true;
  converse(run.assistant(), std::move(input), [&turn](TurnResult result) { turn = std::move(result); });
  REQUIRE(run.until([&] { return turn.has_value(); }));
  CHECK(turn->speech_text() == "on");
  REQUIRE(turn->trace);
  CHECK(turn->trace->dump().find("learnt") == std::string::npos);
}

TEST_CASE("learning: what is learnt is kept between starts, and not where nothing is to be kept") {
  const char* const before = std::getenv("XDG_CACHE_HOME");  // NOLINT(concurrency-mt-unsafe): one thread yet
  const std::string usual = before == nullptr ? "" : before;
  for (const bool keep : {true, false}) {
    CAPTURE(keep);
    const TemporaryFolder cache;
    ::setenv("XDG_CACHE_HOME", cache.path().c_str(), 1);  // NOLINT(concurrency-mt-unsafe)
    {
      OneLanguage run("en-US");
      run.config.stages.at("intent").options["keep_learnt"] = keep;
      run.locale("lamps.test", "en-US/on.intent", kSwitching[0].on);
      run.skill("lamps.test", [](LambdaSkill& skill) {
        skill.on_intent("on", does([](Turn& turn) { turn.speak("on"); }));
      });
      run.start();
      CHECK(run.answer("light on") == "on");
      REQUIRE(run.until(
          [&] { return run.assistant().counters().of("parley_stage_learned_total{stage=\"intent\"}") > 0; }));
    }
    CHECK(std::filesystem::exists(cache.path() / "parley" / "learnt") == keep);
  }
  if (before == nullptr)
    ::unsetenv("XDG_CACHE_HOME");  // NOLINT(concurrency-mt-unsafe)
  else
    ::setenv("XDG_CACHE_HOME", usual.c_str(), 1);  // NOLINT(concurrency-mt-unsafe)
}

TEST_CASE("learning: a language whose only skill goes while its next lesson waits is let go") {
  EndToEnd run(EndToEnd::Time::kReal);
  run.config.language.enabled = {"en-US", "de-DE"};
  run.start();
  const auto learned = [&] {
    return run.assistant().counters().of("parley_stage_learned_total{stage=\"intent\"}");
  };
  const auto say = [&](const std::string& what, Json data) {
    data["skill_id"] = "licht.test";
    data["lang"] = "de-DE";
    Context context;
    context.skill_id = "licht.test";
    run.assistant().bus().publish(Message(what, data, context));
  };
  Json samples;
  for (int i = 0; i < 200; ++i) samples.push_back(fmt::format("schalte das licht {} in der küche ein", i));
  say("ovos.intent.register.template", {{"intent_name", "on"}, {"samples", samples}});
  REQUIRE(run.until([&] { return learned() > 0; }));
  // Each lesson is followed by a rest, in which the next one waits.
  say("ovos.intent.register.template", {{"intent_name", "off"}, {"samples", samples}});
  int goes = 0;
  run.until([&goes] { return ++goes > 5; });
  say("ovos.skill.deregister", Json::object());
  CHECK(run.say("was ist los", nullptr, "de-DE").status == TurnStatus::kUnmatched);
}

TEST_CASE("learning: of the languages a skill has, those that are enabled are learnt") {
  for (const std::size_t enabled : {std::size_t{1}, std::size_t{2}}) {
    EndToEnd run;
    run.config.language.enabled = {"en-US", "de-DE"};
    run.config.language.enabled.resize(enabled);
    run.locale("lamps.test", "en-US/on.intent", kSwitching[0].on);
    run.locale("lamps.test", "de-DE/on.intent", kSwitching[1].on);
    run.skill("lamps.test",
              [](LambdaSkill& skill) { skill.on_intent("on", does([](Turn& turn) { turn.speak("on"); })); });
    run.start();
    run.assistant().run_for(std::chrono::minutes(1));
    CHECK(run.assistant().counters().of("parley_stage_learned_total{stage=\"intent\"}") == enabled);
  }
}

TEST_CASE("learning: what is registered together is learnt together, though somebody speaks meanwhile") {
  EndToEnd run;
  run.config.language.enabled = {"en-US"};
  run.start();
  const auto learned = [&] {
    return run.assistant().counters().of("parley_stage_learned_total{stage=\"intent\"}");
  };
  run.say("good morning");
  const auto before = learned();
  Context context;
  context.skill_id = "many.test";
  constexpr int kIntents = 12;
  for (int i = 0; i < kIntents; ++i) {
    Json samples;
    for (int j = 0; j < 100; ++j)
      samples.push_back(fmt::format("please bring me the thing number {} of shelf {} in the cellar", j, i));
    run.assistant().bus().publish(Message("ovos.intent.register.template",
                                          {{"skill_id", "many.test"},
                                           {"intent_name", fmt::format("shelf_{}", i)},
                                           {"lang", "en-US"},
                                           {"samples", samples}},
                                          context));
  }
  run.say("would you bring the thing of that shelf up from the cellar");
  REQUIRE(run.until([&] { return learned() > before; }));
  CHECK(run.assistant().registry().is_settled());
  run.say("would you bring the thing of that shelf up from the cellar");
  CHECK(learned() == before + 1);
}

TEST_CASE("registration: the first utterance finds what stands behind a long registration") {
  EndToEnd run(EndToEnd::Time::kReal);
  std::string samples;
  for (int i = 0; i < 3000; ++i) samples += "long sentence number " + std::to_string(i) + " of many\n";
  run.locale("long.test", "en-US/first.intent", samples);
  run.locale("long.test", "en-US/second.intent", "behind all that\n");
  run.skill("long.test", [](LambdaSkill& skill) {
    skill.on_intent("first", does([](Turn& turn) { turn.speak("first"); }));
    skill.on_intent("second", does([](Turn& turn) { turn.speak("second"); }));
  });
  run.start();
  CHECK(run.assistant().registry().is_settled());
  CHECK(run.say("behind all that").speech_text() == "second");
  CHECK(run.say("long sentence number 2999 of many").speech_text() == "first");
}
