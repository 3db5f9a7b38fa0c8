#include "store/scheduler.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "message/log.hpp"
#include "runtime/random_id.hpp"
#include "store/schedule_index.hpp"
#include "store/schedule_table.hpp"
#include "store/sqlite.hpp"

namespace parley {
namespace {

using Moment = std::chrono::system_clock::time_point;

/// A timer that waits for longer wakes in between: the calendar may have been set meanwhile.
constexpr std::chrono::hours kLongestWait(1);

}  // namespace

struct Scheduler::State : std::enable_shared_from_this<State> {
  State(std::shared_ptr<Store> where, WhichRows which, Timers& the_timers, Post on_loop)
      : store(std::move(where)), rows(std::move(which)), timers(the_timers), post(std::move(on_loop)) {}

  /// Tells what is due, and sleeps until the next.
  void wake() {
    if (!tell) return;
    const Moment now = timers.clock().wall();
    const auto due = entries.due(now, [this](const ScheduleRow& row) {
      return is_there(row.skill_id) && rows().acts_for(row.what.session_id);
    });
    const Moment next = entries.next_after(now, now + kLongestWait);
    alarm.reset();
    if (!entries.empty()) {
      const auto left = std::chrono::duration_cast<Clock::Time::duration>(next - now);
      alarm = timers.at(timers.clock().now() + std::max(left, Clock::Time::duration(1)), [this] { wake(); });
    }
    for (const auto& id : due) tell_of(id);
  }

  void tell_of(const std::string& id) {
    const auto* const entry = entries.find(id);
    if (entry == nullptr || entry->is_told) return;
    const Moment now = timers.clock().wall();
    entries.set_told(id, latest(entry->row.what, now));
    const Scheduled& what = entry->row.what;
    Occurrence occurrence(entry->row, fmt::format("{}@{}", id, to_milliseconds(what.due)),
                          std::max(Duration::zero(), std::chrono::duration_cast<Duration>(now - what.due)));
    tell(std::move(occurrence), [weak = weak_from_this(), id, again = entry->again] {
      if (const auto self = weak.lock()) self->told(id, again);
    });
  }

  /// Of several times that were missed only the latest is told of.
  static Moment latest(const Scheduled& what, Moment now) {
    if (!what.rule) return what.due;
    if (what.rule->kind() == ScheduleRule::Kind::kPeriod) {
      const auto missed = (now - what.due) / what.rule->time();
      return what.due + missed * what.rule->time();
    }
    const auto zone = zone_of(what);
    Moment due = what.due;
    // A day is the shortest step; what is further back than a month begins there.
    due = std::max(due, now - std::chrono::days(32));
    if (due != what.due) due = what.rule->next(due, zone);
    for (Moment then = what.rule->next(due, zone); then <= now; then = what.rule->next(then, zone))
      due = then;
    return due;
  }

  static Zone zone_of(const Scheduled& what) {
    const auto zone = Zone::named(what.time_zone);
    return zone ? *zone : *Zone::named("UTC");
  }

  void told(const std::string& id, std::uint64_t again) {
    if (!tell) return;  // cut short by the end of everything: it is told again
    const auto* const found = entries.find(id);
    if (found == nullptr || found->again != again) return;
    ScheduleRow row = found->row;
    if (!row.what.rule) {
      rows().erase_scheduled(id, written([id, again](State& self) {
                               const auto* const gone = self.entries.find(id);
                               if (gone != nullptr && gone->again == again) self.entries.erase(id);
                             }));
      return;
    }
    const Moment now = std::max(timers.clock().wall(), row.what.due);
    row.what.due = row.what.rule->kind() == ScheduleRule::Kind::kPeriod
                       ? latest(row.what, now) + row.what.rule->time()
                       : row.what.rule->next(now, zone_of(row.what));
    rows().put_scheduled(row, written([row, id, again](State& self) {
                           const auto* const there = self.entries.find(id);
                           if (there == nullptr || there->again != again) return;
                           self.entries.set_to_come(id, row);
                           self.wake();
                         }));
  }

  /// Goes on whether it could be written or not: what is told must not be told again by this process. Where
  /// somebody else changed it meanwhile, that holds, and is heard.
  Rows::Kept written(std::function<void(State&)> then) {
    return [weak = weak_from_this(), then = std::move(then), on_loop = post](bool is_conflict,
                                                                             const std::string& failure) {
      on_loop([weak, then, is_conflict, failure] {
        const auto self = weak.lock();
        if (!self || is_conflict) return;
        if (!failure.empty()) {
          log_error("schedule",
                    "that something was told could not be written down, it may be told once more "
                    "after a restart: " +
                        failure);
        }
        then(*self);
      });
    };
  }

