#include "quiet_skill.hpp"
#include "ran.hpp"

PARLEY_PLUGIN_MANIFEST(parley::PluginKind::kSkill, "not a skill id", nullptr, make_quiet_skill, {})
