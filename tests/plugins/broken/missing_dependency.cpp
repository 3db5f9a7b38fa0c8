#include <parley/skill.hpp>
#include <string>

int absent_library();

namespace {

class Needy final : public parley::Skill {
 public:
  void start() override { log(parley::LogLevel::kInfo, std::to_string(absent_library())); }
};

}  // namespace

PARLEY_SKILL(Needy, SKILL_ID)
