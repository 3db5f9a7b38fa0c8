#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace parley {

/// The file with a language's words for typed slots, `values/<language>.yaml` of the core. The region plays
/// no part. Nothing when there is no such file.
std::optional<std::filesystem::path> value_file(std::string_view lang);

/// What `Words(file, language)` makes of a language's file, at its first use; kept, as there are only so many
/// files. Null when the language has none. Safe from any thread.
template <class Words>
const Words* words_for(std::string_view lang) {
  static std::mutex mutex;
  static std::map<std::filesystem::path, std::unique_ptr<const Words>> known;
  const auto file = value_file(lang);
  if (!file) return nullptr;
  const std::lock_guard lock(mutex);
  auto& words = known[*file];
  if (!words) words = std::make_unique<const Words>(*file, file->stem().string());
  return words.get();
}

}  // namespace parley
