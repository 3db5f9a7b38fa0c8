#include "store/turn_log.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <parley/give_turn.hpp>
#include <utility>

#include "message/log.hpp"
#include "message/topics.hpp"
#include "store/schedule_table.hpp"
#include "store/sqlite.hpp"

namespace parley {
namespace {

/// Of one commit: what waits for its own commit should not wait long.
constexpr std::size_t kMostAtOnce = 500;
constexpr std::int64_t kHour = 3'600'000;
/// Between two lines of the log about what was dropped.
constexpr std::chrono::seconds kSilence(10);

}  // namespace

/// What waits to be written. Filled on the loop, emptied on the store's thread.
struct TurnLog::Queue : std::enable_shared_from_this<TurnLog::Queue> {
  Queue(std::shared_ptr<Store> where, const Clock& the_clock, Counters& counters, const TurnLogSettings& how)
      : store(std::move(where)),
        clock(the_clock),
        settings(how),
        lost_traces(counters.counter("parley_store_dropped_total", {{"what", "trace"}})),
        lost_events(counters.counter("parley_store_dropped_total", {{"what", "event"}})),
        rows(how.time_zone) {}

  void put(Happened event) {
    std::size_t lost = 0;  // since the start; 0: nothing to tell
    bool begin = false;
    bool is_much = false;
    {
      const std::lock_guard lock(mutex);
      const bool is_trace = event.kind == EventKind::kTrace;
      const std::size_t room = is_trace ? settings.max_queue / 2 : settings.max_queue;
      if (waiting.size() < room) {
        waiting.push_back(std::move(event));
        begin = !std::exchange(is_writing, true);
        is_much = waiting.size() == kMostAtOnce;
      } else {
        (is_trace ? lost_traces : lost_events).add();
        ++dropped;
        const auto now = clock.now();
        if (!told_at || now >= *told_at + kSilence) {
          told_at = now;
          lost = dropped;
        }
      }
    }
    if (begin) write();
    if (is_much) store->hurry();
    if (lost != 0) {
      log_warning("store",
                  fmt::format("turns come faster than the disk takes them: {} events or traces so far were "
                              "not kept (store.max_queue is {})",
                              lost, settings.max_queue));
    }
  }

  /// What was logged before, by an earlier program too, may be left to be derived from.
  void catch_up() {
    is_writing = true;
    write();
  }

  /// @param most  of what waits
  void write(std::size_t most = kMostAtOnce) {
    store->write([self = shared_from_this(), most](Database& database) { self->write_some(database, most); },
                 [self = shared_from_this()](const std::string& failure) { self->written(failure); },
                 Store::Lasts::kBehind);
  }

  void write_some(Database& database, std::size_t most) {
    taken.clear();
    over.clear();
    bool is_all = false;
    {
      const std::lock_guard lock(mutex);
      const std::size_t count = std::min(most, waiting.size());
      for (std::size_t i = 0; i < count; ++i) {
        taken.push_back(std::move(waiting.front()));
        waiting.pop_front();
      }
      is_all = waiting.empty();
    }
    const bool is_shared = settings.over && settings.over->is_heard();
    for (const auto& event : taken) {
      give_turn();
      if (!rows.add(database, event) || !is_shared) continue;
      if (auto turn = turns::copy_of(database, event.message.context().utterance_id))
        over.push_back(std::move(*turn));
    }
    // What is derived can be made at any time, what waits is dropped when it waits too long.
    is_behind = settings.then && (!is_all || settings.then(database));
    const std::int64_t now = to_milliseconds(clock.wall());
    if (now < next_clearing) return;
    const auto span = std::chrono::duration_cast<std::chrono::milliseconds>(settings.retention).count();
    next_clearing = TurnRows::forget_before(database, now - span) ? now : now + kHour;
  }

