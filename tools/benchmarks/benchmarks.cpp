#include "benchmarks.hpp"

#include <array>

#include "converse.hpp"
#include "fallback.hpp"
#include "gateway.hpp"
#include "lifecycle.hpp"

namespace parley::bench {
namespace {

constexpr std::array kBenchmarks{
    Benchmark{"lifecycle", "turns from utterance to handled, in process; start-up; resident memory",
              &lifecycle},
    Benchmark{"converse", "a turn with skills that were active lately; handlers that wait for the user",
              &converse_bench},
    Benchmark{"fallback",
              "turns through a pool of 1, 10 and 100 fallback skills, the last one willing; one of ten "
              "silent for 50 ms",
              &fallback},
    Benchmark{"gateway", "deliveries to WebSocket clients; turns over /core and /run; memory of a connection",
              &gateway},
};

}  // namespace

std::span<const Benchmark> benchmarks() {
  return kBenchmarks;
}

}  // namespace parley::bench
