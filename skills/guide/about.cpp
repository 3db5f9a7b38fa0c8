#include <algorithm>
#include <array>
#include <parley/phrases.hpp>
#include <parley/speech.hpp>
#include <parley/text.hpp>

#include "policy.hpp"

namespace parley::guide {
namespace {

/// Words that the name of a thing has at most.
constexpr std::size_t kMostInName = 3;

/// The sentences of the steps that tell a temperature, the present step's first.
std::string temperature(const TaskMap& task, const State& state, const World& world) {
  std::vector<std::size_t> order = task.order;
  if (state.at < order.size())
    std::rotate(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(state.at), order.end());
  for (const std::size_t at : order) {
    const Step& step = task.steps[at];
    for (const std::string& text : {step.say, step.details})
      if (!text.empty() && (text.find("°") != std::string::npos || world.mentions("degrees", text)))
        return filled_in(text, state.chosen);
  }
  return {};
}

}  // namespace

const Requirement* meant_requirement(const TaskMap& task, const State& state, const std::string& said,
                                     const World& world) {
  const auto wanted = world.shelf->words().stems(said);
  if (wanted.empty()) return nullptr;
  const auto names_it = [&](const std::string& text) {
    const auto name = world.shelf->words().stems(text);
    return std::all_of(wanted.begin(), wanted.end(), [&](const std::string& stem) {
      return std::find(name.begin(), name.end(), stem) != name.end();
    });
  };
  for (const Requirement& one : task.requirements)
    if (names_it(one.name)) return &one;
  for (const auto& [name, instead] : state.chosen)
    if (names_it(instead)) return task.requirement(name);
  return nullptr;
}

namespace {

bool begins_with_vowel(std::string_view name) {
  constexpr std::array vowels{"a", "e", "i", "o", "u", "h", "à", "â", "é", "è", "ê", "î", "ô", "œ"};
  return std::any_of(vowels.begin(), vowels.end(),
                     [&](std::string_view vowel) { return name.starts_with(vowel); });
}

/// "2 eggs", "50 g butter", "50 g de beurre", "4 gousses d'ail".
std::string with_amount(const std::string& amount, const std::string& name,
                        const std::vector<std::string>& of) {
  const bool is_number_and_unit = !amount.empty() && amount.front() >= '0' && amount.front() <= '9' &&
                                  amount.find(' ') != std::string::npos;
  if (amount.empty()) return name;
  if (of.empty() || !is_number_and_unit) return amount + " " + name;
  if (of.size() > 1 && begins_with_vowel(name)) return amount + " " + of[1] + name;
  return amount + " " + of.front() + " " + name;
}

}  // namespace

std::string spoken(const Requirement& requirement, const State& state, const World& world) {
  const auto chosen = state.chosen.find(requirement.name);
  std::string name = requirement.name, amount = requirement.amount;
  if (chosen != state.chosen.end()) {
    name = chosen->second;
    for (const Substitute& one : requirement.substitutes)
      if (one.name == name) amount = one.amount;
  }
  return with_amount(amount, name, world.shelf->elicitation().of);
}

namespace {

Reply amount(const TaskMap& task, const State& state, const std::string& thing, const World& world) {
  const Requirement* const meant = meant_requirement(task, state, thing, world);
  if (meant != nullptr && meant->amount.empty()) return saying("no_amount", {{"thing", meant->name}});
  if (meant != nullptr) return saying("amount_is", {{"thing", spoken(*meant, state, world)}});
  Reply unknown = saying("not_needed", {{"thing", thing}});
  unknown.understood = false;  // "how much is the fish"
  return unknown;
}

Reply requirements(const TaskMap& task, const State& state, const World& world) {
  if (task.requirements.empty()) return saying("nothing_needed");
  std::vector<std::string> names;
  for (const Requirement& one : task.requirements) names.push_back(spoken(one, state, world));
  return saying("you_need", {{"things", say_list(names, task.lang)}});
}

}  // namespace

std::optional<Reply> answer_about(const State& state, const Heard& heard, const World& world) {
  const TaskMap* const task = task_of(state, world);
  if (task == nullptr) return std::nullopt;
  if (heard.is("temperature")) {
    const std::string text = temperature(*task, state, world);
    return text.empty() ? saying("no_temperature") : Reply().read(text);
  }
  if (heard.is("serves")) {
    if (task->serves == 0) return saying("no_serves");
    return saying("serves_is", {{"count", std::to_string(task->serves)}});
  }
  if (heard.is("how_long_all") || (heard.is("how_long") && state.phase != Phase::kExecuting)) {
    if (task->time.count() == 0) return saying("no_time");
    return saying("takes", {{"time", say_duration(task->time, task->lang, Precision::kMinutes)}});
  }
  if (heard.is("left")) {
    const Progress where = progress(*task, state);
    return saying("steps_in_all", {{"count", std::to_string(where.of)}});
  }
  if (heard.is("difficulty"))
    return saying(task->difficulty.empty() ? "no_difficulty" : "difficulty_" + task->difficulty);
  if (heard.is("what_is_it")) return saying("chosen", {{"title", task->title}}).read(task->summary);
  if (heard.is("requirements")) return requirements(*task, state, world);
  if (heard.is("amount")) return amount(*task, state, heard.slot("amount", "thing"), world);
  return std::nullopt;
}

namespace {

/// The one after what is taken so far, if there is one.
const Substitute* next_substitute(const Requirement& missing, const State& state) {
  const auto& all = missing.substitutes;
  const auto chosen = state.chosen.find(missing.name);
  if (chosen == state.chosen.end()) return all.empty() ? nullptr : &all.front();
  const auto now =
      std::find_if(all.begin(), all.end(), [&](const Substitute& one) { return one.name == chosen->second; });
  return now == all.end() || now + 1 == all.end() ? nullptr : &*(now + 1);
}

Reply take_instead(State& state, const Requirement& missing) {
  const Substitute* const instead = next_substitute(missing, state);
  state.lacking = missing.name;
  if (instead == nullptr) {
    const bool had_one = state.chosen.erase(missing.name) > 0;
    return saying(had_one ? "no_more_substitutes" : "no_substitute", {{"thing", missing.name}});
  }
  state.chosen[missing.name] = instead->name;
  Reply reply = saying(instead->amount.empty() ? "substitute" : "substitute_amount",
                       {{"thing", missing.name}, {"instead", instead->name}, {"amount", instead->amount}});
  if (!instead->note.empty()) reply.read(instead->note);
  return reply;
}

}  // namespace

namespace {

/// The same in more words than its name: "pecorino, what can I use".
const Requirement* requirement_within(const TaskMap& task, const std::string& said, const World& world) {
  const auto all = world.shelf->words().stems(said);
  const auto is_named = [&](const Requirement& one) {
    const auto name = world.shelf->words().stems(one.name);
    return !name.empty() && std::ranges::all_of(name, [&](const std::string& stem) {
      return std::ranges::find(all, stem) != all.end();
    });
  };
  const auto found = std::ranges::find_if(task.requirements, is_named);
  return found == task.requirements.end() ? nullptr : &*found;
}

}  // namespace

std::optional<Reply> substitute(State& state, const TaskMap& task, const Heard& heard, const World& world) {
  if (heard.is("lack_too") && !state.lacking.empty()) {
    const Requirement* const missing = task.requirement(state.lacking);
    if (missing != nullptr) return take_instead(state, *missing);
  }
  if (!heard.is("lack")) return std::nullopt;
  const std::string thing = heard.slot("lack", "thing");
  if (world.shelf->words().stems(thing).empty()) return std::nullopt;  // "that"
  const Requirement* missing = meant_requirement(task, state, thing, world);
  if (missing == nullptr && words(thing, task.lang).size() > kMostInName) {
    missing = requirement_within(task, thing, world);
    if (missing == nullptr) return std::nullopt;
  }
  if (missing == nullptr) return saying("not_needed", {{"thing", thing}});
  return take_instead(state, *missing);
}

}  // namespace parley::guide
