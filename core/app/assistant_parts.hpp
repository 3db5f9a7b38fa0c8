#pragma once

#include <atomic>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "app/assistant.hpp"
#include "app/language_waking.hpp"
#include "app/session_keeper.hpp"
#include "app/skill_evidence.hpp"
#include "app/stage_handlers.hpp"
#include "app/trace_export.hpp"
#include "bus/bus.hpp"
#include "evidence/embeddings.hpp"
#include "orchestrator/orchestrator.hpp"
#include "plugin/description.hpp"
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
  /// Whether it is part of the program, and can't be loaded again.
  bool is_linked_in() const noexcept { return about.file.empty(); }

  LoadedPart about;
  std::optional<PluginLibrary> library;
  /// Of one that runs in a child: its library is not loaded here.
  std::shared_ptr<const PluginDescription> description;
  OptionTable settings;      ///< What it can be told.
  std::int64_t changed = 0;  ///< latest_change() of its folders, as it was loaded.
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

/// When something in those folders last changed, came or went, in nanoseconds; 0: nothing is there.
std::int64_t latest_change(const std::vector<std::filesystem::path>& folders);

/// Everything of an assistant, in the order of birth; death is the reverse.
struct Assistant::Parts {
  Parts(Config the_config, AssistantOptions the_options);

  Config config;
  AssistantOptions options;
  Layers layers;                ///< Of `config`.
  const std::string time_zone;  ///< IANA, for sessions that have none of their own.
  /// Of those that are enabled. Here, as workers read locales by it.
  const std::vector<std::string> languages_at_start;
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
  const Histogram loop_lag{counters.histogram("parley_loop_lag_seconds")};
  std::atomic<bool> measures_lag{false};
  Bus bus;
  Bus* shared_bus = nullptr;  ///< What clients are told; null: `bus`.
  std::function<bool(const Message&)> passes;
  IntentRegistry registry;
  Orchestrator orchestrator;
  LocaleResources common_locale;  ///< The core's own words, for every skill.
  Questions questions;
  AnswerFits answer_fits;
  std::shared_ptr<HttpTransport> http;
  ChosenStore chosen_store;
  std::shared_ptr<Lasting> lasting;
  std::shared_ptr<SkillKeeping> keeping;
  std::unique_ptr<TurnLog> turn_log;          ///< Null: turns are not kept.
  std::unique_ptr<TraceExport> trace_export;  ///< Null: no collector is named.
  SessionKeeper sessions;
  std::unique_ptr<evidence::Embeddings> embeddings;  ///< Null: no server is named.
  SkillEvidence evidence;
  SkillHost skills;
  LanguageWaking languages;
  StageHandlers stage_handlers;

  std::vector<std::unique_ptr<StagePart>> stage_parts;
  std::map<std::string, std::shared_ptr<SkillPart>, std::less<>> skill_parts;
  std::map<std::string, LoadedPart, std::less<>> idle_skills;  ///< Installed and disabled.
  std::set<std::string, std::less<>> reloading;
  std::vector<GivenPart<Stage>> given_stages;
  std::vector<GivenPart<Skill>> given_skills;
  int skills_starting = 0;
  Subscription arrivals;  ///< What is due for a skill waits until it is there.

  /// Writes down what happens from here on, where there is a file for it or it is wanted in memory.
  void start_log();
  std::unique_ptr<evidence::Embeddings> make_embeddings();
  /// Sends traces from here on, where a collector is named.
  void start_telemetry();
  void measure_lag();
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
  /// Whether a skill is to run in a child rather than here.
  bool runs_in_child(const std::string& id, const std::filesystem::path& file) const;
  /// The skill in the file, if it is to run in a child and was started there; false: it is to run here.
  bool load_into_child(const std::filesystem::path& file);
  static std::shared_ptr<SkillPart> part_in_child(std::shared_ptr<const PluginDescription> description,
                                                  std::int64_t changed);
  /// A child that will run it.
  std::shared_ptr<RunningSkill> child_for(const SkillPart& part,
                                          std::shared_ptr<const TurnEnvironment> environment,
                                          const Settings& settings);
  /// Says what went wrong with one that was being started.
  void note_started(const std::string& id, const std::string& failure, bool stuck);
  void start_skill(std::unique_ptr<SkillPart> part, std::unique_ptr<Skill> skill,
                   const std::filesystem::path& folder, Settings settings);
  std::shared_ptr<TurnEnvironment> environment_of(const std::string& id, LocaleResources locale);
  SkillRunOptions run_options_of(const std::string& id) const;
  void reload_skill(const std::string& skill_id, std::function<void(const Reloaded&)> done);
  std::vector<std::filesystem::path> folders_of(const std::string& id,
                                                const std::filesystem::path& folder) const;
  /// A version of a skill that was read from disk.
  struct Loading {
    explicit Loading(std::shared_ptr<SkillPart> now) : other(std::move(now)) {}
    const std::shared_ptr<SkillPart> other;  ///< What runs; null: nothing does.
    std::shared_ptr<SkillPart> part;
    std::unique_ptr<Skill> skill;
    LocaleResources locale;
    std::string failure;

