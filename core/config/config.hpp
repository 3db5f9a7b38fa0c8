#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <parley/options.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "cluster/settings.hpp"
#include "config/files.hpp"
#include "config/layers.hpp"
#include "evidence/embedding_settings.hpp"
#include "message/log.hpp"
#include "net/settings.hpp"
#include "settings/problem.hpp"

namespace parley {

// Sections. Their keys, types, defaults and bounds are in config/tables.hpp: one that is made in code has the
// defaults.

struct LanguageConfig {
  LanguageConfig();
  std::string default_tag;           ///< Key `default`; one of `enabled`.
  std::vector<std::string> enabled;  ///< BCP-47; compared without regard to case (L-2).
  bool operator==(const LanguageConfig&) const = default;
};

/// Where the assistant is, for sessions that carry no `location`.
struct LocationConfig {
  LocationConfig();
  std::optional<double> lat;  ///< Degrees, north positive; given together with `lon` or not at all.
  std::optional<double> lon;  ///< Degrees, east positive.
  std::string tz;             ///< IANA name; empty: the zone of this machine.
  bool operator==(const LocationConfig&) const = default;
};

struct OrchestratorConfig {
  OrchestratorConfig();
  std::chrono::milliseconds match_timeout{};    ///< For stages that set none (U-5).
  std::chrono::milliseconds handler_timeout{};  ///< For skills that set none (D-6).
  int max_consecutive_faults{};                 ///< Then a stage is skipped (U-5).
  std::chrono::milliseconds fault_cooldown{};   ///< Before a skipped stage is tried again; 0: never.
  std::chrono::milliseconds watchdog{};         ///< Longest hold of the loop without a warning; 0: off.
  int max_in_flight{};                          ///< Utterances at a time; later ones wait.
  int max_in_flight_of_client{};                ///< The same, of one client.
  int max_in_flight_of_session{};               ///< The same, of one session of a client.
  int max_questions_of_client{};                ///< Turns that wait for the user.
  bool speak_errors{};                          ///< A handler that throws says so.
  bool operator==(const OrchestratorConfig&) const = default;
};

struct SessionConfig {
  SessionConfig();
  std::size_t max_size{};  ///< Bytes, serialised (S-5).
  bool operator==(const SessionConfig&) const = default;
};

/// One instance of a stage plugin. Its key under `stages` is its `pipeline_id`.
struct StageConfig {
  StageConfig() = default;
  std::string plugin;  ///< libparley_stage_<plugin>.so
  std::optional<std::chrono::milliseconds> match_timeout;
  /// What a pipeline may name, each with the options of that entry.
  std::map<std::string, nlohmann::json, std::less<>> entries;
  /// The plugin's own options as a file has them (`500ms`). Read from a configuration, those of a stage that
  /// is installed are checked and complete; all others are checked when it is loaded.
  nlohmann::json options = nlohmann::json::object();
  bool operator==(const StageConfig&) const = default;
};

enum class SkillThreads { kShared, kOwn };
enum class SkillPlacement { kHere, kProcess, kAuto };

/// How one skill is run, as opposed to its own settings.
struct SkillOptions {
  SkillOptions();
  SkillThreads threads{};  ///< A strand on the workers, or a thread of its own.
  std::optional<std::chrono::milliseconds> handler_timeout;  ///< Overrides `orchestrator.handler_timeout`.
  SkillPlacement placement{};                                ///< In this process, or in a child of it.
  // Of one in a child:
  std::size_t memory{};       ///< Bytes.
  std::optional<double> cpu;  ///< Of one processor.
  int open_files{};
  bool network{}, programs{};       ///< It may open sockets; start programs.
  std::vector<std::string> writes;  ///< The folders it may write to; relative to the configuration's file.
  bool operator==(const SkillOptions&) const = default;
};

struct SkillsConfig {
  SkillsConfig();
  std::vector<std::string> directories;  ///< See `find_directories`.
  bool shipped{};                        ///< Those of the installation, too.
  std::vector<std::string> disabled;     ///< Skill ids that are not started.
  /// By skill id; always objects, as a file has them. Read from a configuration, those of a skill that is
  /// installed are checked and complete; all others are checked when it is loaded.
  std::map<std::string, nlohmann::json, std::less<>> settings;
  std::map<std::string, SkillOptions, std::less<>> options;  ///< By skill id.
  bool operator==(const SkillsConfig&) const = default;
};

enum class PluginUnload { kWhenIdle, kNever };

struct PluginsConfig {
  PluginsConfig();
  std::vector<std::string> directories;  ///< See `find_directories`.
  bool shipped{};                        ///< Those of the installation, too.
  bool strict{};                         ///< A plugin that can't be loaded stops the start.
  PluginUnload unload{};
  bool operator==(const PluginsConfig&) const = default;
};

enum class LogFormat { kText, kJson };

struct LoggingConfig {
  LoggingConfig();
  LogLevel level{};
  LogFormat format{};
  std::string file;      ///< Empty: stderr.
  int max_per_second{};  ///< Lines of one part of the program; 0: no limit.
  bool operator==(const LoggingConfig&) const = default;
};

/// What one intent or entity may hold when it is registered.
struct RegistrationConfig {
  RegistrationConfig();
  int max_samples{};       ///< In all its lists together.
  std::size_t max_text{};  ///< Bytes of all samples together.
  bool operator==(const RegistrationConfig&) const = default;
};

/// What of turns is kept: nothing, what was said and what came of it, or how that came about as well.
enum class StoreKeep { kNothing, kTurns, kTraces };

/// When sessions end by themselves (K-5).
struct SessionsConfig {
  SessionsConfig();
  std::chrono::milliseconds idle_after{};   ///< Without a turn; then its floor and its questions end.
  std::chrono::milliseconds close_after{};  ///< Without a turn.
  std::chrono::milliseconds keep_values{};  ///< Of a closed one: what skills keep in its scope.
  bool operator==(const SessionsConfig&) const = default;
};

/// What lasts.
struct StoreConfig {
  StoreConfig();
  bool enabled{};    ///< False: nothing outlives the process.
  std::string path;  ///< Empty: `default_store_file()`.
  StoreKeep keep{};
  std::chrono::milliseconds retention{};  ///< Of turns.
  int max_queue{};                        ///< Events that wait to be written.
  bool operator==(const StoreConfig&) const = default;
};

/// What is derived of what lasts, for questions over it.
struct EvidenceConfig {
  EvidenceConfig();
  bool enabled{};
  std::chrono::milliseconds cold_after{};  ///< Then an object leaves the index for everyday questions.
  evidence::EmbeddingSettings embeddings;
  bool operator==(const EvidenceConfig&) const = default;
};

/// Traces for a collector of OpenTelemetry.
struct TelemetryConfig {
  TelemetryConfig();
  std::string traces;   ///< Where they are sent; empty: nowhere.
  std::string service;  ///< `service.name` there.
  bool words{};         ///< What was said goes along.
  std::chrono::milliseconds every{};
  int max_queue{};  ///< Turns that wait to be sent.
  bool operator==(const TelemetryConfig&) const = default;
};

/// Everything that can be configured. A value. One made in code has the defaults of all sections, no stages
/// and an empty pipeline: those come from the stages that are installed, see load_config().
struct Config {
  Config();

