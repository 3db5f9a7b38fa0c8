#include "model/program.hpp"

#include <fmt/format.h>

#include <array>
#include <iterator>

#include "model/dice.hpp"

namespace parley::testing {
namespace {

struct Weight {
  Act act;
  int weight;
  const char* name;
};

constexpr std::array<Weight, 14> kActs{{{Act::kSay, 34, "say"},
                                        {Act::kStop, 6, "stop"},
                                        {Act::kAnswer, 12, "answer"},
                                        {Act::kCommand, 6, "command"},
                                        {Act::kPass, 14, "pass"},
                                        {Act::kSetClock, 2, "set_clock"},
                                        {Act::kConnect, 7, "connect"},
                                        {Act::kDisconnect, 4, "disconnect"},
                                        {Act::kRegister, 4, "register"},
                                        {Act::kWithdraw, 2, "withdraw"},
                                        {Act::kSync, 3, "sync"},
                                        {Act::kStopMessage, 2, "stop_message"},
                                        {Act::kSpeakLate, 2, "speak_late"},
                                        {Act::kNonsense, 2, "nonsense"}}};
constexpr int kMostSteps = 12;

Act any_act(Dice& dice) {
  int left = dice.below(100);
  for (const auto& one : kActs) {
    left -= one.weight;
    if (left < 0) return one.act;
  }
  return Act::kSay;
}

}  // namespace

Program program_of(std::uint64_t seed) {
  Dice dice(seed);
  Program program;
  const int steps = 1 + dice.below(kMostSteps);
  for (int i = 0; i < steps; ++i) {
    const Act act = any_act(dice);
    program.emplace_back(act, dice.next());
  }
  return program;
}

std::string to_string(const Program& program) {
  std::string text;
  for (const auto& step : program) {
    for (const auto& one : kActs) {
      if (one.act == step.act) text += fmt::format("  {} {:x}\n", one.name, step.dice);
    }
  }
  return text;
}

Program shrunk(Program program, const std::function<bool(const Program&)>& fails) {
  for (bool shorter = true; shorter;) {
    shorter = false;
    for (std::size_t i = program.size(); i-- > 0;) {
      Program without = program;
      without.erase(std::next(without.begin(), static_cast<std::ptrdiff_t>(i)));
      if (!fails(without)) continue;
      program = std::move(without);
      shorter = true;
    }
  }
  return program;
}

}  // namespace parley::testing
