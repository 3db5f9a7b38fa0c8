#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

namespace YAML {
class Node;
}

namespace parley {

/// The file with a language's words for typed slots, `values/<language>.yaml` of the core. The region plays
/// no part. Null when there is no such file; else always the same path, which stays. Which files there are is
/// looked up once: words are asked for dozens of times in a turn. Safe from any thread.
const std::filesystem::path* value_file(std::string_view lang);

/// As read_yaml_file(), for such a file. A sentence wants most kinds of words of its language, which are all
/// in one file: the last one that was parsed is kept. `read` must not change the node, which other threads
/// read, too.
void read_value_file(const std::filesystem::path& file, const std::function<void(const YAML::Node&)>& read);

/// What `Words(file, language)` makes of a language's file, at its first use; kept, as there are only so many
/// files. Null when the language has none. Safe from any thread.
template <class Words>
const Words* words_for(std::string_view lang) {
  static std::mutex mutex;
  static std::map<const std::filesystem::path*, std::unique_ptr<const Words>> known;
  const auto* const file = value_file(lang);
  if (file == nullptr) return nullptr;
  const std::lock_guard lock(mutex);
  auto& words = known[file];
  if (!words) words = std::make_unique<const Words>(*file, file->stem().string());
  return words.get();
}

}  // namespace parley
