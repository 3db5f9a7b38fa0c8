#include "talk.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <parley/language.hpp>
#include <parley/text.hpp>

namespace parley::guide {
namespace {

constexpr std::size_t kMostWords = 40;
/// What is said in the middle of a task with other words before or behind.
bool is_of_a_step(const Heard& heard) {
  return heard.among({"next", "previous", "repeat", "left", "cancel", "leave", "requirements", "lack",
                      "start", "details"}) != nullptr;
}
/// Words that are needed for that, as one may be anybody's.
constexpr std::size_t kFewestWithin = 2;
/// What is meant in the middle of a task by who only says what it is about: the phrases of
/// `topic_<meaning>.voc`, in any words. The first two also need a thing of the task.
constexpr std::array<const char*, 8> kTopics{"lack",         "amount", "left",   "previous",
                                             "requirements", "repeat", "cancel", "next"};
constexpr std::size_t kMostAboutTopic = 16, kMostToMoveOn = 6;  // words
constexpr std::size_t kLongestThing = 2;
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
  return route(state, hear(said, lang), world).reply->understood;
}

bool Talk::fits(Phase phase, const std::string& said, const std::string& lang) {
  if (library_.shelf(lang) == nullptr || words(said, lang).size() > kMostWords) return false;
  const Heard heard = hear(said, lang);
  if (says_("yes", said, lang) || says_("no", said, lang) ||
      heard.among({"more", "repeat", "previous", "help", "cancel", "leave"}) != nullptr)
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

std::optional<Heard> Talk::asks_for_task(const std::string& said, const std::string& lang) {
  const Shelf* const shelf = library_.shelf(lang);
  const Sentences* const known = sentences(lang);
  const auto all = words(said, lang);
  if (shelf == nullptr || known == nullptr || all.size() > kMostWords) return std::nullopt;
  bool without_name = false;
  const auto closest = closest_language(lang, locale_.languages());
  const bool is_about = all.size() <= kMostAboutTopic && closest.has_value();
  const auto is_of = [&](const char* topic) {
    return is_about && locale_.vocabulary_occurs(*closest, topic, all);
  };
  for (const Word& first : all) {
    for (const auto& match : known->match(said.substr(first.begin))) {
      if (match.name == "show_how") without_name = true;
      const auto slot = match.slots.find("query");
      if (slot == match.slots.end()) continue;
      std::string query = naming(slot->second, *shelf);
      if (!query.empty()) return search_for(said, std::move(query), match.name == "task_requirements");
    }
  }
  if (!without_name && !is_of("topic_task") && !is_of("topic_requirements")) return std::nullopt;
  std::string query = shelf->search().naming_words(said);
  if (!is_one(query, *shelf)) return std::nullopt;
  return search_for(said, std::move(query), is_of("topic_requirements"));
}

std::optional<Heard> Talk::hear_within(const State& state, const std::string& said, const std::string& lang,
                                       std::int64_t now) {
  const Sentences* const known = sentences(lang);
  const auto all = words(said, lang);
  if (known == nullptr || all.size() > kMostWords) return std::nullopt;
  World world = this->world(lang, now);
  if (world.shelf == nullptr || world.shelf->lang() != state.lang) return std::nullopt;
  world.random = [](std::size_t) { return std::size_t{0}; };
  for (std::size_t count = all.size() - std::min<std::size_t>(1, all.size()); count >= kFewestWithin;
       --count) {
    const std::string last = said.substr(all[all.size() - count].begin);
    for (const std::string& part : {said.substr(0, all[count - 1].end), last}) {
      Heard heard;
      heard.text = said;
      heard.meanings = known->match(part);
      if (is_of_a_step(heard) && route(state, heard, world).reply->understood) return heard;
    }
  }
  return hear_topic(state, said, all, world);
}

std::optional<Heard> Talk::hear_topic(const State& state, const std::string& said, std::span<const Word> all,
                                      const World& world) const {
  const auto closest = closest_language(state.lang, locale_.languages());
  if (!closest || all.size() > kMostAboutTopic) return std::nullopt;
  for (const std::string topic : kTopics) {
    if (topic == "next" && all.size() > kMostToMoveOn) continue;  // "turn the light off when you're done"
    if (!locale_.vocabulary_occurs(*closest, "topic_" + topic, all)) continue;
    Heard heard;
    heard.text = said;
    heard.meanings.push_back(Sentences::Match{topic, {}});
    if (topic == "lack" || topic == "amount") {
      const std::string thing = thing_in(state, said, all, world);
      if (thing.empty()) continue;
      heard.meanings.back().slots.emplace("thing", thing);
    }
    if (route(state, heard, world).reply->understood) return heard;
  }
  return std::nullopt;
}

std::string Talk::thing_in(const State& state, const std::string& said, std::span<const Word> all,
                           const World& world) {
  for (std::size_t length = kLongestThing; length > 0; --length) {
    for (std::size_t at = 0; at + length <= all.size(); ++at) {
      std::string thing(surface(said, all.subspan(at, length)));
      Heard asked;
      asked.meanings.push_back(Sentences::Match{"amount", {{"thing", thing}}});
      if (!world.shelf->words().stems(thing).empty() && route(state, asked, world).reply->understood)
        return thing;
    }
  }
  return {};
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