  LanguageConfig language;
  LocationConfig location;
  std::vector<std::string> pipeline;               ///< Entries, in the order they are asked (U-2).
  std::vector<std::string> blacklisted_pipelines;  ///< For sessions that carry none, as the next two.
  std::vector<std::string> blacklisted_skills;
  std::vector<std::string> blacklisted_intents;  ///< `<skill_id>:<intent_name>`.
  OrchestratorConfig orchestrator;
  SessionConfig session;
  SessionsConfig sessions;
  StoreConfig store;
  EvidenceConfig evidence;
  std::map<std::string, StageConfig, std::less<>> stages;  ///< By `pipeline_id`.
  SkillsConfig skills;
  PluginsConfig plugins;
  int workers{};  ///< Threads that run skills.
  LoggingConfig logging;
  TelemetryConfig telemetry;
  RegistrationConfig registration;
  net::GatewaySettings gateway;
  cluster::ClusterSettings cluster;

  /// The bound of a stage's match: its own, else the general one, or what its options need at least.
  std::chrono::milliseconds match_timeout(const StageConfig& stage, OptionTable options) const;
  /// The bound of a skill's handlers: its own, else the general one.
  std::chrono::milliseconds handler_timeout(std::string_view skill_id) const;
  /// How `skill_id` is run; the defaults when nothing is said about it.
  SkillOptions options_of(std::string_view skill_id) const;

