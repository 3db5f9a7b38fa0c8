#include <algorithm>
#include <array>
#include <parley/language.hpp>
#include <parley/text.hpp>
#include <utility>
#include <vector>

#include "live_words.hpp"
#include "talk.hpp"

// What is said in the middle of a task beside other words.
namespace parley::guide {
namespace {

constexpr std::size_t kMostWordsOfAStory = 40;
/// What is said in the middle of a task with other words before or behind.
bool is_of_a_step(const Heard& heard) {
  return heard.among({"next", "previous", "repeat", "left", "cancel", "leave", "requirements", "lack",
                      "start", "details"}) != nullptr;
}
/// Words that are needed for that, as one may be anybody's.
constexpr std::size_t kFewestWithin = 2;

}  // namespace

std::optional<Heard> Talk::hear_within(const State& state, const std::string& said, const std::string& lang,
                                       std::int64_t now) {
  const Sentences* const known = sentences(lang);
  const auto all = words(said, lang);
  if (known == nullptr || all.size() > kMostWordsOfAStory) return std::nullopt;
  World world = this->world(lang, now);
  if (world.shelf == nullptr || world.shelf->lang() != state.lang) return std::nullopt;
  world.random = [](std::size_t) { return std::size_t{0}; };
  if (auto live = hear_live(state, said, lang, now, Beside::kStory)) return live;
  const auto closest = closest_language(lang, locale_.languages());
  if (state.task.empty() || !closest || LiveWords(locale_, *closest, all).is_elsewhere()) return std::nullopt;
  // "They are knocking at the door again", "let's go, get dressed".
  const LiveWords live(locale_, *closest, all);
  const std::set<std::string> names = live_names(state, world);
  const bool is_named = live.has("step_words") || live.has_name(names, world.shelf->words());
  const bool is_beside_much = !is_named && !live.is_surely("repeat") && !live.is_surely("next") &&
                              live.strange(names, world.shelf->words()) > 0;
  for (std::size_t count = all.size() - std::min<std::size_t>(1, all.size()); count >= kFewestWithin;
       --count) {
    const std::string last = said.substr(all[all.size() - count].begin);
    for (const std::string& part : {said.substr(0, all[count - 1].end), last}) {
      Heard heard;
      heard.text = said;
      heard.meanings = known->match(part);
      if (is_beside_much && heard.among({"repeat", "start", "next"}) != nullptr) continue;
      if (is_of_a_step(heard) && route(state, heard, world).reply->understood) return heard;
    }
  }
  return std::nullopt;
}

namespace {

/// A part of what was said, and where its words begin and end.
struct Part {
  std::size_t from = 0, to = 0;
  bool is_clause = false;  ///< It stands alone between stops.
};

bool is_stop(std::string_view between) {
  return between.find_first_of(",;:.!?…") != std::string_view::npos;
}

/// The clauses between stops, then what the words begin and end with, the longest first.
std::vector<Part> parts_of(const std::string& said, std::span<const Word> all) {
  std::vector<Part> parts;
  std::vector<std::size_t> begins{0};
  for (std::size_t at = 1; at < all.size(); ++at) {
    const std::string_view text = said;
    if (is_stop(text.substr(all[at - 1].end, all[at].begin - all[at - 1].end))) begins.push_back(at);
  }
  begins.push_back(all.size());
  if (begins.size() > 2) {
    for (std::size_t at = 0; at + 1 < begins.size(); ++at)
      parts.push_back(Part{begins[at], begins[at + 1], true});
  }
  for (std::size_t count = all.size() - 1; count >= kFewestWithin; --count) {
    parts.push_back(Part{0, count, false});
    parts.push_back(Part{all.size() - count, all.size(), false});
  }
  return parts;
}

/// What may be meant by a part of what is said; more by a clause of its own.
bool is_meant_by(const Part& part, const Heard& heard) {
  if (heard.among({"previous", "repeat", "where", "left"}) != nullptr) return true;
  return part.is_clause &&
         heard.among({"next", "lack", "requirements", "details", "cancel", "leave"}) != nullptr;
}

}  // namespace

std::optional<Heard> Talk::hear_clause(const State& state, const std::string& said, const std::string& lang,
                                       std::int64_t now) {
  const Sentences* const known = sentences(lang);
  const auto closest = closest_language(lang, locale_.languages());
  const auto all = words(said, lang);
  if (known == nullptr || !closest || all.size() < kFewestWithin || all.size() > kMostWordsOfAStory)
    return std::nullopt;
  World world = this->world(lang, now);
  if (world.shelf == nullptr || world.shelf->lang() != state.lang) return std::nullopt;
  world.random = [](std::size_t) { return std::size_t{0}; };
  const std::span<const Word> every(all);
  const auto is_elsewhere = [&](std::size_t from, std::size_t to) {
    const auto some = every.subspan(from, to - from);
    return locale_.vocabulary_occurs(*closest, "elsewhere", some) ||
           locale_.vocabulary_occurs(*closest, "topic_requirements", some);
  };
  const auto is_beside_others = [&](const Part& part) {
    return is_elsewhere(0, part.from) || is_elsewhere(part.to, every.size());
  };
  for (const Part& part : parts_of(said, all)) {
    if (is_beside_others(part)) continue;
    Heard heard;
    heard.text = said;
    heard.meanings = known->match(surface(said, every.subspan(part.from, part.to - part.from)));
    if (!is_meant_by(part, heard)) continue;
    const LiveWords live(locale_, *closest,
                         part.is_clause ? every.subspan(part.from, part.to - part.from) : every);
    if (heard.is("left") && live.asks_for_time(world.shelf->words())) continue;
    // "Somebody is at the door again".
    if (heard.is("repeat") && !part.is_clause && !live.is_surely("repeat") &&
        live.strange(live_names(state, world), world.shelf->words()) > 1)
      continue;
    if (heard.is("lack") && !has_thing(state, heard.slot("lack", "thing"), world)) continue;
    if (route(state, heard, world).reply->understood) return heard;
  }
  return hear_phrase(state, said, all, world);
}

std::optional<Heard> Talk::hear_phrase(const State& state, const std::string& said, std::span<const Word> all,
                                       const World& world) const {
  constexpr std::array kPhrases{"where", "left", "previous", "repeat", "requirements", "cancel"};
  constexpr std::size_t kMostAbout = 16;
  const auto closest = closest_language(state.lang, locale_.languages());
  if (!closest || all.size() > kMostAbout || LiveWords(locale_, *closest, all).is_elsewhere())
    return std::nullopt;
  for (const char* const meaning : kPhrases) {
    if (!locale_.vocabulary_occurs(*closest, std::string("surely_") + meaning, all)) continue;
    const LiveWords live(locale_, *closest, all);
    if (meaning == std::string_view("left") && live.asks_for_time(world.shelf->words())) continue;
    Heard heard;
    heard.text = said;
    heard.meanings.push_back(Sentences::Match{meaning, {}});
    if (route(state, heard, world).reply->understood) return heard;
  }
  return std::nullopt;
}

bool Talk::has_thing(const State& state, const std::string& thing, const World& world) {
  const TaskMap* const task = task_of(state, world);
  return task != nullptr && meant_requirement(*task, state, thing, world) != nullptr;
}

Heard Talk::hear_for(const State& state, const std::string& said, const std::string& lang, std::int64_t now) {
  if (!understands(state, said, lang, now)) {
    if (auto live = hear_live(state, said, lang, now, Beside::kNothing)) return std::move(*live);
    if (auto clause = hear_clause(state, said, lang, now)) return std::move(*clause);
  }
  return hear_in(state, said, lang, world(lang, now));
}

}  // namespace parley::guide
