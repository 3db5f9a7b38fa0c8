// How turns are taken out of the log that all instances share, one by one.
#include <algorithm>
#include <utility>

#include "cluster/shared_log.hpp"
#include "store/schedule_table.hpp"

namespace parley::cluster {
namespace {

constexpr std::chrono::seconds kConfirmWithin(10);  ///< Without any progress.
constexpr char kNotConfirmed[] = "NATS did not confirm that turns are forgotten elsewhere: try again";

}  // namespace

struct SharedLog::Sweep {
  explicit Sweep(ForgottenTurns which) : what(std::move(which)) {}
  const ForgottenTurns what;
  SharedLog::Forgotten done;
  bool is_asked = false;   ///< How far the log is.
  std::uint64_t last = 0;  ///< Up to there it looks.
  std::unique_ptr<LogStream::Reading> reading;
  std::size_t came = 0;      ///< Of this piece.
  std::size_t removing = 0;  ///< What is not confirmed yet.
  bool is_all = false;
  std::string failure;
  Timer bound;
};

void SharedLog::forget(const ForgottenTurns& what, Forgotten done) {
  drop(what, to_milliseconds(timers_.clock().wall()));
  const auto sweep = std::make_shared<Sweep>(what);
  sweep->done = std::move(done);
  sweeps_.push_back(sweep);
  bound(sweep);
  go_on(sweep);
}

/// Once what was on its way is there.
void SharedLog::go_on(const std::shared_ptr<Sweep>& sweep) {
  if (sweep->is_asked || is_flying(sweep->what)) return;
  sweep->is_asked = true;
  stream_.ask([this, sweep, alive = std::weak_ptr(alive_)](const std::optional<LogState>& log) {
    if (alive.expired() || !sweep->done) return;
    if (!log) return end(sweep, kNotConfirmed);
    sweep->last = log->last;
    if (keeps_ && log->last > state_.last) gone_.emplace_back(sweep->what, log->last);
    if (log->last == 0) return end(sweep, "");
    bound(sweep);
    sweep->reading = stream_.read(sweep->what.filter(), 1, false,
                                  [this, weak = std::weak_ptr(sweep)](const LogEntry* entry) {
                                    if (const auto there = weak.lock()) swept(there, entry);
                                  });
  });
}

void SharedLog::swept(const std::shared_ptr<Sweep>& sweep, const LogEntry* entry) {
  if (sweep->is_all || !sweep->done) return;
  bound(sweep);
  sweep->is_all = entry == nullptr || entry->sequence > sweep->last;
  if (!sweep->is_all) {
    ++sweep->came;
    const auto name = LogName::read(entry->subject);
    if (name && sweep->what.fits(*name)) {
      ++sweep->removing;
      stream_.remove(entry->sequence, [this, sweep, alive = std::weak_ptr(alive_)](const Written& how) {
        if (alive.expired() || !sweep->done) return;
        --sweep->removing;
        if (!how.ok()) sweep->failure = kNotConfirmed;
        bound(sweep);
        advance(sweep);
      });
    }
  }
  advance(sweep);
}

void SharedLog::advance(const std::shared_ptr<Sweep>& sweep) {
  if (sweep->removing > 0) return;
  if (sweep->is_all) return end(sweep, sweep->failure);
  if (sweep->came < LogStream::kPiece) return;
  sweep->came = 0;
  sweep->reading->next();
}

void SharedLog::bound(const std::shared_ptr<Sweep>& sweep) {
  sweep->bound = timers_.at(timers_.clock().now() + kConfirmWithin, [this, weak = std::weak_ptr(sweep)] {
    if (const auto there = weak.lock()) end(there, kNotConfirmed);
  });
}

void SharedLog::end(const std::shared_ptr<Sweep>& sweep, const std::string& failure) {
  const auto done = std::exchange(sweep->done, nullptr);
  if (!done) return;
  sweep->bound.reset();
  std::erase(sweeps_, sweep);
  // Posted: this may be a call of what is read.
  read_.push_back(std::move(sweep->reading));
  post_([this, done, failure, last = sweep->last, alive = std::weak_ptr(alive_)] {
    if (alive.expired()) return;
    read_.clear();
    done(last, failure);
  });
}

/// What waits for an answer of NATS may outlive this.
SharedLog::~SharedLog() {
  for (const auto& sweep : sweeps_) {
    sweep->done = nullptr;
    sweep->reading.reset();
    sweep->bound.reset();
  }
}

}  // namespace parley::cluster