  bool operator==(const Config&) const = default;
};

/// Where stages, and skills, are looked for; see `find_directories`.
FoundDirectories plugin_folders(const PluginsConfig& plugins,
                                const std::optional<std::filesystem::path>& file,
                                const std::filesystem::path& executable_directory);
FoundDirectories skill_folders(const SkillsConfig& skills, const std::optional<std::filesystem::path>& file,
                               const std::filesystem::path& executable_directory);

/// Where a configuration comes from. What comes later wins: the defaults, the file, the environment,
/// the settings of the command line.
struct ConfigSources {
  ConfigSources() = default;
  std::optional<std::filesystem::path> file;
  /// Variables by name; those that are no override are passed over. `PARLEY_A__B=v` sets `a.b`.
  std::map<std::string, std::string> environment;
  /// `a.b=value` each, in the order given. `config_help()` explains the syntax.
  std::vector<std::string> settings;
  bool doubts = false;  ///< Look for what is probably not meant as well, which opens more files.
  /// Take what was changed of skills while a server ran, above the file and below the environment, from
  /// beside the store: for whoever has that.
  bool changes = false;
  /// Where plugins are looked for that are not beside the file, see `find_directories`.
  std::filesystem::path executable_directory = parley::executable_directory();
};

/// What could be read, and everything that is wrong with it. The configuration is only fit for use when
/// there are no problems.
struct CheckedConfig {
  CheckedConfig() = default;
  Config config;
  std::vector<Problem> problems;
  /// What can be read and is probably not meant: names that nobody has, and the like. Only where
  /// `ConfigSources::doubts` asks for it.
  std::vector<Problem> doubts;
  /// Where keys were written, by their path: `gateway.certificate` → `parley.yaml:3:14`. Those of a file.
  std::map<std::string, std::string, std::less<>> places;
  Layers layers;
  /// What could not be taken of what was changed of skills; the configuration is fit for use without it.
  std::vector<Problem> change_problems;
};

/// Reads and checks; throws for no content of file, environment or settings. What is said to stages and
/// skills is checked by the tables in their manifests, where they are installed; no code of them runs.
CheckedConfig check_config(const ConfigSources& sources);
/// The same for a text in hand; `name` stands for the file in problems. `sources.file` is ignored.
CheckedConfig check_config_text(std::string_view yaml, const std::string& name,
                                const ConfigSources& sources = ConfigSources());

/// @throws ConfigError with all problems, when there is one.
Config load_config(const ConfigSources& sources);
/// Likewise, with all there is to know of it.
CheckedConfig load_checked_config(const ConfigSources& sources);

/// Every key with its type, its default and a line of help, and how to override it; also those of the stages
/// and skills that are installed where the configuration says.
std::string config_help(const ConfigSources& sources);

/// A file with every key, its default and what it means, likewise.
std::string default_config(const ConfigSources& sources);

/// The effective configuration as a file could have it: written to a file and loaded, it gives an equal
/// Config.
nlohmann::json to_json(const Config& config);

}  // namespace parley
