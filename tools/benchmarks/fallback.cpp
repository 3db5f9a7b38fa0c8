#include "fallback.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <parley/skill.hpp>

#include "bus/bus.hpp"
#include "prepared.hpp"
#include "settings/values.hpp"
#include "talkers.hpp"
#include "waiting.hpp"

namespace parley::bench {
namespace {

constexpr std::chrono::milliseconds kBound(50);
constexpr const char* kSilentSkill = "silent.bench";

/// Says at once whether it wants an utterance; one that does speaks.
class PoolSkill final : public Skill {
 public:
  explicit PoolSkill(bool willing) : willing_(willing) {}
  void start() override { on_fallback(50, &PoolSkill::can_answer, &PoolSkill::answer); }

 private:
  bool can_answer(const Query&) { return willing_; }
  Task<> answer(Turn turn) {
    turn.speak("here");
    co_return;
  }
  bool willing_;
};

std::string skill_name(int number) {
  return fmt::format("pool-{:03}.bench", number);
}

Config config() {
  Config config;
  config.skills.shipped = false;
  StageConfig stage = load_config(ConfigSources()).stages.at("fallback");
  stage.options["query_timeout"] = format_duration(kBound);
  stage.entries = {{"fallback", nlohmann::json::object()}};
  config.stages = {{"fallback", std::move(stage)}};
  config.pipeline = {"fallback"};
  return config;
}

/// A skill of a connection that is there and never says a word.
void add_silent_skill(Assistant& assistant) {
  assistant.bus().presence().arrive(kSilentSkill, Presence::kRemote);
  Context context;
  context.skill_id = kSilentSkill;
  assistant.bus().publish(
      Message("ovos.fallback.register", {{"skill_id", kSilentSkill}, {"priority", 1}}, std::move(context)));
}

void measure_pool(const std::string& name, int skills, bool silent, const Options& options, Report& report) {
  const auto assistant = make_assistant(config());
  for (int number = 1; number <= skills; ++number) {
    assistant->add_skill(skill_name(number), std::make_unique<PoolSkill>(number == skills));
  }
  start(*assistant);
  if (silent) add_silent_skill(*assistant);
  const Talk talk(name, "flurb the grommet", skill_name(skills));
  for (const int sessions : options.sessions) {
    const Waiting waiting(fmt::format("{}, {} in flight", name, sessions));
    Series series = measure(*assistant, talk, sessions, options);
    if (sessions == 1)
      series.p50_target =
          Target::at_most(200, "asked one after the other: two messages and a visit to its strand each");
    report.add(series);
  }
}

}  // namespace

void fallback(const Options& options, Report& report) {
  for (const int skills : {1, 10, 100}) {
    measure_pool(fmt::format("fallback_of_{}", skills), skills, false, options, report);
  }
  measure_pool("fallback_one_silent", 9, true, options, report);
}

}  // namespace parley::bench
