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

/// When something repeats: at a time of day in a zone, or at fixed intervals. The time of day stays the same
/// when clocks change. A time that the change skips moves as far as the clocks went forward (02:30 becomes
/// 03:30); a time that comes twice in a night counts the first time.
class ScheduleRule {
 public:
  using Moment = std::chrono::system_clock::time_point;
  enum class Kind { kDaily, kWeekdays, kWeekly, kMonthly, kPeriod };

  /// @param time  since midnight, below 24 h; likewise in the functions below
  /// @throws std::invalid_argument when something is out of its range; likewise below
  static ScheduleRule daily(std::chrono::seconds time);
  /// Monday to Friday.
  static ScheduleRule weekdays(std::chrono::seconds time);
  static ScheduleRule weekly(std::chrono::weekday day, std::chrono::seconds time);
  /// @param day  1 to 31; in shorter months the last day
  static ScheduleRule monthly(unsigned day, std::chrono::seconds time);
  /// Every `length`, counted from the first time; 1 s to 366 d.
  static ScheduleRule period(std::chrono::seconds length);

  /// `{"every": "day"|"weekdays"|"week"|"month", "time": "07:30" or "07:30:15", "weekday"?: 1 (Monday) to 7,
  /// "day"?: 1 to 31}` or `{"seconds": n}`: the form of the wire (K-3).
  static Result<ScheduleRule> from_json(const Json& rule);
  Json to_json() const;

  Kind kind() const noexcept { return kind_; }
  /// Since midnight; for kPeriod its length.
  std::chrono::seconds time() const noexcept { return time_; }
  /// For kWeekly: 1 (Monday) to 7; for kMonthly: 1 to 31; else 0.
  unsigned day() const noexcept { return day_; }

  /// The first time later than `after`. For kPeriod that is `after` plus the period.
  Moment next(Moment after, const Zone& zone) const;

  bool operator==(const ScheduleRule&) const = default;

 private:
  ScheduleRule(Kind kind, std::chrono::seconds time, unsigned day);
  bool falls_on(std::chrono::local_days day) const;

  Kind kind_;
  std::chrono::seconds time_;
  unsigned day_;
};

/// A scheduled call of on_due().
struct Scheduled {
  Scheduled();
  std::string id;
  std::string name;  ///< Which on_due() handler is called.
  std::shared_ptr<const Json> data;
  const Json& payload() const noexcept { return *data; }
  std::chrono::system_clock::time_point due;  ///< The next time.
  std::optional<ScheduleRule> rule;           ///< Nothing: it happens once.
  std::string session_id, lang, owner;
  std::string time_zone;  ///< IANA.
};

/// A scheduled call that is due now.
struct Due {
  Due(Scheduled what, std::string occurrence, Duration lateness, Turn speaks)
      : scheduled(std::move(what)), due_id(std::move(occurrence)), late(lateness), turn(std::move(speaks)) {}
  const std::string& id() const noexcept { return scheduled.id; }
  const std::string& name() const noexcept { return scheduled.name; }
  const Json& payload() const noexcept { return scheduled.payload(); }
  /// The time it was scheduled for.
  std::chrono::system_clock::time_point due() const noexcept { return scheduled.due; }

  Scheduled scheduled;
  /// Identifies this occurrence. The same id comes twice when the process died before it was recorded
  /// that the handler had been called.
  std::string due_id;
  Duration late;  ///< How late the call is, for example after a start of the process; zero or more.
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

/// A skill's scheduled calls. They survive a restart, and none is missed: what was due while the process or
/// the skill was not running is called late and once. A skill has at most 1,000 scheduled calls for
/// one owner, with payloads of at most 64 KiB each. Errors and waits as in Storage. Use it on the skill's
/// strand.
class Schedule {
 public:
  static constexpr std::size_t kMost = 1'000;
  static constexpr std::size_t kLargestPayload = std::size_t{64} << 10U;

  explicit Schedule(ScheduleHost& host) : host_(&host) {}

  /// Calls on_due(`name`) at `when`, or at once if that has passed, with a Turn in the session and language
  /// of `turn`. Returns the id once it is committed.
  Task<std::string> at(std::chrono::system_clock::time_point when, std::string name, Json payload, Turn turn);
  /// Like at(), but repeated by a rule, in the time zone of `turn`.
  Task<std::string> repeat(ScheduleRule rule, std::string name, Json payload, Turn turn);
  /// Returns false when nothing with that id is scheduled (any more).
  Task<bool> cancel(std::string id);
  /// What is scheduled, soonest first; only under `name`, or everything if that is empty.
  Task<std::vector<Scheduled>> list(std::string name = std::string());

 private:
  ScheduleHost* host_;
};

}  // namespace parley
