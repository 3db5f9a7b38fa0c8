#include "language/value_file.hpp"

#include <yaml-cpp/yaml.h>

#include <parley/language.hpp>
#include <parley/yaml.hpp>
#include <system_error>

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
    const std::lock_guard lock(mutex_);
    if (file_ != file) {
      read_yaml_file(file, [this](const YAML::Node& root) { root_.reset(root); });
      file_ = file;
    }
    return root_;
  }

 private:
  std::mutex mutex_;
  std::filesystem::path file_;
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
