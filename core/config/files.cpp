#include "config/files.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <parley/files.hpp>
#include <string_view>
#include <system_error>

#include "settings/values.hpp"

namespace parley {
namespace {

namespace fs = std::filesystem;

bool is_there(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored) && !fs::is_directory(path, ignored);
}

bool is_folder(const fs::path& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

std::string value_of(const std::map<std::string, std::string>& environment, const std::string& name) {
  const auto found = environment.find(name);
  return found == environment.end() ? "" : found->second;
}

fs::path require_file(const fs::path& file, const std::string& asked_by) {
  if (is_there(file)) return file;
  const std::string reason = is_folder(file) ? "is a directory" : "does not exist";
  throw ConfigError(
      {Problem(file.string(), 0, 0, fmt::format("the configuration file named by {} {}", asked_by, reason))});
}

fs::path beside_program(const fs::path& executable_directory, const fs::path& rest) {
  return (executable_directory / ".." / rest).lexically_normal();
}

void add_once(std::vector<fs::path>& folders, const fs::path& folder) {
  const auto is_same = [&](const fs::path& other) {
    std::error_code ignored;
    return fs::equivalent(folder, other, ignored);
  };
  if (std::none_of(folders.begin(), folders.end(), is_same)) folders.push_back(folder);
}

}  // namespace

std::map<std::string, std::string> process_environment() {
  std::map<std::string, std::string> variables;
  for (char** entry = ::environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos) continue;
    const std::string_view name = text.substr(0, equals);
    if (name.starts_with("PARLEY_") || name == "XDG_CONFIG_HOME" || name == "HOME") {
      variables.emplace(name, text.substr(equals + 1));
    }
  }
  return variables;
}

fs::path executable_directory() {
  std::error_code failed;
  const fs::path program = fs::read_symlink("/proc/self/exe", failed);
  return failed ? fs::path() : program.parent_path();
}

std::optional<fs::path> find_config(const std::optional<fs::path>& asked_for,
                                    const std::map<std::string, std::string>& environment,
                                    const fs::path& executable_directory) {
  if (asked_for) return require_file(*asked_for, "--config");
  const std::string named = value_of(environment, "PARLEY_CONFIG");
  if (!named.empty()) return require_file(named, "PARLEY_CONFIG");
  fs::path home = value_of(environment, "XDG_CONFIG_HOME");
  const std::string user = value_of(environment, "HOME");
  if (home.empty() && !user.empty()) home = fs::path(user) / ".config";
  // As the XDG specification has it, a relative folder is not valid and passed over.
  if (home.is_absolute() && is_there(home / "parley" / "parley.yaml")) return home / "parley" / "parley.yaml";
  if (executable_directory.empty()) return std::nullopt;
  const fs::path installed = beside_program(executable_directory, "share/parley/parley.yaml");
  if (is_there(installed)) return installed;
  return std::nullopt;
}

FoundDirectories find_directories(const std::vector<std::string>& names, const std::string& key,
                                  const std::optional<fs::path>& config_file,
                                  const fs::path& executable_directory, const std::string& shipped) {
  FoundDirectories found;
  for (const std::string& name : names) {
    std::vector<fs::path> places;
    if (fs::path(name).is_absolute()) {
      places.emplace_back(name);
    } else {
      if (config_file) places.push_back((fs::absolute(*config_file).parent_path() / name).lexically_normal());
      if (!executable_directory.empty()) {
        places.push_back(beside_program(executable_directory, fs::path("lib/parley") / name));
      }
    }
    const auto place = std::find_if(places.begin(), places.end(), is_folder);
    if (place != places.end()) {
      add_once(found.directories, *place);
      continue;
    }
    std::string tried;
    for (const fs::path& candidate : places) tried += (tried.empty() ? "" : " and ") + candidate.string();
    found.problems.emplace_back(config_file ? config_file->string() : "built in", 0, 0,
                                fmt::format("'{}' names {}, but there is no such folder; looked for {}", key,
                                            in_quotes(name), tried));
  }
  if (!shipped.empty() && !executable_directory.empty()) {
    const fs::path installed = beside_program(executable_directory, fs::path("lib/parley") / shipped);
    if (is_folder(installed)) add_once(found.directories, installed);
  }
  return found;
}

namespace config {

std::string read_file(const fs::path& file, std::size_t limit, std::vector<Problem>& problems) {
  if (is_folder(file)) {
    problems.emplace_back(file.string(), 0, 0, "is a directory; name a YAML file");
    return "";
  }
  std::error_code unknown;
  if (const auto size = fs::file_size(file, unknown); !unknown && size > limit) {
    problems.emplace_back(file.string(), 0, 0,
                          fmt::format("larger than {}; a configuration is not", format_size(limit)));
    return "";
  }
  auto text = parley::read_file(file, limit);
  if (text) return std::move(text).value();
  problems.emplace_back(file.string(), 0, 0, text.error().message);
  return "";
}

}  // namespace config
}  // namespace parley