    void refuse(const std::string& why) {
      skill.reset();
      part.reset();
      failure = why;
    }
  };
  /// Starts what was loaded beside what runs.
  void begin_successor(std::unique_ptr<Loading> loaded, std::function<void(const Reloaded&)> done);
  /// Reads a version of a skill from disk, in the background.
  void read_version(const std::string& skill_id, const std::filesystem::path& file, Loading& into) const;
  /// Starts one that was not there.
  void begin_late(const std::string& id, std::unique_ptr<Loading> loaded,
                  std::function<void(const std::string& failure)> done);
  /// Loads one that has come since the start.
  void take_in(const std::string& skill_id, std::function<void(const Reloaded&)> done);
  /// Takes one out whose library is gone, unless another holds it now.
  void follow_library(const std::string& skill_id, std::function<void(const Reloaded&)> done);
  void take_out(const std::string& skill_id, const std::function<void(const Reloaded&)>& done);
  /// Loads a version from that file beside what runs.
  void load_beside(const std::string& skill_id, const std::filesystem::path& file,
                   std::function<void(const Reloaded&)> done);
  /// The libraries of skills where the configuration says that they are.
  std::vector<std::filesystem::path> skill_libraries() const;
  /// Those that nothing is loaded from, by the skill that each holds.
  std::map<std::string, std::filesystem::path, std::less<>> new_libraries() const;
  bool is_held_out(const std::filesystem::path& file) const;
  /// Nothing: `loaded` says why.
  std::optional<Settings> settings_for(const std::string& id, Loading& loaded);
  /// Logs what is wrong with the resources of a skill that was loaded late.
  void tell_problems(const LocaleResources& locale);
  void change_settings(const std::string& skill_id, const Json& values,
                       std::function<void(const SettingsChanged&)> done);
  void disable_skill(const std::string& skill_id, std::function<void(const Reloaded&)> done);
  void enable_skill(const std::string& skill_id, std::function<void(const Reloaded&)> done);
  /// Writes down that a skill is enabled or not.
  void note_enabled(const std::string& skill_id, bool is_enabled);
  /// Keeps what is changed; calls back on the loop with why it is not kept.
  void keep_changes(std::function<void(const std::string& failure)> done);
  using SkillSettings = std::map<std::string, Json, std::less<>>;
  /// Gives skills their new values; what does not fit is logged and changes nothing.
  void change_skill_settings(const SkillSettings& fresh);
  /// @throws std::runtime_error when the skill can't be started with them; the faults are in `problems`
  Settings skill_settings(const std::string& id, OptionTable table);
  /// Likewise. @param path  names what is read in problems: `stages.intent`
  Json read_table(const std::string& path, const Json& written, OptionTable table);
  /// The resources of a skill or stage; what is wrong with them is in `problems`.
  LocaleResources load_locale(const std::string& id, const std::filesystem::path& folder);
  LocaleResources read_locale(const std::string& id, const std::filesystem::path& folder) const;
  void note_problems(const LocaleResources& locale);
  /// Closes a library when nothing of its code is left; else it stays mapped. Whether it is gone.
  bool drop_code(SkillPart& part, bool gone);
  /// Closes a skill's library when nothing of its code is left; else it stays mapped. Whether it is gone.
  bool drop_library(const std::string& skill_id, bool gone);
  /// What was found, with a word about what was not.
  std::vector<std::filesystem::path> taken(FoundDirectories found, const std::string& key);

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

OrchestratorSettings orchestrator_settings(const Config& config, const AssistantOptions& options);

}  // namespace parley
