#include "store/schedule_index.hpp"

#include <algorithm>

namespace parley {

const ScheduleIndex::Entry* ScheduleIndex::find(const std::string& id) const {
  const auto found = entries_.find(id);
  return found == entries_.end() ? nullptr : &found->second;
}

void ScheduleIndex::note(const ScheduleRow& row, bool is_there) {
  const std::pair whose(row.skill_id, row.what.owner);
  if (is_there) {
    by_skill_[row.skill_id].insert(row.what.id);
    ++counts_[whose];
    return;
  }
  auto& ids = by_skill_[row.skill_id];
  ids.erase(row.what.id);
  if (ids.empty()) by_skill_.erase(row.skill_id);
  if (--counts_[whose] == 0) counts_.erase(whose);
}

void ScheduleIndex::add(ScheduleRow row) {
  const std::string id = row.what.id;
  const auto [at, is_new] = entries_.try_emplace(id, std::move(row));
  if (!is_new) return;
  note(at->second.row, true);
  to_come_.emplace(at->second.row.what.due, id);
}

void ScheduleIndex::put(ScheduleRow row) {
  const auto there = entries_.find(row.what.id);
  if (there == entries_.end()) return add(std::move(row));
  const std::uint64_t again = there->second.again + 1;
  const std::string id = row.what.id;
  erase(id);
  add(std::move(row));
  entries_.at(id).again = again;
}

void ScheduleIndex::erase(const std::string& id) {
  const auto found = entries_.find(id);
  if (found == entries_.end()) return;
  to_come_.erase({found->second.row.what.due, id});
  note(found->second.row, false);
  entries_.erase(found);
}

void ScheduleIndex::set_told(const std::string& id, Moment due) {
  Entry& entry = entries_.at(id);
  to_come_.erase({entry.row.what.due, id});
  entry.row.what.due = due;
  entry.is_told = true;
}

void ScheduleIndex::set_to_come(const std::string& id, ScheduleRow row) {
  Entry& entry = entries_.at(id);
  to_come_.erase({entry.row.what.due, id});
  entry.row = std::move(row);
  entry.is_told = false;
  to_come_.emplace(entry.row.what.due, id);
}

ScheduleIndex::Moment ScheduleIndex::next_after(Moment now, Moment none) const {
  const auto found = to_come_.lower_bound({now + Moment::duration(1), std::string()});
  return found == to_come_.end() ? none : std::min(found->first, none);
}

std::size_t ScheduleIndex::count(const std::string& skill_id, const std::string& owner) const {
  const auto found = counts_.find({skill_id, owner});
  return found == counts_.end() ? 0 : found->second;
}

std::vector<const ScheduleIndex::Entry*> ScheduleIndex::of_skill(const std::string& skill_id) const {
  std::vector<const Entry*> found;
  const auto ids = by_skill_.find(skill_id);
  if (ids == by_skill_.end()) return found;
  for (const auto& id : ids->second) found.push_back(&entries_.at(id));
  std::stable_sort(found.begin(), found.end(), [](const Entry* one, const Entry* other) {
    return one->row.what.due < other->row.what.due;
  });
  return found;
}

}  // namespace parley
