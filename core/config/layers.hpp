#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "config/skill_changes.hpp"

namespace parley {

struct Config;
struct SkillsConfig;

/// Where a value of the configuration comes from.
struct Origin {
  enum class Kind { kDefault, kFile, kChanged, kEnvironment, kCommandLine };
  Origin() = default;
  Origin(Kind what, std::string where) : kind(what), place(std::move(where)) {}
  Kind kind = Kind::kDefault;
  /// `parley.yaml:3:14`, the file beside the store, `PARLEY_WORKERS`, `--set workers`; empty: a default.
  std::string place;
  /// Whether it wins over what is changed while a server runs.
  bool is_fixed() const noexcept { return kind == Kind::kEnvironment || kind == Kind::kCommandLine; }
};
/// `default`, `file`, `changed`, `environment`, `command_line`.
std::string word_of(Origin::Kind kind);

/// A configuration by what it was put together from: what is changed of skills while a server runs lies above
/// the file and below the environment and the command line.
struct Layers {
  Layers() = default;
  /// Those of a configuration that is all there is.
  explicit Layers(const Config& config);

  using Settings = std::map<std::string, nlohmann::json, std::less<>>;
  Settings settings;                  ///< `skills.settings` without what was changed.
  std::vector<std::string> disabled;  ///< `skills.disabled` likewise.
  SkillChanges changes;
  std::filesystem::path changes_file;  ///< Where they were looked for; empty: nowhere.
  /// By skill and key: the variable or the option of the command line that has the last word on a setting.
  std::map<std::string, std::map<std::string, Origin>, std::less<>> fixed;
  Origin disabled_origin;
  /// By path, such as `skills.settings."timer.parley".max_timers`: what was written, apart from changes.
  std::map<std::string, Origin, std::less<>> origins;

  /// What a skill is told, as a file has it.
  nlohmann::json settings_of(const std::string& skill_id) const;
  bool is_disabled(const std::string& skill_id) const;
  /// Gives the section what is changed.
  void put_into(SkillsConfig& skills) const;
  std::vector<std::string> all_disabled() const;
  /// Null: only a file or a change can set it.
  const Origin* fixed_by(const std::string& skill_id, const std::string& key) const;
  /// Where the value of a setting comes from.
  Origin origin_of(const std::string& skill_id, const std::string& key) const;
};

}  // namespace parley
