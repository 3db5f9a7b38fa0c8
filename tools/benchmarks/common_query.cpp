#include "common_query.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <parley/skill.hpp>
#include <thread>

#include "prepared.hpp"
#include "talkers.hpp"
#include "waiting.hpp"

namespace parley::bench {
namespace {

constexpr const char* kStage = "common_query";
constexpr const char* kQuestion = "what is the capital of france";
constexpr std::chrono::milliseconds kSlow(300);

/// Knows every answer, none so well that the contest would end with it.
class Knowing final : public Skill {
 public:
  Knowing(double confidence, std::chrono::milliseconds takes) : confidence_(confidence), takes_(takes) {}
  void start() override { on_question(&Knowing::claims, &Knowing::answer); }

 private:
  std::optional<QuestionClaim> claims(const Query&) { return QuestionClaim(takes_); }
  Task<std::optional<QuestionAnswer>> answer(Query) {
    if (takes_.count() > 0) std::this_thread::sleep_for(takes_);
    co_return QuestionAnswer("Paris.", confidence_);
  }
  double confidence_;
  std::chrono::milliseconds takes_;
};

Config config(bool early) {
  Config config = load_config(ConfigSources());
  config.skills.shipped = false;
  config.stages.at(kStage).options["early_start"] = early;
  return config;
}

void measure_contest(const std::string& name, int skills, bool one_slow, bool early, const Options& options,
                     Report& report) {
  const auto assistant = make_assistant(config(early));
  for (int number = 1; number <= skills; ++number) {
    const auto takes = one_slow && number == 1 ? kSlow : std::chrono::milliseconds(0);
    assistant->add_skill(fmt::format("knowing-{:02}.bench", number),
                         std::make_unique<Knowing>(0.5 + 0.3 * number / skills, takes));
  }
  start(*assistant);
  Talk talk(name + (early ? "_early" : ""), kQuestion, kStage);
  talk.to_speech = true;
  for (const int sessions : options.sessions) {
    if (one_slow && sessions != 1) continue;  // a skill does one thing at a time
    const Waiting waiting(fmt::format("{}, {} in flight", talk.name, sessions));
    Series series = measure(*assistant, talk, sessions, options);
    const double wait_us = one_slow ? std::chrono::microseconds(kSlow).count() : 0.0;
    if (sessions == 1)
      series.p50_target =
          Target::at_most(wait_us + 200, "two messages and a visit to its strand for every skill asked");
    report.add(series);
  }
}

}  // namespace

void common_query(const Options& options, Report& report) {
  for (const bool early : {false, true}) {
    for (const int skills : {2, 10, 50})
      measure_contest(fmt::format("question_to_{}", skills), skills, false, early, options, report);
    measure_contest("question_one_slow", 10, true, early, options, report);
  }
}

}  // namespace parley::bench
