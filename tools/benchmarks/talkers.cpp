#include "talkers.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <unordered_map>

#include "app/conversation.hpp"
#include "bus/bus.hpp"
#include "latencies.hpp"
#include "waiting.hpp"

namespace parley::bench {
namespace {

using Time = std::chrono::steady_clock::time_point;

Time after(Time from, double seconds) {
  return from + std::chrono::duration_cast<Time::duration>(std::chrono::duration<double>(seconds));
}

/// What all threads of the process have used up.
double cpu_us() {
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  const auto us = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) * 1e6 + static_cast<double>(time.tv_usec);
  };
  return us(used.ru_utime) + us(used.ru_stime);
}

/// What the loop has used up. On its thread.
double loop_us() {
  timespec used{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
  return static_cast<double>(used.tv_sec) * 1e6 + static_cast<double>(used.tv_nsec) / 1e3;
}

SessionPtr first_session(const Talk& talk, int number) {
  Session session(talk.in_default_session ? std::string("default") : fmt::format("bench-{}", number));
  if (!talk.pipeline.empty()) session.pipeline = talk.pipeline;
  const double now = unix_seconds(std::chrono::system_clock::now());
  if (!talk.active.empty()) session.converse_handlers.emplace();
  for (const auto& skill : talk.active) session.converse_handlers->emplace_back(skill, now);
  return std::make_shared<const Session>(std::move(session));
}

/// Says it once and looks at how the turn went: figures of turns that go wrong are worth nothing.
void check(Assistant& assistant, const Talk& talk) {
  std::optional<TurnResult> result;
  TurnInput input(talk.utterance);
  input.session = first_session(talk, 0);
  converse(assistant, std::move(input), [&](TurnResult turn) { result = std::move(turn); });
  assistant.run_until([&] { return result.has_value(); });
  const auto expected =
      talk.skill_id.empty() || talk.not_understood ? TurnStatus::kUnmatched : TurnStatus::kAnswered;
  if (result->status == expected && result->skill_id == talk.skill_id) return;
  throw std::runtime_error(fmt::format("{}: '{}' was {} by '{}' and should have been {} by '{}' {}",
                                       talk.name, talk.utterance, to_string(result->status), result->skill_id,
                                       to_string(expected), talk.skill_id, result->error));
}

class Talkers {
 public:
  Talkers(Assistant& assistant, const Talk& talk, int sessions, const Options& options)
      : assistant_(assistant), talk_(talk), options_(options) {
    for (int number = 1; number <= sessions; ++number) {
      auto session = first_session(talk, number);
      auto& talker = talkers_[session->session_id];
      // The default session lives in the core: nobody has to bring it along.
      if (!talk.in_default_session || session->pipeline) talker.session = std::move(session);
    }
  }

  void run() {
    const Subscription handled = assistant_.bus().subscribe(
        "ovos.utterance.handled", [this](const Message& message) { next(message); });
    const Subscription spoken =
        assistant_.bus().subscribe("ovos.utterance.speak", [this](const Message& message) {
          const auto found = talkers_.find(message.session_id());
          if (found != talkers_.end()) found->second.spoken = std::chrono::steady_clock::now();
        });
    const Timer guard = assistant_.bus().timers().at(
        after(std::chrono::steady_clock::now(), options_.warmup + options_.seconds) + kPatience, [this] {
          stuck_ = true;
          assistant_.stop_running();
        });
    assistant_.post([this] { begin(); });
    assistant_.run();
    if (stuck_) throw std::runtime_error(fmt::format("{}: {} turns never ended", talk_.name, talking_));
  }

  Series series(int sessions) const {
    Series series(talk_.name, sessions);
    series.p50_us = latencies_.percentile_us(0.5);
    series.p99_us = latencies_.percentile_us(0.99);
    const double elapsed = std::chrono::duration<double>(last_ - from_).count();
    const auto count = static_cast<double>(latencies_.count());
    if (count > 0) series.per_s = count / elapsed;
    if (count > 0) series.cpu_us = (cpu_until_ - cpu_from_) / count;
    if (count > 0) series.loop_us = (loop_until_ - loop_from_) / count;
    return series;
  }

 private:
  struct Talker {
    SessionPtr session;
    Time since, spoken;
  };

  void begin() {
    from_ = after(std::chrono::steady_clock::now(), options_.warmup);
    until_ = after(from_, options_.seconds);
    talking_ = talkers_.size();
    for (auto& [id, talker] : talkers_) say(talker);
  }

  /// Hands it over as a client would, through the loop: else a talker whose turns never wait would let nobody
  /// else speak. Waiting for the loop is part of the turn.
  void say(Talker& talker) {
    Context context;
    context.source = "bench";
    context.session = talker.session;
    Message message("ovos.utterance.handle", {{"utterances", {talk_.utterance}}}, std::move(context));
    talker.since = std::chrono::steady_clock::now();
    assistant_.post([this, message = std::move(message)] { assistant_.bus().publish(message); });
  }

  void next(const Message& handled) {
    const auto now = std::chrono::steady_clock::now();
    const auto found = talkers_.find(handled.session_id());
    if (found == talkers_.end()) return;
    Talker& talker = found->second;
    if (now >= from_ && now < until_) {
      if (latencies_.count() == 0) {
        cpu_from_ = cpu_us();
        loop_from_ = loop_us();
      }
      latencies_.add((talk_.to_speech ? talker.spoken : now) - talker.since);
      last_ = now;
    }
    if (now >= until_) {
      if (cpu_until_ == 0) {
        cpu_until_ = cpu_us();
        loop_until_ = loop_us();
      }
      if (--talking_ == 0) assistant_.stop_running();
      return;
    }
    if (talker.session) talker.session = handled.context().session;
    say(talker);
  }

  Assistant& assistant_;
  const Talk& talk_;
  const Options& options_;
  std::unordered_map<std::string, Talker> talkers_;
  std::size_t talking_ = 0;
  Latencies latencies_;
  Time from_, until_, last_;
  double cpu_from_ = 0, cpu_until_ = 0, loop_from_ = 0, loop_until_ = 0;
  bool stuck_ = false;
};

}  // namespace

Series measure(Assistant& assistant, const Talk& talk, int sessions, const Options& options) {
  check(assistant, talk);
  Talkers talkers(assistant, talk, sessions, options);
  talkers.run();
  return talkers.series(sessions);
}

}  // namespace parley::bench
