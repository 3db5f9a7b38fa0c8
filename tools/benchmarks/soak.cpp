#include "soak.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <filesystem>
#include <functional>
#include <future>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <thread>
#include <tuple>
#include <utility>

#include "bench_skill.hpp"
#include "latencies.hpp"
#include "memory.hpp"
#include "orchestrator/orchestrator.hpp"
#include "served.hpp"
#include "socket_client.hpp"
#include "waiting.hpp"

namespace parley::bench {
namespace {

using Json = nlohmann::json;
using SteadyClock = std::chrono::steady_clock;

constexpr int kTalkers = 4;
constexpr const char* kRemoteSkill = "soak.remote";

/// What is said in turn. "ask me something" makes the skill ask: the next is the answer.
constexpr std::array<const char*, 16> kSaid{"what time is it",
                                            "set a timer for ten minutes",
                                            "how long is left",
                                            "roll the soak dice",
                                            "ask me something",
                                            "a pony",
                                            "what is two plus two",
                                            "flurb the grommet",
                                            "cancel all timers",
                                            "what is the capital of france",
                                            "who are you",
                                            "good morning bench",
                                            "roll the soak dice",
                                            "define tree",
                                            "stop",
                                            "which day is tomorrow"};

std::size_t open_descriptors() {
  using Files = std::filesystem::directory_iterator;
  return static_cast<std::size_t>(std::distance(Files("/proc/self/fd"), Files()));
}

/// Looks again and again.
bool comes_true(std::chrono::seconds patience, const std::function<bool()>& condition) {
  const auto until = SteadyClock::now() + patience;
  while (!condition()) {
    if (SteadyClock::now() > until) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return true;
}

class Soak {
 public:
  explicit Soak(double seconds) : seconds_(seconds) {}

  void run() {
    std::vector<std::thread> threads;
    for (int i = 0; i < kTalkers; ++i) threads.push_back(working("a talker", [this, i] { talk(i); }));
    threads.push_back(working("a caller over HTTP", [this] { call(); }));
    std::thread remote = working("the remote skill", [this] { come_and_go(); });
    watch();
    over_ = true;
    for (auto& thread : threads) thread.join();
    served_.post(
        [](Assistant& assistant) { assistant.bus().publish(Message("soak.over")); });  // one of its topics
    remote.join();
    if (!failure_.empty()) throw std::runtime_error(failure_);
    look_for_lost_turns();
    wait_for_descriptors();
  }

  void report(Report& report) const {
    Figure turns("soak_turns", static_cast<double>(turns_), "");
    turns.remark = fmt::format(
        "in {:.0f} s, every one of them handled; {} visits of a remote skill, {} of which "
        "it left in the middle of a turn",
        seconds_, visits_.load(), broken_off_.load());
    report.add(turns);
    Figure slowest("soak_p99", slowest_.second / 1e3, "ms");
    slowest.remark = fmt::format(
        "of '{}', which took longest; what is said waits for the skills that are asked, a "
        "remote one that leaves among them; {} turns waited for the user at the end",
        slowest_.first, waiting_);
    report.add(slowest);
    Figure memory("soak_memory", last_, "MiB");
    memory.remark =
        fmt::format("anonymous at the end; at most {:.2f} in its quarters", fmt::join(most_, ", "));
    report.add(memory);
    Figure heap("soak_heap", heap_in_use(), "MiB");
    heap.remark =
        fmt::format("of it held at the end, not only kept by malloc; at most {:.2f} in its quarters",
                    fmt::join(most_held_, ", "));
    report.add(heap);
    Figure descriptors("soak_descriptors", static_cast<double>(open_descriptors()), "");
    descriptors.remark = fmt::format("open at the end; {} at the beginning", descriptors_);
    report.add(descriptors);
  }

 private:
  template <class Work>
  std::thread working(const char* who, Work work) {
    return std::thread([this, who, work] {
      try {
        while (!over_) work();
      } catch (const std::exception& error) {
        const std::lock_guard lock(mutex_);
        if (failure_.empty()) failure_ = fmt::format("{}: {}", who, error.what());
        over_ = true;
      }
    });
  }

  /// One connection, in a session that is new every other time, and some turns.
  void talk(int talker) {
    const std::string session =
        fmt::format("soak-{}-{}", talker, next_session_++ % 2 == 0 ? "old" : std::to_string(next_session_));
    SocketClient client(served_.port());
    client.upgrade(
        fmt::format("/core?topics=ovos.utterance.handled,ovos.utterance.speak&session={}", session));
    Json context = {{"session", {{"session_id", session}}}};
    bool asked = false;
    for (std::size_t i = 0; i <= 2 * kSaid.size() && !over_; ++i) {
      // A timer that ran on would be memory rightly kept.
      const bool last = i == 2 * kSaid.size();
      const std::string said =
          last ? "cancel all timers" : kSaid[(i + static_cast<std::size_t>(talker) * 4) % kSaid.size()];
      const auto began = SteadyClock::now();
      client.send_text(
          message_text("ovos.utterance.handle", {{"utterances", {said}}, {"lang", "en-US"}}, context));
      const bool asks = said == kBenchQuestionUtterance;
      try {
        // The turn that asks ends after the one that answers it.
        context["session"] = hear(client, asks, asked ? 2 : 1);
      } catch (const std::exception& error) {
        throw std::runtime_error(fmt::format("'{}' in session '{}': {}", said, session, error.what()));
      }
      note(said, SteadyClock::now() - began);
      turns_ += asks ? 0 : asked ? 2 : 1;
      asked = asks;
    }
  }

  void note(const std::string& said, SteadyClock::duration took) {
    const std::lock_guard lock(mutex_);
    took_[said].add(took);
  }

  /// The talkers have gone, some of them when they had just been asked: but for turns that wait for an
  /// answer, every turn has to end.
  void look_for_lost_turns() {
    std::size_t busy = 0;
    const bool all_ended = comes_true(std::chrono::seconds(90), [&] {  // longer than any handler may run
      std::promise<std::pair<std::size_t, std::size_t>> counted;
      served_.post([&counted](Assistant& assistant) {
        const auto& turns = assistant.orchestrator();
        counted.set_value({turns.busy(), turns.in_flight()});
      });
      std::tie(busy, waiting_) = counted.get_future().get();
      waiting_ -= busy;
      return busy == 0;
    });
    if (!all_ended) throw std::runtime_error(fmt::format("{} turns never ended, and wait for no user", busy));
    for (const auto& [said, took] : took_) {
      if (const double p99 = took.percentile_us(0.99); p99 > slowest_.second) slowest_ = {said, p99};
    }
  }

  /// Waits for so many turns to end, or for a question; gives the session the next turn is to carry.
  static Json hear(SocketClient& client, bool asks, int turns) {
    for (;;) {
      const Json heard = Json::parse(client.receive());
      // The remote skill may speak late: it was told by its next connection, and its turn ended with the
      // first.
      const bool question = asks && heard.at("type") == "ovos.utterance.speak" &&
                            heard.at("context").at("skill_id") == kBenchSkill;
      if (heard.at("type") == "ovos.utterance.handled") --turns;
      if (question || turns == 0) return heard.at("context").at("session");
    }
  }

  /// One turn over HTTP.
  void call() {
    SocketClient client(served_.port());
    static constexpr std::array<const char*, 4> kAsked{"what time is it", "roll the soak dice", "who are you",
                                                       "what is two plus two"};
    const Json body = {{"id", "soak-http"}, {"text", kAsked[turns_ % 4]}, {"lang", "en-US"}};
    const Json answer = Json::parse(client.request("POST /run HTTP/1.1", body.dump()));
    if (!answer.contains("status")) throw std::runtime_error("a turn over /run went wrong: " + answer.dump());
    ++turns_;
  }

  /// One visit of the remote skill.
  void come_and_go() {
    const Json context = {{"source", kRemoteSkill}, {"skill_id", kRemoteSkill}};
    SocketClient client(served_.port());
    // Everything would be more than it can read in time, and slow readers are disconnected.
    client.upgrade(fmt::format(
        "/core?topics={0}:roll,{0}:stop,{0}.fallback.ping,{0}.converse.ping,ovos.common_query.ping,ovos."
        "stop.ping,soak.over",
        kRemoteSkill));
    client.send_text(message_text("ovos.intent.register.template",
                                  {{"skill_id", kRemoteSkill},
                                   {"intent_name", "roll"},
                                   {"lang", "en-US"},
                                   {"samples", {"roll the soak (dice|die)"}}},
                                  context));
    client.send_text(
        message_text("ovos.fallback.register", {{"skill_id", kRemoteSkill}, {"priority", 90}}, context));
    const int stays = 1 + visits_++ % 7;
    for (int handled = 0; !over_;) {
      const Json heard = Json::parse(client.receive());
      const auto& type = heard.at("type").get_ref<const std::string&>();
      if (type == fmt::format("{}.fallback.ping", kRemoteSkill)) {
        answer(client, heard, fmt::format("{}.fallback.pong", kRemoteSkill),
               {{"skill_id", kRemoteSkill}, {"can_handle", false}});
      } else if (type == fmt::format("{}.converse.ping", kRemoteSkill)) {
        answer(client, heard, fmt::format("{}.converse.pong", kRemoteSkill),
               {{"skill_id", kRemoteSkill}, {"result", false}});
      } else if (type == "ovos.common_query.ping") {
        answer(client, heard, "ovos.common_query.pong",
               {{"skill_id", kRemoteSkill},
                {"utterance", heard.at("data").at("utterance")},
                {"can_answer", false}});
      } else if (type == "ovos.stop.ping") {
        answer(client, heard, "ovos.stop.pong", {{"skill_id", kRemoteSkill}, {"can_handle", false}});
      } else if (type == fmt::format("{}:stop", kRemoteSkill)) {
        answer(client, heard, "ovos.intent.handler.complete", {{"skill_id", kRemoteSkill}});
      } else if (type == fmt::format("{}:roll", kRemoteSkill)) {
        if (++handled > stays) {
          ++broken_off_;
          return;
        }
        answer(client, heard, "ovos.utterance.speak", {{"utterance", "It is a six."}, {"lang", "en-US"}});
        answer(client, heard, "ovos.intent.handler.complete", {{"skill_id", kRemoteSkill}});
      }
    }
  }

  static void answer(SocketClient& client, const Json& heard, const std::string& type, Json data) {
    Json context = heard.at("context");
    context["source"] = context["skill_id"] = kRemoteSkill;
    client.send_text(message_text(type, std::move(data), std::move(context)));
  }

  void watch() {
    const auto begin = SteadyClock::now();
    const auto step = std::chrono::duration<double>(std::max(seconds_ / 100, 0.01));
    while (!over_) {
      std::this_thread::sleep_for(step);
      const std::chrono::duration<double> passed = SteadyClock::now() - begin;
      last_ = memory().at("Anonymous");
      const auto quarter = std::min<std::size_t>(3, static_cast<std::size_t>(passed.count() * 4 / seconds_));
      most_held_.at(quarter) = std::max(most_held_.at(quarter), heap_in_use());
      most_.at(quarter) = std::max(most_.at(quarter), last_);
      // A short run has to show something as well.
      if (passed.count() >= seconds_ && turns_ >= 100 && broken_off_ > 0) return;
    }
  }

  /// The gateway closes its ends in its own time.
  void wait_for_descriptors() const {
    if (comes_true(std::chrono::seconds(30), [this] { return open_descriptors() <= descriptors_; })) return;
    throw std::runtime_error(fmt::format("{} descriptors are open, and there were {} at the beginning",
                                         open_descriptors(), descriptors_));
  }

  double seconds_;
  Served served_;
  const std::size_t descriptors_ = open_descriptors();
  std::atomic<bool> over_{false};
  std::atomic<std::uint64_t> turns_{0};
  std::atomic<int> next_session_{0}, visits_{0}, broken_off_{0};
  std::map<std::string, Latencies> took_;       ///< By what was said.
  std::pair<std::string, double> slowest_;      ///< What was said, and its p99 in µs.
  std::size_t waiting_ = 0;                     ///< Turns that waited for the user at the end.
  double last_ = 0;                             ///< MiB.
  std::array<double, 4> most_{}, most_held_{};  ///< MiB, by quarter of the time.
  std::mutex mutex_;
  std::string failure_;
};

}  // namespace

void soak(const Options& options, Report& report) {
  const Waiting waiting("mixed traffic");
  Soak soak(options.seconds);
  soak.run();
  soak.report(report);
}

}  // namespace parley::bench
