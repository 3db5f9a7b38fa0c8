#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <parley/clock.hpp>
#include <parley/message.hpp>
#include <parley/result.hpp>
#include <parley/task.hpp>
#include <parley/turn.hpp>
#include <parley/zone.hpp>
#include <string>
#include <utility>
#include <vector>

namespace parley {

/// When something comes round again: at a time of day in a zone, or in steps of a fixed length. The time of
/// day stays the same when clocks change. One that a change skips comes as much later as the clocks went
/// forward (02:30 is then 03:30); one that comes twice in a night counts the first time.
class ScheduleRule {
 public:
  using Moment = std::chrono::system_clock::time_point;
  enum class Kind { kDaily, kWeekdays, kWeekly, kMonthly, kPeriod };

  /// @param time  since midnight, below 24 h, as in all of these
  /// @throws std::invalid_argument when something is out of its range, as all of these
  static ScheduleRule daily(std::chrono::seconds time);
  /// Monday to Friday.
  static ScheduleRule weekdays(std::chrono::seconds time);
  static ScheduleRule weekly(std::chrono::weekday day, std::chrono::seconds time);
  /// @param day  1 to 31; in shorter months their last
  static ScheduleRule monthly(unsigned day, std::chrono::seconds time);
  /// Again and again after so long, from the first time on; 1 s to 366 d.
  static ScheduleRule period(std::chrono::seconds length);

  /// `{"every": "day"|"weekdays"|"week"|"month", "time": "07:30" or "07:30:15", "weekday"?: 1 (Monday) to 7,
  /// "day"?: 1 to 31}` or `{"seconds": n}`: the form of the wire (K-3).
  static Result<ScheduleRule> from_json(const Json& rule);
  Json to_json() const;

  Kind kind() const noexcept { return kind_; }
  /// Since midnight; of kPeriod its length.
  std::chrono::seconds time() const noexcept { return time_; }
  /// Of kWeekly: 1 (Monday) to 7; of kMonthly: 1 to 31; else 0.
  unsigned day() const noexcept { return day_; }

  /// The first time after `after`. Of kPeriod that is `after` and the period.
  Moment next(Moment after, const Zone& zone) const;

  bool operator==(const ScheduleRule&) const = default;

 private:
  ScheduleRule(Kind kind, std::chrono::seconds time, unsigned day);
  bool falls_on(std::chrono::local_days day) const;

  Kind kind_;
  std::chrono::seconds time_;
  unsigned day_;
};

/// Something that is to come.
struct Scheduled {
  Scheduled();
  std::string id;
  std::string name;  ///< Of the on_due() that is called.
  std::shared_ptr<const Json> data;
  const Json& payload() const noexcept { return *data; }
  std::chrono::system_clock::time_point due;  ///< The next time.
  std::optional<ScheduleRule> rule;           ///< Nothing: it comes once.
  std::string session_id, lang, owner;
  std::string time_zone;  ///< IANA.
};

/// Something that is due now.
struct Due {
  Due(Scheduled what, std::string occurrence, Duration lateness, Turn speaks)
      : scheduled(std::move(what)), due_id(std::move(occurrence)), late(lateness), turn(std::move(speaks)) {}
  const std::string& id() const noexcept { return scheduled.id; }
  const std::string& name() const noexcept { return scheduled.name; }
  const Json& payload() const noexcept { return scheduled.payload(); }
  /// The time it was meant for.
  std::chrono::system_clock::time_point due() const noexcept { return scheduled.due; }

  Scheduled scheduled;
  /// Of this one time: the same when it is told again because the process died before it was written down
  /// that it had been told.
  std::string due_id;
  Duration late;  ///< Zero or more: how long it had to wait, such as for a start of the process.
  Turn turn;      ///< Speaks in the session and language it was scheduled in.
};
using DueHandler = std::function<Task<>(Due)>;

/// The host's side of schedules. Authors use Schedule.
class ScheduleHost {
 public:
  virtual Task<std::string> schedule_add(Scheduled what, Message by) = 0;
  virtual Task<bool> schedule_cancel(std::string id) = 0;
  virtual Task<std::vector<Scheduled>> schedule_list(std::string name) = 0;

 protected:
  ~ScheduleHost() = default;
};

/// What is to come for a skill: it survives a restart, and is never missed. What was due while the process
/// was down, or the skill was not there, comes late and once. A skill has at most 1,000 things to come for
/// one owner, their payloads at most 64 KiB each. Errors and waits as in Storage. Use it on the skill's
/// strand.
class Schedule {
 public:
  static constexpr std::size_t kMost = 1'000;
  static constexpr std::size_t kLargestPayload = std::size_t{64} << 10U;

  explicit Schedule(ScheduleHost& host) : host_(&host) {}

  /// Has on_due(`name`) called then, at once when that has passed, with a Turn of this one's session and
  /// language. Gives the id, once it is committed.
  Task<std::string> at(std::chrono::system_clock::time_point when, std::string name, Json payload, Turn turn);
  /// The same, again and again, in the time zone of the turn.
  Task<std::string> repeat(ScheduleRule rule, std::string name, Json payload, Turn turn);
  /// False: there is none of that id (any more).
  Task<bool> cancel(std::string id);
  /// What is to come, the next first; of that name, or all.
  Task<std::vector<Scheduled>> list(std::string name = std::string());

 private:
  ScheduleHost* host_;
};

}  // namespace parley
