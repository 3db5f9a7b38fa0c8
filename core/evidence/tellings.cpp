#include "evidence/tellings.hpp"

#include <algorithm>
#include <iterator>
#include <parley/fold.hpp>
#include <parley/language.hpp>
#include <parley/text.hpp>
#include <vector>

namespace parley::evidence {
namespace {

/// Words that carry a telling, folded, with a space before and behind each.
struct TellingWords {
  const char* language;
  std::string_view be;        ///< "is"
  std::string_view called;    ///< Relates a name: as the verb, or behind it.
  std::string_view places;    ///< Prepositions that begin a place.
  std::string_view articles;  ///< Left out of a subject, as is whose it is: one owner has told all of it.
  std::string_view persons;   ///< Of them many things hold at once.
  std::string_view puts;   ///< "I put the key in the drawer": after it, or in German before it, comes where.
  std::string_view helps;  ///< What goes with those verbs: "ich *habe* es gelegt".
};

constexpr TellingWords kTellingWords[] = {
    {"en", " is are was were lives ", " called named ",
     " in on under at behind beside by near above below inside next between outside over with ",
     " the a an that my our ", " i im we you he she they it there this ",
     " put left hid keep keeps kept stored parked ", ""},
    {"de", " ist sind war waren liegt liegen steht stehen hangt wohnt is lautet lauten ",
     " heisst heissen heit ",
     " in im auf unter an am bei beim hinter neben vor uber zwischen unterm hinterm ",
     " der die das den dem des ein eine einen dass mein meine meinen mei unser unsere unseren ",
     " ich i wir du er sie es man hier dort ",
     " gelegt g'legt glegt gestellt getan gesteckt versteckt gehangt geparkt parkt abgestellt abgstellt "
     "hingestellt hingelegt ",
     " habe hab haben hat "},
    {"fr", " est sont etait se trouve ", " appelle ",
     " dans sur sous a au aux chez derriere devant pres entre ",
     " le la les l un une que qu mon ma mes notre nos ", " je j nous tu vous il elle on ils elles ce c ",
     " mis laisse cache range gare garee gares ", ""},
    {"es", " es esta son estan era ", " llama llaman ",
     " en sobre bajo debajo detras delante junto entre dentro encima ",
     " el la los las un una que mi mis nuestro nuestra ", " yo nosotros tu usted ellos ella ",
     " puesto puse dejado deje guardado guarde aparcado aparque ", ""},
    {"pt", " e esta sao estao era fica ", " chama chamam ",
     " em no na nos nas sobre sob debaixo atras junto entre dentro ao ",
     " o a os as um uma que meu minha meus minhas nosso nossa ", " eu nos voce tu ele ela eles elas ",
     " pus deixei guardei escondi estacionei estacionamos ", ""}};

using Folded = std::vector<std::string>;

bool is_in(const std::string& word, std::string_view list) {
  return list.find(' ' + word + ' ') != std::string_view::npos;
}

std::string joined(Folded::const_iterator from, Folded::const_iterator to) {
  std::string text;
  for (; from != to; ++from) text += (text.empty() ? "" : " ") + *from;
  return text;
}

std::optional<Telling> telling_of(const Folded& subject, const char* relation, const std::string& value,
                                  const TellingWords& by) {
  Folded about;
  for (const auto& word : subject) {
    if (!is_in(word, by.articles) && word != "se" && word != "s") about.push_back(word);
  }
  if (about.empty() || value.empty() || about.size() > 8) return std::nullopt;
  if (std::any_of(about.begin(), about.end(), [&](const auto& word) { return is_in(word, by.persons); }))
    return std::nullopt;
  Telling telling;
  telling.topic = joined(about.begin(), about.end()) + '|' + relation;
  telling.value = value;
  return telling;
}

/// "… unter dem Topf liegt": the verb comes last.
std::optional<Telling> verb_last(const Folded& said, const TellingWords& by) {
  const auto place =
      std::find_if(said.begin(), said.end() - 1, [&](const auto& word) { return is_in(word, by.places); });
  const Folded subject(said.begin(), place);
  if (place != said.end() - 1) return telling_of(subject, "where", joined(place, said.end() - 1), by);
  if (subject.size() < 3) return std::nullopt;
  const Folded about(subject.begin(), subject.end() - 1);
  return telling_of(about, is_in(said.back(), by.called) ? "name" : "what", subject.back(), by);
}

/// "I put the key in the drawer", "ich habe den Schlüssel in die Lade gelegt".
std::optional<Telling> put_somewhere(const Folded& said, Folded::const_iterator put, const TellingWords& by) {
  const auto is_place = [&](const std::string& word) { return is_in(word, by.places); };
  const bool comes_last = put + 1 == said.end();
  const auto place =
      comes_last ? std::find_if(said.begin(), put, is_place) : std::find_if(put, said.end(), is_place);
  const auto end = comes_last ? put : said.end();
  if (place == end) return std::nullopt;
  Folded subject;
  std::copy_if(comes_last ? said.begin() : put + 1, place, std::back_inserter(subject),
               [&](const auto& word) { return !is_in(word, by.persons) && !is_in(word, by.helps); });
  if (subject.empty()) subject.push_back(*put);  // "I parked on level three"
  return telling_of(subject, "where", joined(place, end), by);
}

}  // namespace

std::optional<Telling> read_telling(std::string_view text, std::string_view lang) {
  const std::string language = primary_language(std::string(lang));
  const auto* const by = std::find_if(std::begin(kTellingWords), std::end(kTellingWords),
                                      [&](const auto& one) { return one.language == language; });
  if (by == std::end(kTellingWords)) return std::nullopt;
  Folded said;
  for (const auto& word : words(text, lang)) said.push_back(text::fold(word.norm));
  if (said.size() < 3) return std::nullopt;
  const auto is_verb = [&](const std::string& word) {
    return is_in(word, by->be) || is_in(word, by->called);
  };
  const auto verb = std::find_if(said.begin() + 1, said.end(), is_verb);
  const auto put =
      std::find_if(said.cbegin(), said.cend(), [&](const auto& word) { return is_in(word, by->puts); });
  const bool is_done = put != said.cend() && put - said.cbegin() < verb - said.begin();
  if (is_done && (put + 1 == said.cend() || !is_in(said.front(), by->articles)))  // not "the left shoe is …"
    return put_somewhere(said, put, *by);
  if (verb == said.end()) return std::nullopt;
  if (verb + 1 == said.end()) return verb_last(said, *by);
  const Folded subject(said.begin(), verb);
  auto value = verb + 1;
  const bool is_name = is_in(*verb, by->called) || is_in(*value, by->called);
  if (is_in(*value, by->called)) ++value;
  const char* relation = "what";
  if (value != said.end() && is_in(*value, by->places)) relation = "where";
  if (is_name) relation = "name";
  return telling_of(subject, relation, joined(value, said.end()), *by);
}

}  // namespace parley::evidence
