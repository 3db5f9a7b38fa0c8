#include "lifecycle.hpp"

#include <fmt/format.h>

#include "bench_skill.hpp"
#include "prepared.hpp"
#include "start_up.hpp"
#include "talkers.hpp"
#include "waiting.hpp"

namespace parley::bench {
namespace {

std::vector<Talk> talks() {
  Talk intent("intent", kBenchIntentUtterance, kBenchSkill);
  Talk in_default("intent_default_session", kBenchIntentUtterance, kBenchSkill);
  in_default.in_default_session = true;
  Talk fallback("fallback", "flurb the grommet", "unknown.parley");
  fallback.not_understood = true;
  Talk unmatched("unmatched", "flurb the grommet", "");
  unmatched.pipeline = {"intent_high", "intent_medium", "intent_low"};
  Talk date_time("date_time", "what time is it in tokyo", "date_time.parley");
  return {intent, in_default, fallback, unmatched, date_time};
}

void set_targets(Series& series, const Talk& talk) {
  const bool intent = talk.skill_id == kBenchSkill;
  if (series.sessions == 1 && intent) {
    series.p50_target = Target::at_most(50, "a hop to the skill's thread and back; ten messages");
    series.p99_target = Target::at_most(200, "a thread that had gone to sleep");
  }
  if (series.sessions == 1 && talk.name == "fallback")
    series.p50_target = Target::at_most(
        200, "the intent stage's search for what is resembled, and a hop for each skill asked");
  if (series.sessions == 16 && intent)
    series.per_s_target = Target::at_least(25'000, "the loop, which is one thread");
}

}  // namespace

void lifecycle(const Options& options, Report& report) {
  {
    const auto assistant = make_assistant();
    assistant->add_skill(kBenchSkill, make_bench_skill(), bench_skill_folder());
    start(*assistant);
    for (const auto& talk : talks()) {
      for (const int sessions : options.sessions) {
        // There is one default session, so there is no more than one turn of it at a time.
        if (talk.in_default_session && sessions != 1) continue;
        const Waiting waiting(fmt::format("{}, {} in flight", talk.name, sessions));
        Series series = measure(*assistant, talk, sessions, options);
        set_targets(series, talk);
        report.add(series);
        if (sessions == 1) continue;  // waiting threads look out for work for a while, and that counts
        Figure cpu(talk.name + "_cpu", series.cpu_us, "us");
        cpu.remark = fmt::format("of all threads, for each of these turns, {} in flight", sessions);
        report.add(cpu);
      }
    }
  }
  const Waiting waiting("start-up");
  start_up(options, report);
}

}  // namespace parley::bench
