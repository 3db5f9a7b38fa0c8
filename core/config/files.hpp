#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "settings/problem.hpp"

namespace parley {

/// The variables of this process whose names begin with `PARLEY_`, and those that say where a user's
/// files are (`XDG_CONFIG_HOME`, `HOME`). Call before threads that change the environment are started.
std::map<std::string, std::string> process_environment();

/// The folder of the running program; empty when the system does not tell.
std::filesystem::path executable_directory();

/// Which file to load: the one asked for (`--config`), else that of PARLEY_CONFIG, else
/// `$XDG_CONFIG_HOME/parley/parley.yaml` (`~/.config` when unset), else
/// `<executable_directory>/../share/parley/parley.yaml`. The working directory is not searched: a
/// configuration names libraries to load, so it is never picked up by accident.
/// @return nothing when none of them exists: the defaults are to be used
/// @throws ConfigError when a file that was asked for by name does not exist
std::optional<std::filesystem::path> find_config(const std::optional<std::filesystem::path>& asked_for,
                                                 const std::map<std::string, std::string>& environment,
                                                 const std::filesystem::path& executable_directory);

/// The folders that plugins of a kind are looked for in, and a problem for each that does not exist.
struct FoundDirectories {
  FoundDirectories() = default;
  std::vector<std::filesystem::path> directories;
  std::vector<Problem> problems;
};

/// Absolute names are taken as they are. Relative ones are looked for beside the configuration file, then
/// in `<executable_directory>/../lib/parley/`. Each folder is there once.
/// @param key  names the list in problems: `skills.directories`
/// @param shipped  the folder of the installation, under `lib/parley`, that comes after them where there is
///                 one; empty: none
FoundDirectories find_directories(const std::vector<std::string>& names, const std::string& key,
                                  const std::optional<std::filesystem::path>& config_file,
                                  const std::filesystem::path& executable_directory,
                                  const std::string& shipped = "");

namespace config {

/// At most `limit` bytes of a file; empty, with a problem, when it can't be read.
std::string read_file(const std::filesystem::path& file, std::size_t limit, std::vector<Problem>& problems);

}  // namespace config
}  // namespace parley
