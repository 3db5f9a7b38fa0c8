#pragma once

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "app/assistant.hpp"
#include "app/session_keeper.hpp"
#include "app/stage_handlers.hpp"
#include "bus/bus.hpp"
#include "orchestrator/orchestrator.hpp"
#include "plugin/library.hpp"
#include "registry/registry.hpp"
#include "runtime/counters.hpp"
#include "runtime/loop_monitor.hpp"
#include "runtime/timers.hpp"
#include "runtime/workers.hpp"
#include "skill/skill_host.hpp"
#include "stage/hosted_stage.hpp"
#include "store/choose.hpp"
#include "store/turn_log.hpp"
#include "turn/answer_fit.hpp"

namespace parley {

/// A stage and where its code came from: the library goes after the stage.
struct StagePart {
  StagePart(LoadedPart what, std::optional<PluginLibrary> code)
      : about(std::move(what)), library(std::move(code)) {}
  LoadedPart about;
  std::optional<PluginLibrary> library;
  std::unique_ptr<HostedStage> hosted;
};

struct SkillPart {
  SkillPart(LoadedPart what, std::optional<PluginLibrary> code, OptionTable table)
      : about(std::move(what)), library(std::move(code)), settings(table) {}
  LoadedPart about;
  std::optional<PluginLibrary> library;
  OptionTable settings;  ///< What it can be told.
};

/// A stage or skill that was handed in, before start().
template <class Plugin>
struct GivenPart {
  GivenPart(std::string name, std::unique_ptr<Plugin> object, std::filesystem::path where)
      : id(std::move(name)), plugin(std::move(object)), folder(std::move(where)) {}
  std::string id;
  std::unique_ptr<Plugin> plugin;
  std::filesystem::path folder;
  OptionTable settings;  ///< Of a skill.
};

/// Everything of an assistant, in the order of birth; death is the reverse.
struct Assistant::Parts {
  Parts(Config the_config, AssistantOptions the_options);

  Config config;
  AssistantOptions options;
  std::vector<LoadProblem> problems;
  bool running = false;
  bool stage_stuck = false;  ///< Code of a stage did not come to an end.

  SteadyClock steady_clock;
  JumpingClock jumping_clock;
  boost::asio::io_context loop{1};
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> guard{loop.get_executor()};
  LoopMonitor monitor;
  Workers workers;     ///< Where skills run.
  Workers background;  ///< Where stages have things computed: learning must not hold up skills.
  std::unique_ptr<Timers> timers;
  Counters counters;
  Bus bus;
  IntentRegistry registry;
  Orchestrator orchestrator;
  LocaleResources common_locale;  ///< The core's own words, for every skill.
  Questions questions;
  AnswerFits answer_fits;
  std::shared_ptr<HttpTransport> http;
  ChosenStore chosen_store;
  std::shared_ptr<Lasting> lasting;
  std::unique_ptr<TurnLog> turn_log;  ///< Null: turns are not kept.
  SessionKeeper sessions;
  SkillHost skills;
  StageHandlers stage_handlers;

  std::vector<std::unique_ptr<StagePart>> stage_parts;
  std::map<std::string, std::unique_ptr<SkillPart>, std::less<>> skill_parts;
  std::vector<GivenPart<Stage>> given_stages;
  std::vector<GivenPart<Skill>> given_skills;
  int skills_starting = 0;
  Subscription arrivals;  ///< What is due for a skill waits until it is there.

  /// Writes down what happens from here on, where there is a file for it.
  void start_log();
  /// Tells of what is due from here on.
  void start_schedule();

  void refuse(std::string place, std::string reason) {
    problems.emplace_back(std::move(place), std::move(reason), true);
  }

  /// @throws PluginError also when it is held out
  PluginLibrary open_library(const std::filesystem::path& file, PluginKind kind) const;
  void load_stages();
  void load_stage(const std::string& pipeline_id, const StageConfig& stage,
                  const std::vector<std::filesystem::path>& folders);
  /// What a stage is told, complete and as OptionType says.
  struct StageOptions {
    StageOptions() = default;
    std::chrono::milliseconds match_timeout{};
    Json options;
    std::map<std::string, Json, std::less<>> entries;
  };
  /// @throws std::runtime_error when the stage can't be started with what is written; why is in `problems`
  StageOptions read_options(const std::string& pipeline_id, const StageConfig& written,
                            const PluginTables& tables);
  void start_stage(std::unique_ptr<StagePart> part, std::unique_ptr<Stage> stage,
                   const StageOptions& options);
  void load_skills();
  void load_skill(const std::filesystem::path& file);
  void start_skill(std::unique_ptr<SkillPart> part, std::unique_ptr<Skill> skill,
                   const std::filesystem::path& folder, Settings settings);
  using SkillSettings = std::map<std::string, Json, std::less<>>;
  /// Gives skills their new values; what does not fit is logged and changes nothing.
  void change_skill_settings(const SkillSettings& fresh);
  /// @throws std::runtime_error when the skill can't be started with them; the faults are in `problems`
  Settings skill_settings(const std::string& id, OptionTable table);
  /// Likewise. @param path  names what is read in problems: `stages.intent`
  Json read_table(const std::string& path, const Json& written, OptionTable table);
  /// The resources of a skill or stage; what is wrong with them is in `problems`.
  LocaleResources load_locale(const std::string& id, const std::filesystem::path& folder);
  /// Closes a skill's library when nothing of its code is left; else it stays mapped. Whether it is gone.
  bool drop_library(const std::string& skill_id, bool gone);
  std::vector<std::filesystem::path> folders(const std::vector<std::string>& names, const std::string& key);
  std::string time_zone() const;

  /// How the registry has big registrations read.
  Offload offload();
  bool jumping() const noexcept { return options.jumping_clock; }
  /// Runs everything that is ready, on this thread; whether there was anything.
  bool run_ready();
  /// Jumps to the next deadline; false when there is none (or it is after `limit`).
  bool jump(std::optional<Clock::Time> limit);
  void unload_skill(const std::string& skill_id, std::function<void(bool)> done);
  void run_until_within(const std::function<bool()>& condition, std::chrono::seconds patience);
};

}  // namespace parley
