#pragma once

#include <parley/skill.hpp>

namespace {

/// Does nothing: what is wrong with a plugin made of it is in its manifest.
class QuietSkill final : public parley::Skill {
 public:
  void start() override {}
};

parley::Skill* make_quiet_skill() {
  return new QuietSkill();
}

}  // namespace
