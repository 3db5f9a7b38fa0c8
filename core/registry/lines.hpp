#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <parley/message.hpp>
#include <string>
#include <vector>

namespace parley {

/// Runs `work` on a thread of its own choice, then `then` on the loop. Neither throws.
using Offload = std::function<void(std::function<void()> work, std::function<void()> then)>;

/// Keeps what skills register in order while parts of it are read off the loop. Each skill has a line: while
/// one of its steps is under way, its later ones wait; other skills don't. Big steps of all skills are worked
/// on one at a time, one of each skill in turn. On the loop's thread.
class SkillLines {
 public:
  using Step = std::function<void()>;

  /// @param offload  empty: everything happens at once
  explicit SkillLines(Offload offload) : offload_(std::move(offload)) {}
  ~SkillLines() { *alive_ = false; }
  SkillLines(const SkillLines&) = delete;
  SkillLines& operator=(const SkillLines&) = delete;

  bool can_wait() const noexcept { return static_cast<bool>(offload_); }
  /// Whether a step of that skill would have to wait.
  bool busy(const std::string& skill_id) const { return lines_.contains(skill_id); }
  /// Whether nothing is under way and nothing waits.
  bool idle() const noexcept { return lines_.empty(); }
  /// Bytes of text that wait for a skill, as they were given to queue().
  std::size_t waiting(const std::string& skill_id) const;

  /// Runs the step when all earlier ones of the skill are done; only while the skill is busy.
  void queue(const std::string& skill_id, std::size_t bytes, Step step);
  /// Runs the steps a few at a time, the first ones at once, before anything that is queued.
  void in_slices(const std::string& skill_id, std::vector<Step> steps);
  /// Runs `work` off the loop and then `then`, before anything that is queued. Only when can_wait().
  void off_loop(const std::string& skill_id, Step work, Step then);

 private:
  struct Queued {
    Step step;
    std::size_t bytes;
  };
  struct Line {
    std::deque<Step> first;  ///< What is under way; goes before `queued`.
    std::deque<Queued> queued;
    std::size_t bytes = 0;
    bool away = false;  ///< Off the loop, or waiting to be.
  };
  struct Big {
    std::string skill_id;
    Step work, then;
  };

  void start_big();
  void advance(const std::string& skill_id);
  /// `then` on the loop, unless this is gone by then.
  Step if_alive(Step then) const;

  Offload offload_;
  std::map<std::string, Line> lines_;
  std::deque<Big> big_;  ///< One of each skill at most.
  bool big_runs_ = false;
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

}  // namespace parley
