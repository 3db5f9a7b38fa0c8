#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <parley/locale.hpp>
#include <parley/skill.hpp>
#include <parley/stage.hpp>
#include <string>
#include <vector>

#include "bus/bus.hpp"
#include "config/config.hpp"
#include "config/layers.hpp"
#include "runtime/counters.hpp"

namespace boost::asio {
class io_context;
}

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
namespace evidence {
class QuestionVectors;
}

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
  Picker random;  ///< Skill::random(). Null: by the turn (TurnChance), or always 0 with the jumping clock.
  /// Replays what was said once: returns whether a text was part of an answer then. Dialogs are said as they
  /// were then where they still can be, and Skill::random() draws what it drew then. Null: it is no replay.
  std::function<bool(const std::string& text)> said_then;
  /// What it calls itself to others that want its store ("parley serve"). Empty: it keeps to memory.
  std::string keeps_as;
  bool logs_in_memory = false;  ///< Write the log of turns where there is no file for it, too.
  /// Intents of languages beside the default one are registered when somebody first speaks them.
  bool languages_sleep = false;
  bool load_plugins = true;  ///< Load what the configuration names, beside what add_…() gave.
  std::filesystem::path
      program;  ///< `parley`, which runs skills in children; empty: the one beside this one.
  std::vector<std::filesystem::path> held_out;  ///< Plugins that are refused: a process crashed in them.
  /// What the configuration was put together from. Nothing: it is all there is.
  std::optional<Layers> layers;
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

/// How loading a newer version of a skill, or enabling or disabling one, went.
struct Reloaded {
  enum class End {
    kDone,     ///< The new version takes part; it is as was asked for.
    kGone,     ///< Nothing of it is on disk any more, so that it was taken out.
    kUnknown,  ///< There is no skill of that name.
    kRefused,  ///< What ran before goes on.
  };
  explicit Reloaded(End how, std::string why = {}) : end(how), reason(std::move(why)) {}
  End end;
  std::string reason;  ///< Why not; a sentence. Of kDone: why it is forgotten with the end of the process.
                       ///< Of kGone: that it is.
};

/// How a change of a skill's settings went.
struct SettingsChanged {
  enum class End {
    kDone,
    kUnknown,  ///< No skill of that name is there.
    kRefused,  ///< It can't be told anything now.
    kInvalid   ///< See `faults`; nothing has changed.
  };
  enum class Takes {
    kAtOnce,
    kWithReload,  ///< It read its settings as it started, and did not look at them again.
    kWhenIdle     ///< It is busy, and will be told later.
  };
  struct Fault {
    Fault(std::string which, std::string what) : key(std::move(which)), message(std::move(what)) {}
    std::string key;  ///< Empty: of several together.
    std::string message;
  };
  explicit SettingsChanged(End how, std::string why = {}) : end(how), reason(std::move(why)) {}
  End end;
  std::string reason;  ///< Why it was not done; a sentence.
  std::vector<Fault> faults;
  Takes takes = Takes::kAtOnce;
  std::string not_kept;  ///< Why it will be forgotten with the end of the process; empty: it will not be.
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

  /// Has skills register in all languages that are enabled (AssistantOptions::languages_sleep); calls back
  /// when they have, at once where nothing sleeps. After start(), on the loop.
  void wake_languages(std::function<void()> then);

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

  /// Loads a skill as it is on disk now, library and locale, beside the running version. Once it has started,
  /// its registrations replace those of the old version in one step; the old version finishes its
  /// turns. At most SkillHost::kMostVersions of a skill live: beyond, turns of the oldest end as `.error`.
  /// A skill that is not loaded is searched for in the folders of skills; one whose library is gone is taken
  /// out, as by disable_skill(). Calls back on the loop.
  void reload_skill(const std::string& skill_id, std::function<void(const Reloaded& how)> done);
  /// The loaded skills whose folder is not as it was when they were loaded, and those that have come since.
  std::vector<std::string> changed_skills() const;

  /// Changes a skill's settings, above those of the configuration (Layers), and keeps them beside the store
  /// if that is a file. Calls back on the loop.
  /// @param values  by key, as in a file; null: what the configuration says. Other keys stay
  void change_settings(const std::string& skill_id, const nlohmann::json& values,
                       std::function<void(const SettingsChanged& how)> done);
  /// Takes a skill out: its registrations go in one step, the turns that it has begun go on, and then it
  /// is unloaded. Kept like settings. Calls back on the loop once the skill is out. It is no error to
  /// disable a disabled skill, or to enable an enabled one.
  void disable_skill(const std::string& skill_id, std::function<void(const Reloaded& how)> done);
  /// Loads a disabled skill. Calls back on the loop once the skill takes part.
  void enable_skill(const std::string& skill_id, std::function<void(const Reloaded& how)> done);
  /// The skills that are installed and disabled.
  std::vector<LoadedPart> disabled_skills() const;
  /// The settings of a loaded skill; valid until it is unloaded.
  OptionTable options_of_skill(const std::string& skill_id) const;
  /// Whether a version of the skill is being loaded.
  bool is_loading(const std::string& skill_id) const;
  /// Where the configuration comes from, and what is changed of it.
  const Layers& layers() const noexcept;

  /// Takes over what of another configuration can change while it runs (can_change_at_run_time()); turns
  /// under way may see either. On the loop.
  /// @param layers  what it was put together from; nothing: it is all there is. Changes stay as they are here
  void reconfigure(const Config& fresh, std::optional<Layers> layers = std::nullopt);
  /// That configuration, and its layers, with what is changed here.
  void add_changes(Config& config, Layers& layers) const;

  /// Ends turns whose handlers wait for the user, who is told so: this process ends. On the loop.
  void interrupt_questions();
  /// Ends handlers and unloads everything; run() must not be running.
  void stop();

  /// Runs something on the loop, from any thread.
  void post(std::function<void()> work);
  /// Computes something that takes long in the background, then goes on on the loop.
  void in_background(std::function<void()> work, std::function<void()> then);

  const Config& config() const noexcept;
  /// The zone to tell times in where a session has none of its own.
  const std::string& time_zone() const noexcept;
  const Clock& clock() const noexcept;
  JumpingClock* jumping_clock() noexcept;  ///< Null with the machine's clock.
  /// For sockets that are read and written on the loop.
  boost::asio::io_context& loop() noexcept;
  Bus& bus() noexcept;
  /// What clients are told: the bus, or in a cluster one that carries what other instances say as well.
  Bus& told() noexcept;
  /// Puts an utterance onto the bus, or passes it on to the instance that owns its session.
  void say(const Message& utterance);
  /// From here on this is one instance of several.
  /// @param told    what clients are told; null: no longer
  /// @param passes  whether an utterance is passed on
  void be_part_of(Bus* told, std::function<bool(const Message& utterance)> passes);
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
  /// Whether turns are kept (store.keep), and there is a place for them.
  bool keeps_turns() const;
  /// Null: questions to the evidence have no vectors.
  evidence::QuestionVectors* question_vectors() noexcept;
  /// Events of turns that are still to be written.
  std::size_t events_waiting() const;
  /// Why what lasts is in memory although the configuration says otherwise, and what to do; else empty.
  const std::string& store_trouble() const noexcept;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace parley
