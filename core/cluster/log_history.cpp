#include "cluster/log_history.hpp"

#include <parley/json.hpp>
#include <string>
#include <utility>

#include "cluster/marks.hpp"
#include "evidence/outside.hpp"
#include "message/log.hpp"
#include "store/sqlite.hpp"

namespace parley::cluster {
namespace {

constexpr std::int64_t kAtOnce = 50;
constexpr std::int64_t kMost = 50'000;
constexpr std::chrono::milliseconds kBetween(50);
constexpr std::chrono::seconds kWithoutRoom(1);

constexpr char kLast[] = "history_last", kTold[] = "history_told";

/// Where it begins and ends, the first time that it is asked.
void set_marks(Database& database) {
  if (mark_of(database, kLast)) return;
  // One that has taken something of the others has been one of them, and has told of its own.
  const bool is_new = !mark_of(database, LogHistory::kTaken);
  set_mark(database, kLast, is_new ? database.number("SELECT ifnull(max(lsn), 0) FROM event") : 0);
  Statement before = database.query(
      "SELECT lsn FROM event WHERE kind IN ('handled', 'outside') ORDER BY lsn DESC LIMIT 1 OFFSET ?");
  set_mark(database, kTold, before.bind(kMost).step() ? before.number(0) : 0);
}

ToldEvent told_event(const Statement& row, std::string json) {
  ToldEvent told;
  told.time = row.number(3);
  told.owner = row.text(4);
  told.session_id = row.text(5);
  const auto data = parse_json(json);
  if (!data || !data->is_object()) return told;
  const evidence::OutsideEvent event = evidence::read_outside(*data);
  told.event_id = event.id;
  told.happened = event.at.value_or(told.time);
  told.is_telling = event.memory_type == "semantic";
  told.json = std::move(json);
  return told;
}

LogHistory::Piece read_piece(Database& database, std::int64_t after, std::int64_t until) {
  LogHistory::Piece piece;
  piece.last = until;
  std::vector<std::string> over;
  std::int64_t count = 0;
  {
    Statement found = database.query(
        "SELECT lsn, kind, utterance_id, time, owner, session_id, data FROM event WHERE lsn > ? AND lsn <= ? "
        "AND kind IN ('handled', 'outside') ORDER BY lsn LIMIT ?");
    found.bind(after).bind(until).bind(kAtOnce);
    for (; found.step(); ++count) {
      if (count + 1 == kAtOnce) piece.last = found.number(0);
      if (found.text(1) == "handled") {
        over.push_back(found.text(2));
      } else if (ToldEvent event = told_event(found, found.text(6)); !event.event_id.empty()) {
        piece.events.push_back(std::move(event));
      }
    }
  }
  for (const auto& id : over) {
    if (id.empty()) continue;
    if (auto turn = turns::copy_of(database, id)) piece.turns.push_back(std::move(*turn));
  }
  return piece;
}

}  // namespace

LogHistory::LogHistory(std::shared_ptr<Store> store, Timers& timers, Post post, Listener listener)
    : store_(std::move(store)), timers_(timers), post_(std::move(post)), listener_(std::move(listener)) {}

void LogHistory::start() {
  struct Marks {
    std::int64_t told = 0, last = 0;
  };
  const auto marks = std::make_shared<Marks>();
  store_->write(
      [marks](Database& database) {
        set_marks(database);
        marks->told = mark_of(database, kTold).value_or(0);
        marks->last = mark_of(database, kLast).value_or(0);
      },
      [this, marks, post = post_, alive = std::weak_ptr(alive_)](const std::string& failure) {
        if (!failure.empty()) return log_error("store", "what was logged before stays here: " + failure);
        post([this, marks, alive] {
          if (alive.expired()) return;
          told_ = marks->told;
          last_ = marks->last;
          if (told_ < last_ && !is_stopped_) wait(kBetween);
        });
      },
      Store::Lasts::kWithTheSystem);
}

void LogHistory::stop() {
  is_stopped_ = true;
  next_.reset();
}

std::shared_ptr<void> LogHistory::pause() {
  is_stale_ = true;
  ++*pauses_;
  return {pauses_.get(), [pauses = pauses_](void*) { --*pauses; }};
}

void LogHistory::wait(std::chrono::milliseconds span) {
  next_ = timers_.at(timers_.clock().now() + span, [this] { step(); });
}

void LogHistory::step() {
  if (*pauses_ > 0 || !listener_.has_room()) return wait(kWithoutRoom);
  // The piece before has gone, or nearly so.
  store_->write([told = told_](Database& database) { set_mark(database, kTold, told); },
                [](const std::string&) {}, Store::Lasts::kBehind);
  if (told_ >= last_) return;
  is_stale_ = false;
  const auto piece = std::make_shared<Piece>();
  store_->read_behind(
      [piece, told = told_, last = last_](Database& database) { *piece = read_piece(database, told, last); },
      [this, piece, post = post_, alive = std::weak_ptr(alive_)](const std::string& failure) {
        if (!failure.empty()) return log_error("store", "what was logged before stays here: " + failure);
        post([this, piece, alive] {
          if (!alive.expired()) came(std::move(*piece));
        });
      });
}

void LogHistory::came(Piece piece) {
  if (is_stopped_) return;
  if (!is_stale_) {
    told_ = piece.last;
    listener_.tell(std::move(piece));
  }
  wait(kBetween);
}

}  // namespace parley::cluster
