#include "unruly.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <unordered_map>

#include "app/inventory.hpp"
#include "bus/bus.hpp"
#include "latencies.hpp"
#include "message/log.hpp"
#include "prepared.hpp"
#include "waiting.hpp"

namespace parley::bench {
namespace {

using UnrulyTime = std::chrono::steady_clock::time_point;

constexpr const char* kUnruly = "unruly.bench";
constexpr const char* kSaysWild = "go wild";
constexpr const char* kSaysOther = "what time is it in tokyo";
constexpr std::chrono::microseconds kOtherPause(2'500);  ///< 400 a second, of all of them.
constexpr std::size_t kOthers = 40;
constexpr std::chrono::microseconds kWildPause(1'000);
constexpr std::size_t kMostWild = 16;  ///< In flight: more would only wait for its process.
constexpr double kQuietSeconds = 5;

class Beside {
 public:
  /// @param wild  how many turns of the unruly skill there are to be; 0: the others are alone
  Beside(Assistant& assistant, std::size_t wild, double seconds)
      : assistant_(assistant), wild_(wild), least_(seconds) {
    for (std::size_t i = 0; i < kOthers; ++i)
      other_senders_.at(i) = std::make_shared<const Sender>(1'000'001 + i, fmt::format("bench other {}", i));
  }

  void run() {
    const Subscription spoken =
        assistant_.bus().subscribe("ovos.utterance.speak", [this](const Message& speech) {
          const auto found = open_.find(speech.session_id());
          if (found != open_.end()) found->second.is_answered = true;
        });
    const Subscription handled =
        assistant_.bus().subscribe("ovos.utterance.handled", [this](const Message& of) { end(of); });
    assistant_.post([this] {
      next_ = began_ = std::chrono::steady_clock::now();
      say_other();
      if (wild_ > 0) say_wild();
    });
    assistant_.run();
  }

  Series series(const char* name) const {
    Series of(name, 1);
    of.p50_us = others_.percentile_us(0.5);
    of.p99_us = others_.percentile_us(0.99);
    of.per_s = static_cast<double>(others_.count()) / seconds_;
    return of;
  }
  std::size_t lost() const noexcept { return lost_; }
  std::size_t others() const noexcept { return others_.count(); }
  std::size_t wild_ended() const noexcept { return wild_ended_; }
  std::size_t wild_answered() const noexcept { return wild_answered_; }
  int given_up() const noexcept { return given_up_; }

 private:
  struct OpenTurn {
    UnrulyTime since;
    bool is_wild = false, is_answered = false;
  };

  void say(const char* text, bool is_wild) {
    Context context;
    context.source = "bench";
    // Nobody pays for what another does; but who says hundreds of things a second waits for himself.
    context.sender = is_wild ? wild_sender_ : other_senders_.at(said_ % kOthers);
    const std::string id = fmt::format("{}-{}", is_wild ? "wild" : "other", said_++);
    context.session = std::make_shared<const Session>(Session(id));
    OpenTurn& turn = open_[id];
    turn.since = std::chrono::steady_clock::now();
    turn.is_wild = is_wild;
    Message message("ovos.utterance.handle", {{"utterances", {text}}}, std::move(context));
    assistant_.bus().publish(message);
  }

  bool is_over() const {
    const auto now = std::chrono::steady_clock::now();
    return wild_said_ >= wild_ && wild_open_ == 0 &&
           std::chrono::duration<double>(now - began_).count() >= least_;
  }

  void say_other() {
    if (is_over()) return finish();
    say(kSaysOther, false);
    next_ = std::max(next_ + kOtherPause, std::chrono::steady_clock::now());
    other_timer_ = assistant_.bus().timers().at(next_, [this] { say_other(); });
  }

  void say_wild() {
    if (wild_said_ >= wild_) return;
    if (state_of(assistant_, kUnruly) == "given_up" && !is_reloading_) load_anew();
    if (wild_open_ < kMostWild && !is_reloading_) {
      ++wild_said_;
      ++wild_open_;
      say(kSaysWild, true);
    }
    wild_timer_ =
        assistant_.bus().timers().at(std::chrono::steady_clock::now() + kWildPause, [this] { say_wild(); });
  }

  /// As somebody does who looks after it.
  void load_anew() {
    is_reloading_ = true;
    ++given_up_;
    assistant_.reload_skill(kUnruly, [this](const Reloaded&) { is_reloading_ = false; });
  }

  void end(const Message& handled) {
    const auto found = open_.find(handled.session_id());
    if (found == open_.end()) return;
    const OpenTurn turn = found->second;
    open_.erase(found);
    if (turn.is_wild) {
      --wild_open_;
      ++wild_ended_;
      if (turn.is_answered) ++wild_answered_;
    } else {
      others_.add(std::chrono::steady_clock::now() - turn.since);
      if (!turn.is_answered) ++lost_;
    }
    if (ending_ && open_.empty()) stop();
  }

  void finish() {
    seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
    ending_ = true;
    guard_ = assistant_.bus().timers().at(std::chrono::steady_clock::now() + kPatience, [this] { stop(); });
    if (open_.empty()) stop();
  }

  void stop() {
    guard_.reset();
    for (const auto& [id, turn] : open_)
      if (!turn.is_wild) ++lost_;
    open_.clear();
    assistant_.stop_running();
  }

  Assistant& assistant_;
  const std::size_t wild_;
  const double least_;
  const SenderPtr wild_sender_ = std::make_shared<const Sender>(1'000'000, "bench wild");
  std::array<SenderPtr, kOthers> other_senders_;
  std::unordered_map<std::string, OpenTurn> open_;  ///< By session.
  Latencies others_;
  UnrulyTime began_, next_;
  Timer other_timer_, wild_timer_, guard_;
  std::size_t said_ = 0, wild_said_ = 0, wild_open_ = 0, wild_ended_ = 0, wild_answered_ = 0, lost_ = 0;
  int given_up_ = 0;
  double seconds_ = 1;
  bool is_reloading_ = false, ending_ = false;
};

std::uint64_t deaths(Assistant& assistant) {
  std::uint64_t all = 0;
  for (const auto& one : assistant.counters().all())
    if (one.name == "parley_skill_deaths_total") all += one.value;
  return all;
}

}  // namespace

void unruly_bench(const Options& options, Report& report) {
  set_log_level(LogLevel::kOff);  // each death is a line
  const std::string about = std::string("skills.options.") + kUnruly;
  const auto assistant = make_assistant(
      {std::string("skills.directories=[") + PARLEY_BENCH_UNRULY + "]", about + ".placement=process",
       about + ".memory=64MiB", about + ".handler_timeout=500ms", "orchestrator.speak_errors=false"});
  start(*assistant);
  const Waiting waiting("turns beside a skill that does what it should not");
  Beside quiet(*assistant, 0, options.is_trial() ? 0.1 : kQuietSeconds);
  quiet.run();
  const std::size_t wild = options.is_trial() ? 50 : 10'000;
  Beside beside(*assistant, wild, 0);
  beside.run();
  set_log_level(LogLevel::kWarning);

  report.add(quiet.series("others_alone"));
  report.add(beside.series("others_beside"));
  Figure times("p99", beside.series("").p99_us / quiet.series("").p99_us, "times");
  times.remark = "of the others, beside it";
  times.target = Target::at_most(2, "two processors: its process, and starting it again");
  report.add(times);
  Figure lost("lost", static_cast<double>(beside.lost() + quiet.lost()), "turns");
  lost.remark = fmt::format("of {} of others; without an end, or without an answer", beside.others());
  lost.target = Target::at_most(0, "nothing");
  report.add(lost);
  Figure ended("its_turns_open", static_cast<double>(wild - beside.wild_ended()), "turns");
  ended.remark = fmt::format("of {}; {} were answered, its process died {} times, {} times it was given up",
                             wild, beside.wild_answered(), deaths(*assistant), beside.given_up());
  ended.target = Target::at_most(0, "nothing");
  report.add(ended);
}

}  // namespace parley::bench
