#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <parley/plugin.hpp>
#include <parley/skill.hpp>
#include <parley/stage.hpp>
#include <string>

#include "plugin/error.hpp"
#include "plugin/private_copy.hpp"
#include "runtime/crash_report.hpp"

namespace parley {

/// What became of a library that was closed.
enum class Unloaded {
  kGone,         ///< Unmapped: the file may be replaced and loaded again.
  kStillMapped,  ///< Something else has it open, or it can't be unloaded. Its code stays valid.
};

/// A plugin's shared object, loaded and checked. Everything made from it, and every value that carries its
/// code (exceptions, functions, coroutines), must be gone before it is closed, and none of its functions
/// may be on a stack. Use from one thread at a time.
class PluginLibrary {
 public:
  /// Checks the manifest in the file first, then loads it. No code of a plugin that doesn't fit runs, as
  /// far as its file has a section table (those without one run their static constructors).
  /// @throws PluginError naming the file, what was found, what was expected and what to do
  PluginLibrary(const std::filesystem::path& file, PluginKind expected);
  /// The same of the file as it is now, be an earlier state of it loaded or not. Other
  /// libraries it does not find by `$ORIGIN`.
  static PluginLibrary beside_others(const std::filesystem::path& file, PluginKind expected);
  ~PluginLibrary() { unload(); }  ///< Unloads it, without a word: nobody loads it anew.
  PluginLibrary(PluginLibrary&& other) noexcept = default;
  PluginLibrary& operator=(PluginLibrary&& other) noexcept;
  PluginLibrary(const PluginLibrary&) = delete;
  PluginLibrary& operator=(const PluginLibrary&) = delete;

  /// Absolute. The folder it is in is that of a skill's `locale/` and data.
  const std::filesystem::path& file() const noexcept { return file_; }
  PluginKind kind() const noexcept { return kind_; }
  /// A skill's skill_id, a stage's plugin name.
  const std::string& name() const noexcept { return name_; }
  const std::string& version() const noexcept { return version_; }
  /// Its options; they lie in the library. Not of a closed one.
  const PluginTables& tables() const noexcept { return manifest_->tables; }

  /// Never null. Must be destroyed before close().
  /// @throws PluginError with the text of what the factory threw; also when it made nothing
  /// @throws std::logic_error when this is not a library of that kind, or closed
  std::unique_ptr<Stage> make_stage() const;
  std::unique_ptr<Skill> make_skill() const;

  /// Unloads it and looks whether it is gone; if not, a warning names the file. Does nothing (kGone) the
  /// second time.
  Unloaded close();
  /// Gives up unloading it: its code stays in memory until the process ends.
  void keep_mapped() noexcept;

 private:
  PluginLibrary(const std::filesystem::path& file, PluginKind expected, std::optional<PrivateCopy> copy);
  struct Closer {
    void operator()(void* handle) const noexcept;
  };
  void read_loaded_manifest();
  Unloaded unload();
  template <class Made>
  std::unique_ptr<Made> make(Made* (*factory)()) const;
  const PluginManifest& manifest_of(PluginKind wanted) const;

  std::filesystem::path file_;
  PluginKind kind_;
  std::string name_;
  std::string version_;
  CrashSuspect suspect_;
  std::optional<PrivateCopy> copy_;  ///< What is loaded in place of the file.
  std::unique_ptr<void, Closer> handle_;
  const PluginManifest* manifest_ = nullptr;  // lives in the library
};

/// Why a second library with the same name is refused.
PluginError duplicate_plugin(const PluginLibrary& refused, const std::filesystem::path& loaded_before);

}  // namespace parley
