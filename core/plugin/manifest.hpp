#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <parley/plugin.hpp>
#include <string>
#include <string_view>

namespace parley {

inline constexpr const char* kManifestSymbol = "parley_plugin";

/// What a manifest says about its plugin, apart from its functions. What is not there could not be
/// read and is not judged.
struct ManifestFacts {
  ManifestFacts(std::uint32_t bytes, std::uint32_t number, std::uint32_t what)
      : size(bytes), abi(number), kind(what) {}

  /// Whether what follows `abi` is where this parley looks for it.
  bool has_our_layout() const noexcept { return size == sizeof(PluginManifest) && abi == kPluginAbi; }

  std::uint32_t size;
  std::uint32_t abi;
  std::uint32_t kind;
  std::optional<std::string> name;
  std::optional<std::string> fingerprint;
};

/// "stage" or "skill".
std::string_view to_string(PluginKind kind) noexcept;

/// @throws PluginError when a plugin that says this may not be used as an `expected` here.
void check_manifest(const std::filesystem::path& file, const ManifestFacts& facts, PluginKind expected);

/// Reads the manifest of an ELF file without loading it, so that no code of it runs.
/// @return nothing when the file has no section table, which only loading can see past
/// @throws PluginError when it is no complete shared object for this machine with a manifest in it.
std::optional<ManifestFacts> read_manifest(const std::filesystem::path& file);

}  // namespace parley
