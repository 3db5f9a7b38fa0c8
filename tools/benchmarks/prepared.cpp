#include "prepared.hpp"

#include <atomic>
#include <chrono>
#include <ctime>
#include <stdexcept>
#include <thread>
#include <utility>

#include "config/config.hpp"
#include "config/files.hpp"

namespace parley::bench {

namespace {

std::unique_ptr<Assistant> prepared(std::vector<std::string> settings, AssistantOptions options) {
  options.executable_directory = executable_directory();
  options.config_file = find_config(std::nullopt, {}, options.executable_directory);
  if (!options.config_file) {
    throw std::runtime_error("no share/parley/parley.yaml beside " + options.executable_directory.string() +
                             ": run tools/bench, which builds all that is needed");
  }
  ConfigSources sources;
  sources.file = options.config_file;
  sources.settings = std::move(settings);
  return std::make_unique<Assistant>(load_config(sources), std::move(options));
}

/// With the machine's clock: the loop runs that long.
void run_loop(Assistant& assistant, std::chrono::milliseconds time) {
  std::atomic<bool> over{false};
  std::thread alarm([&] {
    std::this_thread::sleep_for(time);
    over = true;
    assistant.post([] {});
  });
  assistant.run_until([&over] { return over.load(); });
  alarm.join();
}

}  // namespace

std::unique_ptr<Assistant> make_assistant(std::vector<std::string> settings) {
  AssistantOptions options;
  options.languages_sleep = true;
  return prepared(std::move(settings), std::move(options));
}

std::unique_ptr<Assistant> make_keeping_assistant(std::vector<std::string> settings) {
  AssistantOptions options;
  options.keeps_as = "parley-bench";
  options.languages_sleep = true;
  return prepared(std::move(settings), std::move(options));
}

std::unique_ptr<Assistant> make_timeless_assistant() {
  AssistantOptions options;
  options.jumping_clock = true;
  options.logs_in_memory = true;
  return prepared({}, std::move(options));
}

std::unique_ptr<Assistant> make_assistant(Config config) {
  AssistantOptions options;
  options.executable_directory = executable_directory();
  return std::make_unique<Assistant>(std::move(config), std::move(options));
}

void start_at_once(Assistant& assistant) {
  assistant.start();
  std::string refused;
  for (const auto& problem : assistant.problems()) refused += "\n  " + to_string(problem);
  if (!refused.empty()) throw std::runtime_error("the assistant did not start as a whole:" + refused);
}

void start(Assistant& assistant) {
  start_at_once(assistant);
  settle(assistant);
}

void settle(Assistant& assistant) {
  constexpr std::chrono::milliseconds kWhile(400);  // learning begins within it
  constexpr double kIdle = 0.05;
  constexpr int kMostRounds = 50;
  for (int round = 0; round < kMostRounds; ++round) {
    const std::clock_t before = std::clock();
    assistant.jumping_clock() != nullptr ? assistant.run_for(kWhile) : run_loop(assistant, kWhile);
    const double used = static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC;
    if (used < kIdle * std::chrono::duration<double>(kWhile).count()) return;
  }
}

}  // namespace parley::bench
