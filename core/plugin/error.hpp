#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <utility>

namespace parley {

/// Why a plugin was refused: what was found, what was expected and what to do, as one sentence.
/// what() is `'<file>' <reason>`.
class PluginError : public std::runtime_error {
 public:
  PluginError(std::filesystem::path file, const std::string& reason)
      : std::runtime_error("'" + file.string() + "' " + reason), file_(std::move(file)), reason_(reason) {}

  const std::filesystem::path& file() const noexcept { return file_; }
  /// Continues a sentence whose subject is the file, e.g. "is a skill, but a stage was expected: …".
  const std::string& reason() const noexcept { return reason_; }

 private:
  std::filesystem::path file_;
  std::string reason_;
};

}  // namespace parley
