#include "plugin/manifest.hpp"

#include <fmt/format.h>

#include <parley/message.hpp>

#include "plugin/error.hpp"

namespace parley {
namespace {

constexpr std::string_view kRebuild =
    "rebuild it with this parley's headers and compiler (cmake --build <its build folder>)";

void check_kind(const std::filesystem::path& file, std::uint32_t kind, PluginKind expected) {
  constexpr auto kStage = static_cast<std::uint32_t>(PluginKind::kStage);
  constexpr auto kSkill = static_cast<std::uint32_t>(PluginKind::kSkill);
  if (kind == static_cast<std::uint32_t>(expected)) return;
  if (kind != kStage && kind != kSkill) {
    throw PluginError(file, fmt::format("is a plugin of kind {}, but a {} (kind {}) was expected: {}", kind,
                                        to_string(expected), static_cast<std::uint32_t>(expected), kRebuild));
  }
  const std::string_view remedy = kind == kSkill ? "put it into one of skills.directories instead"
                                                 : "name it as the plugin of an entry under stages instead";
  throw PluginError(file, fmt::format("is a {}, but a {} was expected: {}",
                                      to_string(static_cast<PluginKind>(kind)), to_string(expected), remedy));
}

}  // namespace

std::string_view to_string(PluginKind kind) noexcept {
  return kind == PluginKind::kStage ? "stage" : "skill";
}

void check_manifest(const std::filesystem::path& file, const ManifestFacts& facts, PluginKind expected) {
  if (facts.size != sizeof(PluginManifest)) {
    throw PluginError(file, fmt::format("has a manifest of {} bytes, this parley expects {}: {}", facts.size,
                                        sizeof(PluginManifest), kRebuild));
  }
  if (facts.abi != kPluginAbi) {
    throw PluginError(file, fmt::format("was built for plugin ABI {}, this parley has {}: {}", facts.abi,
                                        kPluginAbi, kRebuild));
  }
  if (facts.fingerprint && *facts.fingerprint != kBuildFingerprint) {
    throw PluginError(file, fmt::format("was built with [{}], this parley with [{}]: {}", *facts.fingerprint,
                                        kBuildFingerprint, kRebuild));
  }
  check_kind(file, facts.kind, expected);
  if (facts.name && !is_identifier(*facts.name)) {
    throw PluginError(
        file, fmt::format("calls its {0} '{1}', but a name has ASCII letters, digits, '.', '_' and '-' only, "
                          "no '.' at either end and no two in a row: correct it in {2}",
                          to_string(expected), *facts.name,
                          expected == PluginKind::kSkill ? "PARLEY_SKILL" : "parley_add_stage()"));
  }
}

}  // namespace parley
