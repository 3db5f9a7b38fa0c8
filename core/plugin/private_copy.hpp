#pragma once

#include <filesystem>

namespace parley {

/// A copy of a file in memory of this process alone: others can't write over it, and the loader takes it
/// for a file of its own, however many copies of the same are loaded.
class PrivateCopy {
 public:
  PrivateCopy() = default;
  /// @throws PluginError naming the file
  explicit PrivateCopy(const std::filesystem::path& file);
  ~PrivateCopy();
  PrivateCopy(PrivateCopy&& other) noexcept;
  PrivateCopy& operator=(PrivateCopy&& other) noexcept;
  PrivateCopy(const PrivateCopy&) = delete;
  PrivateCopy& operator=(const PrivateCopy&) = delete;

  /// Where it is to be opened, while this lives. No other copy has the same meanwhile.
  std::filesystem::path path() const;
  /// Keeps it until the process ends.
  void keep() noexcept { descriptor_ = -1; }

 private:
  int descriptor_ = -1;
};

}  // namespace parley
