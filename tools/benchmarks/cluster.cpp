#include "cluster.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

#include "instances.hpp"
#include "latencies.hpp"
#include "repeat.hpp"
#include "socket_client.hpp"
#include "waiting.hpp"

namespace parley::bench {
namespace {

using SteadyClock = std::chrono::steady_clock;
using Time = SteadyClock::time_point;
using Instances = std::vector<std::unique_ptr<Instance>>;

constexpr int kTalkers = 32;
constexpr int kAtDrain = 16;
constexpr double kPartitions = 256;

std::string said_in(const std::string& session) {
  return nlohmann::json{{"type", "ovos.utterance.handle"},
                        {"data", {{"utterances", {"nobody knows that"}}}},
                        {"context", {{"session", {{"session_id", session}}}}}}
      .dump();
}

/// Clients that each say the next thing when the last was handled.
class Clients {
 public:
  void add(unsigned short port, const std::string& session, const char* topic = "ovos.utterance.handled") {
    clients_.emplace_back(port);
    clients_.back().upgrade(fmt::format("/core?topics={}&session={}", topic, session));
    polled_.push_back({clients_.back().descriptor(), POLLIN, 0});
    texts_.push_back(said_in(session));
  }
  /// @param goes_on  asked before each turn whether that is begun
  template <class GoesOn>
  void talk(Time from, const GoesOn& goes_on) {
    std::vector<Time> since(clients_.size());
    const auto say = [&](std::size_t i) {
      since[i] = SteadyClock::now();
      clients_[i].send_text(texts_[i]);
    };
    for (std::size_t i = 0; i < clients_.size(); ++i) say(i);
    for (std::size_t talking = clients_.size(); talking > 0;) {
      if (::poll(polled_.data(), polled_.size(), 20'000) <= 0) throw std::runtime_error("a turn was lost");
      for (std::size_t i = 0; i < polled_.size(); ++i) {
        if ((polled_[i].revents & POLLIN) == 0 || clients_[i].count_frames() == 0) continue;
        const Time now = SteadyClock::now();
        if (since[i] >= from) latencies_.add(now - since[i]);
        if (goes_on(now)) {
          say(i);
        } else {
          --talking;
        }
      }
    }
  }
  const Latencies& latencies() const noexcept { return latencies_; }

 private:
  std::vector<SocketClient> clients_;
  std::vector<pollfd> polled_;
  std::vector<std::string> texts_;
  Latencies latencies_;
};

Instances instances(const NatsServer& nats, int count) {
  Instances all;
  for (int i = 0; i < count; ++i) all.push_back(std::make_unique<Instance>(nats));
  for (const auto& one : all) one->wait_ready();
  return all;
}

/// Sessions that a client of the first instance has, owned there or by the second.
std::vector<std::string> sessions_of(const Instances& all, bool elsewhere, int count) {
  std::vector<std::string> found;
  SocketClient client(all[0]->port());
  client.upgrade("/core?topics=ovos.utterance.handled");
  for (int i = 0; static_cast<int>(found.size()) < count; ++i) {
    const std::string session = fmt::format("{}-{}", elsewhere ? "far" : "near", i);
    const long before = all[0]->turns("forwarded");
    client.send_text(said_in(session));
    client.receive();
    if ((all[0]->turns("forwarded") > before) == elsewhere) found.push_back(session);
  }
  return found;
}

/// The same talkers, spread over 1, 2 and 3 instances.
void measure_rates(const Options& options, Report& report) {
  double alone = 0;
  for (const int count : {1, 2, 3}) {
    const Waiting waiting(fmt::format("{} instances", count));
    const NatsServer nats;
    const Instances all = instances(nats, count);
    Clients clients;
    for (int i = 0; i < kTalkers; ++i)
      clients.add(all[static_cast<std::size_t>(i % count)]->port(), fmt::format("talker-{}", i));
    const Time from = after(SteadyClock::now(), options.warmup);
    const Time until = after(from, options.seconds);
    clients.talk(from, [until](Time now) { return now < until; });
    Series series(fmt::format("cluster_of_{}", count), kTalkers);
    series.p50_us = clients.latencies().percentile_us(0.5);
    series.p99_us = clients.latencies().percentile_us(0.99);
    series.per_s = static_cast<double>(clients.latencies().count()) / options.seconds;
    report.add(series);
    if (count == 1) alone = series.per_s;
    if (count > 1 && alone > 0) {
      Figure ratio(fmt::format("cluster_of_{}_to_one", count), series.per_s / alone, "×");
      ratio.remark = "turns a second; all of them, NATS and the clients share this machine's processors";
      report.add(ratio);
    }
  }
}

void measure_forwarding(const Options& options, Report& report, const Instances& all) {
  const Waiting waiting("forwarded turns");
  const auto turn = [&](const char* name, bool elsewhere) {
    const std::string session = sessions_of(all, elsewhere, 1).front();
    SocketClient client(all[0]->port());
    client.upgrade("/core?topics=ovos.utterance.handled&session=" + session);
    const std::string text = said_in(session);
    Series series = repeat(name, options, [&] {
      client.send_text(text);
      client.receive();
    });
    report.add(series);
    return series;
  };
  const Series near = turn("turn_at_its_owner", false);
  const Series far = turn("turn_forwarded", true);
  Figure overhead("forwarding", far.p50_us - near.p50_us, "µs");
  overhead.remark = "p50 of a turn that runs at another instance, beyond one that runs here";
  overhead.target = Target::at_most(300, "four wake-ups more, and NATS' own way, on the same processors");
  report.add(overhead);
}

/// From its death until a turn of a session of its own is dealt with.
void measure_failover(Report& report, Instances& all) {
  const Waiting waiting("an instance that is killed");
  const std::string session = sessions_of(all, true, 1).front();
  SocketClient client(all[0]->port());
  client.upgrade(
      fmt::format("/core?topics=ovos.utterance.handled,ovos.intent.unmatched&session={}", session));
  const std::string text = said_in(session);
  all[1]->process().signal(SIGKILL);
  const Time begin = SteadyClock::now();
  for (bool is_dealt_with = false; !is_dealt_with;) {
    client.send_text(text);
    for (bool is_over = false; !is_over;) {
      const std::string message(client.receive());
      is_dealt_with = is_dealt_with || message.find("\"ovos.intent.unmatched\"") != message.npos;
      is_over = message.find("\"ovos.utterance.handled\"") != message.npos;
    }
  }
  Figure failover("failover", seconds_since(begin), "s");
  failover.remark = "from the SIGKILL until a turn in a session of that instance was dealt with";
  failover.target = Target::at_most(5, "3 s of silence, by which others take it for gone");
  report.add(failover);
}

/// While it hands over what it owns, its sessions go on.
void measure_drain(const Options& options, Report& report) {
  const Waiting waiting("an instance that leaves");
  const NatsServer nats;
  Instances all = instances(nats, 2);
  Clients clients;
  for (const auto& session : sessions_of(all, true, kAtDrain)) clients.add(all[0]->port(), session);
  const Time from = after(SteadyClock::now(), options.warmup);
  bool is_leaving = false, is_over = false;
  Time begin, settled;
  long forwarded = 0;
  std::size_t turns = 0;
  clients.talk(from, [&](Time now) {
    if (now < from) return true;
    if (!std::exchange(is_leaving, true)) {
      begin = now;
      all[1]->process().signal(SIGTERM);
      forwarded = all[0]->turns("forwarded");
      return true;
    }
    // All is handed over when of several rounds of the talkers nothing was forwarded.
    if (is_over || ++turns % (4 * kAtDrain) != 0) return !is_over;
    const long before = std::exchange(forwarded, all[0]->turns("forwarded"));
    is_over = before == forwarded;
    settled = now;
    return !is_over;
  });
  const double took = std::chrono::duration<double, std::milli>(settled - begin).count();
  all[1]->process().wait();
  Figure hand_over("hand_over", took / (kPartitions / 2), "ms");
  hand_over.remark = fmt::format(
      "a partition: {:.0f} ms for half of them; no turn of {} was lost, the slowest took {:.1f} ms", took,
      clients.latencies().count(), clients.latencies().percentile_us(1) / 1000);
  hand_over.target = Target::at_most(100, "a write to JetStream, 32 at a time");
  report.add(hand_over);
}

}  // namespace

void cluster_bench(const Options& options, Report& report) {
  if (!NatsServer::is_installed()) {
    report.tell("there is no nats-server: nothing is measured of a cluster\n");
    return;
  }
  measure_rates(options, report);
  {
    const NatsServer nats;
    Instances two = instances(nats, 2);
    measure_forwarding(options, report, two);
    measure_failover(report, two);
  }
  measure_drain(options, report);
}

}  // namespace parley::bench
