#pragma once

#include <filesystem>
#include <memory>
#include <parley/skill.hpp>

namespace parley::bench {

inline constexpr const char* kBenchSkill = "bench.parley";
inline constexpr const char* kBenchIntentUtterance = "good morning bench";
inline constexpr const char* kBenchQuestionUtterance = "ask me something";

/// One intent that speaks one dialog, a turn's cost without what a skill has to think about, and one that
/// asks the user.
std::unique_ptr<Skill> make_bench_skill();
/// A skill that is asked before every intent once it was active, and never takes anything.
std::unique_ptr<Skill> make_listener();
/// Where its `locale/` is.
std::filesystem::path bench_skill_folder();

}  // namespace parley::bench
