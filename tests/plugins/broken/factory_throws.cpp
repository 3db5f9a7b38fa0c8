#include <parley/skill.hpp>
#include <stdexcept>

namespace {

/// Its type and its destructor are code of the plugin.
class OutOfCoffee final : public std::runtime_error {
 public:
  OutOfCoffee() : std::runtime_error("out of coffee") {}
};

}  // namespace

PARLEY_PLUGIN_MANIFEST(parley::PluginKind::kSkill, SKILL_ID, nullptr,
                       []() -> parley::Skill* { throw OutOfCoffee(); }, {})
