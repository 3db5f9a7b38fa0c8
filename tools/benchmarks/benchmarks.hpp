#pragma once

#include <chrono>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "report.hpp"

namespace parley::bench {

struct Options {
  Options() = default;
  double seconds = 2;                ///< That each thing is measured for…
  double warmup = 0.5;               ///< …after so many seconds of the same.
  std::vector<int> sessions{1, 16};  ///< In flight at a time; every one is measured.
  int starts = 15;                   ///< How often start-up is measured.
  std::vector<std::string> data;     ///< Files of utterances for `intents`, of conversations for `evidence`.
  std::vector<std::string> sentences;  ///< Files for `free`; none: those that come along.
  int intents = 1000;                  ///< That are registered to measure `intents`.
  int objects = 20'000;                ///< That `evidence` is asked over.
  /// Nothing but whether it still runs is asked: once, and with little of everything.
  bool is_trial() const noexcept { return seconds < 0.5; }
};

struct Benchmark {
  std::string_view name;
  std::string_view does;
  void (*run)(const Options& options, Report& report);  ///< May throw: it could not be measured.
};

/// Everything there is; a new one goes into the table in benchmarks.cpp.
std::span<const Benchmark> benchmarks();

}  // namespace parley::bench
