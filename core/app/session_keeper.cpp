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
  Rows::Heard heard;
  heard.scheduled = [this](const std::string& id, const ScheduleRow* row) {
    lasting_->scheduler.heard(id, row);
  };
  heard.session = [this](const KeptSession& session) { heard_of(session); };
  heard.forgotten = [this](const ForgetWhat& what) {
    forget(what, false, [](const Forgotten&, const std::string& failure) {
      if (!failure.empty()) log_error("session", "what was forgotten elsewhere is still here: " + failure);
    });
  };
  lasting_->rows().on_heard(std::move(heard));
  // What has no file ends with the process: nothing of it grows old.
  is_loaded_ = !lasting_->rows().lasts();
  if (is_loaded_) return;
  for (const char* const end : {topic::kHandled, topic::kHandlerComplete, topic::kSessionSync}) {
    subscriptions_.push_back(bus_.subscribe(end, [this](const Message& message) {
      if (is_default_session(message.session_id())) changed_default();
    }));
  }
  load_default([] {});
  sweep();
}

void SessionKeeper::stop() {
  idle_.reset();
  sweeping_.reset();
  subscriptions_.clear();
  lasting_->rows().on_heard({});
  if (is_loaded_ && lasting_->rows().lasts()) keep_default();
}

void SessionKeeper::load_default(std::function<void()> done) {
  const auto found = std::make_shared<std::optional<KeptSession>>();
  lasting_->store->read(
      [found, before = idle_before()](Database& database) {
        *found = kept_sessions::find(database, kEverybodys, std::string(kDefaultSession), before);
      },
      [this, found, done = std::move(done), post = post_,
       alive = std::weak_ptr(alive_)](const std::string& failure) {
        if (!failure.empty()) log_warning("session", "the default session begins anew: " + failure);
        post([this, found, done, alive] {
          if (alive.expired()) return;
          is_loaded_ = true;
          if (*found) last_turn_ = (*found)->last_turn;
          if (*found && (*found)->snapshot) orchestrator_.restore_default((*found)->snapshot);
          kept_ = orchestrator_.sessions().current();
          done();
        });
      });
}

/// Another instance has left it so.
void SessionKeeper::heard_of(const KeptSession& session) {
  if (session.state == SessionState::kClosed) {
    ForgetWhat which;
    which.owner = session.owner;
    which.session_id = session.id;
    return end_live(which, false);
  }
  if (session.owner != kEverybodys || !is_default_session(session.id) || !session.snapshot) return;
  orchestrator_.restore_default(session.snapshot);
  kept_ = orchestrator_.sessions().current();
  wait_for_idle(session.last_turn);
}

void SessionKeeper::changed_default() {
  wait_for_idle(now());
  keep_default();
}

void SessionKeeper::wait_for_idle(std::int64_t last_turn) {
  last_turn_ = last_turn;
  idle_ = timers_.at(timers_.clock().now() + settings_.idle_after, [this] {
    if (!lasting_->rows().acts_for(std::string(kDefaultSession))) return;
    orchestrator_.end_session(kEverybodys, std::string(kDefaultSession));
    keep_default();
  });
}

/// One write at a time: of what changes meanwhile only the last is written.
void SessionKeeper::keep_default() {
  const SessionPtr session = orchestrator_.sessions().current();
  if (is_keeping_ || !is_loaded_ || session == kept_) return;
  if (!lasting_->rows().acts_for(session->session_id)) return;
  is_keeping_ = true;
  kept_ = session;
  SessionWrite write(kEverybodys, session);
  write.began = write.now = last_turn_ == 0 ? now() : last_turn_;
  write.lasts = Store::Lasts::kBehind;
  lasting_->rows().put_session(std::move(write), [this, post = post_, alive = std::weak_ptr(alive_)](
                                                     SessionState, const std::string& failure) {
    if (!failure.empty()) log_warning("session", "the default session is not kept: " + failure);
    post([this, alive] {
      if (alive.expired()) return;
      is_keeping_ = false;
      keep_default();
    });
  });
}

/// Closes what is old, a part at a time.
void SessionKeeper::sweep() {
  const std::int64_t time = now();
  lasting_->rows().sweep_sessions(
      time - milliseconds_of(settings_.close_after), time - milliseconds_of(settings_.keep_values), time,
      [this, post = post_, alive = std::weak_ptr(alive_)](bool more, const std::string& failure) {
        if (!failure.empty()) log_warning("session", "old sessions are not closed: " + failure);
        post([this, more, alive] {
          if (alive.expired() || subscriptions_.empty()) return;
          const auto span = more ? Duration(std::chrono::seconds(1)) : Duration(kSweepAgain);
          sweeping_ = timers_.at(timers_.clock().now() + span, [this] { sweep(); });
        });
      });
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
  lasting_->rows().close_session(
      std::move(owner), std::move(session_id), now(),
      [done = std::move(done), post = post_](bool was_open, const std::string& failure) {
        post([was_open, done, failure] { done(was_open, failure); });
      });
}

void SessionKeeper::forget(ForgetWhat what, std::function<void(const Forgotten&, const std::string&)> done) {
  forget(std::move(what), true, std::move(done));
}

void SessionKeeper::forget(ForgetWhat what, bool everywhere,
                           std::function<void(const Forgotten&, const std::string&)> done) {
  end_live(what, true);
  if (what.everything || what.session_id == kDefaultSession) {
    orchestrator_.restore_default(std::make_shared<const Session>());
    kept_ = orchestrator_.sessions().current();
  }
  if (log_ != nullptr) log_->prepare_to_forget(what);
  lasting_->rows().forget(what, everywhere,
                          [this, what, done = std::move(done), post = post_, alive = std::weak_ptr(alive_)](
                              const Forgotten& gone, const std::string& failure) {
                            post([this, what, gone, done, failure, alive] {
                              if (!alive.expired() && failure.empty()) lasting_->scheduler.forget(what);
                              done(gone, failure);
                            });
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
