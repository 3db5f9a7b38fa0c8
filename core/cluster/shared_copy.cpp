// The copy of what instances share: how it follows what others write, and what they forget.
#include <algorithm>
#include <string_view>
#include <utility>

#include "cluster/marks.hpp"
#include "cluster/shared_rows.hpp"
#include "evidence/ingest.hpp"
#include "message/log.hpp"
#include "store/schedule_table.hpp"
#include "store/sqlite.hpp"
#include "store/values.hpp"

namespace parley::cluster {
namespace {

using Kind = RowName::Kind;

void take(Database& database, const SharedRow& row, std::uint64_t revision) {
  const RowName& name = row.name;
  switch (name.kind) {
    case Kind::kValue:
      return values::take(database, name.place(), name.key, row.json, revision, row.time);
    case Kind::kScheduled:
      return schedule_table::put(database, row.scheduled);
    case Kind::kSession:
      if (row.session.snapshot) return kept_sessions::take(database, row.session);
      kept_sessions::close(database, name.owner, name.session_id, row.time);
      return;
    case Kind::kTold:
      return void(evidence::take_over(database, row.told()));
    case Kind::kForgotten:
      return;
  }
}

void erase(Database& database, const RowName& name) {
  switch (name.kind) {
    case Kind::kValue:
      return values::take(database, name.place(), name.key, std::nullopt, 0, 0);
    case Kind::kScheduled:
      return schedule_table::erase(database, name.key);
    case Kind::kSession:
      return kept_sessions::drop(database, name.owner, name.session_id);
    case Kind::kTold:  // it is told apart: SharedRow::objects
    case Kind::kForgotten:
      return;
  }
}

/// As `erase_kept` decides it.
bool is_meant(const ForgetWhat& what, const RowName& name) {
  const bool is_timed = what.since != 0 || what.until != INT64_MAX;
  const auto is_in = [&what](std::int64_t time) { return time >= what.since && time < what.until; };
  const bool is_then = name.kind == Kind::kTold && (is_in(name.told) || is_in(name.happened));
  if (name.kind == Kind::kForgotten || (is_timed && !is_then)) return false;
  if (what.everything) return true;
  if (name.kind == Kind::kValue && name.scope == StorageScope::kHousehold) return false;
  return (what.owner.empty() || name.owner == what.owner) &&
         (what.session_id.empty() || name.session_id == what.session_id);
}

/// The mark of the revision up to which this copy has forgotten what others did.
constexpr char kForgotten[] = "forgotten";

}  // namespace

void SharedRows::note_forgotten(Database& database, std::uint64_t revision) {
  set_mark(database, kForgotten, static_cast<std::int64_t>(revision));
}

void SharedRows::heard(const std::string& key, std::uint64_t revision, std::string_view text) {
  if (text.empty()) {
    const auto gone = unknow(key);
    if (!gone) return;
    copy_gone(*gone);
    if (gone->kind == Kind::kScheduled && heard_.scheduled) heard_.scheduled(gone->key, nullptr);
    return;
  }
  const auto row = SharedRow::read(text);
  if (!row) return log_warning("cluster", "a row of another instance can't be read, and is passed over");
  if (row->name.kind == Kind::kForgotten) return hear_forgotten(*row, revision);
  know(key, row->name);
  if (row->name.kind == Kind::kTold && !is_informed_) return void(told_before_.emplace(revision, *row));
  copy(*row, revision);
  tell(*row);
}

void SharedRows::hear_forgotten(const SharedRow& row, std::uint64_t revision) {
  const ForgottenTurns turns =
      row.objects.ids.empty() ? ForgottenTurns(row.forget) : ForgottenTurns(row.objects);
  const std::int64_t now = to_milliseconds(timers_.clock().wall());
  log_.heard(turns, row.log, now);
  if (!is_informed_) return void(forgotten_before_.emplace(revision, row));
  if (!row.objects.ids.empty()) {
    forget_here(row.objects, revision);
  } else {
    store_->write([revision](Database& database) { note_forgotten(database, revision); },
                  logged("what was forgotten"), Store::Lasts::kWithTheSystem);
    if (heard_.forgotten) heard_.forgotten(row.forget);
  }
  // Turns that were over and not handed on yet are, by then.
  after_writes(
      [this, turns, last = row.log, now, paused = history_.pause()] { log_.heard(turns, last, now); });
}

void SharedRows::tell(const SharedRow& row) {
  if (row.name.kind == Kind::kScheduled && heard_.scheduled) heard_.scheduled(row.name.key, &row.scheduled);
  if (row.name.kind == Kind::kSession && heard_.session) heard_.session(row.session);
}

void SharedRows::copy(const SharedRow& row, std::uint64_t revision) {
  store_->write([row, revision](Database& database) { take(database, row, revision); }, logged("a row"),
                Store::Lasts::kWithTheSystem);
}

void SharedRows::copy_gone(const RowName& name) {
  store_->write([name](Database& database) { erase(database, name); }, logged("that a row is gone"),
                Store::Lasts::kWithTheSystem);
}

void SharedRows::informed() {
  for (const auto& [revision, row] : std::exchange(told_before_, {})) copy(row, revision);
  store_->write(
      [all = std::exchange(forgotten_before_, {})](Database& database) {
        // Of what was forgotten while this instance was not there its own log still has something.
        const auto done = static_cast<std::uint64_t>(mark_of(database, kForgotten).value_or(0));
        std::uint64_t last = done;
        for (const auto& [revision, row] : all) {
          if (revision <= done) continue;
          last = std::max(last, revision);
          if (!row.objects.ids.empty()) {
            forget_objects_of(database, row.objects);
            continue;
          }
          ForgetWhat what = row.forget;
          what.until = std::min(what.until, row.time);
          erase_kept(database, what);
        }
        if (last > done) note_forgotten(database, last);
      },
      [this, post = post_, alive = std::weak_ptr(alive_)](const std::string& failure) {
        if (!failure.empty()) log_error("store", "what was forgotten elsewhere is still here: " + failure);
        post([this, alive] {  // by now everything that was heard is in the copy
          if (!alive.expired()) compare();
        });
      });
}

void SharedRows::compare() {
  struct Here {
    std::vector<std::pair<StoragePlace, std::string>> values;
    std::vector<ScheduleRow> scheduled;
    std::vector<KeptSession> sessions;
  };
  const auto here = std::make_shared<Here>();
  store_->read(
      [here](Database& database) {
        here->values = values::keys(database);
        here->scheduled = schedule_table::all(database);
        here->sessions = kept_sessions::with_snapshot(database);
      },
      [this, here, post = post_, alive = std::weak_ptr(alive_)](const std::string& failure) {
        if (!failure.empty()) log_error("store", "what is kept here can't be compared: " + failure);
        post([this, here, alive] {
          if (alive.expired()) return;
          for (const auto& [place, key] : here->values) {
            offer(RowName::of_value(place, key), [](Database& database, SharedRow& row) {
              const auto found = values::get(database, row.name.place(), row.name.key);
              if (found) row.json = found->json;
            });
          }
          for (const auto& scheduled : here->scheduled) {
            RowName name = RowName::of_scheduled(scheduled.what.id);
            name.owner = scheduled.what.owner;
            name.session_id = scheduled.what.session_id;
            offer(name, [scheduled](Database&, SharedRow& row) { row.scheduled = scheduled; });
          }
          for (const auto& session : here->sessions) {
            offer(RowName::of_session(session.owner, session.id),
                  [session](Database&, SharedRow& row) { row.session = session; });
          }
          is_informed_ = true;
          release();
          if (keeps_turns_) history_.start();
          log_.start();
          if (when_informed_) std::exchange(when_informed_, nullptr)();
        });
      });
}

void SharedRows::offer(const RowName& name, const std::function<void(Database&, SharedRow&)>& read) {
  const std::string key = name.key_of_all();
  if (keys_.revision_of(key) != 0) return;
  if (keys_.is_known(key)) {
    copy_gone(name);
    if (name.kind == Kind::kScheduled && heard_.scheduled) heard_.scheduled(name.key, nullptr);
    return;
  }
  const auto row = std::make_shared<SharedRow>();
  row->name = name;
  store_->read([row, read](Database& database) { read(database, *row); },
               [this, row, post = post_, alive = std::weak_ptr(alive_)](const std::string& failure) {
                 if (!failure.empty()) return log_error("store", "a row can't be offered: " + failure);
                 post([this, row, alive] {
                   if (alive.expired()) return;
                   // Whoever is faster has it: then that is heard.
                   put_row(*row, false, 0, [this, row](const Written& how) {
                     if (stands(row->name, how)) copy(*row, how.revision);
                   });
                 });
               });
}

// ---- forgetting

void SharedRows::wipe(const ForgetWhat& what, bool with_scheduled,
                      const std::function<void(const std::string&)>& done) {
  std::vector<std::string> meant;
  for (const auto& [key, name] : names_) {
    if (is_meant(what, name) && (with_scheduled || name.kind != Kind::kScheduled)) meant.push_back(key);
  }
  wipe(meant, done);
}

void SharedRows::wipe(const std::vector<std::string>& keys,
                      const std::function<void(const std::string&)>& done) {
  const auto left = std::make_shared<std::size_t>(keys.size() + 1);
  const auto failure = std::make_shared<std::string>();
  const auto one_done = [left, failure, done](const Written& how) {
    if (!how.ok() && failure->empty()) *failure = how.why;
    if (--*left == 0) done(*failure);
  };
  for (const auto& key : keys) {
    unknow(key);
    keys_.wipe(key, one_done);
  }
  one_done(Written(Written::How::kDone));
}

void SharedRows::forget(ForgetWhat what, bool everywhere,
                        std::function<void(const Forgotten&, const std::string&)> done) {
  if (!everywhere) return here_.forget(std::move(what), false, std::move(done));
  // First out of the log of all: what was there is not read into the one here again.
  after_writes([this, what = std::move(what), done = std::move(done), paused = history_.pause()] {
    if (!gave_up_.empty()) return forget_rows(what, 0, done);
    log_.forget(ForgottenTurns(what), [this, what, done, paused](std::uint64_t last,
                                                                 const std::string& not_swept) {
      forget_rows(what, last, [done, not_swept, paused](const Forgotten& gone, const std::string& failure) {
        done(gone, failure.empty() ? not_swept : failure);
      });
    });
  });
}

void SharedRows::forget_rows(const ForgetWhat& what, std::uint64_t last,
                             std::function<void(const Forgotten&, const std::string&)> done) {
  here_.forget(what, false,
               [this, what, last, done = std::move(done), post = post_, alive = std::weak_ptr(alive_)](
                   const Forgotten& gone, const std::string& failure) {
                 if (!failure.empty()) return done(gone, failure);
                 post([this, what, last, gone, done, alive] {
                   if (alive.expired() || !gave_up_.empty())
                     return done(gone, "parley is ending: only here it is forgotten");
                   wipe(what, true, [this, what, last, gone, done](const std::string& not_wiped) {
                     if (!not_wiped.empty()) return done(gone, not_wiped);
                     SharedRow row;
                     row.forget = what;
                     row.log = last;
                     tell_forgotten(std::move(row),
                                    [gone, done](const std::string& not_told) { done(gone, not_told); });
                   });
                 });
               });
}

void SharedRows::tell_forgotten(SharedRow row, std::function<void(const std::string&)> done) {
  row.name = RowName::of_forgotten();
  row.time = to_milliseconds(timers_.clock().wall());
  put_row(row, false, 0, [this, done = std::move(done)](const Written& how) {
    if (how.ok()) {
      store_->write([revision = how.revision](Database& database) { note_forgotten(database, revision); },
                    logged("what was forgotten"), Store::Lasts::kWithTheSystem);
    }
    done(SharedKeys::failure_of(how));
  });
}

void SharedRows::know(const std::string& key, const RowName& name) {
  const bool is_new = names_.insert_or_assign(key, name).second;
  if (is_new && name.kind == Kind::kTold) ++told_of_[name.owner];
}

std::optional<RowName> SharedRows::unknow(const std::string& key) {
  auto gone = names_.extract(key);
  if (gone.empty()) return std::nullopt;
  const auto told = gone.mapped().kind == Kind::kTold ? told_of_.find(gone.mapped().owner) : told_of_.end();
  if (told != told_of_.end() && --told->second == 0) told_of_.erase(told);
  return std::move(gone.mapped());
}

}  // namespace parley::cluster
