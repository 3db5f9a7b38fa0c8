#include <algorithm>
#include <parley/language.hpp>
#include <parley/text.hpp>
#include <set>
#include <utility>
#include <vector>

#include "live_words.hpp"
#include "talk.hpp"

// What is said while something is offered or under way, read by the words it has in it, in any order.
namespace parley::guide {
namespace {

constexpr std::size_t kMostLiveWords = 24, kLongestName = 2;
/// Words that may stand beside a meaning without being of it, where nobody else wanted what was said.
constexpr std::size_t kStrangeBeside = 3, kStrangeBesideToMoveOn = 1, kStrangeBesideToEnd = 1;

/// The tasks that are offered, or the one that was chosen.
std::vector<const TaskMap*> live_tasks(const State& state, const World& world) {
  if (const TaskMap* const task = task_of(state, world)) return {task};
  std::vector<const TaskMap*> shown;
  for (std::size_t at = state.first_shown; at < state.found.size() && shown.size() < 3; ++at) {
    if (const TaskMap* const task = world.shelf->task(state.found[at])) shown.push_back(task);
  }
  return shown;
}

/// The stems of all that names them or belongs to them.
std::set<std::string> names_of(const std::vector<const TaskMap*>& tasks, const World& world) {
  std::set<std::string> names;
  const auto add = [&](const std::string& text) {
    for (std::string& stem : world.shelf->words().stems(text)) names.insert(std::move(stem));
  };
  for (const TaskMap* const task : tasks) {
    add(task->title);
    add(task->category);
    for (const std::string& tag : task->tags) add(tag);
    for (const Requirement& one : task->requirements) {
      add(one.name);
      for (const Substitute& instead : one.substitutes) add(instead.name);
    }
  }
  return names;
}

/// How it is meant where the conversation is: what begins a task before it was begun goes on with it later.
Sentences::Match meant_in(const State& state, const std::string& meaning, const LiveWords& said) {
  const bool under_way = state.phase == Phase::kExecuting;
  if (meaning == "next" && !under_way) return {"begin", {}};
  if (meaning == "begin" && under_way && !said.is_surely("begin")) return {"next", {}};
  return {meaning, {}};
}

/// Whether too much else is said beside what may be meant.
/// @param is_named  it names a step or the task
bool is_beyond(const std::string& meaning, const LiveWords& said, std::size_t strange, bool is_named,
               bool is_begun) {
  if (strange == 0 || (is_named && said.is_surely(meaning))) return false;
  if (meaning == "lack") return false;  // it also takes a thing of the task
  if (meaning == "next" && said.is_surely(meaning)) return strange > kStrangeBeside;
  // "Start the dishwasher", "let's go, into the car".
  if (meaning == "next" || meaning == "begin")
    return strange > kStrangeBesideToMoveOn || !(is_named || (said.is_surely(meaning) && !is_begun));
  if (meaning == "go_on") return strange > kStrangeBesideToMoveOn;
  if (meaning == "repeat" && !is_named && !said.is_surely(meaning)) return strange > kStrangeBesideToMoveOn;
  return !said.is_surely(meaning) && strange > kStrangeBeside;
}

/// Whether it is about the task, where its words alone may be of other matters: "how much is left" of the
/// time, "enough of that".
bool is_about(const std::string& meaning, const LiveWords& said, const std::set<std::string>& names,
              const SearchWords& how) {
  // "Is the rice done?"
  if (meaning == "next" || meaning == "begin") return said.is_surely(meaning) || !said.begins("asks_whether");
  // "Back to the soup"; we go back to other things, too.
  if (meaning == "go_on") return said.has("step_words") || said.has_name(names, how);
  if (meaning == "left") return !said.asks_for_time(how);
  if (meaning == "amount") return !said.has("time_words") && !said.may_mean("left");
  if (meaning == "cancel")
    return said.is_surely(meaning) || said.has("step_words") || said.has_name(names, how);
  return true;
}

}  // namespace

std::set<std::string> Talk::live_names(const State& state, const World& world) {
  return names_of(live_tasks(state, world), world);
}

bool Talk::is_elsewhere(const std::string& said, const std::string& lang) const {
  const auto closest = closest_language(lang, locale_.languages());
  return closest && locale_.vocabulary_occurs(*closest, "elsewhere", words(said, lang));
}

std::optional<Heard> Talk::hear_live(const State& state, const std::string& said, const std::string& lang,
                                     std::int64_t now, Beside beside) {
  const auto closest = closest_language(lang, locale_.languages());
  const auto all = words(said, lang);
  World world = this->world(lang, now);
  if (!closest || all.empty() || all.size() > kMostLiveWords || world.shelf == nullptr ||
      world.shelf->lang() != state.lang)
    return std::nullopt;
  world.random = [](std::size_t) { return std::size_t{0}; };
  const auto tasks = live_tasks(state, world);
  const LiveWords live(locale_, *closest, all);
  if (tasks.empty() || live.is_elsewhere()) return std::nullopt;
  const std::set<std::string> names = names_of(tasks, world);
  const std::size_t strange = live.strange(names, world.shelf->words());
  if (beside == Beside::kNothing && strange > 0) return std::nullopt;
  const bool is_named = live.has("step_words") || live.has_name(names, world.shelf->words());
  const bool is_begun = state.phase == Phase::kExecuting;
  for (const std::string meaning : kLiveMeanings) {
    if (!live.may_mean(meaning) || is_beyond(meaning, live, strange, is_named, is_begun)) continue;
    if (!is_about(meaning, live, names, world.shelf->words())) continue;
    Heard heard;
    heard.text = said;
    heard.meanings.push_back(meant_in(state, meaning, live));
    if (meaning == "lack" || meaning == "amount") {
      const std::string thing = thing_in(state, said, all, world, meaning == "lack");
      if (thing.empty()) continue;
      heard.meanings.back().slots.emplace("thing", thing);
    }
    if (route(state, heard, world).reply->understood) return heard;
  }
  return std::nullopt;
}

bool Talk::means_last_answer(const State& state, const std::string& said, const std::string& lang,
                             std::int64_t now) {
  const auto closest = closest_language(lang, locale_.languages());
  const auto all = words(said, lang);
  if (!closest) return false;
  const LiveWords live(locale_, *closest, all);
  if (live.has("step_words")) return false;
  if (live.has("pardon")) return true;
  const Heard heard = hear_for(state, said, lang, now);
  return heard.is("repeat") && state.phase != Phase::kExecuting;
}

bool Talk::means_to_end(const State& state, const std::string& said, const std::string& lang,
                        std::int64_t now) {
  const auto closest = closest_language(lang, locale_.languages());
  const auto all = words(said, lang);
  const World world = this->world(lang, now);
  if (!closest || world.shelf == nullptr) return true;
  const LiveWords live(locale_, *closest, all);
  const std::size_t stops = 1;  // the word itself, of whatever vocabulary
  return !live.has("elsewhere") && live.strange(names_of(live_tasks(state, world), world),
                                                world.shelf->words()) <= kStrangeBesideToEnd + stops;
}

std::string Talk::thing_in(const State& state, const std::string& said, std::span<const Word> all,
                           const World& world, bool is_lacking) {
  for (std::size_t length = kLongestName; length > 0; --length) {
    for (std::size_t at = 0; at + length <= all.size(); ++at) {
      std::string thing(surface(said, all.subspan(at, length)));
      Heard asked;
      asked.meanings.push_back(Sentences::Match{"amount", {{"thing", thing}}});
      if (!world.shelf->words().stems(thing).empty() && route(state, asked, world).reply->understood)
        return thing;
    }
  }
  // "No butter, what do I take instead?" of bread that has none: who asks is told so.
  for (const Word& word : all) {
    if (is_lacking && world.shelf->search().is_required(word.norm)) return word.norm;
  }
  return {};
}

}  // namespace parley::guide
