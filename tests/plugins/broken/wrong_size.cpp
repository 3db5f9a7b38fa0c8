#include "quiet_skill.hpp"
#include "ran.hpp"

extern "C" __attribute__((visibility("default"))) constinit const parley::PluginManifest parley_plugin = {
    sizeof(parley::PluginManifest) + 8,
    parley::kPluginAbi,
    parley::PluginKind::kSkill,
    SKILL_ID,
    "0",
    parley::kBuildFingerprint,
    nullptr,
    make_quiet_skill,
    {}};
