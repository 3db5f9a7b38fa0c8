#include "world_answer.hpp"

#include <algorithm>
#include <parley/speech.hpp>
#include <set>

namespace parley::countries {
namespace {

constexpr double kKnown = 0.9;

bool is_about_people(const std::string& question) {
  return question.find("people") != std::string::npos;
}

double measure(const std::string& question, const Country& country) {
  return is_about_people(question) ? country.population : country.area;
}

}  // namespace

std::optional<std::string> WorldAnswer::comparison(const std::string& question) {
  if (question == "larger" || question == "which_larger") return "larger";
  if (question == "more_people" || question == "which_people") return "more_people";
  return std::nullopt;
}

WorldAnswer::Found WorldAnswer::to(const Sentences::Match& match, const Subject& subject) const {
  const auto slot = [&match](const char* name) {
    const auto found = match.slots.find(name);
    return found == match.slots.end() ? std::string() : found->second;
  };
  if (match.name == "pair" &&
      (names_.country(slot("country")) == nullptr || names_.country(slot("other")) == nullptr))
    return std::nullopt;
  if (match.name == "which_larger" || match.name == "which_people" || match.name == "pair")
    return compared_lately(subject);
  if (match.name == "paid_with") return paid_with(slot("money"));
  if (match.name == "spoken_in") return spoken_in(slot("language"));
  if (const std::string some = slot("some"); !some.empty()) return superlative_of(match.name, some);
  if (const std::string region = slot("region"); !region.empty() || slot("country").empty())
    return about_region(match.name, region.empty() ? std::string(World::kWorld) : names_.region(region));
  const Country* const country = names_.country(slot("country"));
  if (country == nullptr) return std::nullopt;
  if (match.name == "larger" || match.name == "more_people") {
    const Country* const other = names_.country(slot("other"));
    if (other == nullptr || other == country) return std::nullopt;
    return compared(match.name, *country, *other);
  }
  const Facts* const facts = world_.find(country->code);
  return facts == nullptr ? std::nullopt : about_country(match.name, *country, *facts);
}

WorldAnswer::Found WorldAnswer::about_country(const std::string& question, const Country& country,
                                              const Facts& facts) const {
  if (question == "continent" || question == "where") return continent(country, facts, question == "where");
  if (question == "union") return say(facts.in_union ? "union" : "union_not", country, {});
  if (question == "landlocked") return say(facts.landlocked ? "landlocked" : "landlocked_not", country, {});
  if (question == "domain") return say("domain", country, {{"domain", '.' + facts.domain}});
  if (question == "flag") return flag(country, facts);
  if (question == "driving") return say(facts.drives_left ? "driving_left" : "driving_right", country, {});
  if (question != "dialing" || facts.dialing.empty()) return std::nullopt;
  return say("dialing", country, {{"code", '+' + facts.dialing}});
}

WorldAnswer::Found WorldAnswer::continent(const Country& country, const Facts& facts,
                                          bool with_neighbours) const {
  std::vector<std::string> places;
  for (const std::string& code : facts.continents) places.push_back(names_.spoken_region(code).in);
  Slots slots{{"places", say_list(places, speech_.lang())}};
  if (!with_neighbours) return say("continent", country, std::move(slots));
  std::vector<std::string> neighbours;
  for (const std::string& code : country.neighbours)
    neighbours.push_back(names_.spoken(*atlas_.find(code)).object);
  if (neighbours.empty()) return say("where_alone", country, std::move(slots));
  slots["neighbours"] = say_list(neighbours, speech_.lang());
  return say("where", country, std::move(slots));
}

WorldAnswer::Found WorldAnswer::flag(const Country& country, const Facts& facts) const {
  if (facts.colors.empty()) return std::nullopt;
  std::vector<std::string> colors;
  for (const std::string& color : facts.colors) colors.push_back(names_.color(color));
  return say(
      "flag_" + facts.flag, country,
      {{"colors", say_list(colors, speech_.lang())}, {"color", colors.front()}, {"around", colors.back()}});
}

std::string WorldAnswer::figure(const std::string& question, const Country& country) const {
  return is_about_people(question) ? speech_.people(country.population) : speech_.area(country.area);
}

WorldAnswer::Found WorldAnswer::compared_lately(const Subject& subject) const {
  if (subject.comparison.empty() || subject.countries.size() < Subject::kMost) return std::nullopt;
  return compared(subject.comparison, *atlas_.find(subject.countries.front()),
                  *atlas_.find(subject.countries.back()));
}

WorldAnswer::Found WorldAnswer::compared(const std::string& question, const Country& one,
                                         const Country& other) const {
  const bool first = measure(question, one) >= measure(question, other);
  const Country& more = first ? one : other;
  const Country& less = first ? other : one;
  return say(question, more, {{"figure", figure(question, more)}, {"less", figure(question, less)}});
}

WorldAnswer::Some WorldAnswer::in_region(const std::string& region) const {
  Some found;
  for (const auto& [code, country] : atlas_.all()) {
    const Facts* const facts = world_.find(code);
    if (facts == nullptr || facts->territory) continue;
    const bool lies_there = facts->continents.front() == region;
    if (region == World::kWorld || lies_there) found.push_back(&country);
  }
  return found;
}

WorldAnswer::Found WorldAnswer::about_region(const std::string& question, const std::string& region) const {
  if (region.empty()) return std::nullopt;
  const Spoken& name = names_.spoken_region(region);
  if (question == "country_count")
    return say("country_count", {{"in", name.in}, {"count", speech_.count(in_region(region).size())}});
  if (question == "countries_of") return listed("countries_of", in_region(region), {{"in", name.in}});
  return superlative(question, region);
}

WorldAnswer::Found WorldAnswer::superlative(const std::string& question, const std::string& region) const {
  const Country* const found = utmost(question, in_region(region));
  if (found == nullptr) return std::nullopt;
  const Spoken& name = names_.spoken_region(region);
  return say(question, *found,
             {{"region", name.of}, {"where", name.in}, {"figure", figure(question, *found)}});
}

WorldAnswer::Found WorldAnswer::superlative_of(const std::string& question, const std::string& codes) const {
  constexpr std::size_t kCode = 3;  // and a space
  Some countries;
  for (std::size_t at = 0; at < codes.size(); at += kCode)
    countries.push_back(atlas_.find(codes.substr(at, kCode - 1)));
  const Country* const found = utmost(question, countries);
  if (found == nullptr) return std::nullopt;
  return say(question + "_of", *found, {{"figure", figure(question, *found)}});
}

const Country* WorldAnswer::utmost(const std::string& question, const Some& countries) {
  const bool least = question == "smallest" || question == "fewest_people";
  if (countries.empty() || (!least && question != "largest" && question != "most_people")) return nullptr;
  const auto less = [&](const Country* a, const Country* b) {
    return measure(question, *a) < measure(question, *b);
  };
  return least ? *std::ranges::min_element(countries, less) : *std::ranges::max_element(countries, less);
}

WorldAnswer::Found WorldAnswer::paid_with(const std::string& money) const {
  Some countries;
  for (const auto& [code, country] : atlas_.all()) {
    const bool has = std::ranges::any_of(country.currencies, [&](const std::string& currency) {
      return speech_.is_currency(currency, money);
    });
    if (has) countries.push_back(&country);
  }
  return listed("paid_with", countries, {{"money", money}});
}

WorldAnswer::Found WorldAnswer::spoken_in(const std::string& language) const {
  Some countries;
  for (const auto& [code, country] : atlas_.all()) {
    const bool has = std::ranges::any_of(
        country.languages, [&](const std::string& one) { return speech_.is_language(one, language); });
    if (has) countries.push_back(&country);
  }
  return listed("spoken_in", countries, {{"language", language}});
}

WorldAnswer::Found WorldAnswer::listed(const char* dialog, const Some& countries, Slots slots) const {
  if (countries.empty()) return std::nullopt;
  std::vector<std::string> names;
  for (const Country* const country : countries) names.push_back(names_.spoken(*country).subject);
  slots["countries"] = say_list(names, speech_.lang());
  return say(dialog, slots);
}

Reply WorldAnswer::say(const std::string& dialog, const Country& country, Slots slots) const {
  const Spoken& name = names_.spoken(country);
  slots.insert({{"subject", name.subject}, {"in", name.in}, {"of", name.of}, {"object", name.object}});
  Reply reply = say(dialog, slots);
  reply.about = country.code;
  return reply;
}

Reply WorldAnswer::say(const std::string& dialog, const Slots& slots) const {
  return Reply{speech_.beginning(locale_.render(dialog, tag_, slots).text), kKnown};
}

}  // namespace parley::countries
