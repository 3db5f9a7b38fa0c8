#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "plugin/description.hpp"

namespace parley {

/// The stages and skills that are installed, as their manifests describe them. Files are read on
/// demand, each once. One that can't be read is left out: loading it says why. Use from one thread at a time.
class Catalogue {
 public:
  Catalogue() = default;
  Catalogue(std::vector<std::filesystem::path> stage_folders,
            std::vector<std::filesystem::path> skill_folders)
      : stage_folders_(std::move(stage_folders)), skill_folders_(std::move(skill_folders)) {}

  /// Null when there is none of that name.
  const PluginDescription* stage(const std::string& plugin);
  const PluginDescription* skill(const std::string& id);
  /// All there are, by name.
  std::vector<const PluginDescription*> stages();
  std::vector<const PluginDescription*> skills();

 private:
  using Descriptions = std::map<std::string, std::unique_ptr<const PluginDescription>, std::less<>>;
  const Descriptions& known_skills();

  std::vector<std::filesystem::path> stage_folders_, skill_folders_;
  Descriptions stages_;  // null: there is none
  Descriptions skills_;
  bool skills_read_ = false;
};

}  // namespace parley
