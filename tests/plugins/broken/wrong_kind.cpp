#include "quiet_skill.hpp"
#include "ran.hpp"

// A skill among the stages.
PARLEY_PLUGIN_MANIFEST(parley::PluginKind::kSkill, "wrong_kind.test", nullptr, make_quiet_skill, {})
