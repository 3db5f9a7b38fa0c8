#include "silences.hpp"

#include <algorithm>

namespace parley::fallback {

bool Silences::silent(const std::string& skill_id, Clock::Time now) {
  Record& record = skills_[skill_id];
  ++record.in_a_row;
  if (after_ != 0 && record.in_a_row >= after_) record.last_until = now + span_;
  return record.in_a_row == 1;
}

bool Silences::is_last(const std::string& skill_id, Clock::Time now) const {
  const auto found = skills_.find(skill_id);
  return found != skills_.end() && found->second.last_until && now < *found->second.last_until;
}

void Silences::sort(std::vector<Member>& pool, Clock::Time now) const {
  if (after_ == 0 || skills_.empty()) return;
  std::stable_partition(pool.begin(), pool.end(),
                        [&](const Member& member) { return !is_last(member.skill_id, now); });
}

}  // namespace parley::fallback
