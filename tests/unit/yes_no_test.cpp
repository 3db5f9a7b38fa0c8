// What is a yes, what is a no, and what only has a word of it.
#include "turn/yes_no.hpp"

#include <doctest/doctest.h>

#include <map>
#include <string>
#include <vector>

#include "language/core_folder.hpp"

using namespace parley;

TEST_CASE("C-4: a yes or a no comes first, or is half of what is said, or ends a few words") {
  LocaleFolders folders;
  folders.core = core_folder();
  const LocaleResources common(folders);
  const auto find = [&](std::string_view) -> const LocaleResources& { return common; };
  const auto read = [&](const std::string& text, const std::string& lang) {
    const auto answer = yes_or_no(words(text, lang), lang, find);
    return answer ? *answer ? "yes" : "no" : "neither";
  };
  using Texts = std::vector<std::string>;
  const std::map<std::string, std::map<std::string, Texts>> all{
      {"en-US",
       {{"yes",
         {"yes", "Yes, please", "um, yes", "well okay", "yes I want you to delete all of them",
          "that's right", "why not", "go ahead", "I'd say yes", "oh, sure", "that sounds good"}},
        {"no", {"no", "no thanks", "oh no", "please don't", "not now", "I would say no", "no, I need them"}},
        {"neither",
         {"what's the right time", "is it fine in Vienna today", "set an alarm for the right time",
          "yes and no", "tell me why it never rains here", "maybe", "", "what time is it right now",
          "how do you spell okay in Spanish"}}}},
      {"de-DE",
       {{"yes",
         {"ja", "ja bitte", "bitte", "na ja, ja", "ach ja", "passt", "mach das bitte", "das stimmt",
          "ich glaube ja", "ja lösch sie alle", "warum nicht", "genau"}},
        {"no",
         {"nein", "nein danke", "stimmt nicht", "bitte nicht", "ich sage nein", "nein, die brauch ich noch"}},
        {"neither",
         {"wie spät ist es bitte", "vergiss bitte wo ich geparkt habe", "bitte sag mir wie spät es ist",
          "sag mir bitte die genaue Zeit", "wie spät bitte"}}}},
      {"fr-FR",
       {{"yes", {"oui", "oui, supprime-les tous", "euh oui", "je crois que oui", "d'accord"}},
        {"no", {"non", "non merci", "je pense que non"}},
        {"neither", {"quel est le mot exact pour dire chien en anglais", "il fait très bien la cuisine"}}}},
      {"es-ES",
       {{"yes", {"sí", "sí, por favor", "creo que sí", "pues claro"}},
        {"no", {"no", "no gracias", "mejor no", "no, los necesito"}},
        {"neither",
         {"qué hora es en el este de Europa ahora no importa el resto", "cuánto vale un euro en pesos"}}}},
      {"pt-PT",
       {{"yes", {"sim", "sim, por favor", "acho que sim", "pode ser"}},
        {"no", {"não", "não obrigado", "acho que não"}},
        {"neither", {"está tudo bem com o tempo em Lisboa", "que horas são ao certo"}}}}};
  for (const auto& language : all) {
    for (const auto& answer : language.second) {
      for (const auto& text : answer.second) {
        INFO(language.first, ": ", text);
        CHECK(read(text, language.first) == answer.first);
      }
    }
  }
}
