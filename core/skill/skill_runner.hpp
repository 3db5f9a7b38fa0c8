#pragma once

#include <functional>
#include <memory>
#include <parley/task.hpp>
#include <string>

namespace parley {

/// Runs a skill's own code on its strand. From any thread; nothing runs when the skill is gone.
class SkillRunner {
 public:
  /// What it throws is logged: "<what> threw: …".
  virtual void on_strand(std::string what, std::function<void()> work) = 0;
  /// Goes on with what a callback returned, if that is a coroutine. `held` is let go when that has ended, and
  /// keeps what it uses.
  virtual void go_on(std::string what, Task<> begun, std::shared_ptr<void> held) = 0;
  /// Runs something on the loop once the skill takes part: while it starts, an earlier version of it may
  /// still do what this would.
  virtual void once_joined(std::function<void()> work) = 0;

 protected:
  ~SkillRunner() = default;
};

}  // namespace parley
