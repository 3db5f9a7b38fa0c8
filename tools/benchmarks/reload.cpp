#include "reload.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <unordered_map>
#include <utility>

#include "bus/bus.hpp"
#include "latencies.hpp"
#include "memory.hpp"
#include "prepared.hpp"
#include "waiting.hpp"

namespace parley::bench {
namespace {

using ReloadClock = std::chrono::steady_clock;

constexpr const char* kSkill = "date_time.parley";
constexpr std::chrono::microseconds kPause(200);  ///< From one utterance to the next: 5,000 a second.
constexpr double kOffered = 5'000;
/// Those for the skill that is loaded anew, and for another.
constexpr std::array<const char*, 2> kQuestions{"what time is it", "how are you"};
constexpr std::size_t kSessions = 256;  ///< That speak in turn: what is kept of each is there soon.
/// From the beginning of one reload to that of the next at least: an author saves no faster.
constexpr std::chrono::milliseconds kBetween(50);
constexpr std::chrono::milliseconds kRefusedPause(5);
constexpr int kMostRefused = 1'000;  ///< In a row: then something is stuck.

class Reloading {
 public:
  Reloading(Assistant& assistant, int times) : assistant_(assistant), times_(times) {}

  void run() {
    const Subscription spoken =
        assistant_.bus().subscribe("ovos.utterance.speak", [this](const Message& speech) {
          const auto found = open_.find(speech.context().utterance_id);
          if (found != open_.end()) found->second.is_answered = true;
        });
    const Subscription handled =
        assistant_.bus().subscribe("ovos.utterance.handled", [this](const Message& of) { end(of); });
    assistant_.post([this] {
      next_ = ReloadClock::now();
      say();
      reload();
    });
    assistant_.run();
    if (!failure_.empty()) throw std::runtime_error(failure_);
  }

  void report(Report& to) {
    Series turns("turns_meanwhile", 1);
    turns.p50_us = turns_.percentile_us(0.5);
    turns.p99_us = turns_.percentile_us(0.99);
    turns.per_s = static_cast<double>(turns_.count()) / seconds_;
    turns.per_s_target =
        Target::at_least(kOffered * .99, "what is offered; the processors that reloading takes");
    to.add(turns);
    Figure lost("lost", static_cast<double>(lost_), "turns");
    lost.remark = fmt::format("of {}; without an end, or without an answer", said_);
    lost.target = Target::at_most(0, "one step in which the registrations change");
    to.add(lost);
    Series reloads("reload", 1);
    reloads.p50_us = reloads_.percentile_us(0.5);
    reloads.p99_us = reloads_.percentile_us(0.99);
    to.add(reloads);
    Figure refused("refused", static_cast<double>(refused_all_), "times");
    refused.remark = "and tried again, since three earlier versions were still ending";
    to.add(refused);
    if (early_ == 0) return;
    Figure grown("memory", 100 * (memory()["Rss"] / early_ - 1), "%");
    grown.remark =
        fmt::format("more after {} reloads than after {}: {:.0f} MiB were {:.0f}, {:.1f} in use were {:.1f}",
                    times_, times_ / 10, memory()["Rss"], early_, heap_in_use(), early_heap_);
    grown.target = Target::at_most(2, "what the heap keeps of what was freed");
    to.add(grown);
  }

 private:
  struct Turn {
    ReloadClock::time_point since;
    bool is_answered = false;
  };

  void say() {
    if (is_over_) return;
    Context context;
    context.source = "bench";
    context.session = std::make_shared<const Session>(Session(fmt::format("reload-{}", said_ % kSessions)));
    context.utterance_id = fmt::format("turn-{}", said_);
    open_[context.utterance_id].since = next_;  // what waits to be said waits, too
    Message message("ovos.utterance.handle", {{"utterances", {kQuestions.at(said_++ % kQuestions.size())}}},
                    std::move(context));
    assistant_.bus().publish(message);
    next_ += kPause;  // what fell behind is made up for: so much is offered
    timer_ = assistant_.bus().timers().at(next_, [this] { say(); });
  }

  void reload() {
    began_ = ReloadClock::now();
    if (done_ == 0) first_ = began_;
    assistant_.reload_skill(kSkill, [this](const Reloaded& how) {
      // Faster than earlier versions come to an end: as somebody would, it is tried again.
      if (how.end == Reloaded::End::kRefused && ++refused_ < kMostRefused) {
        again_ = assistant_.bus().timers().at(ReloadClock::now() + kRefusedPause, [this] { reload(); });
        return;
      }
      if (how.end != Reloaded::End::kDone) failure_ = how.reason;
      refused_all_ += std::exchange(refused_, 0);
      reloads_.add(ReloadClock::now() - began_);
      if (++done_ == times_ / 10) {
        early_ = memory()["Rss"];
        early_heap_ = heap_in_use();
      }
      // Not from within the call that tells of the last one.
      const bool goes_on = done_ < times_ && failure_.empty();
      again_ = assistant_.bus().timers().at(goes_on ? began_ + kBetween : ReloadClock::now(),
                                            [this, goes_on] { goes_on ? reload() : finish(); });
    });
  }

  void finish() {
    seconds_ = std::chrono::duration<double>(ReloadClock::now() - first_).count();
    is_over_ = true;
    guard_ = assistant_.bus().timers().at(ReloadClock::now() + kPatience, [this] { stop(); });
    if (open_.empty()) stop();
  }

  void end(const Message& handled) {
    const auto found = open_.find(handled.context().utterance_id);
    if (found == open_.end()) return;
    turns_.add(ReloadClock::now() - found->second.since);
    if (!found->second.is_answered) ++lost_;
    open_.erase(found);
    if (is_over_ && open_.empty()) stop();
  }

  void stop() {
    lost_ += open_.size();
    open_.clear();
    assistant_.stop_running();
  }

  Assistant& assistant_;
  const int times_;
  std::unordered_map<std::string, Turn> open_;  ///< By utterance_id.
  Latencies turns_, reloads_;
  ReloadClock::time_point next_, began_, first_;
  Timer timer_, guard_, again_;
  std::size_t said_ = 0, lost_ = 0;
  int done_ = 0, refused_ = 0, refused_all_ = 0;
  double early_ = 0, early_heap_ = 0, seconds_ = 0;
  bool is_over_ = false;
  std::string failure_;  ///< Why a version was not taken.
};

}  // namespace

void reload_bench(const Options& options, Report& report) {
  const auto assistant = make_assistant({"orchestrator.speak_errors=false"});
  start(*assistant);
  Reloading reloading(*assistant, options.is_trial() ? 3 : 1000);
  {
    const Waiting waiting(fmt::format("reloads of {}", kSkill));
    reloading.run();
  }
  reloading.report(report);
}

}  // namespace parley::bench
