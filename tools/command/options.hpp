#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace parley::command {

/// What is said before or after any command.
struct GlobalOptions {
  GlobalOptions() = default;
  std::string config;                 ///< `--config`; empty: not given.
  std::vector<std::string> settings;  ///< `--set`, in the order given.
  std::string log_level;              ///< `--log-level`; empty: not given.
};

struct ChatOptions {
  ChatOptions() = default;
  std::string lang;     ///< Empty: the configured one.
  std::string session;  ///< Empty: the default session.
  bool explain = false;
  int beside = -1;  ///< Where `parley dev` says what it has to; -1: nowhere.
};

struct SayOptions {
  SayOptions() = default;
  std::vector<std::string> words;  ///< Empty, or a single `-`: utterances come from stdin.
  std::string lang;                ///< Empty: the configured one.
  std::string session;             ///< Empty: the default session.
  bool json = false;
  bool explain = false;
};

struct ScriptOptions {
  ScriptOptions() = default;
  std::vector<std::string> files;  ///< Empty, or a single `-`: stdin.
  bool update = false;
  bool explain = false;
};

struct ServeOptions {
  ServeOptions() = default;
  bool supervise = false;
};

struct ListOptions {
  ListOptions() = default;
  bool json = false;
};

/// Exit codes; `say`, `script` and `check` say in their help what each means there.
inline constexpr int kGood = 0;
inline constexpr int kDiffers = 1;
inline constexpr int kFailed = 2;

// One per subcommand; they give the exit code and may throw what main() reports.
int chat(const GlobalOptions& global, const ChatOptions& options);
int say(const GlobalOptions& global, const SayOptions& options);
int script(const GlobalOptions& global, const ScriptOptions& options);
int check(const GlobalOptions& global);
/// Tries the limits of skills in children on this machine.
int check_isolation();
/// What parley starts to run a skill in a child: at the other end of its descriptor 3.
int host_skill();
int serve(const GlobalOptions& global, const ServeOptions& options);
int list_skills(const GlobalOptions& global, const ListOptions& options);
int list_intents(const GlobalOptions& global, const ListOptions& options);
int list_pipeline(const GlobalOptions& global, const ListOptions& options);

}  // namespace parley::command
