#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <parley/schedule.hpp>
#include <set>
#include <string>
#include <vector>

#include "runtime/timers.hpp"
#include "store/forget.hpp"
#include "store/rows.hpp"
#include "store/store.hpp"

namespace parley {

/// One thing to come, as it is kept.
struct ScheduleRow {
  ScheduleRow() = default;
  Scheduled what;
  std::string skill_id;
  std::shared_ptr<const Json> context;  ///< Of the message it was scheduled with, without its session's turn.
};

/// One time at which it is due.
struct Occurrence {
  Occurrence(ScheduleRow of, std::string which, Duration lateness)
      : row(std::move(of)), due_id(std::move(which)), late(lateness) {}
  ScheduleRow row;
  std::string due_id;
  Duration late;
};

/// What is to come for skills, kept in the store: tells of each when it is due, and of what was missed, late
/// and once. On the loop's thread; callbacks come there too.
class Scheduler {
 public:
  /// Runs what is due; `told` is called when its handler has ended.
  using Tell = std::function<void(Occurrence occurrence, std::function<void()> told)>;
  /// Whether somebody speaks for the skill now. What is due for others waits for arrived().
  using IsThere = std::function<bool(const std::string& skill_id)>;
  using Post = std::function<void(std::function<void()>)>;
  /// Where it is kept: the store's rows, or the cluster's.
  using WhichRows = std::function<Rows&()>;

  /// @param store  what start() reads
  /// @param post  runs something on the loop, from any thread
  Scheduler(std::shared_ptr<Store> store, WhichRows rows, Timers& timers, Post post);
  ~Scheduler();
  Scheduler(const Scheduler&) = delete;
  Scheduler& operator=(const Scheduler&) = delete;

  /// Reads what is kept, and goes on with it.
  void start(Tell tell, IsThere is_there);
  /// Reads it anew, while nothing is told of: what was kept has changed.
  void load_again(std::function<void()> done);
  /// Whether all that is kept has been read.
  bool is_loaded() const noexcept;
  /// Calls back when it has, at once where it has already.
  void when_loaded(std::function<void()> callback);
  /// Calls nobody any more.
  void stop();
  /// Somebody speaks for a skill from now on, or other sessions are acted for here.
  void look_again();
  /// Another instance of the cluster has changed it.
  /// @param row  null: it comes no more
  void heard(const std::string& id, const ScheduleRow* row);

  /// Calls back once it is committed, with its id, or with a failure. An id that is given (`row.what.id`)
  /// replaces what the skill had under it; one of another skill is refused.
  void add(ScheduleRow row, std::function<void(std::string id, std::string failure)> done);
  void cancel(const std::string& skill_id, const std::string& id,
              std::function<void(bool was_there, std::string failure)> done);
  /// What the store has forgotten comes no more.
  void forget(const ForgetWhat& what);
  /// What is to come for a skill, the next first.
  std::vector<Scheduled> list(const std::string& skill_id, const std::string& name) const;

 private:
  struct State;
  void load(std::function<void(State&, std::vector<ScheduleRow>)> then);
  std::shared_ptr<State> state_;
};

}  // namespace parley
