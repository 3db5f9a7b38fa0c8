#include "quiet_skill.hpp"
#include "ran.hpp"

extern "C" __attribute__((visibility("default"))) constinit const parley::PluginManifest parley_plugin = {
    sizeof(parley::PluginManifest),
    parley::kPluginAbi,
    parley::PluginKind::kSkill,
    SKILL_ID,
    "0",
    "gcc 9.4, libstdc++ 20210601, boost 107100, json 3.7, sdk 0123456789ab",
    nullptr,
    make_quiet_skill,
    {}};
