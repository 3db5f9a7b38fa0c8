#include "watched.hpp"

#include <fmt/format.h>
#include <sys/socket.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <thread>
#include <vector>

#include "bench_skill.hpp"
#include "latencies.hpp"
#include "served.hpp"
#include "socket_client.hpp"
#include "waiting.hpp"

namespace parley::bench {
namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr std::chrono::microseconds kEvery(500);  ///< From one turn to the next: 2,000 a second.
constexpr int kPairs = 9;
constexpr double kMostRatio = 1.5;  ///< Of the turns' p99 to that when nobody watches.

/// Reads all that it is sent, as a page in a browser does: on a thread of its own.
class Subscriber {
 public:
  Subscriber(unsigned short port, const std::string& target) : client_(port) {
    client_.upgrade(target);
    thread_ = std::thread([this] {
      try {
        for (;;) heard_ += client_.count_frames();
      } catch (const std::runtime_error&) {
        // Its own end, which says so, or the server's, which the count shows.
      }
    });
  }
  ~Subscriber() {
    ::shutdown(client_.descriptor(), SHUT_RDWR);
    thread_.join();
  }
  Subscriber(const Subscriber&) = delete;
  Subscriber& operator=(const Subscriber&) = delete;

  std::size_t heard() const noexcept { return heard_; }

 private:
  SocketClient client_;
  std::atomic<std::size_t> heard_{0};
  std::thread thread_;
};

/// Turns of one client, begun at a steady pace; one that is late counts from when it was due.
class Talker {
 public:
  explicit Talker(unsigned short port) : client_(port) {
    client_.upgrade("/core?topics=ovos.utterance.handled&session=talker");
  }

  Latencies talk(double seconds) {
    Latencies latencies;
    const auto from = SteadyClock::now();
    const auto until =
        from + std::chrono::duration_cast<SteadyClock::duration>(std::chrono::duration<double>(seconds));
    for (auto due = from; due < until || latencies.count() == 0; due += kEvery) {
      std::this_thread::sleep_until(due);
      client_.send_text(text_);
      client_.receive();
      latencies.add(SteadyClock::now() - due);
    }
    return latencies;
  }

 private:
  SocketClient client_;
  const std::string text_ = nlohmann::json{{"type", "ovos.utterance.handle"},
                                           {"data", {{"utterances", {kBenchIntentUtterance}}}},
                                           {"context", {{"session", {{"session_id", "talker"}}}}}}
                                .dump();
};

/// The same thing again and again; of each round the percentiles.
struct Rounds {
  void add(const Latencies& latencies) {
    p50.push_back(latencies.percentile_us(0.5));
    p99.push_back(latencies.percentile_us(0.99));
    count += latencies.count();
  }
  Series series(const std::string& name, double seconds) const {
    Series series(name, 1);
    series.p50_us = median_of(p50);
    series.p99_us = median_of(p99);
    series.per_s = static_cast<double>(count) / seconds;
    return series;
  }
  std::vector<double> p50, p99;
  std::size_t count = 0;
};

}  // namespace

void watched(const Options& options, Report& report) {
  const Waiting waiting("turns that somebody watches");
  const Served served;
  Talker talker(served.port());
  talker.talk(options.warmup);
  // In turn, and the median of each: the machine's speed changes, and a stall spoils one round alone.
  Rounds alone, watched;
  std::size_t messages = 0, traces = 0;
  for (int round = 0; round < kPairs; ++round) {
    alone.add(talker.talk(options.seconds / kPairs));
    // What the console asks for: its view of the bus everything, and whatever page is open every trace.
    const Subscriber bus(served.port(), "/core");
    const Subscriber trace(served.port(), "/core?topics=parley.turn.trace");
    watched.add(talker.talk(options.seconds / kPairs));
    messages += bus.heard();
    traces += trace.heard();
  }
  const Series unwatched_turns = alone.series("unwatched", options.seconds);
  const Series watched_turns = watched.series("watched", options.seconds);
  report.add(unwatched_turns);
  report.add(watched_turns);
  if (messages == 0 || traces == 0) throw std::runtime_error("the benchmark's subscribers were sent nothing");
  Figure ratio("watched_p99", unwatched_turns.p99_us > 0 ? watched_turns.p99_us / unwatched_turns.p99_us : 0,
               "×");
  ratio.remark = fmt::format("the median of {} rounds each; {} messages and {} traces were read", kPairs,
                             messages, traces);
  ratio.target = Target::at_most(kMostRatio, "the trace's text, and processors: who watches reads here, too");
  report.add(ratio);
}

}  // namespace parley::bench
