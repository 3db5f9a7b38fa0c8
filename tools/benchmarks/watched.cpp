#include "watched.hpp"

#include <fmt/format.h>
#include <sys/socket.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <thread>

#include "bench_skill.hpp"
#include "latencies.hpp"
#include "served.hpp"
#include "socket_client.hpp"
#include "waiting.hpp"

namespace parley::bench {
namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr std::chrono::microseconds kPause(500);  ///< From one turn to the next: 2,000 a second.
constexpr double kMostRatio = 1.5;                ///< Of the turns' p99 to that when nobody watches.

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
Series talk(const std::string& name, unsigned short port, const Options& options) {
  SocketClient client(port);
  client.upgrade("/core?topics=ovos.utterance.handled&session=talker");
  const std::string text = nlohmann::json{{"type", "ovos.utterance.handle"},
                                          {"data", {{"utterances", {kBenchIntentUtterance}}}},
                                          {"context", {{"session", {{"session_id", "talker"}}}}}}
                               .dump();
  const auto span = [](double seconds) {
    return std::chrono::duration_cast<SteadyClock::duration>(std::chrono::duration<double>(seconds));
  };
  Latencies latencies;
  const auto talk_for = [&](double seconds) {
    const auto from = SteadyClock::now();
    for (auto due = from; due < from + span(seconds) || latencies.count() == 0; due += kPause) {
      std::this_thread::sleep_until(due);
      client.send_text(text);
      client.receive();
      latencies.add(SteadyClock::now() - due);
    }
  };
  talk_for(options.warmup);
  latencies = {};  // with what was late there, which would count on
  talk_for(options.seconds);
  Series series(name, 1);
  series.p50_us = latencies.percentile_us(0.5);
  series.p99_us = latencies.percentile_us(0.99);
  series.per_s = static_cast<double>(latencies.count()) / options.seconds;
  return series;
}

}  // namespace

void watched(const Options& options, Report& report) {
  const Waiting waiting("turns that somebody watches");
  const Served served;
  const Series alone = talk("unwatched", served.port(), options);
  // What the console asks for: its view of the bus everything, and whatever page is open every trace.
  Subscriber bus(served.port(), "/core");
  Subscriber traces(served.port(), "/core?topics=parley.turn.trace");
  const Series watched = talk("watched", served.port(), options);
  report.add(alone);
  report.add(watched);
  if (bus.heard() == 0 || traces.heard() == 0)
    throw std::runtime_error("the benchmark's subscribers were sent nothing");
  Figure ratio("watched_p99", alone.p99_us > 0 ? watched.p99_us / alone.p99_us : 0, "×");
  ratio.remark = fmt::format("{} messages and {} traces were read", bus.heard(), traces.heard());
  ratio.target = Target::at_most(kMostRatio, "the trace's text, and processors: who watches reads here, too");
  report.add(ratio);
}

}  // namespace parley::bench
