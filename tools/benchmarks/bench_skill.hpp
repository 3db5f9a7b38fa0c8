#pragma once

#include <filesystem>
#include <memory>
#include <parley/skill.hpp>

namespace parley::bench {

inline constexpr const char* kBenchSkill = "bench.parley";
inline constexpr const char* kBenchIntentUtterance = "good morning bench";

/// One intent that speaks one dialog: a turn's cost without what a skill has to think about.
std::unique_ptr<Skill> make_bench_skill();
/// Where its `locale/` is.
std::filesystem::path bench_skill_folder();

}  // namespace parley::bench
