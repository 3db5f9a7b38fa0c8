#include "quiet_skill.hpp"

// Linked so that it can't be unloaded.
PARLEY_PLUGIN_MANIFEST(parley::PluginKind::kSkill, SKILL_ID, nullptr, make_quiet_skill, {})
