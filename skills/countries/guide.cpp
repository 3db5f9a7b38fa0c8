#include "guide.hpp"

#include <parley/language.hpp>
#include <parley/speech.hpp>
#include <parley/text.hpp>

#include <algorithm>
#include <array>
#include <utility>

#include "retold.hpp"
#include "topics.hpp"
#include "world_answer.hpp"

namespace parley::countries {
namespace {

using Slots = std::map<std::string, std::string>;

// How sure an answer is: names and borders are certain, figures change, and which languages count is a matter
// of opinion.
constexpr double kCertain = 0.95;
constexpr double kMeasured = 0.9;
constexpr double kEstimated = 0.85;
constexpr double kSummary = 0.6;

}  // namespace

/// One question in one language.
class Guide::Answer {
 public:
  using Found = std::optional<Reply>;

  Answer(const LocaleResources& locale, const Atlas& atlas, const Tongue& tongue, std::string tag)
      : locale_(locale), atlas_(atlas), tongue_(tongue), tag_(std::move(tag)) {}

  Found to(const Sentences::Match& match) const {
    const auto slot = [&](const char* name) {
      const auto found = match.slots.find(name);
      return found == match.slots.end() ? std::string() : found->second;
    };
    if (match.name == "capital_of") return capital_of(slot("city"));
    const Country* const country = tongue_.names.country(slot("country"));
    if (country == nullptr) return std::nullopt;
    if (match.name == "is_capital") return is_capital(*country, slot("city"));
    if (match.name == "borders") return borders(*country, slot("other"));
    return about(*country, match.name);
  }

 private:
  using About = Found (Answer::*)(const Country&) const;

  Found about(const Country& country, std::string_view question) const {
    constexpr std::array<std::pair<std::string_view, About>, 8> kAnswers{{
        {"capital", &Answer::capital},
        {"population", &Answer::population},
        {"area", &Answer::area},
        {"currency", &Answer::currency},
        {"languages", &Answer::languages},
        {"neighbours", &Answer::neighbours},
        {"neighbour_count", &Answer::neighbour_count},
        {"about", &Answer::summary},
    }};
    const auto* const found =
        std::ranges::find(kAnswers, question, &std::pair<std::string_view, About>::first);
    return found == kAnswers.end() ? std::nullopt : (this->*found->second)(country);
  }

  Found capital(const Country& country) const {
    if (country.capitals.empty()) return std::nullopt;
    std::vector<std::string> cities;
    for (const std::string& city : country.capitals) cities.push_back(tongue_.names.city(city));
    return say(cities.size() == 1 ? "capital" : "capitals", country,
               {{"capital", say_list(cities, speech().lang())}}, kCertain);
  }

  Found capital_of(const std::string& city) const {
    const Country* const country = tongue_.names.with_capital(city);
    if (country == nullptr) return std::nullopt;
    return say("capital_of", *country, {{"city", spoken_city(*country, city)}}, kCertain);
  }

  Found is_capital(const Country& country, const std::string& city) const {
    if (tongue_.names.with_capital(city) == &country) {
      return say("is_capital", country, {{"city", spoken_city(country, city)}}, kCertain);
    }
    auto right = capital(country);
    if (right) right->text = render("is_not_capital", {{"right", right->text}});
    return right;
  }

  Found population(const Country& country) const {
    const Slots slots{{"people", speech().people(country.population)}, {"year", Speech::year(atlas_.year())}};
    return say("population", country, slots, kEstimated);
  }

  Found area(const Country& country) const {
    return say("area", country, {{"area", speech().area(country.area)}}, kMeasured);
  }

  Found currency(const Country& country) const {
    std::vector<std::string> names;
    for (const std::string& code : country.currencies) names.push_back(speech().currency(code));
    return say(names.size() == 1 ? "currency" : "currencies", country,
               {{"currency", say_list(names, speech().lang())}}, kMeasured);
  }

  Found languages(const Country& country) const {
    std::vector<std::string> names;
    for (const std::string& code : country.languages)
      if (std::string name = speech().language(code); name != code) names.push_back(std::move(name));
    return say("languages", country, {{"languages", say_list(names, speech().lang())}}, kEstimated);
  }

