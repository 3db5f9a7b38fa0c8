// What of the evidence is everybody's: what somebody told, and what is forgotten of it.
#include <fmt/format.h>

#include <utility>

#include "cluster/shared_rows.hpp"
#include "evidence/forgetting.hpp"
#include "message/log.hpp"
#include "store/sqlite.hpp"

namespace parley::cluster {
namespace {

/// Of one owner, so that nobody fills what all share.
constexpr std::size_t kMostTold = 4'096;
constexpr std::size_t kLongestTold = std::size_t{8} << 10U;  ///< Bytes.

}  // namespace

void SharedRows::forget_objects_of(Database& database, const ForgottenObjects& what) {
  std::vector<std::string> ids = what.ids;
  ids.insert(ids.end(), what.event_ids.begin(), what.event_ids.end());
  evidence::forget_objects(database, what.owner, ids);
}

void SharedRows::forget_here(const ForgottenObjects& what, std::uint64_t revision) {
  store_->write(
      [what, revision](Database& database) {
        forget_objects_of(database, what);
        note_forgotten(database, revision);
      },
      [log = logged("what was forgotten"), store = store_](const std::string& failure) {
        log(failure);
        if (failure.empty()) store->scrub(log);
      },
      Store::Lasts::kWithTheSystem);
}

void SharedRows::forget_objects(ForgottenObjects what, std::function<void(const std::string&)> done) {
  post_([this, what = std::move(what), done = std::move(done), alive = std::weak_ptr(alive_)] {
    if (alive.expired() || !gave_up_.empty()) return done("parley is ending: only here it is forgotten");
    if (what.ids.empty()) return done("");
    const auto paused = history_.pause();
    std::vector<std::string> keys;
    bool is_in_log = !what.turns.empty();
    for (const auto& id : what.event_ids) {
      std::string key = RowName::of_told(what.owner, id).key_of_all();
      if (names_.contains(key)) {
        keys.push_back(std::move(key));
      } else {
        is_in_log = true;
      }
    }
    const auto go_on = [this, what, keys, done, paused](std::uint64_t last, const std::string& not_swept) {
      wipe(keys, [this, what, last, not_swept, done, paused](const std::string& not_wiped) {
        if (!not_wiped.empty()) return done(not_wiped);
        SharedRow row;
        row.objects = what;
        row.log = last;
        tell_forgotten(std::move(row), [not_swept, done, paused](const std::string& not_told) {
          done(not_told.empty() ? not_swept : not_told);
        });
      });
    };
    if (!is_in_log) return go_on(0, "");
    log_.forget(ForgottenTurns(what), go_on);
  });
}

void SharedRows::tell(std::vector<ToldEvent> events) {
  post_([this, events = std::move(events), alive = std::weak_ptr(alive_)]() mutable {
    if (!alive.expired() && gave_up_.empty()) tell_now(std::move(events));
  });
}

void SharedRows::tell_now(std::vector<ToldEvent> events) {
  std::vector<ToldEvent> happened;
  for (auto& event : events) {
    if (event.is_telling) {
      tell(event);
    } else {
      happened.push_back(std::move(event));
    }
  }
  log_.tell(happened);
}

void SharedRows::tell(const ToldEvent& event) {
  const auto only_here = [id = event.event_id](const std::string& why) {
    log_warning("cluster", fmt::format("what {} told is known at this instance alone: {}", id, why));
  };
  const auto told = told_of_.find(event.owner);
  if (told != told_of_.end() && told->second >= kMostTold)
    return only_here(
        fmt::format("'{}' has told {} things, the most that all get to know", event.owner, kMostTold));
  if (event.json.size() > kLongestTold)
    return only_here(fmt::format("it has {} bytes, and {} are the most", event.json.size(), kLongestTold));
  const SharedRow row = SharedRow::of(event);
  const std::string key = row.name.key_of_all();
  if (names_.contains(key)) return;
  know(key, row.name);  // what is on its way counts as well
  put_row(row, false, 0, [this, key, only_here](const Written& how) {
    if (how.how != Written::How::kFailed) return;
    unknow(key);
    only_here(how.why);
  });
}

}  // namespace parley::cluster
