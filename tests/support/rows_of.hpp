#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cluster/shared_rows.hpp"
#include "runtime/counters.hpp"
#include "store/lasting.hpp"
#include "store/sqlite.hpp"
#include "support/memory_fabric.hpp"

namespace parley::testing {

inline const StoragePlace& shopping() {
  static const StoragePlace place("shop.skill", StorageScope::kHousehold, "", "");
  return place;
}

/// What an instance keeps, alone or as one of several.
struct RowsOf {
  /// @param keeps_turns  it shares the turns of its log
  RowsOf(ManyLoops& where, MemoryCloud* cloud, bool keeps_turns = true,
         std::shared_ptr<Store> kept = make_memory_store())
      : loops(where),
        timers(where.timers()),
        fabric(cloud == nullptr ? nullptr : std::make_unique<MemoryFabric>(*cloud)),
        lasting(
            std::move(kept), *timers, [this](auto work) { later(std::move(work)); },
            [this](auto work) { later(std::move(work)); }) {
    if (!fabric) {
      start();
      return;
    }
    shared = std::make_unique<cluster::SharedRows>(
        *fabric, *timers, counters, lasting.store, [this](auto work) { later(std::move(work)); },
        [this](const std::string&) { return is_owner; });
    lasting.shared = shared.get();
    if (keeps_turns) shared->keep_turns(std::chrono::hours(1), {true, true});
    lasting.turns_over->on_told([this](auto turns) { shared->over(std::move(turns)); });
  }
  ~RowsOf() {
    loops.forget(*timers);
    lasting.turns_over->on_told(nullptr);
    lasting.shared = nullptr;
  }
  RowsOf(const RowsOf&) = delete;
  RowsOf& operator=(const RowsOf&) = delete;

  void join() {
    shared->start([this] { start(); });
    Rows::Heard heard;
    heard.scheduled = [this](const std::string& id, const ScheduleRow* row) {
      lasting.scheduler.heard(id, row);
    };
    heard.session = [this](const KeptSession& session) { sessions.push_back(session); };
    heard.forgotten = [this](const ForgetWhat& what) {
      forgotten.push_back(what);
      shared->forget(what, false, [](const Forgotten&, const std::string&) {});
    };
    shared->on_heard(heard);
  }
  void start() {
    lasting.scheduler.start(
        [this](const Occurrence& occurrence, std::function<void()> end) {
          told.push_back(occurrence.due_id);
          late = occurrence.late;
          if (ends_at_once) return end();
          running.push_back(std::move(end));
        },
        [](const std::string&) { return true; });
  }
  void later(std::function<void()> work) {
    if (fabric) return fabric->later(std::move(work));
    loops.post(std::move(work));
  }

