#include "registry/lines.hpp"

#include <utility>

namespace parley {
namespace {

constexpr int kAtOnce = 32;  ///< Steps before others have their turn.

}  // namespace

std::size_t SkillLines::waiting(const std::string& skill_id) const {
  const auto found = lines_.find(skill_id);
  return found == lines_.end() ? 0 : found->second.bytes;
}

void SkillLines::queue(const std::string& skill_id, std::size_t bytes, Step step) {
  Line& line = lines_[skill_id];
  line.queued.push_back(Queued{std::move(step), bytes});
  line.bytes += bytes;
}

void SkillLines::in_slices(const std::string& skill_id, std::vector<Step> steps) {
  if (!can_wait()) {
    for (const Step& step : steps) step();
    return;
  }
  const bool nested = busy(skill_id);  // then advance() is under way
  Line& line = lines_[skill_id];
  line.first.insert(line.first.end(), std::make_move_iterator(steps.begin()),
                    std::make_move_iterator(steps.end()));
  if (!nested) advance(skill_id);
}

void SkillLines::off_loop(const std::string& skill_id, Step work, Step then) {
  lines_[skill_id].away = true;
  big_.push_back(Big{skill_id, std::move(work), std::move(then)});
  start_big();
}

void SkillLines::start_big() {
  if (big_runs_ || big_.empty()) return;
  big_runs_ = true;
  Big next = std::move(big_.front());
  big_.pop_front();
  offload_(std::move(next.work),
           if_alive([this, skill_id = std::move(next.skill_id), then = std::move(next.then)] {
             big_runs_ = false;
             lines_[skill_id].away = false;
             then();
             advance(skill_id);
             start_big();
           }));
}

void SkillLines::advance(const std::string& skill_id) {
  for (int i = 0; i < kAtOnce; ++i) {
    const auto found = lines_.find(skill_id);
    Line& line = found->second;
    if (line.away) return;
    Step step;
    if (!line.first.empty()) {
      step = std::move(line.first.front());
      line.first.pop_front();
    } else if (!line.queued.empty()) {
      step = std::move(line.queued.front().step);
      line.bytes -= line.queued.front().bytes;
      line.queued.pop_front();
    } else {
      lines_.erase(found);
      return;
    }
    step();
  }
  lines_[skill_id].away = true;
  offload_([] {}, if_alive([this, skill_id] {
             lines_[skill_id].away = false;
             advance(skill_id);
           }));
}

SkillLines::Step SkillLines::if_alive(Step then) const {
  return [alive = alive_, then = std::move(then)] {
    if (*alive) then();
  };
}

}  // namespace parley