  Found neighbours(const Country& country) const {
    const auto names = neighbour_names(country);
    if (names.empty()) return say("no_neighbours", country, {}, kMeasured);
    return say(names.size() == 1 ? "neighbour" : "neighbours", country,
               {{"neighbours", say_list(names, speech().lang())}}, kMeasured);
  }

  Found neighbour_count(const Country& country) const {
    const auto names = neighbour_names(country);
    if (names.size() < 2) return neighbours(country);
    return say("neighbour_count", country,
               {{"count", speech().count(names.size())}, {"neighbours", say_list(names, speech().lang())}},
               kMeasured);
  }

  Found borders(const Country& country, const std::string& name) const {
    const Country* const other = tongue_.names.country(name);
    if (other == nullptr || other == &country) return std::nullopt;
    const bool yes = std::ranges::find(country.neighbours, other->code) != country.neighbours.end();
    return say(yes ? "borders" : "borders_not", country, {{"other", spoken(*other).subject}}, kMeasured);
  }

  Found summary(const Country& country) const {
    const auto first = capital(country);
    const auto second = population(country);
    if (!first) return std::nullopt;
    return Reply{first->text + ' ' + second->text, kSummary};
  }

  std::vector<std::string> neighbour_names(const Country& country) const {
    std::vector<std::string> names;
    for (const std::string& code : country.neighbours) names.push_back(spoken(*atlas_.find(code)).subject);
    return names;
  }

  // The capital the user's words stand for, as it is spoken of.
  std::string spoken_city(const Country& country, const std::string& city) const {
    return country.capitals.size() == 1 ? tongue_.names.city(country.capitals.front()) : city;
  }

  const Spoken& spoken(const Country& country) const { return tongue_.names.spoken(country); }
  const Speech& speech() const { return tongue_.speech; }

  std::string render(const std::string& dialog, const Slots& slots) const {
    return locale_.render(dialog, tag_, slots).text;
  }

  Reply say(const std::string& dialog, const Country& country, Slots slots, double confidence) const {
    const Spoken& name = spoken(country);
    slots.insert({{"subject", name.subject}, {"in", name.in}, {"of", name.of}, {"object", name.object}});
    return Reply{speech().beginning(render(dialog, slots)), confidence, country.code};
  }

