#include <parley/skill.hpp>

PARLEY_PLUGIN_MANIFEST(parley::PluginKind::kSkill, SKILL_ID, nullptr,
                       []() -> parley::Skill* { return nullptr; }, {})
