#include "gateway.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/resource.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "bench_skill.hpp"
#include "latencies.hpp"
#include "memory.hpp"
#include "repeat.hpp"
#include "served.hpp"
#include "socket_client.hpp"
#include "waiting.hpp"

namespace parley::bench {
namespace {

using SteadyClock = std::chrono::steady_clock;
using Time = SteadyClock::time_point;

constexpr std::size_t kMessageSize = 500;  ///< Bytes on the wire, without the frame's head.
constexpr std::size_t kWindow = 512;       ///< Messages the slowest subscriber may be behind.
constexpr int kIdle = 1000;
constexpr int kConversing = 100;

double anonymous_kib() {
  return memory().at("Anonymous") * 1024;
}

void raise_descriptor_limit() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

Message message_of_size() {
  const Message empty("bench.delivery", {{"text", ""}});
  return Message("bench.delivery", {{"text", std::string(kMessageSize - empty.wire().size(), 'x')}});
}

/// Messages from the bus to some subscribers, as fast as the slowest of them takes them.
class Deliveries {
 public:
  Deliveries(Served& served, int subscribers, const std::string& target) : served_(served) {
    for (int i = 0; i < subscribers; ++i) {
      clients_.emplace_back(served.port());
      clients_.back().upgrade(target);
      polled_.push_back({clients_.back().descriptor(), POLLIN, 0});
    }
    counts_.resize(clients_.size());
  }

  Series measure(const std::string& name, const Options& options) {
    const Time from = after(SteadyClock::now(), options.warmup);
    run_until(from);
    const std::uint64_t before = total();
    const Time begin = SteadyClock::now();
    run_until(after(begin, options.seconds));
    const double took = std::chrono::duration<double>(SteadyClock::now() - begin).count();
    Series series(name, static_cast<int>(clients_.size()));
    series.per_s = static_cast<double>(total() - before) / took;
    while (slowest() < published_) take();
    return series;
  }

 private:
  std::uint64_t total() const {
    std::uint64_t sum = 0;
    for (const auto count : counts_) sum += count;
    return sum;
  }
  std::uint64_t slowest() const { return *std::min_element(counts_.begin(), counts_.end()); }

  void run_until(Time end) {
    while (SteadyClock::now() < end) {
      if (published_ - slowest() <= kWindow / 2) publish();
      take();
    }
  }

  void publish() {
    published_ += kWindow / 2;
    // Each a message of its own: one that is published again would not be serialised again.
    served_.post([message = message_](Assistant& assistant) {
      for (std::size_t i = 0; i < kWindow / 2; ++i)
        assistant.bus().publish(message.with_context(message.context()));
    });
  }

