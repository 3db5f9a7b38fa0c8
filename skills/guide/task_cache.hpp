#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "task.hpp"

namespace parley::guide {

/// Tasks as they were read from their files before, so that thousands of files need not be read again. A task
/// counts for as long as its file has the same size and time.
class TaskCache {
 public:
  /// @param file  empty: nothing is kept. What is there and no cache of this program counts for nothing.
  explicit TaskCache(std::filesystem::path file);

  /// @returns nothing: the file was not read yet, or is another one now
  std::optional<TaskMap> find(const std::filesystem::path& task_file);
  void keep(const std::filesystem::path& task_file, const TaskMap& task);
  /// Keeps what find() gave and keep() got for the next time, and nothing else.
  /// @returns why that failed; nothing: it did not
  std::optional<std::string> write() const;

  /// Fewer tasks are read as fast without.
  static constexpr std::size_t kLeast = 500;

 private:
  struct Entry {
    std::uint64_t size = 0;
    std::int64_t time = 0;  ///< Of its last change, in the file system's clock.
    std::string packed;
  };
  static std::optional<Entry> stat(const std::filesystem::path& task_file);

  std::filesystem::path file_;
  std::map<std::string, Entry> before_, now_;  // by path
  bool is_new_ = false;                        // something in now_ is not in the file
};

/// A task as bytes, and back; nothing for what are no such bytes.
std::string pack(const TaskMap& task);
std::optional<TaskMap> unpack(std::string_view bytes);

}  // namespace parley::guide
