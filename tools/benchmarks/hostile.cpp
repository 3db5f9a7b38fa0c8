#include "hostile.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <future>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

#include "bench_skill.hpp"
#include "flooder.hpp"
#include "latencies.hpp"
#include "net/grant.hpp"
#include "served.hpp"
#include "socket_client.hpp"
#include "support/hostile_messages.hpp"
#include "waiting.hpp"

namespace parley::bench {
namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr double kMostRatio = 2;  ///< Of another's p99 under a flood to that in quiet.
constexpr double kMostHeldMs = 20;
constexpr int kRounds = 5;
constexpr double kGrantedRate = 100;  ///< Messages a second that the flooder's grant allows.
constexpr std::chrono::minutes kMostOfFlood(3);

SteadyClock::time_point later_than(SteadyClock::time_point from, double seconds) {
  return from + std::chrono::duration_cast<SteadyClock::duration>(std::chrono::duration<double>(seconds));
}

/// A file of tokens for as long as this lives: one for who floods, one for who is honest.
class TokenFile {
 public:
  TokenFile()
      : path_(std::filesystem::temp_directory_path() / fmt::format("parley-bench-{}.yaml", ::getpid())) {
    std::ofstream file(path_);
    file << fmt::format(
        "clients:\n  flooder: {{token_sha256: {}, messages_per_second: {}}}\n  honest: {{token_sha256: "
        "{}}}\n",
        net::sha256("flooder"), kGrantedRate, net::sha256("honest"));
    file.close();
    std::filesystem::permissions(path_, std::filesystem::perms::owner_read);
  }
  ~TokenFile() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  TokenFile(const TokenFile&) = delete;
  TokenFile& operator=(const TokenFile&) = delete;

  std::string setting() const { return "gateway.tokens=" + path_.string(); }

 private:
  std::filesystem::path path_;
};

/// Somebody who says one thing after another.
class Honest {
 public:
  Honest(unsigned short port, const std::string& token) : client_(port) {
    client_.upgrade("/core?topics=ovos.utterance.handled&session=honest" +
                    (token.empty() ? std::string() : "&token=" + token));
  }

  Series talk(const std::string& name, const Options& options) {
    const std::string text = parley::hostile::utterance(kBenchIntentUtterance, {{"session_id", "honest"}});
    Latencies latencies;
    const auto from = later_than(SteadyClock::now(), options.warmup);
    const auto until = later_than(from, options.seconds);
    for (auto now = SteadyClock::now(); now < until || latencies.count() == 0;) {
      client_.send_text(text);
      client_.receive();
      const auto done = SteadyClock::now();
      if (now >= from) latencies.add(done - now);
      now = done;
    }
    Series series(name, 1);
    series.p50_us = latencies.usual_percentile_us(0.5);
    series.p99_us = latencies.usual_percentile_us(0.99);
    series.per_s = static_cast<double>(latencies.count()) / options.seconds;
    return series;
  }

 private:
  SocketClient client_;
};

/// The same turns in quiet and while somebody floods, one right after the other.
struct Round {
  Round(Honest& honest, const Flood& flood, const std::string& name, const Options& options)
      : quiet(honest.talk(name + "_quiet", options)), flooded(name, 1) {
    Flooder flooder(flood);
    flooded = honest.talk(name, options);
    flooder_did = flooder.finish();
  }
  double ratio() const { return quiet.p99_us > 0 ? flooded.p99_us / quiet.p99_us : 0; }