  void take() {
    if (::poll(polled_.data(), polled_.size(), 10'000) <= 0)
      throw std::runtime_error("a subscriber of the benchmark got nothing for ten seconds");
    for (std::size_t i = 0; i < polled_.size(); ++i) {
      if ((polled_[i].revents & POLLIN) != 0) counts_[i] += clients_[i].count_frames();
    }
  }

  Served& served_;
  const Message message_ = message_of_size();
  std::vector<SocketClient> clients_;
  std::vector<pollfd> polled_;
  std::vector<std::uint64_t> counts_;
  std::uint64_t published_ = 0;
};

std::string utterance_in(const std::string& session) {
  return nlohmann::json{{"type", "ovos.utterance.handle"},
                        {"data", {{"utterances", {kBenchIntentUtterance}}}},
                        {"context", {{"session", {{"session_id", session}}}}}}
      .dump();
}

void measure_deliveries(Served& served, const Options& options, Report& report) {
  for (const char* target : {"/core", "/core?topics=bench.*"}) {
    const bool all = std::string_view(target) == "/core";
    for (const int subscribers : {1, 4, 16, 64}) {
      const std::string name = all ? "deliveries" : "deliveries_by_topic";
      const Waiting waiting(fmt::format("{}, {} subscribers", name, subscribers));
      Series series = Deliveries(served, subscribers, target).measure(name, options);
      if (subscribers == 16 && all)
        series.per_s_target =
            Target::at_least(320'000, "the kernel's part of a send, once for all that is queued");
      report.add(series);
    }
  }
}

void measure_latencies(Served& served, const Options& options, Report& report) {
  const Waiting waiting("round trips and turns");
  {
    SocketClient client(served.port());
    client.upgrade("/core?topics=bench.echo");
    const std::string text = Message("bench.echo").wire();
    report.add(repeat("core_round_trip", options, [&] {
      client.send_text(text);
      client.receive();
    }));
  }
  {
    SocketClient client(served.port());
    client.upgrade("/core?topics=ovos.utterance.handled");
    const std::string text = utterance_in("bench");
    Series series = repeat("core_turn", options, [&] {
      client.send_text(text);
      client.receive();
    });
    series.p50_target = Target::at_most(200, "wake-ups: client, gateway, loop, skill, and back");
    report.add(series);
  }
  SocketClient client(served.port());
  const std::string body = nlohmann::json{{"id", "bench"}, {"text", kBenchIntentUtterance}}.dump();
  const std::string answer = client.request("POST /run HTTP/1.1", body);
  if (nlohmann::json::parse(answer).at("status") != "answered")
    throw std::runtime_error("the turn over /run went wrong: " + answer);
  report.add(repeat("run_turn", options, [&] { client.request("POST /run HTTP/1.1", body); }));
}

/// 1,000 clients, of which 100 converse, each saying the next thing when its last was handled.
Series measure_conversing(std::vector<SocketClient>& clients, const Options& options) {
  std::vector<pollfd> polled;
  std::vector<std::string> texts;
  std::vector<Time> since(kConversing);
  Latencies latencies;
  for (int i = 0; i < kConversing; ++i) {
    polled.push_back({clients[static_cast<std::size_t>(i)].descriptor(), POLLIN, 0});
    texts.push_back(utterance_in(fmt::format("idle-{}", i)));
  }
  const auto say = [&](std::size_t i) {
    since[i] = SteadyClock::now();
    clients[i].send_text(texts[i]);
  };
  for (std::size_t i = 0; i < polled.size(); ++i) say(i);
  const Time from = after(SteadyClock::now(), options.warmup);
  const Time until = after(from, options.seconds);
  for (std::size_t talking = polled.size(); talking > 0;) {
    if (::poll(polled.data(), polled.size(), 10'000) <= 0) throw std::runtime_error("a turn never ended");
    for (std::size_t i = 0; i < polled.size(); ++i) {
      if ((polled[i].revents & POLLIN) == 0 || clients[i].count_frames() == 0) continue;
      const Time now = SteadyClock::now();
      if (now >= from && now < until) latencies.add(now - since[i]);
      if (now < until) {
        say(i);
      } else {
        --talking;
      }
    }
  }
  Series series("core_turn_of_1000_clients", kConversing);
  series.p50_us = latencies.percentile_us(0.5);
  series.p99_us = latencies.percentile_us(0.99);
  series.per_s = static_cast<double>(latencies.count()) / options.seconds;
  return series;
}

void measure_many(Served& served, const Options& options, Report& report) {
  const Waiting waiting(fmt::format("{} connections", kIdle));
  const double before = anonymous_kib();
  std::vector<SocketClient> clients;
  clients.reserve(kIdle);
  for (int i = 0; i < kIdle; ++i) {
    clients.emplace_back(served.port());
    clients.back().upgrade(fmt::format("/core?topics=ovos.utterance.handled&session=idle-{}", i));
  }
  Figure memory("idle_connection", (anonymous_kib() - before) / kIdle, "KiB");
  memory.remark = fmt::format("of this process, for each of {}; the kernel's buffers not counted", kIdle);
  report.add(memory);
  report.add(measure_conversing(clients, options));
}

}  // namespace

void gateway(const Options& options, Report& report) {
  raise_descriptor_limit();
  Served served;
  measure_deliveries(served, options, report);
  measure_latencies(served, options, report);
  measure_many(served, options, report);
}

}  // namespace parley::bench
