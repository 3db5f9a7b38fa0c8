#include <algorithm>

#include "../policy.hpp"

namespace parley::guide {
namespace {

constexpr std::size_t kAtATime = 3;
/// The score of what has all that was said before and now.
constexpr double kFitsAll = 0.8;

Outcome choose(State state, const std::string& id, const World& world) {
  State chosen = std::move(state);
  chosen.task = id;
  chosen.page = 0;
  chosen.chosen.clear();
  chosen.lacking.clear();
  chosen.known.clear();
  chosen.asked.clear();
  chosen.extra.clear();
  chosen.at = 0;
  chosen.quiet_steps = 0;
  chosen.timer_offered = chosen.video_offered = false;
  const TaskMap* const task = world.shelf->task(id);
  if (task != nullptr && task->requirements.empty())
    return go_to(std::move(chosen), Phase::kExecuting, Heard::nothing());
  return go_to(std::move(chosen), Phase::kValidating, Heard::nothing());
}

std::size_t shown(const State& state) {
  return std::min(kAtATime, state.found.size() - std::min(state.first_shown, state.found.size()));
}

/// Which of the choices that were told is meant: by number or by its name.
std::optional<std::string> chosen_one(const State& state, const Heard& heard, const World& world) {
  const std::size_t count = shown(state);
  if (count == 0) return std::nullopt;
  std::optional<std::size_t> at;
  if (heard.is("first")) at = 0;
  if (heard.is("second")) at = 1;
  if (heard.is("third")) at = 2;
  if (heard.is("last")) at = count - 1;
  if (count == 1 && (agrees(heard, world) || heard.is("start"))) at = 0;
  if (at) return *at < count ? std::optional(state.found[state.first_shown + *at]) : std::nullopt;
  const auto said =
      world.shelf->words().stems(heard.is("select") ? heard.slot("select", "choice") : heard.text);
  if (said.empty()) return std::nullopt;
  // By name: every word that was said is in the title of one of all that were found, and of no other.
  std::vector<std::string> meant;
  for (const std::string& id : state.found) {
    const TaskMap* const task = world.shelf->task(id);
    if (task == nullptr) continue;
    const auto title = world.shelf->words().stems(task->title);
    if (std::all_of(said.begin(), said.end(), [&](const std::string& word) {
          return std::find(title.begin(), title.end(), word) != title.end();
        }))
      meant.push_back(id);
  }
  if (meant.size() != 1) return std::nullopt;
  return meant.front();
}

Outcome offer(State state, const World& world, const std::string& dialog) {
  Reply reply = tell_choices(state, world, dialog);
  return answer(std::move(state), std::move(reply));
}

/// "I have no butter" of the only one that was offered: that one is meant.
std::optional<Outcome> about_the_only_one(const State& state, const Heard& heard, const World& world) {
  if (shown(state) != 1 || !heard.is("lack")) return std::nullopt;
  Outcome chosen = choose(state, state.found[state.first_shown], world);
  chosen.heard = heard;
  return chosen;
}

/// "Now the first step" of the only one that was offered, or of the only one that has a word of it: that is
/// begun at once.
std::optional<Outcome> begin_one(const State& state, const Heard& heard, const World& world) {
  if (heard.among({"begin", "next"}) == nullptr) return std::nullopt;
  const auto said = world.shelf->words().stems(heard.text);
  std::vector<std::string> meant;
  for (std::size_t at = state.first_shown; at < state.first_shown + shown(state); ++at) {
    const TaskMap* const task = world.shelf->task(state.found[at]);
    const auto title = world.shelf->words().stems(task == nullptr ? std::string() : task->title);
    const auto is_said = [&](const std::string& word) { return std::ranges::find(said, word) != said.end(); };
    if (shown(state) == 1 || std::ranges::any_of(title, is_said)) meant.push_back(state.found[at]);
  }
  if (meant.size() != 1) return std::nullopt;
  Outcome chosen = choose(state, meant.front(), world);
  chosen.state.phase = Phase::kExecuting;
  return chosen;
}

/// More and previous choices, none of them, yes and no.
std::optional<Outcome> about_choices(State state, const Heard& heard, const World& world) {
  if (state.found.empty()) return std::nullopt;
  if (heard.is("more")) {
    if (state.first_shown + kAtATime >= state.found.size())
      return offer(std::move(state), world, "no_more_choices");
    state.first_shown += kAtATime;
    return offer(std::move(state), world, "choices_more");
  }
  if (heard.is("previous")) {
    state.first_shown -= std::min(kAtATime, state.first_shown);
    return offer(std::move(state), world, "choices");
  }
  if (heard.is("none_of_these")) {
    state.found.clear();
    state.query.clear();
    return answer(std::move(state), saying("what_else"));
  }
  if (heard.among({"start", "begin", "next"}) != nullptr && shown(state) > 1)
    return answer(std::move(state), saying("which_one"));
  if (heard.among({"repeat", "where", "go_on"}) != nullptr || agrees(heard, world))
    return offer(std::move(state), world, "choices");
  return std::nullopt;
}

/// What is looked for, with what was said before. Nothing: neither words nor filters.
std::string wanted_text(const State& state, const std::string& said) {
  return state.query.empty() ? said : state.query + " " + said;
}

/// Whether two words or more are all in a title: "wiener schnitzel" means no other Viennese dish.
bool is_titled(const TaskMap& task, const std::vector<std::string>& said, const World& world) {
  const auto title = world.shelf->words().stems(task.title);
  return said.size() > 1 && std::ranges::all_of(said, [&](const std::string& word) {
           return std::ranges::find(title, word) != title.end();
         });
}

/// Only the one that is called so, where just one is.
std::vector<Search::Hit> titled(std::vector<Search::Hit> hits, const std::string& query, const World& world) {
  const auto said = world.shelf->words().read(query).stems;
  const auto is = [&](const Search::Hit& one) {
    return is_titled(world.shelf->tasks()[one.task], said, world);
  };
  if (std::ranges::count_if(hits, is) != 1) return hits;
  return {*std::ranges::find_if(hits, is)};
}

Outcome present(State state, const std::vector<Search::Hit>& hits, const std::string& query,
                const World& world) {
  const bool was_asked = state.elicited > 0 && state.found.empty();
  state.found.clear();
  for (const auto& hit : hits) state.found.push_back(world.shelf->tasks()[hit.task].id);
  state.first_shown = 0;
  state.query = query;
  state.categories.clear();
  Reply choices = tell_choices(state, world, "choices");
  const auto& all = world.shelf->elicitation().conversations;
  const auto conversation = all.find(state.domain.value_or(Domain::kCooking));
  if (was_asked && conversation != all.end() && !conversation->second.responses.empty())
    choices.lines.insert(choices.lines.begin(), Line{{}, {}, pick(conversation->second.responses, world)});
  return answer(std::move(state), std::move(choices));
}

/// What is looked for, in this order until something is found. What was said to narrow things down is part of
/// it. After choices were told something else may be wanted: "soup" after "pasta", but not "with tomatoes".
std::vector<std::string> queries(const State& state, const std::string& said, const Wanted& now,
                                 const World& world) {
  const std::string all = wanted_text(state, said);
  if (state.found.empty() || now.stems.empty()) return {all, said};
  const auto hits = world.shelf->search().find(all, state.domain, 1);
  if (!hits.empty() && hits.front().score >= kFitsAll) return {all};
  return {said};
}

/// Specific: searched for. Vague: asked about, three times at most.
std::optional<Outcome> search(const State& state, const Heard& heard, const World& world) {
  const std::string said = heard.is("search")   ? heard.slot("search", "query")
                           : heard.is("select") ? heard.slot("select", "choice")
                                                : heard.text;
  const auto& words = world.shelf->words();
  const bool any_will_do = heard.among({"surprise", "recipes"}) != nullptr;
  const bool vague = any_will_do || heard.among({"vague", "cook", "diy"}) != nullptr;
  const Wanted now = vague && heard.text.empty() ? Wanted() : words.read(said);
  if (now.stems.empty() && !now.filters.any() && !vague) return std::nullopt;
  if ((now.stems.empty() || vague) && state.elicited < 3 && !any_will_do) {
    State asking = state;
    if (!now.stems.empty() || now.filters.any()) asking.query = wanted_text(state, said);
    return elicitation(std::move(asking), heard, world);
  }
  for (const std::string& query : queries(state, said, now, world)) {
    auto hits = world.shelf->search().find(query, state.domain);
    if (query == said) hits = titled(std::move(hits), query, world);
    if (hits.empty()) continue;
    if (heard.is("requirements") && hits.front().named) hits.resize(1, hits.front());
    Outcome presented = present(state, hits, query, world);
    auto told = answer_about_choices(presented.state, heard, world);
    return told ? answer(std::move(presented.state), std::move(*told)) : std::move(presented);
  }
  if (!vague) return std::nullopt;
  std::vector<Search::Hit> any;
  for (std::size_t at = 0; at < world.shelf->tasks().size(); ++at)
    if (world.shelf->tasks()[at].domain == state.domain) any.emplace_back(at, 0, false);
  if (any.empty()) return std::nullopt;
  // Not always the same ones.
  std::rotate(any.begin(), any.begin() + static_cast<std::ptrdiff_t>(world.random(any.size()) % any.size()),
              any.end());
  return present(state, any, "", world);
}

}  // namespace

Outcome planning(State state, const Heard& heard, const World& world) {
  if (heard.text.empty() && heard.meanings.empty()) return answer(std::move(state), saying("what_else"));
  for (const char* const advice : {"medical", "financial", "legal"})
    if (world.mentions(advice, heard.text)) return answer(std::move(state), saying("no_advice"));
  if (heard.is("confused")) return answer(std::move(state), saying("help_planning"));
  if (auto told = answer_about_choices(state, heard, world))
    return answer(std::move(state), std::move(*told));
  if (const auto id = chosen_one(state, heard, world)) return choose(std::move(state), *id, world);
  if (auto begun = begin_one(state, heard, world)) return std::move(*begun);
  if (auto only = about_the_only_one(state, heard, world)) return std::move(*only);
  if (auto told = about_choices(state, heard, world)) return std::move(*told);
  if (world.says("no", heard.text)) {
    state.start_afresh();
    return go_to(std::move(state), Phase::kDomain, Heard::nothing());
  }
  if (auto themed = theme(state, heard, world)) return std::move(*themed);
  if (auto narrowed = category(state, heard, world)) return std::move(*narrowed);
  if (auto found = search(state, heard, world)) return std::move(*found);
  if (heard.is("repeat")) return answer(std::move(state), saying("what_else"));
  if (heard.is("search"))
    return answer(std::move(state), saying("nothing_found", {{"query", heard.slot("search", "query")}}));
  state.misunderstood = std::min(state.misunderstood + 1, 3);
  return unsure(state, saying(state.misunderstood == 1 ? "not_found" : "help_planning"));
}

}  // namespace parley::guide
