#include "cluster/shared_rows.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

#include "message/log.hpp"
#include "store/sqlite.hpp"
#include "store/values.hpp"

namespace parley::cluster {
namespace {

SharedRow of_session(const SessionWrite& what) {
  SharedRow row;
  row.name = RowName::of_session(what.owner, what.session->session_id);
  row.time = what.now;
  row.session.owner = what.owner;
  row.session.id = what.session->session_id;
  row.session.opened = what.began;
  row.session.last_turn = what.now;
  auto session = std::make_shared<Session>(*what.session);
  session->response_mode.reset();  // who asked is gone when it is read
  row.session.snapshot = std::move(session);
  return row;
}

}  // namespace

SharedRows::SharedRows(Fabric& fabric, Timers& timers, Counters& counters, std::shared_ptr<Store> store,
                       Post post, Owns owns)
    : keys_(fabric, timers,
            {[this](const std::string& key, std::uint64_t revision, std::string_view text) {
               heard(key, revision, text);
             },
             [this] { informed(); }}),
      store_(std::move(store)),
      here_(store_),
      timers_(timers),
      post_(std::move(post)),
      owns_(std::move(owns)),
      log_(fabric.log(), timers, counters, store_, post_,
           [this](ForgottenObjects what, std::uint64_t last) {
             SharedRow row;
             row.objects = std::move(what);
             row.log = last;
             tell_forgotten(std::move(row), [](const std::string&) {});
           }),
      history_(store_, timers, post_,
               {[this] { return log_.has_room(); },
                [this](LogHistory::Piece piece) {
                  log_.tell(std::move(piece.turns));
                  tell_now(std::move(piece.events));
                }}) {}

SharedRows::~SharedRows() = default;

void SharedRows::start(std::function<void()> informed) {
  when_informed_ = std::move(informed);
  keys_.start();
}

void SharedRows::keep_turns(std::chrono::milliseconds retention, LogTaking how) {
  keeps_turns_ = true;
  log_.keep(retention, how);
}

void SharedRows::over(std::vector<LoggedTurn> turns) {
  post_([this, turns = std::move(turns), alive = std::weak_ptr(alive_)]() mutable {
    if (!alive.expired() && gave_up_.empty()) log_.tell(std::move(turns));
  });
}

void SharedRows::stop(std::function<void()> done) {
  history_.stop();
  after_writes([this, done = std::move(done)] {
    log_.flush([this, done] {
      log_.stop();
      keys_.stop();
      done();
    });
  });
}

void SharedRows::after_writes(std::function<void()> work) {
  store_->write([](Database&) {},
                [work = std::move(work), post = post_, alive = std::weak_ptr(alive_)](const std::string&) {
                  post([work, alive] {
                    if (!alive.expired()) work();
                  });
                },
                Store::Lasts::kWithTheSystem);
}

void SharedRows::give_up(const std::string& why) {
  gave_up_ = why;
  release();
}

void SharedRows::release() {
  for (auto& work : std::exchange(waiting_, {})) work();
}

void SharedRows::once_informed(std::function<void()> work) {
  post_([this, work = std::move(work), alive = std::weak_ptr(alive_)] {
    if (alive.expired()) return;
    if (is_informed_ || !gave_up_.empty()) return work();
    waiting_.push_back(work);
  });
}

Store::Done SharedRows::logged(std::string what) const {
  return [what = std::move(what)](const std::string& failure) {
    if (!failure.empty()) log_error("store", what + " is in the cluster, but not in this copy: " + failure);
  };
}

bool SharedRows::is_writing(const std::function<bool(const std::string&)>& which) const {
  return std::any_of(writing_.begin(), writing_.end(), which);
}

// ---- values

void SharedRows::get(StoragePlace place, std::string key, Got got) {
  once_informed([this, place = std::move(place), key = std::move(key), got = std::move(got)] {
    here_.get(place, key, got);
  });
}

void SharedRows::all(StoragePlace place, std::string prefix, GotAll got) {
  once_informed([this, place = std::move(place), prefix = std::move(prefix), got = std::move(got)] {
    here_.all(place, prefix, got);
  });
}

void SharedRows::change(ValueChange what, Changed done) {
  once_informed([this, what = std::move(what), done = std::move(done)] { write_value(what, done); });
}

void SharedRows::write_value(const ValueChange& what, const Changed& done) {
  if (!gave_up_.empty()) return done(StorageHost::Written(false), Refused::kFailed, gave_up_);
  const std::uint64_t there = keys_.revision_of(RowName::of_value(what.place, what.key).key_of_all());
  if (!what.json && there == 0) return done(StorageHost::Written(false), Refused::kNo, "");
  if (!what.json || there != 0) return put_value(what, done);
  const auto full = std::make_shared<std::string>();
  store_->read(
      [full, place = what.place](Database& database) {
        try {
          values::require_room(database, place);
        } catch (const std::invalid_argument& error) {
          *full = error.what();
        }
      },
      [this, full, what, done, post = post_, alive = std::weak_ptr(alive_)](const std::string& failure) {
        const std::string& why = full->empty() ? failure : *full;
        if (!why.empty())
          return done(StorageHost::Written(false), full->empty() ? Refused::kFailed : Refused::kFull, why);
        post([this, what, done, alive] {
          if (alive.expired()) return done(StorageHost::Written(false), Refused::kFailed, "parley is ending");
          put_value(what, done);
        });
      });
}

void SharedRows::put_value(const ValueChange& what, const Changed& done) {
  SharedRow row;
  row.name = RowName::of_value(what.place, what.key);
  row.time = what.now;
  if (what.json) row.json = *what.json;
  put_row(row, !what.json, what.expect, [this, row, done, is_gone = !what.json](const Written& how) {
    using Value = StorageHost::Written;
    if (how.how == Written::How::kFailed) return done(Value(false), Refused::kFailed, how.why);
    if (!how.ok()) return done(Value(false, how.revision), Refused::kNo, "");
    if (!stands(row.name, how)) return done(Value(true, is_gone ? 0 : how.revision), Refused::kNo, "");
    // Who wrote it reads it.
    store_->write(
        [row, is_gone, revision = how.revision](Database& database) {
          values::take(database, row.name.place(), row.name.key,
                       is_gone ? std::nullopt : std::optional(row.json), revision, row.time);
        },
        [done, is_gone, revision = how.revision, log = logged("a value")](const std::string& failure) {
          log(failure);
          done(Value(true, is_gone ? 0 : revision), Refused::kNo, "");
        },
        Store::Lasts::kWithTheSystem);
  });
}

void SharedRows::put_row(const SharedRow& row, bool is_gone, std::optional<std::uint64_t> expect,
                         SharedKeys::Done done) {
  const auto writing = writing_.insert(row.name.session_id);
  const std::string key = row.name.key_of_all();
  keys_.put(key, is_gone ? std::string() : row.text(), expect,
            [this, writing, name = row.name, key, is_gone, done = std::move(done)](const Written& how) {
              writing_.erase(writing);
              const bool is_so = stands(name, how);
              if (is_so && is_gone) unknow(key);
              if (is_so && !is_gone) know(key, name);
              done(how);
            });
}

// ---- what is to come

void SharedRows::put_scheduled(ScheduleRow row, Kept done) {
  if (!gave_up_.empty()) return done(false, gave_up_);
  SharedRow shared;
  shared.name = RowName::of_scheduled(row.what.id);
  shared.name.owner = row.what.owner;
  shared.name.session_id = row.what.session_id;
  if (!row.context) row.context = std::make_shared<const Json>(Json::object());
  shared.scheduled = std::move(row);
  put_row(shared, false, keys_.revision_of(shared.name.key_of_all()),
          [this, shared, done = std::move(done)](const Written& how) {
            if (stands(shared.name, how)) copy(shared, how.revision);
            done(how.how == Written::How::kConflict, SharedKeys::failure_of(how));
          });
}

void SharedRows::erase_scheduled(std::string id, Kept done) {
  if (!gave_up_.empty()) return done(false, gave_up_);
  SharedRow gone;
  gone.name = RowName::of_scheduled(std::move(id));
  const std::string key = gone.name.key_of_all();
  if (const auto known = names_.find(key); known != names_.end()) gone.name = known->second;
  const std::uint64_t there = keys_.revision_of(key);
  if (there == 0) return done(false, "");
  put_row(gone, true, there, [this, name = gone.name, done = std::move(done)](const Written& how) {
    if (stands(name, how)) copy_gone(name);
    done(how.how == Written::How::kConflict, SharedKeys::failure_of(how));
  });
}

// ---- sessions

void SharedRows::put_session(SessionWrite what, std::function<void(SessionState, const std::string&)> done) {
  // From here on: whoever owns the session next has to hear of it before.
  const auto writing = writing_.insert(what.session->session_id);
  here_.put_session(what, [this, what, writing, done = std::move(done), post = post_,
                           alive = std::weak_ptr(alive_)](SessionState state, const std::string& failure) {
    post([this, what, writing, state, failure, done, alive] {
      if (alive.expired()) return done(state, failure);
      if (!failure.empty() || state == SessionState::kClosed || !gave_up_.empty()) {
        writing_.erase(writing);
        return done(state, failure);
      }
      const SharedRow row = of_session(what);
      // Of the default session its owner alone writes: one that is it no longer must not be heard.
      std::optional<std::uint64_t> expect;
      if (is_default_session(what.session->session_id)) expect = keys_.revision_of(row.name.key_of_all());
      put_row(row, false, expect, [this, writing, done, state](const Written& how) {
        writing_.erase(writing);
        done(state, SharedKeys::failure_of(how));
      });
    });
  });
}

void SharedRows::close_session(std::string owner, std::string id, std::int64_t now,
                               std::function<void(bool, const std::string&)> done) {
  SharedRow row;
  row.name = RowName::of_session(owner, id);
  row.time = row.session.opened = row.session.last_turn = now;
  row.session.owner = owner;
  row.session.id = id;
  here_.close_session(std::move(owner), std::move(id), now,
                      [this, row, done = std::move(done), post = post_, alive = std::weak_ptr(alive_)](
                          bool was_open, const std::string& failure) {
                        if (!failure.empty()) return done(was_open, failure);
                        post([this, row, was_open, done, alive] {
                          if (alive.expired() || !gave_up_.empty()) return done(was_open, "");
                          put_row(row, false, std::nullopt, [done, was_open](const Written& how) {
                            done(was_open, SharedKeys::failure_of(how));
                          });
                        });
                      });
}

void SharedRows::sweep_sessions(std::int64_t close_before, std::int64_t drop_before, std::int64_t now,
                                std::function<void(bool, const std::string&)> done) {
  const auto more = std::make_shared<bool>(false);
  const auto dropped = std::make_shared<std::vector<std::pair<std::string, std::string>>>();
  store_->write(
      [more, dropped, close_before, drop_before, now](Database& database) {
        *more = kept_sessions::sweep(database, close_before, drop_before, now, dropped.get());
      },
      [this, more, dropped, done = std::move(done), post = post_,
       alive = std::weak_ptr(alive_)](const std::string& failure) {
        done(*more, failure);
        if (!failure.empty() || dropped->empty()) return;
        post([this, dropped, alive] {
          if (alive.expired()) return;
          for (const auto& [owner, id] : *dropped) {
            ForgetWhat what;
            what.owner = owner;
            what.session_id = id;
            wipe(what, false, [](const std::string&) {});
          }
        });
      },
      Store::Lasts::kWithTheSystem);
}

}  // namespace parley::cluster
