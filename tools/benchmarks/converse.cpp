#include "converse.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "app/conversation.hpp"
#include "bench_skill.hpp"
#include "latencies.hpp"
#include "memory.hpp"
#include "prepared.hpp"
#include "talkers.hpp"
#include "waiting.hpp"

namespace parley::bench {
namespace {

constexpr int kListeners = 8;
constexpr int kWaiting = 1'000;

std::string listener_id(int number) {
  return fmt::format("listener{}.bench", number);
}

std::size_t threads() {
  std::size_t count = 0;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task"))
    if (task.is_directory()) ++count;
  return count;
}

using Talks = std::vector<std::unique_ptr<Conversation>>;

/// Everybody says the same; returns when all of it has come to rest.
void say_all(Assistant& assistant, Talks& talks, const char* text, const char* expected) {
  int left = static_cast<int>(talks.size());
  std::string wrong;
  for (const auto& talk : talks) {
    talk->say(TurnInput(text), [&](const TurnResult& result) {
      if (result.speech_text() != expected) wrong = result.speech_text();
      --left;
    });
  }
  assistant.run_until([&] { return left == 0; });
  if (!wrong.empty()) throw std::runtime_error(fmt::format("'{}' was answered with '{}'", text, wrong));
}

Talks make_talks(Assistant& assistant, const std::string& name, int count) {
  Talks talks;
  for (int i = 0; i < count; ++i) {
    talks.push_back(std::make_unique<Conversation>(
        assistant, std::make_shared<const Session>(fmt::format("{}-{}", name, i))));
  }
  return talks;
}

void waiting_handlers(Assistant& assistant, Report& report) {
  Talks before = make_talks(assistant, "warm", kWaiting);  // what the pools keep is not the handlers'
  say_all(assistant, before, kBenchQuestionUtterance, "What would you like?");
  say_all(assistant, before, "tea", "tea");
  before.clear();
  Talks talks = make_talks(assistant, "wait", kWaiting);
  const double before_them = heap_in_use();
  const std::size_t threads_before = threads();
  say_all(assistant, talks, kBenchQuestionUtterance, "What would you like?");
  Figure each("memory of a waiting handler", (heap_in_use() - before_them) * 1024 / kWaiting, "KiB");
  each.remark = fmt::format("of {}, with its turn and the client's own record of it", kWaiting);
  each.target =
      Target::at_most(8, "the frames of handler and question, its turn, and the session it carries");
  report.add(each);
  Figure more("threads for them", static_cast<double>(threads() - threads_before), "");
  more.target = Target::at_most(0, "nothing: a waiting handler is a suspended coroutine");
  report.add(more);
  Latencies latencies;
  for (const auto& talk : talks) {
    bool answered = false;
    const auto begin = std::chrono::steady_clock::now();
    talk->say(TurnInput("tea"), [&](const TurnResult&) { answered = true; });
    assistant.run_until([&] { return answered; });
    latencies.add(std::chrono::steady_clock::now() - begin);
  }
  Series series("answering one of 1,000 questions", 1);
  series.p50_us = latencies.percentile_us(0.5);
  series.p99_us = latencies.percentile_us(0.99);
  series.per_s = 1e6 / series.p50_us;
  report.add(series);
}

}  // namespace

void converse_bench(const Options& options, Report& report) {
  const auto assistant = make_assistant();
  assistant->add_skill(kBenchSkill, make_bench_skill(), bench_skill_folder());
  for (int i = 0; i < kListeners; ++i) assistant->add_skill(listener_id(i), make_listener());
  start(*assistant);
  for (const int active : {0, 1, kListeners}) {
    Talk talk(fmt::format("intent_{}_active", active), kBenchIntentUtterance, kBenchSkill);
    for (int i = 0; i < active; ++i) talk.active.push_back(listener_id(i));
    const Waiting waiting(talk.name);
    report.add(measure(*assistant, talk, 1, options));
  }
  const Waiting waiting("handlers that wait");
  waiting_handlers(*assistant, report);
}

}  // namespace parley::bench
