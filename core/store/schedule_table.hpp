#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "store/scheduler.hpp"

namespace parley {

class Database;

/// Since 1970, as times are kept.
inline std::int64_t to_milliseconds(std::chrono::system_clock::time_point time) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(time.time_since_epoch()).count();
}
inline std::chrono::system_clock::time_point from_milliseconds(std::int64_t time) {
  return std::chrono::system_clock::time_point(std::chrono::milliseconds(time));
}

/// What is to come, in the database.
namespace schedule_table {

void put(Database& database, const ScheduleRow& row);
void erase(Database& database, const std::string& id);
/// Rows that can't be read are left out, and logged.
std::vector<ScheduleRow> all(Database& database);

}  // namespace schedule_table
}  // namespace parley
