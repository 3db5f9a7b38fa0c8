#include "talk.hpp"

#include <algorithm>
#include <iterator>
#include <parley/language.hpp>
#include <parley/text.hpp>

namespace parley::guide {
namespace {

constexpr std::size_t kMostWords = 40;
constexpr std::size_t kMostInStory = 30;
/// One word alone that names a task has so many bytes: "aus" names a soup from roasted tomatoes.
constexpr std::size_t kShortestName = 5;

/// As if somebody had asked for what `query` names, and maybe what it needs.
Heard search_for(const std::string& said, std::string query, bool requirements) {
  Heard heard;
  heard.text = said;
  heard.meanings.push_back(Sentences::Match{"search", {{"query", std::move(query)}}});
  if (requirements) heard.meanings.push_back(Sentences::Match{"requirements", {}});
  return heard;
}

/// What names a task of a shelf in what was asked for, which may have a word too many; empty: nothing.
std::string naming(const std::string& query, const Shelf& shelf) {
  if (shelf.search().named(query)) return query;
  const std::string names = shelf.search().naming_words(query);
  const std::size_t count = shelf.words().stems(names).size();
  const bool most = count > 1 && 2 * count > shelf.words().stems(query).size();
  return most && shelf.search().named(names) ? names : std::string();
}

/// The only task that a story is about, by its title; empty: none surely is.
/// @param trouble  its words that say what is wrong
std::string told_of(const std::string& said, std::size_t words, const std::string& trouble,
                    const Shelf& shelf) {
  const auto task = words > kMostInStory ? std::nullopt : shelf.search().told_of(said, trouble);
  return task ? shelf.tasks()[*task].title : std::string();
}

/// Whether words that name tasks name one only.
bool is_one(const std::string& query, const Shelf& shelf) {
  if (shelf.words().stems(query).size() > 1) return shelf.search().named(query).has_value();
  return query.size() >= kShortestName && shelf.search().is_unique(query);
}

}  // namespace

Talk::Talk(const Library& library, const LocaleResources& locale, Chance chance, Vocabulary says)
    : library_(library), locale_(locale), chance_(std::move(chance)), says_(std::move(says)) {}

const Sentences* Talk::sentences(const std::string& lang) {
  const auto closest = closest_language(lang, locale_.languages());
  if (!closest) return nullptr;
  const auto found = sentences_.find(*closest);
  if (found != sentences_.end()) return &found->second;
  return &sentences_.emplace(*closest, Sentences(locale_, *closest)).first->second;
}

Heard Talk::hear(const std::string& text, const std::string& lang) {
  Heard heard;
  heard.text = text;
  const Sentences* const known = sentences(lang);
  if (known != nullptr && words(text, lang).size() <= kMostWords) heard.meanings = known->match(text);
  return heard;
}

World Talk::world(const std::string& lang, std::int64_t now) const {
  World world;
  world.shelf = library_.shelf(lang);
  world.lang = lang;
  world.now = now;
  world.random = chance_;
  world.says = [this, lang](std::string_view vocabulary, std::string_view text) {
    return !text.empty() && says_(vocabulary, text, lang);
  };
  world.mentions = [this, lang](std::string_view vocabulary, std::string_view text) {
    return locale_.vocabulary_occurs(lang, vocabulary, words(text, lang));
  };
  return world;
}

bool Talk::understands(const State& state, const std::string& said, const std::string& lang,
                       std::int64_t now) {
  World world = this->world(lang, now);
  if (world.shelf == nullptr || world.shelf->lang() != state.lang) return false;
  world.random = [](std::size_t) { return std::size_t{0}; };
  if (words(said, lang).size() > kMostWords) return false;
  return route(state, hear_in(state, said, lang, world), world).reply->understood;
}

Heard Talk::hear_in(const State& state, const std::string& said, const std::string& lang,
                    const World& world) {
  Heard heard = hear(said, lang);
  if (!state.amount_asked || !heard.is("further")) return heard;
  const std::string thing = heard.slot("further", "thing");
  if (has_thing(state, thing, world))
    heard.meanings.insert(heard.meanings.begin(), Sentences::Match{"amount", {{"thing", thing}}});
  return heard;
}

bool Talk::fits(Phase phase, const std::string& said, const std::string& lang) {
  if (library_.shelf(lang) == nullptr || words(said, lang).size() > kMostWords) return false;
  const Heard heard = hear(said, lang);
  if (says_("yes", said, lang) || says_("no", said, lang) ||
      heard.among({"agree", "more", "repeat", "where", "previous", "help", "cancel", "leave"}) != nullptr)
    return true;
  switch (phase) {
    case Phase::kDomain:
      return heard.among({"cook", "diy", "greet", "abilities"}) != nullptr;
    case Phase::kPlanning:
      return heard.among({"first", "second", "third", "last", "none_of_these", "vague", "surprise",
                          "categories", "how_long", "how_long_all", "serves", "requirements", "difficulty",
                          "what_is_it"}) != nullptr;
    case Phase::kValidating:
      return heard.among({"start", "requirements", "lack", "lack_too", "amount", "how_long", "how_long_all",
                          "serves", "difficulty", "what_is_it", "next"}) != nullptr;
    case Phase::kExecuting:
      return heard.among({"next", "goto", "left", "details", "start", "requirements", "lack", "lack_too",
                          "amount", "pause", "set_timer", "how_long", "how_long_all", "serves", "difficulty",
                          "what_is_it", "video", "temperature", "skip"}) != nullptr;
    case Phase::kClosing:
      return heard.is("thanks");
  }
  return false;
}

bool Talk::names_task(const std::string& said, const std::string& lang) const {
  const Shelf* const shelf = library_.shelf(lang);
  if (shelf == nullptr || words(said, lang).size() > kMostWords) return false;
  return shelf->search().named(said).has_value();
}

bool Talk::only_names(const std::string& said, const std::string& lang) {
  const Heard heard = hear(said, lang);
  const bool is_other =
      std::ranges::any_of(heard.meanings, [](const Sentences::Match& one) { return one.name != "further"; });
  return !is_other && !says_("yes", said, lang) && !says_("no", said, lang);
}

std::optional<Heard> Talk::asks_for_task(const std::string& said, const std::string& lang) {
  const Shelf* const shelf = library_.shelf(lang);
  const Sentences* const known = sentences(lang);
  const auto all = words(said, lang);
  if (shelf == nullptr || known == nullptr || all.size() > kMostWords) return std::nullopt;
  bool without_name = false;
  const auto closest = closest_language(lang, locale_.languages());
  const bool is_about = all.size() <= kMostInStory && closest.has_value();
  const auto is_of = [&](const char* topic) {
    return is_about && locale_.vocabulary_occurs(*closest, topic, all);
  };
  std::string trouble;
  for (const Word& word : all) {
    if (is_about && locale_.vocabulary_occurs(*closest, "topic_trouble", std::span(&word, 1)))
      trouble += " " + word.norm;
  }
  std::string told = is_of("elsewhere") ? std::string() : told_of(said, all.size(), trouble, *shelf);
  const bool is_trouble = !told.empty() && is_of("topic_trouble");
  for (const Word& first : all) {
    for (const auto& match : known->match(said.substr(first.begin))) {
      if (match.name == "show_how") without_name = true;
      const auto slot = match.slots.find("query");
      if (slot == match.slots.end()) continue;
      std::string query = naming(slot->second, *shelf);
      if (query.empty()) continue;
      const bool requirements =
          match.name == "task_requirements" || (is_trouble && is_of("surely_requirements"));
      // "The door hinge squeaks, how do I fix that" is not about all that can be fixed.
      if (is_trouble && !shelf->search().is_unique(query)) query = told;
      return search_for(said, std::move(query), requirements);
    }
  }
  if (is_trouble) return search_for(said, std::move(told), is_of("surely_requirements"));
  if (!without_name && !is_of("topic_task") && !is_of("topic_requirements")) return std::nullopt;
  std::string query = shelf->search().naming_words(said);
  // "I want to change the ficus's pot" names no task by "change".
  const bool is_deed = locale_.vocabulary_equals(*closest, "topic_task", words(query, lang));
  if (is_deed || !is_one(query, *shelf)) query = std::move(told);
  if (query.empty()) return std::nullopt;
  return search_for(said, std::move(query), is_of("topic_requirements"));
}

bool Talk::finds(const Heard& heard, const std::string& lang) const {
  const Shelf* const shelf = library_.shelf(lang);
  if (shelf == nullptr || !heard.is("search")) return true;
  const std::string query = heard.slot("search", "query");
  const Wanted wanted = shelf->words().read(query);
  return wanted.stems.empty() || !shelf->search().find(wanted, std::nullopt, 1).empty();
}

const State* Sessions::find(const SessionKey& session) const {
  const auto found = states_.find(session);
  return found == states_.end() ? nullptr : &found->second;
}

State* Sessions::find(const SessionKey& session) {
  const auto found = states_.find(session);
  return found == states_.end() ? nullptr : &found->second;
}

void Sessions::keep(State state, const std::string& owner) {
  SessionKey key(owner, state.session_id);
  states_.insert_or_assign(std::move(key), std::move(state));
  if (states_.size() <= most_) return;
  states_.erase(std::min_element(states_.begin(), states_.end(), [](const auto& a, const auto& b) {
    return a.second.last_turn < b.second.last_turn;
  }));
}

}  // namespace parley::guide