  std::shared_ptr<Store> store;
  WhichRows rows;
  Timers& timers;
  Post post;
  Tell tell;  ///< Null: stopped, or not started.
  IsThere is_there;
  bool is_loaded = false;
  std::vector<std::function<void()>> once_loaded;
  ScheduleIndex entries;
  Timer alarm;
};

Scheduler::Scheduler(std::shared_ptr<Store> store, WhichRows rows, Timers& timers, Post post)
    : state_(std::make_shared<State>(std::move(store), std::move(rows), timers, std::move(post))) {}

Scheduler::~Scheduler() {
  stop();
}

void Scheduler::start(Tell tell, IsThere is_there) {
  state_->tell = std::move(tell);
  state_->is_there = std::move(is_there);
  load([](State& self, std::vector<ScheduleRow> rows) {
    for (auto& row : rows) self.entries.add(std::move(row));
    self.is_loaded = true;
    for (const auto& callback : std::exchange(self.once_loaded, {})) callback();
    self.wake();
  });
}

void Scheduler::load_again(std::function<void()> done) {
  load([done = std::move(done)](State& self, std::vector<ScheduleRow> rows) {
    self.entries.erase_if([](const ScheduleRow&) { return true; });
    for (auto& row : rows) self.entries.add(std::move(row));
    done();
    self.wake();
  });
}

void Scheduler::load(std::function<void(State&, std::vector<ScheduleRow>)> then) {
  const auto rows = std::make_shared<std::vector<ScheduleRow>>();
  state_->store->read([rows](Database& database) { *rows = schedule_table::all(database); },
                      [weak = std::weak_ptr(state_), rows, then = std::move(then),
                       on_loop = state_->post](const std::string& failure) {
                        if (!failure.empty())
                          log_error("schedule", "what is to come can't be read: " + failure);
                        on_loop([weak, rows, then] {
                          if (const auto self = weak.lock()) then(*self, std::move(*rows));
                        });
                      });
}

bool Scheduler::is_loaded() const noexcept {
  return state_->is_loaded;
}

void Scheduler::when_loaded(std::function<void()> callback) {
  if (state_->is_loaded) return callback();
  state_->once_loaded.push_back(std::move(callback));
}

void Scheduler::stop() {
  state_->tell = nullptr;
  state_->alarm.reset();
}

void Scheduler::look_again() {
  state_->wake();
}

void Scheduler::heard(const std::string& id, const ScheduleRow* row) {
  if (row == nullptr) return state_->entries.erase(id);
  state_->entries.put(*row);
  state_->wake();
}

void Scheduler::add(ScheduleRow row, std::function<void(std::string, std::string)> done) {
  Scheduled& what = row.what;
  if (what.id.empty()) what.id = random_id();
  const auto zone = State::zone_of(what);
  if (what.rule && what.due == Moment()) what.due = what.rule->next(state_->timers.clock().wall(), zone);
  const auto* const there = state_->entries.find(what.id);
  if (there != nullptr && there->row.skill_id != row.skill_id) {
    return done("", fmt::format("the id '{}' is another skill's: choose one of your own", what.id));
  }
  if (there == nullptr && state_->entries.count(row.skill_id, what.owner) >= Schedule::kMost) {
    return done("", fmt::format("{} things are to come for '{}' already: cancel some", Schedule::kMost,
                                row.skill_id));
  }
  state_->rows().put_scheduled(row, [weak = std::weak_ptr(state_), row, done = std::move(done),
                                     on_loop = state_->post](bool is_conflict, const std::string& failure) {
    on_loop([weak, row, done, is_conflict, failure, on_loop] {
      const auto self = weak.lock();
      if (is_conflict) return done("", fmt::format("'{}' was changed elsewhere: try again", row.what.id));
      if (self && failure.empty()) self->entries.put(row);
      done(row.what.id, failure);
      // Whoever asked learns the id before it is told of what may be due at once.
      on_loop([weak] {
        if (const auto state = weak.lock()) state->wake();
      });
    });
  });
}

void Scheduler::cancel(const std::string& skill_id, const std::string& id,
                       std::function<void(bool, std::string)> done) {
  const auto* const found = state_->entries.find(id);
  if (found == nullptr || found->row.skill_id != skill_id) return done(false, "");
  // It comes no more from here on; should that not be written down, it does after a restart.
  state_->entries.erase(id);
  state_->rows().erase_scheduled(
      id, [done = std::move(done), on_loop = state_->post](bool /*is_conflict*/, const std::string& failure) {
        on_loop([done, failure] { done(true, failure); });
      });
}

void Scheduler::forget(const ForgetWhat& what) {
  if (what.since != 0 || what.until != INT64_MAX) return;
  state_->entries.erase_if([&](const ScheduleRow& row) {
    const Scheduled& entry = row.what;
    return what.everything || ((what.owner.empty() || entry.owner == what.owner) &&
                               (what.session_id.empty() || entry.session_id == what.session_id));
  });
}

std::vector<Scheduled> Scheduler::list(const std::string& skill_id, const std::string& name) const {
  std::vector<Scheduled> found;
  for (const auto* const entry : state_->entries.of_skill(skill_id)) {
    if (!name.empty() && entry->row.what.name != name) continue;
    if (!entry->is_told || entry->row.what.rule) found.push_back(entry->row.what);
  }
  return found;
}

}  // namespace parley