  const LocaleResources& locale_;
  const Atlas& atlas_;
  const Tongue& tongue_;
  std::string tag_;
};

Guide::Guide(std::filesystem::path data, LocaleResources locale)
    : data_(std::move(data)),
      locale_(std::move(locale)),
      atlas_(data_ / "countries.txt"),
      world_(data_ / "world.txt") {}

const Guide::Tongue* Guide::tongue(const std::string& tag) {
  if (const auto known = tongues_.find(tag); known != tongues_.end()) return &known->second;
  if (!std::filesystem::exists(Names::file(data_, tag))) return nullptr;
  return &tongues_.try_emplace(tag, data_, locale_, tag, atlas_).first->second;
}

std::optional<Reply> Guide::answer(std::string_view question, const std::string& tag, Subject& subject) {
  const auto served = closest_language(tag, locale_.languages());
  const Tongue* const words = served ? tongue(*served) : nullptr;
  if (words == nullptr) return std::nullopt;
  if (subject.countries.size() == Subject::kMost) {
    if (is_one_of_both(question, locale_, *served, words->names)) return std::nullopt;
    auto of_both = by_topic_of_both(question, locale_, *served, words->names);
    if (of_both) return answered(*std::move(of_both), *words, *served, subject, false);
  }
  if (auto reply = answered(question, *words, *served, subject, true)) return reply;
  const auto meanings = retold(question, locale_, *served, words->names, atlas_, subject);
  for (const std::string& meant : meanings) {
    if (auto reply = answered(meant, *words, *served, subject, false)) return reply;
  }
  auto match = by_topic(question, locale_, *served, words->names);
  if (!match) match = by_topic_of(meanings, question, *served, words->names);
  return match ? answered(std::move(*match), *words, *served, subject, false) : std::nullopt;
}

/// "And what do they speak over there, which language": with the country in it that was spoken of.
std::optional<Sentences::Match> Guide::by_topic_of(const std::vector<std::string>& meanings,
                                                   std::string_view question, const std::string& lang,
                                                   const Names& names) const {
  if (locale_.vocabulary_occurs(lang, "topic_not", parley::words(question, lang))) return std::nullopt;
  for (const std::string& meant : meanings) {
    if (auto match = by_topic(meant, locale_, lang, names)) return match;
  }
  return std::nullopt;
}

std::optional<Reply> Guide::answered(std::string_view question, const Tongue& words, const std::string& lang,
                                     Subject& subject, bool is_all) const {
  for (auto& match : words.questions.match(question)) {
    if (auto reply = answered(std::move(match), words, lang, subject, is_all)) return reply;
  }
  return std::nullopt;
}

std::optional<Reply> Guide::answered(Sentences::Match match, const Tongue& words, const std::string& lang,
                                     Subject& subject, bool is_all) const {
  if (is_put_together(match, subject)) return std::nullopt;
  if (match.name == "again") {  // "and that of Poland"
    if (subject.question.empty() || !is_all) return std::nullopt;
    match.name = subject.question;
  }
  const Subject meant = subject_of(match, words.names, subject);
  auto reply = Answer(locale_, atlas_, words, lang).to(match);
  if (!reply) reply = WorldAnswer(locale_, atlas_, world_, words.names, words.speech, lang).to(match, meant);
  if (!reply) return reply;
  subject = meant;
  // "The biggest country of South America": the one that is found.
  const bool is_named = match.slots.contains("country") || match.slots.contains("other");
  if (!is_named && !reply->about.empty()) {
    subject.note(reply->about);
    if (!WorldAnswer::comparison(match.name)) subject.comparison.clear();
  }
  return reply;
}

std::optional<Reply> Guide::answer_lately(std::string_view question, const std::string& tag,
                                          Subject& subject) {
  const auto served = closest_language(tag, locale_.languages());
  const Tongue* const words = served ? tongue(*served) : nullptr;
  if (words == nullptr || subject.countries.empty()) return std::nullopt;
  if (locale_.vocabulary_occurs(*served, "topic_not", parley::words(question, *served))) return std::nullopt;
  const auto meanings = about_lately(question, locale_, *served, words->names, atlas_, subject);
  // How large something is may be asked of anything.
  if (meanings.empty() || locale_.vocabulary_occurs(*served, "topic_area", parley::words(question, *served)))
    return std::nullopt;
  if (!subject.comparison.empty()) return std::nullopt;  // "which is bigger" is of both
  if (auto reply = answer(question, tag, subject)) return reply;
  for (const std::string& meant : meanings) {
    auto match = by_topic_lately(meant, locale_, *served, words->names);
    if (match) return answered(std::move(*match), *words, *served, subject, false);
  }
  return std::nullopt;
}

/// Of three countries, one was put in that was spoken of before.
bool Guide::is_put_together(const Sentences::Match& match, const Subject& lately) {
  constexpr std::size_t kThree = 8;  // "DE FR LU"
  const auto some = match.slots.find("some");
  return some != match.slots.end() && some->second.size() <= kThree && !lately.countries.empty() &&
         some->second.find(lately.countries.back()) != std::string::npos;
}

Subject Guide::subject_of(const Sentences::Match& match, const Names& names, Subject before) {
  for (const char* const slot : {"country", "other"}) {
    const auto said = match.slots.find(slot);
    const Country* const country = said == match.slots.end() ? nullptr : names.country(said->second);
    if (country == nullptr) continue;
    before.note(country->code);
  }
  if (match.slots.size() == 1 && match.slots.contains("country")) before.question = match.name;
  if (const auto compared = WorldAnswer::comparison(match.name)) before.comparison = *compared;
  return before;
}

}  // namespace parley::countries
