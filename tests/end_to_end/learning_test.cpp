// What the intent stage learns while the assistant runs: from templates, and from what is nobody's.
#include <doctest/doctest.h>

#include "session/session.hpp"
#include "support/end_to_end.hpp"

using namespace parley;
using namespace parley::testing;

namespace {

/// A skill that explains words in French.
class Lexicon : public EndToEnd {
 public:
  Lexicon() {
    config.language.enabled = {"fr-FR"};
    config.language.default_tag = "fr-FR";
    locale("lexique.test", "fr-FR/explain.intent",
           "que veut dire {word}\nque veut dire l'amour\nqu'est ce qu'un chat\nd'où vient le mot {word}\n"
           "donne moi la définition de {word}\n");
    skill("lexique.test", [](LambdaSkill& skill) {
      skill.on_intent("explain", does([](Turn& turn) { turn.speak(turn.slot("word").value_or("-")); }));
    });
    start();
  }
  std::string answer(const std::string& text) {
    const TurnResult result = finish(begin(text, session("s"), "fr-FR"));
    return result.intent_name.empty() ? "nobody" : result.speech_text();
  }
};

}  // namespace

TEST_CASE(
    "T-4 learning: what is nobody's is read as its language is written, and known after more was learnt") {
  Lexicon run;
  CHECK(run.answer("tu sais ce que veut dire perroquet") == "perroquet");
  CHECK(run.answer("qu'est ce que l'amour") == "nobody");
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
  CHECK(run.answer("qu'est ce que l'amour") == "nobody");
}
