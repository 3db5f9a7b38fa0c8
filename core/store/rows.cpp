#include "store/rows.hpp"

#include <stdexcept>

#include "store/schedule_table.hpp"
#include "store/sqlite.hpp"
#include "store/values.hpp"

namespace parley {

void RowsHere::get(StoragePlace place, std::string key, Got got) {
  const auto found = std::make_shared<std::optional<StorageHost::Stored>>();
  store_->read(
      [found, place = std::move(place), key = std::move(key)](Database& database) {
        *found = values::get(database, place, key);
      },
      [found, got = std::move(got)](const std::string& failure) { got(std::move(*found), failure); });
}

void RowsHere::all(StoragePlace place, std::string prefix, GotAll got) {
  const auto found = std::make_shared<std::map<std::string, std::string>>();
  store_->read(
      [found, place = std::move(place), prefix = std::move(prefix)](Database& database) {
        *found = values::all(database, place, prefix);
      },
      [found, got = std::move(got)](const std::string& failure) { got(std::move(*found), failure); });
}

void RowsHere::change(ValueChange what, Changed done) {
  const auto written = std::make_shared<StorageHost::Written>(false);
  const auto full = std::make_shared<std::string>();
  store_->write(
      [what = std::move(what), written, full](Database& database) {
        full->clear();
        try {
          *written = values::write(database, what.place, what.key, what.json, what.expect, what.now);
        } catch (const std::invalid_argument& error) {
          *full = error.what();
          throw;
        }
      },
      [written, full, done = std::move(done)](const std::string& failure) {
        if (!full->empty()) return done(*written, Refused::kFull, *full);
        done(*written, failure.empty() ? Refused::kNo : Refused::kFailed, failure);
      });
}

void RowsHere::put_scheduled(ScheduleRow row, Kept done) {
  store_->write([row = std::move(row)](Database& database) { schedule_table::put(database, row); },
                [done = std::move(done)](const std::string& failure) { done(false, failure); });
}

void RowsHere::erase_scheduled(std::string id, Kept done) {
  store_->write([id = std::move(id)](Database& database) { schedule_table::erase(database, id); },
                [done = std::move(done)](const std::string& failure) { done(false, failure); });
}

void RowsHere::put_session(SessionWrite what, std::function<void(SessionState, const std::string&)> done) {
  const auto state = std::make_shared<SessionState>(SessionState::kOpen);
  const Store::Lasts lasts = what.lasts;
  store_->write(
      [what = std::move(what), state](Database& database) {
        *state = kept_sessions::put(database, what.owner, *what.session, what.began, what.now);
        if (what.counts)
          kept_sessions::count_turn(database, what.owner, what.session->session_id, what.began, what.now);
      },
      [state, done = std::move(done)](const std::string& failure) { done(*state, failure); }, lasts);
}

void RowsHere::close_session(std::string owner, std::string id, std::int64_t now,
                             std::function<void(bool, const std::string&)> done) {
  const auto was_open = std::make_shared<bool>(false);
  store_->write([was_open, owner = std::move(owner), id = std::move(id),
                 now](Database& database) { *was_open = kept_sessions::close(database, owner, id, now); },
                [was_open, done = std::move(done)](const std::string& failure) { done(*was_open, failure); });
}

void RowsHere::sweep_sessions(std::int64_t close_before, std::int64_t drop_before, std::int64_t now,
                              std::function<void(bool, const std::string&)> done) {
  const auto more = std::make_shared<bool>(false);
  store_->write(
      [more, close_before, drop_before, now](Database& database) {
        *more = kept_sessions::sweep(database, close_before, drop_before, now);
      },
      [more, done = std::move(done)](const std::string& failure) { done(*more, failure); },
      Store::Lasts::kWithTheSystem);
}

void RowsHere::forget(ForgetWhat what, bool /*everywhere*/,
                      std::function<void(const Forgotten&, const std::string&)> done) {
  const auto gone = std::make_shared<Forgotten>();
  const std::weak_ptr<Store> store = store_;
  store_->write([what = std::move(what), gone](Database& database) { *gone = erase_kept(database, what); },
                [store, gone, done = std::move(done)](const std::string& failure) {
                  const auto there = store.lock();
                  if (!failure.empty() || !there) return done(*gone, failure);
                  there->scrub([gone, done](const std::string& not_scrubbed) { done(*gone, not_scrubbed); });
                });
}

}  // namespace parley
