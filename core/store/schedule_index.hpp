#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "store/scheduler.hpp"

namespace parley {

/// What is to come, by id, by time and by skill. On the loop's thread.
class ScheduleIndex {
 public:
  using Moment = std::chrono::system_clock::time_point;
  struct Entry {
    explicit Entry(ScheduleRow what) : row(std::move(what)) {}
    ScheduleRow row;
    bool is_told = false;     ///< Its handler runs, or that it ended is being written down.
    std::uint64_t again = 0;  ///< Told anew under this id meanwhile: counts the replacements.
  };

  bool empty() const noexcept { return entries_.empty(); }
  const Entry* find(const std::string& id) const;
  /// Adds one; under an id that is there it replaces that.
  void put(ScheduleRow row);
  /// Adds one, unless there is one of that id.
  void add(ScheduleRow row);
  void erase(const std::string& id);
  /// From here on it is not found by its time.
  void set_told(const std::string& id, Moment due);
  /// It is to come again, as that says.
  void set_to_come(const std::string& id, ScheduleRow row);

  /// Those to come at that time or before that `may_be_told`, the earliest first.
  template <class MayBeTold>
  std::vector<std::string> due(Moment now, const MayBeTold& may_be_told) const {
    std::vector<std::string> ids;
    for (const auto& [when, id] : to_come_) {
      if (when > now) break;
      if (may_be_told(entries_.at(id).row)) ids.push_back(id);
    }
    return ids;
  }
  /// The first time after that at which one is to come; `none` if there is no such.
  Moment next_after(Moment now, Moment none) const;
  std::size_t count(const std::string& skill_id, const std::string& owner) const;
  /// Of one skill, the earliest first.
  std::vector<const Entry*> of_skill(const std::string& skill_id) const;
  template <class Goes>
  void erase_if(const Goes& goes) {
    std::vector<std::string> ids;
    for (const auto& [id, entry] : entries_) {
      if (goes(entry.row)) ids.push_back(id);
    }
    for (const auto& id : ids) erase(id);
  }

 private:
  void note(const ScheduleRow& row, bool is_there);

  std::map<std::string, Entry> entries_;
  std::set<std::pair<Moment, std::string>> to_come_;  ///< Without those that are told.
  std::map<std::string, std::set<std::string>> by_skill_;
  std::map<std::pair<std::string, std::string>, std::size_t> counts_;  ///< By skill and owner.
};

}  // namespace parley
