#pragma once

#include <deque>
#include <filesystem>
#include <parley/plugin.hpp>
#include <string>
#include <vector>

namespace parley {

/// What a plugin says of itself in its manifest, read from the file. None of its code runs, and nothing of it
/// stays in memory.
class PluginDescription {
 public:
  /// @throws PluginError as PluginLibrary does before it loads; also for a file without a section table,
  /// which
  ///         nobody can read without loading it
  PluginDescription(std::filesystem::path file, PluginKind kind);
  PluginDescription(const PluginDescription&) = delete;
  PluginDescription& operator=(const PluginDescription&) = delete;

  const std::filesystem::path& file() const noexcept { return file_; }
  /// A skill's skill_id, a stage's plugin name.
  const std::string& name() const noexcept { return name_; }
  const std::string& version() const noexcept { return version_; }
  const PluginTables& tables() const noexcept { return tables_; }

 private:
  std::filesystem::path file_;
  std::string name_, version_;
  std::deque<std::string> texts_;  // what the tables point to
  std::vector<Option> options_, entry_options_;
  std::vector<DefaultEntry> entries_;
  PluginTables tables_;
};

}  // namespace parley
