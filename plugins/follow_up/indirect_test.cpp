#include "indirect.hpp"

#include <doctest/doctest.h>

#include <array>
#include <string>

#include "test_reader.hpp"

using namespace parley;
using namespace parley::follow_up;

namespace {

/// What it may be, asked directly, with bars between; "-" for nothing.
std::string directly(const std::string& said, const std::string& lang) {
  std::string all;
  for (const std::string& question : asked_directly(said, follow_up_reader(lang)))
    all += (all.empty() ? "" : " | ") + question;
  return all.empty() ? "-" : all;
}

struct Asked {
  const char *lang, *said, *directly;
};

}  // namespace

TEST_CASE("a question within another is asked directly, in the order of words of its language") {
  constexpr std::array kAsked{
      Asked{"en-US", "do you know if milk is on my list", "is milk on my list | do milk is on my list"},
      Asked{"en-US", "Hey parley, could you please tell me whether there's a timer, thanks",
            "is there a timer | do there is a timer"},
      Asked{"en-US", "I'd like to know if I need milk", "do I need milk"},
      Asked{"de-DE", "hast du eine Ahnung, wie spät es ist", "wie spät ist es"},
      Asked{"de-DE", "ich möchte wissen ob es regnet", "regnet es | ist es so dass es regnet"},
      Asked{"fr-FR", "j'aimerais savoir où est la clé", "où est la clé"},
      Asked{"es-ES", "me gustaría saber qué hora es", "qué hora es"},
      Asked{"pt-PT", "gostava de saber que horas são", "que horas são"},
      Asked{"en-GB", "I was wondering if I need milk", "do I need milk"},
      Asked{"en-US", "can you tell me where the eiffel tower is", "where is the eiffel tower"},
      Asked{"en-US", "any idea what time it is", "what time is it"},
      Asked{"en-US", "do you know how tall mount everest is", "how tall is mount everest"},
      Asked{"en-US", "tell me who invented the telephone", "who invented the telephone"},
      Asked{"de-AT", "Weißt du, ob Milch auf der Liste steht?",
            "steht Milch auf der Liste | ist es so dass Milch auf der Liste steht"},
      Asked{"de-DE", "kannst du mir bitte sagen ob Norwegen in der EU ist",
            "ist Norwegen in der EU | ist es so dass Norwegen in der EU ist"},
      Asked{"de-DE", "sag mir wie viele Einwohner Wien hat", "wie viele Einwohner hat Wien"},
      Asked{"de-AT", "woaßt du wie spät es ist", "wie spät ist es"},
      Asked{"es-ES", "sabes qué hora es", "qué hora es"},
      Asked{"fr-FR", "sais-tu si le lait est sur la liste",
            "est-ce que le lait est sur la liste | est le lait sur la liste"},
      Asked{"fr-FR", "tu sais s'il y a un minuteur", "est-ce qu'il y a un minuteur"},
      Asked{"de-DE", "weißt du ob es heute regnet", "regnet es heute | ist es so dass es heute regnet"},
      Asked{"fr-FR", "peux-tu me dire où est la tour Eiffel", "où est la tour Eiffel"},
      Asked{"es-ES", "¿sabes si la leche está en la lista?",
            "está la leche en la lista | es verdad que la leche está en la lista"},
      Asked{"pt-PT", "podes dizer-me se há leite na lista",
            "há leite na lista | é verdade que há leite na lista"}};
  for (const Asked& one : kAsked) {
    CHECK(directly(one.said, one.lang) == std::string(one.directly));
  }
}

TEST_CASE("what only begins like a question with another in it has none") {
  for (const char* const said :
       {"do you know", "do you know if", "do you know Ana", "tell me a joke", "if it rains take an umbrella",
        "let me know if the oven is done", "tell me", "", "which one do you know"}) {
    CAPTURE(said);
    CHECK(directly(said, "en-US") == "-");
  }
  CHECK(directly("weißt du was", "de-DE") == "-");
  std::string long_one = "do you know if";
  for (int i = 0; i < 1'000; ++i) long_one += " it is";
  CHECK(directly(long_one, "en-US") == "-");
}
