#include "policy.hpp"

#include <algorithm>

namespace parley::guide {

const Sentences::Match* Heard::among(std::initializer_list<std::string_view> intents) const {
  const auto found = std::find_if(meanings.begin(), meanings.end(), [&](const Sentences::Match& one) {
    return std::find(intents.begin(), intents.end(), one.name) != intents.end();
  });
  return found == meanings.end() ? nullptr : &*found;
}

std::string Heard::slot(std::string_view intent, const std::string& name) const {
  const Sentences::Match* const match = among({intent});
  const auto found = match == nullptr ? decltype(match->slots.begin()){} : match->slots.find(name);
  return match == nullptr || found == match->slots.end() ? std::string() : found->second;
}

Heard Heard::as(std::string intent) {
  Heard heard;
  heard.meanings.push_back(Sentences::Match{std::move(intent), {}});
  return heard;
}

bool agrees(const Heard& heard, const World& world) {
  return heard.is("agree") || world.says("yes", heard.text);
}

Reply& Reply::say(std::string dialog, std::map<std::string, std::string> slots) {
  lines.push_back(Line{std::move(dialog), std::move(slots), {}});
  return *this;
}

Reply& Reply::read(std::string words) {
  lines.push_back(Line{{}, {}, std::move(words)});
  return *this;
}

Reply& Reply::offer(std::vector<std::string> what) {
  options.insert(options.end(), what.begin(), what.end());
  return *this;
}

Reply saying(std::string dialog, std::map<std::string, std::string> slots) {
  Reply reply;
  reply.say(std::move(dialog), std::move(slots));
  return reply;
}

Outcome answer(State state, Reply reply) {
  state.misunderstood = 0;
  return {std::move(state), std::move(reply), {}};
}

Outcome unsure(State state, Reply reply) {
  reply.understood = false;
  return {std::move(state), std::move(reply), {}};
}

Outcome go_to(State state, Phase phase, Heard heard) {
  state.phase = phase;
  return {std::move(state), std::nullopt, std::move(heard)};
}

const std::string& pick(const std::vector<std::string>& all, const World& world) {
  return all[world.random(all.size()) % all.size()];
}

const TaskMap* task_of(const State& state, const World& world) {
  return state.task.empty() || world.shelf == nullptr ? nullptr : world.shelf->task(state.task);
}

}  // namespace parley::guide
