#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <parley/locale.hpp>
#include <parley/skill.hpp>
#include <parley/stage.hpp>
#include <string>
#include <vector>

#include "bus/bus.hpp"
#include "config/config.hpp"
#include "runtime/counters.hpp"

namespace parley {

class HttpTransport;
class IntentRegistry;
class JumpingClock;
class LocaleResources;
class Orchestrator;
class Timers;
class SkillHost;
class SessionKeeper;
class Store;
struct Lasting;

/// What went wrong while loading, where, and what to do.
struct LoadProblem {
  LoadProblem(std::string where, std::string text, bool is_fatal)
      : place(std::move(where)), message(std::move(text)), fatal(is_fatal) {}
  std::string place;  ///< A file (with `:line:column` where known), `stage X` or `skill X`.
  std::string message;
  bool fatal;  ///< The thing was refused; otherwise it works in part.
};
std::string to_string(const LoadProblem& problem);

struct AssistantOptions {
  AssistantOptions() = default;
  std::optional<std::filesystem::path>
      config_file;                             ///< Relative folders of the configuration start beside it…
  std::filesystem::path executable_directory;  ///< …or in `../lib/parley/` from here.
  bool jumping_clock = false;           ///< Time stands still and jumps when everything is idle; no threads.
  bool trace_all = false;               ///< Record a trace of every turn.
  std::shared_ptr<HttpTransport> http;  ///< How skills reach servers. Null: over the network, or not at all
                                        ///< with the jumping clock.
  Picker random;  ///< Skill::random(). Null: random, or always 0 with the jumping clock.
  /// What it calls itself to others that want its store ("parley serve"). Empty: it keeps to memory.
  std::string keeps_as;
  bool load_plugins = true;  ///< Load what the configuration names, beside what add_…() gave.
  std::vector<std::filesystem::path> held_out;  ///< Plugins that are refused: a process crashed in them.
};

/// A stage or skill that is loaded.
struct LoadedPart {
  LoadedPart(std::string name, std::string from, std::string which)
      : id(std::move(name)), file(std::move(from)), version(std::move(which)) {}
  std::string id;    ///< pipeline_id or skill_id.
  std::string file;  ///< Empty: linked in.
  std::string version;
  std::vector<std::string> languages;  ///< Of a skill.
};

/// A whole assistant: builds everything from a configuration and takes it down in the right order.
/// Create, start, run and stop it on one thread (the loop's); only post() and stop_running() may be
/// called from others.
class Assistant {
 public:
  explicit Assistant(Config config, AssistantOptions options = AssistantOptions());
  /// stop()s if that was not done. What code of a stuck skill or stage refers to is left behind.
  ~Assistant();
  Assistant(const Assistant&) = delete;
  Assistant& operator=(const Assistant&) = delete;

  /// Adds a stage or skill that is linked in rather than loaded; before start(). The stage's options and
  /// entries are what `stages.<pipeline_id>` of the configuration says; without entries its own id is one.
  void add_stage(std::string pipeline_id, std::unique_ptr<Stage> stage);
  /// @param settings  what it can be told, as Skill::kSettings
  void add_skill(std::string skill_id, std::unique_ptr<Skill> skill, std::filesystem::path folder = {},
                 OptionTable settings = {});

  /// Loads stages and skills, starts them and announces `ovos.core.ready`.
  /// @throws std::runtime_error with `plugins.strict` when anything was refused
  void start();
  /// Everything that was refused or works only in part, in the order of loading.
  const std::vector<LoadProblem>& problems() const noexcept;
  std::vector<LoadedPart> loaded_stages() const;
  std::vector<LoadedPart> loaded_skills() const;

  /// Runs the loop until stop_running().
  void run();
  void stop_running();
  /// Runs what is ready. With the jumping clock, time jumps for as long as a turn is under way
  /// that does not wait for the user.
  void run_until_idle();
  /// Runs until the condition holds; the jumping clock jumps to every next deadline. False when nothing is
  /// left that could make it hold.
  bool run_until(const std::function<bool()>& condition);
  /// The jumping clock: lets that much time pass, stopping at every deadline.
  void run_for(Duration time);

  /// Unloads a skill while everything else goes on; calls back on the loop with whether its code is gone.
  void unload_skill(const std::string& skill_id, std::function<void(bool gone)> done);

  /// Takes over what of another configuration can change while it runs (can_change_at_run_time()); turns
  /// under way may see either. On the loop.
  void reconfigure(const Config& fresh);

  /// Ends handlers and unloads everything; run() must not be running.
  void stop();

  /// Runs something on the loop, from any thread.
  void post(std::function<void()> work);

  const Config& config() const noexcept;
  const Clock& clock() const noexcept;
  JumpingClock* jumping_clock() noexcept;  ///< Null with the machine's clock.
  Bus& bus() noexcept;
  Timers& timers() noexcept;
  Counters& counters() noexcept;
  IntentRegistry& registry() noexcept;
  Orchestrator& orchestrator() noexcept;
  SkillHost& skills() noexcept;
  Store& store() noexcept;
  /// Closes and forgets sessions.
  SessionKeeper& sessions() noexcept;
  /// What skills keep things in, also those of others.
  const std::shared_ptr<Lasting>& lasting() noexcept;
  /// Why what lasts is in memory although the configuration says otherwise, and what to do; else empty.
  const std::string& store_trouble() const noexcept;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace parley
