#include <parley/skill.hpp>
#include <string>

namespace parley {
int brew_in_a_later_version(double litres);
}  // namespace parley

namespace {

class Eager final : public parley::Skill {
 public:
  void start() override {
    log(parley::LogLevel::kInfo, std::to_string(parley::brew_in_a_later_version(1.0)));
  }
};

}  // namespace

PARLEY_SKILL(Eager, SKILL_ID)
