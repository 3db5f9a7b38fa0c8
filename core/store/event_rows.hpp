#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <parley/json.hpp>
#include <string>
#include <vector>

namespace parley {

class Database;

/// One event of the log, as it is read.
struct EventRow {
  EventRow() = default;
  std::int64_t lsn = 0;   ///< Its number in the log, from 1 on.
  std::int64_t time = 0;  ///< Unix milliseconds.
  std::string owner, session_id, utterance_id, kind, actor;
  std::int64_t cause = 0;  ///< The lsn of the event that it comes of; 0: of none.
  Json data;
};

/// Which events are asked for. Empty: any.
struct EventFilter {
  EventFilter() = default;
  std::string owner, session_id;
  std::string skill_id;  ///< That it did or that handled its turn.
  std::string kind;
  std::string outcome;  ///< Of its turn.
  std::int64_t since = 0, until = INT64_MAX;
  std::int64_t after = 0;  ///< An lsn.
  std::size_t limit = 50;
};

namespace events {

/// The `event_id` of an event of the log; one that came from outside has its own, in `data.event_id`.
std::string id_of(std::int64_t lsn);
/// In the order in which they happened.
std::vector<EventRow> list(Database& database, const EventFilter& filter);
/// Adds one; its `lsn` is given by the log. @return that
std::int64_t add(Database& database, const EventRow& event);

}  // namespace events
}  // namespace parley