  std::string put(const std::string& key, const std::optional<std::string>& json,
                  std::optional<std::uint64_t> expect = std::nullopt) {
    const auto came = std::make_shared<std::string>("nothing");
    ValueChange change(place, key);
    change.json = json;
    change.expect = expect;
    change.now = 1;
    lasting.rows().change(
        change, [this, came](StorageHost::Written written, Rows::Refused refused, const std::string& why) {
          *came = refused == Rows::Refused::kNo     ? (written.done ? "done" : "not done")
                  : refused == Rows::Refused::kFull ? "full: " + why
                                                    : "failed: " + why;
          version = written.version;
          ++answers;
        });
    loops.settle();
    return *came;
  }
  std::string get(const std::string& key) {
    const auto came = std::make_shared<std::string>("no answer");
    lasting.rows().get(place, key,
                       [this, came](const std::optional<StorageHost::Stored>& found, const std::string&) {
                         *came = found ? found->json : "nothing";
                         if (found) version = found->version;
                       });
    loops.settle();
    return *came;
  }
  std::string add(const std::string& id, std::chrono::milliseconds from_now,
                  std::optional<ScheduleRule> rule = {}) {
    ScheduleRow row;
    row.skill_id = "clock.skill";
    row.what.id = id;
    row.what.name = "alarm";
    row.what.session_id = "default";
    row.what.owner = "local";
    row.what.due = loops.clock.wall() + from_now;
    row.what.rule = rule;
    row.context = std::make_shared<const Json>(Json::object());
    std::string came = "no answer";
    lasting.scheduler.add(row, [&came](const std::string& given, const std::string& failure) {
      came = failure.empty() ? given : failure;
    });
    loops.settle();
    return came;
  }
  std::string cancel(const std::string& id) {
    std::string came = "no answer";
    lasting.scheduler.cancel("clock.skill", id, [&came](bool was_there, const std::string& failure) {
      came = failure.empty() ? (was_there ? "cancelled" : "not there") : failure;
    });
    loops.settle();
    return came;
  }
  std::string leave_session(const std::string& id, const std::string& persona, std::int64_t began = 1,
                            std::int64_t now = 2) {
    const auto session = std::make_shared<Session>(id);
    session->persona_id = persona;
    SessionWrite write("local", session);
    write.began = began;
    write.now = now;
    const auto came = std::make_shared<std::string>("no answer");
    lasting.rows().put_session(write, [came](SessionState state, const std::string& failure) {
      *came = failure.empty() ? std::string(to_string(state)) : failure;
    });
    loops.settle();
    return *came;
  }
  std::string session(const std::string& id) {
    std::string came = "none";
    lasting.store->read(
        [&](Database& database) {
          const auto found = kept_sessions::find(database, "local", id, 0);
          if (found && found->snapshot) came = found->snapshot->persona_id.value_or("");
          if (found && !found->snapshot) came = to_string(found->state);
        },
        [](const std::string&) {});
    return came;
  }

  ManyLoops& loops;
  std::unique_ptr<Timers> timers;
  std::unique_ptr<MemoryFabric> fabric;  ///< Null: it is alone.
  Counters counters;
  Lasting lasting;
  std::unique_ptr<cluster::SharedRows> shared;
  StoragePlace place = shopping();
  std::uint64_t version = 0;
  int answers = 0;
  std::vector<std::string> told;
  Duration late{};
  bool is_owner = true, ends_at_once = true;
  std::vector<std::function<void()>> running;
  std::vector<KeptSession> sessions;
  std::vector<ForgetWhat> forgotten;
};

struct RowsWorld {
  RowsOf& add(bool keeps_turns = true, std::shared_ptr<Store> kept = make_memory_store()) {
    all.push_back(std::make_unique<RowsOf>(loops, &cloud, keeps_turns, std::move(kept)));
    all.back()->join();
    loops.settle();
    return *all.back();
  }
  void kill(const RowsOf& one) {
    std::erase_if(all, [&](const auto& other) { return other.get() == &one; });
  }
  bool holds(const std::string& word) const {
    const auto& entries = cloud.buckets.at("state").entries;
    return std::any_of(entries.begin(), entries.end(),
                       [&](const auto& one) { return one.second.value.find(word) != std::string::npos; });
  }
  /// Whether the log of all does.
  bool logs(const std::string& word) const {
    return std::any_of(cloud.log.begin(), cloud.log.end(),
                       [&](const auto& one) { return one.second.payload.find(word) != std::string::npos; });
  }
  ManyLoops loops;
  MemoryCloud cloud{loops};
  std::vector<std::unique_ptr<RowsOf>> all;
};

/// One instance that is alone, or the only one of a cluster.
struct AloneOrNot {
  explicit AloneOrNot(bool alone) {
    if (alone) {
      here = std::make_unique<RowsOf>(world.loops, nullptr);
    } else {
      world.add();
    }
  }
  RowsOf& one() { return here ? *here : *world.all.front(); }
  RowsWorld world;
  std::unique_ptr<RowsOf> here;
};

}  // namespace parley::testing
