// Random programs against a whole assistant. The seed of a failure is printed; to see it again:
//   PARLEY_MODEL_SEED=<seed> parley_model_tests      (which prints every message too)
// and to run more: PARLEY_MODEL_PROGRAMS=<how many>, from PARLEY_MODEL_SEED or 1 on.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdlib>
#include <memory>

#include "model/model_world.hpp"

using namespace parley::testing;

namespace {

std::uint64_t number(const char* variable, std::uint64_t otherwise) {
  const char* const text = std::getenv(variable);  // NOLINT(concurrency-mt-unsafe): nobody sets any
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 0);
}

using Faults = std::vector<std::string>;
using Run = Faults (ModelWorld::*)(const Program&);

Faults in_a_new_world(Run run, const Program& program) {
  return (ModelWorld().*run)(program);
}

/// What people need to see it again, in as few steps as can be.
std::string explained(Run run, std::uint64_t seed, const Faults& faults) {
  const Program program = program_of(seed);
  if (in_a_new_world(run, program).empty()) {
    return fmt::format("seed {}, only after the programs before it: {}\n{}", seed, fmt::join(faults, "\n  "),
                       to_string(program));
  }
  const Program least =
      shrunk(program, [run](const Program& fewer) { return !in_a_new_world(run, fewer).empty(); });
  return fmt::format("PARLEY_MODEL_SEED={} shows it; with only\n{}: {}", seed, to_string(least),
                     fmt::join(in_a_new_world(run, least), "\n  "));
}

/// Runs `programs` of them, or what the environment says; an assistant serves `at_most` of them.
void run_programs(Run run, std::uint64_t programs, std::uint64_t at_most) {
  const std::uint64_t first = number("PARLEY_MODEL_SEED", 1);
  const bool one = first != 1;
  const std::uint64_t count = number("PARLEY_MODEL_PROGRAMS", one ? 1 : programs);
  std::unique_ptr<ModelWorld> world;
  for (std::uint64_t i = 0; i < count; ++i) {
    if (i % at_most == 0) world = std::make_unique<ModelWorld>(one);
    const Faults faults = ((*world).*run)(program_of(first + i));
    if (!faults.empty()) FAIL(explained(run, first + i, faults));
  }
}

}  // namespace

TEST_CASE("U-1 D-5 whatever happens, every turn is handled once, every dispatch ends once, nothing is left") {
  run_programs(&ModelWorld::run, 200, 100'000);
}

TEST_CASE("U-1 D-5 an assistant that is stopped in the midst of anything still ends every turn, once") {
  run_programs(&ModelWorld::run_and_stop, 40, 1);
}

TEST_CASE("a program follows from its seed, and shrinks to what matters") {
  CHECK(to_string(program_of(7)) == to_string(program_of(7)));
  CHECK(to_string(program_of(7)) != to_string(program_of(8)));
  Program program;
  for (int i = 0; i < 10; ++i) program.emplace_back(i == 3 ? Act::kStop : Act::kSay, 1);
  const auto least = shrunk(
      program, [](const Program& fewer) { return to_string(fewer).find("stop") != std::string::npos; });
  CHECK(to_string(least) == "  stop 1\n");
}