  Series quiet;
  Series flooded;
  Flooder::Result flooder_did;
};

/// One row of the flood's table: the round in the middle, as a machine changes its speed from one to the
/// next.
void measure_flood(const std::string& kind, bool with_grants, const Options& options, Report& report) {
  const std::string name = fmt::format("flood_{}{}", kind, with_grants ? "_granted" : "");
  const Waiting waiting(name);
  const auto tokens = with_grants ? std::make_unique<TokenFile>() : nullptr;
  const Served served(tokens ? std::vector<std::string>{tokens->setting()} : std::vector<std::string>());
  Honest honest(served.port(), with_grants ? "honest" : "");
  Flood flood;
  flood.kind = kind;
  flood.port = served.port();
  flood.token = with_grants ? "flooder" : "";
  flood.seconds = options.warmup + options.seconds + 0.5;
  std::vector<Round> rounds;
  for (int i = 0; i < (options.is_trial() ? 1 : kRounds); ++i)
    rounds.emplace_back(honest, flood, name, options);
  std::sort(rounds.begin(), rounds.end(),
            [](const Round& a, const Round& b) { return a.ratio() < b.ratio(); });
  const Round& usual = rounds[rounds.size() / 2];
  report.add(usual.quiet);
  report.add(usual.flooded);
  Figure ratio(name + "_p99", usual.ratio(), "×");
  ratio.remark = fmt::format(
      "{:.2f} to {:.2f} in {} rounds; p50 {:.0f} -> {:.0f} µs; {:.0f} messages in {:.1f} s over {:.0f} "
      "connections, for "
      "which the flooder took {:.0f} % of one of {} processors itself",
      rounds.front().ratio(), rounds.back().ratio(), rounds.size(), usual.quiet.p50_us, usual.flooded.p50_us,
      usual.flooder_did.messages, usual.flooder_did.seconds, usual.flooder_did.connections,
      100 * usual.flooder_did.cpu_seconds / usual.flooder_did.seconds, std::thread::hardware_concurrency());
  ratio.target =
      Target::at_most(kMostRatio, "processors: the flooder and who reads for it take what they get");
  report.add(ratio);
}

/// How long the loop was in one go with what came: what its thread took of a processor between two things
/// that were handed to it one after the other. That of a busy machine is no longer.
class HoldMeter {
 public:
  explicit HoldMeter(Served& served) : served_(served), thread_([this] { probe(); }) {}
  ~HoldMeter() { stop(); }
  HoldMeter(const HoldMeter&) = delete;
  HoldMeter& operator=(const HoldMeter&) = delete;

  /// Ends it, once no thread of the process has had anything to do for a while.
  double longest_ms() {
    const auto until = SteadyClock::now() + kMostOfFlood;
    std::unique_lock lock(mutex_);
    changed_.wait_until(lock, until, [this] { return idle_ >= kIdleProbes; });
    lock.unlock();
    stop();
    return static_cast<double>(longest_) / 1e6;
  }

 private:
  static constexpr int kIdleProbes = 200;
  static constexpr double kIdleShare = 0.5;  ///< Of a processor: who looks for work takes some of it, too.

  static std::int64_t cpu_ns() {
    timespec time{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
  }
  static std::int64_t process_cpu_ns() {
    timespec time{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
  }

  void probe() {
    std::int64_t last = -1, last_of_all = process_cpu_ns();
    auto looked = SteadyClock::now();
    while (!over_) {
      std::promise<std::int64_t> reached;
      served_.post([&reached](Assistant&) { reached.set_value(cpu_ns()); });
      const std::int64_t now = reached.get_future().get();
      const std::int64_t now_of_all = process_cpu_ns();
      const auto at = SteadyClock::now();
      const std::chrono::duration<double, std::nano> since = at - looked;
      const bool is_idle = static_cast<double>(now_of_all - last_of_all) < kIdleShare * since.count();
      std::unique_lock lock(mutex_);
      if (last >= 0) longest_ = std::max(longest_, now - last);
      idle_ = is_idle ? idle_ + 1 : 0;  // nor does any other thread work
      last = now;
      looked = at;
      last_of_all = now_of_all;
      changed_.notify_all();
      changed_.wait_for(lock, std::chrono::milliseconds(1), [this] { return over_.load(); });
    }
  }
  void stop() {
    if (!thread_.joinable()) return;
    {
      const std::lock_guard lock(mutex_);
      over_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }

  Served& served_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::atomic<bool> over_{false};
  std::int64_t longest_ = 0;
  int idle_ = 0;
  std::thread thread_;
};

/// How long the loop was held by one client's messages; others are served afterwards.
void measure_hold(const parley::hostile::Input& input, Report& report) {
  const Waiting waiting(input.name);
  Served served;
  Honest honest(served.port(), "");
  Options once;
  once.seconds = once.warmup = 0;
  honest.talk("", once);
  double held = 0;
  {
    HoldMeter meter(served);
    SocketClient client(served.port());
    client.upgrade("/core?topics=nothing.of.it");
    for (const auto& text : input.messages) client.send_text(text);
    held = meter.longest_ms();
  }
  Honest(served.port(), "").talk("", once);  // the first one may have been silent for too long meanwhile
  Figure figure("held_by_" + input.name, held, "ms");
  figure.target = Target::at_most(kMostHeldMs, "the largest piece of work that is done in one go");
  report.add(figure);
}

}  // namespace

void hostile(const Options& options, Report& report) {
  for (const bool with_grants : {false, true}) {
    if (with_grants && options.is_trial()) break;
    for (const auto& kind : flood_kinds()) {
      measure_flood(kind, with_grants, options, report);
      if (options.is_trial()) break;
    }
  }
  for (const auto& input : parley::hostile::inputs()) {
    measure_hold(input, report);
    if (options.is_trial()) break;
  }
}

}  // namespace parley::bench
