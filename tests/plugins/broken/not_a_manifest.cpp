#include <parley/skill.hpp>

// The right symbol, but a function.
extern "C" __attribute__((visibility("default"))) const parley::PluginManifest* parley_plugin();

const parley::PluginManifest* parley_plugin() {
  return nullptr;
}
