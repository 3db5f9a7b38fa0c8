#include "language/value_file.hpp"

#include <yaml-cpp/yaml.h>

#include <parley/files.hpp>
#include <parley/language.hpp>
#include <parley/yaml.hpp>
#include <string>
#include <system_error>
#include <utility>

#include "language/core_folder.hpp"
#include "runtime/yaml.hpp"

namespace parley {
namespace {

/// By language.
std::map<std::string, std::filesystem::path> value_files() {
  std::map<std::string, std::filesystem::path> files;
  std::error_code failure;
  for (const auto& entry : std::filesystem::directory_iterator(core_folder() / "values", failure)) {
    const std::filesystem::path& file = entry.path();
    if (file.extension() == ".yaml" && entry.is_regular_file(failure))
      files.emplace(file.stem().string(), file);
  }
  return files;
}

/// From any thread.
class LastDocument {
 public:
  YAML::Node of(const std::filesystem::path& file) {
    auto text = read_file(file, kLargestDataFile);
    const std::lock_guard lock(mutex_);
    if (!text || text_ != *text) {
      read_yaml_file(file, [this](const YAML::Node& root) { root_.reset(root); });
      text_ = text ? std::move(*text) : std::string();
    }
    return root_;
  }

 private:
  std::mutex mutex_;
  std::string text_;  ///< Of what was parsed.
  YAML::Node root_;
};

}  // namespace

void read_value_file(const std::filesystem::path& file, const std::function<void(const YAML::Node&)>& read) {
  static LastDocument last;
  const YAML::Node root = last.of(file);
  name_yaml_faults(file, [&] { read(root); });
}

const std::filesystem::path* value_file(std::string_view lang) {
  static const auto files = value_files();
  if (!is_language_tag(lang)) return nullptr;
  const auto file = files.find(primary_language(lang));
  return file == files.end() ? nullptr : &file->second;
}

}  // namespace parley
