#include "benchmarks.hpp"

#include <array>

#include "converse.hpp"
#include "lifecycle.hpp"

namespace parley::bench {
namespace {

constexpr std::array kBenchmarks{
    Benchmark{"lifecycle", "turns from utterance to handled, in process; start-up; resident memory",
              &lifecycle},
    Benchmark{"converse", "a turn with skills that were active lately; handlers that wait for the user",
              &converse_bench},
};

}  // namespace

std::span<const Benchmark> benchmarks() {
  return kBenchmarks;
}

}  // namespace parley::bench
