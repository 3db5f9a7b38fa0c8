#include "app/session_keeper.hpp"

#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "bus/bus.hpp"
#include "message/log.hpp"
#include "message/topics.hpp"
#include "orchestrator/orchestrator.hpp"
#include "store/schedule_table.hpp"
#include "store/session_rows.hpp"
#include "store/turn_log.hpp"

namespace parley {
namespace {

constexpr char kEverybodys[] = "local";  ///< The default session has no owner: it is kept under this one.
constexpr std::chrono::minutes kSweepAgain(10);

std::int64_t milliseconds_of(std::chrono::milliseconds span) {
  return span.count();
}

}  // namespace

SessionKeeper::SessionKeeper(std::shared_ptr<Lasting> lasting, Orchestrator& orchestrator, Bus& bus,
                             Timers& timers, SessionsConfig settings, Post post)
    : lasting_(std::move(lasting)),
      orchestrator_(orchestrator),
      bus_(bus),
      timers_(timers),
      settings_(settings),
      post_(std::move(post)) {}

SessionKeeper::~SessionKeeper() = default;

std::int64_t SessionKeeper::now() const {
  return to_milliseconds(timers_.clock().wall());
}

std::int64_t SessionKeeper::idle_before() const {
  return now() - milliseconds_of(settings_.idle_after);
}

void SessionKeeper::start(TurnLog* log) {
  log_ = log;
  subscriptions_.push_back(
      bus_.subscribe(topic::kSessionClose, [this](const Message& message) { hear(message, false); }));
  subscriptions_.push_back(
      bus_.subscribe(topic::kSessionForget, [this](const Message& message) { hear(message, true); }));
  // What has no file ends with the process: nothing of it grows old.
  is_loaded_ = lasting_->store->file().empty();
  if (is_loaded_) return;
  for (const char* const end : {topic::kHandled, topic::kHandlerComplete, topic::kSessionSync}) {
    subscriptions_.push_back(bus_.subscribe(end, [this](const Message& message) {
      if (is_default_session(message.session_id())) changed_default();
    }));
  }
  load_default();
  sweep();
}

void SessionKeeper::stop() {
  idle_.reset();
  sweeping_.reset();
  subscriptions_.clear();
  if (is_loaded_ && !lasting_->store->file().empty()) keep_default();
}

void SessionKeeper::load_default() {
  const auto found = std::make_shared<std::optional<KeptSession>>();
  lasting_->store->read(
      [found, before = idle_before()](Database& database) {
        *found = kept_sessions::find(database, kEverybodys, "default", before);
      },
      [this, found, post = post_, alive = std::weak_ptr(alive_)](const std::string& failure) {
        if (!failure.empty()) log_warning("session", "the default session begins anew: " + failure);
        post([this, found, alive] {
          if (alive.expired()) return;
          is_loaded_ = true;
          if (*found) last_turn_ = (*found)->last_turn;
          if (*found && (*found)->snapshot) orchestrator_.restore_default((*found)->snapshot);
          kept_ = orchestrator_.sessions().current();
        });
      });
}

void SessionKeeper::changed_default() {
  last_turn_ = now();
  idle_ = timers_.at(timers_.clock().now() + settings_.idle_after, [this] {
    orchestrator_.end_session(kEverybodys, "default");
    keep_default();
  });
  keep_default();
}

/// One write at a time: of what changes meanwhile only the last is written.
void SessionKeeper::keep_default() {
  const SessionPtr session = orchestrator_.sessions().current();
  if (is_keeping_ || !is_loaded_ || session == kept_) return;
  is_keeping_ = true;
  kept_ = session;
  lasting_->store->write(
      [session, time = last_turn_ == 0 ? now() : last_turn_](Database& database) {
        kept_sessions::put(database, kEverybodys, *session, time, time);
      },
      [this, post = post_, alive = std::weak_ptr(alive_)](const std::string& failure) {
        if (!failure.empty()) log_warning("session", "the default session is not kept: " + failure);
        post([this, alive] {
          if (alive.expired()) return;
          is_keeping_ = false;
          keep_default();
        });
      },
      Store::Lasts::kWithTheSystem);
}

/// Closes what is old, a part at a time.
void SessionKeeper::sweep() {
  const auto more = std::make_shared<bool>(false);
  const std::int64_t time = now();
  lasting_->store->write(
      [more, time, close = time - milliseconds_of(settings_.close_after),
       drop = time - milliseconds_of(settings_.keep_values)](Database& database) {
        *more = kept_sessions::sweep(database, close, drop, time);
      },
      [this, more, post = post_, alive = std::weak_ptr(alive_)](const std::string& failure) {
        if (!failure.empty()) log_warning("session", "old sessions are not closed: " + failure);
        post([this, more, alive] {
          if (alive.expired() || subscriptions_.empty()) return;
          const auto span = *more ? Duration(std::chrono::seconds(1)) : Duration(kSweepAgain);
          sweeping_ = timers_.at(timers_.clock().now() + span, [this] { sweep(); });
        });
      },
      Store::Lasts::kWithTheSystem);
}

void SessionKeeper::end_live(const ForgetWhat& which, bool is_forgotten) {
  if (!which.session_id.empty()) orchestrator_.end_session(which.owner, which.session_id);
  if (ended_) ended_(which, is_forgotten);
}

void SessionKeeper::close(std::string owner, std::string session_id,
                          std::function<void(bool, const std::string&)> done) {
  ForgetWhat which;
  which.owner = owner;
  which.session_id = session_id;
  end_live(which, false);
  const auto was_open = std::make_shared<bool>(false);
  lasting_->store->write(
      [was_open, owner = std::move(owner), session_id = std::move(session_id), time = now()](
          Database& database) { *was_open = kept_sessions::close(database, owner, session_id, time); },
      [was_open, done = std::move(done), post = post_](const std::string& failure) {
        post([was_open, done, failure] { done(*was_open, failure); });
      });
}

void SessionKeeper::forget(ForgetWhat what, std::function<void(const Forgotten&, const std::string&)> done) {
  end_live(what, true);
  if (what.everything || what.session_id == "default") {
    orchestrator_.restore_default(std::make_shared<const Session>());
    kept_ = orchestrator_.sessions().current();
  }
  if (log_ != nullptr) log_->prepare_to_forget(what);
  const auto gone = std::make_shared<Forgotten>();
  auto forgotten = [this, what, gone, done = std::move(done), post = post_,
                    alive = std::weak_ptr(alive_)](const std::string& failure) {
    post([this, what, gone, done, failure, alive] {
      if (!alive.expired() && failure.empty()) lasting_->scheduler.forget(what);
      done(*gone, failure);
    });
  };
  const std::weak_ptr<Lasting> lasting = lasting_;
  lasting_->store->write([what, gone](Database& database) { *gone = erase_kept(database, what); },
                         [forgotten, lasting](const std::string& failure) {
                           const auto there = lasting.lock();
                           if (!failure.empty() || !there) return forgotten(failure);
                           there->store->scrub(forgotten);
                         });
}

/// A skill here says it, of the session of its turn.
void SessionKeeper::hear(const Message& request, bool forgets) {
  std::string owner = request.owner();
  std::string session_id = request.text("session_id");
  if (session_id.empty()) session_id = request.session_id();
  const auto answer = [this, request, alive = std::weak_ptr(alive_)](Json data) {
    if (alive.expired()) return;
    const Message response = request.response(std::move(data));
    Context context = response.context();
    context.sender = nullptr;  // whose turn it was did not ask
    bus_.publish(response.with_context(std::move(context)));
  };
  if (!forgets) {
    return close(std::move(owner), std::move(session_id),
                 [answer](bool was_open, const auto& failure) { answer(closed_json(was_open, failure)); });
  }
  ForgetWhat what;
  what.owner = std::move(owner);
  what.session_id = std::move(session_id);
  forget(std::move(what),
         [answer](const Forgotten& gone, const auto& failure) { answer(forgotten_json(gone, failure)); });
}

Json closed_json(bool was_open, const std::string& failure) {
  if (failure.empty()) return {{"closed", was_open}};
  return {{"error", {{"code", "unavailable"}, {"message", failure}}}};
}

Json forgotten_json(const Forgotten& gone, const std::string& failure) {
  if (!failure.empty()) return {{"error", {{"code", "unavailable"}, {"message", failure}}}};
  return {{"events", gone.events}, {"turns", gone.turns},         {"sessions", gone.sessions},
          {"values", gone.values}, {"scheduled", gone.scheduled}, {"objects", gone.objects}};
}

}  // namespace parley