  void written(const std::string& failure) {
    if (!failure.empty()) {
      lost_events.add(static_cast<std::uint64_t>(taken.size()));
      log_error("store", fmt::format("{} events of turns are lost: {}", taken.size(), failure));
    }
    taken.clear();
    if (failure.empty() && !over.empty()) settings.over->tell(std::exchange(over, {}));
    bool is_much = false;
    {
      const std::lock_guard lock(mutex);
      if ((waiting.empty() && !(is_behind && failure.empty())) || is_closed) {
        is_writing = false;
        return;
      }
      is_much = is_behind || waiting.size() >= kMostAtOnce;
    }
    write();
    if (is_much) store->hurry();
  }

  const std::shared_ptr<Store> store;
  const Clock& clock;
  const TurnLogSettings settings;
  Counter lost_traces, lost_events;
  std::mutex mutex;
  std::deque<Happened> waiting;
  bool is_writing = false;  ///< Somebody has been asked to write, and will go on until nothing waits.
  bool is_closed = false;
  std::size_t dropped = 0;
  std::optional<Clock::Time> told_at;

  // On the store's thread.
  std::vector<Happened> taken;
  std::vector<LoggedTurn> over;  ///< Turns that others are to know, once this is committed.
  bool is_behind = false;        ///< There is more to be derived.
  TurnRows rows;
  std::int64_t next_clearing = 0;
};

TurnLog::TurnLog(std::shared_ptr<Store> store, Bus& bus, Counters& counters, TurnLogSettings settings)
    : bus_(bus), queue_(std::make_shared<Queue>(std::move(store), bus.timers().clock(), counters, settings)) {
  hear(topic::kUtterance, EventKind::kUtterance);
  hear(topic::kMatched, EventKind::kMatch);
  hear(topic::kUnmatched, EventKind::kUnmatched);
  hear(topic::kHandlerStart, EventKind::kStart);
  hear(topic::kSpeak, EventKind::kSpeech);
  hear(topic::kHandlerComplete, EventKind::kComplete);
  hear(topic::kHandlerError, EventKind::kError);
  hear(topic::kHandled, EventKind::kHandled);
  hear(topic::kStop, EventKind::kStop);
  hear(topic::kSessionSync, EventKind::kSessionChange);
  const auto presence = [this](EventKind kind) {
    return [this, kind](const std::string& skill_id) {
      Context context;
      context.skill_id = skill_id;
      note(kind, Message("parley.skill", Json::object(), std::move(context)));
    };
  };
  subscriptions_.push_back(bus.presence().on_arrive(presence(EventKind::kSkillArrived)));
  subscriptions_.push_back(bus.presence().on_leave(presence(EventKind::kSkillLeft)));
  if (queue_->settings.then) queue_->catch_up();
}

std::size_t TurnLog::waiting() const {
  const std::lock_guard lock(queue_->mutex);
  return queue_->waiting.size();
}

TurnLog::~TurnLog() {
  {
    const std::lock_guard lock(queue_->mutex);
    queue_->is_closed = true;
  }
  queue_->write(queue_->settings.max_queue);  // the store may be closed next
}

void TurnLog::prepare_to_forget(const ForgetWhat& what) {
  queue_->write(queue_->settings.max_queue);
  queue_->store->write([queue = queue_, what](Database&) { queue->rows.forget(what); },
                       [](const std::string&) {}, Store::Lasts::kWithTheSystem);
}

void TurnLog::hear(const std::string& topic, EventKind kind) {
  subscriptions_.push_back(
      bus_.subscribe(topic, [this, kind](const Message& message) { note(kind, message); }));
}

void TurnLog::note(EventKind kind, const Message& message) {
  queue_->put(Happened(kind, message, to_milliseconds(bus_.timers().clock().wall())));
}

void TurnLog::traced(std::shared_ptr<const TraceRecord> record, std::string outcome) {
  Happened event(EventKind::kTrace, Message("parley.turn.trace"), 0);
  event.trace = std::move(record);
  event.outcome = std::move(outcome);
  queue_->put(std::move(event));
}

}  // namespace parley
