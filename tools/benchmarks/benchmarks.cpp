#include "benchmarks.hpp"

#include <array>

#include "lifecycle.hpp"

namespace parley::bench {
namespace {

constexpr std::array kBenchmarks{
    Benchmark{"lifecycle", "turns from utterance to handled, in process; start-up; resident memory",
              &lifecycle},
};

}  // namespace

std::span<const Benchmark> benchmarks() {
  return kBenchmarks;
}

}  // namespace parley::bench
