#pragma once

#include <cstdint>
#include <parley/fingerprint.hpp>
#include <parley/options.hpp>

namespace parley {

class Stage;
class Skill;

enum class PluginKind : std::uint32_t { kStage = 1, kSkill = 2 };

/// Increased when the plugin interface changes in a way that the fingerprint does not show.
inline constexpr std::uint32_t kPluginAbi = 1;

/// The one thing a plugin exports, as `parley_plugin`. Constant data: the loader reads and checks it
/// before any function of the plugin runs.
struct PluginManifest {
  std::uint32_t size;  ///< sizeof(PluginManifest) when the plugin was built.
  std::uint32_t abi;   ///< kPluginAbi when the plugin was built.
  PluginKind kind;
  const char* name;  ///< The skill_id of a skill, the plugin name of a stage.
  const char* version;
  const char* fingerprint;   ///< kBuildFingerprint when the plugin was built: must equal the host's.
  Stage* (*create_stage)();  ///< May throw to refuse; null for a skill.
  Skill* (*create_skill)();  ///< May throw to refuse; null for a stage.
  PluginTables tables;
};

#ifndef PARLEY_PLUGIN_VERSION
#define PARLEY_PLUGIN_VERSION "0"
#endif

#define PARLEY_PLUGIN_MANIFEST(Kind, Name, CreateStage, CreateSkill, Tables)                                 \
  extern "C"                                                                                                 \
      __attribute__((visibility("default"))) constinit const ::parley::PluginManifest parley_plugin = {      \
          sizeof(::parley::PluginManifest), ::parley::kPluginAbi, Kind,        Name,  PARLEY_PLUGIN_VERSION, \
          ::parley::kBuildFingerprint,      CreateStage,          CreateSkill, Tables};

}  // namespace parley
