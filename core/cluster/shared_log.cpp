#include "cluster/shared_log.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <parley/give_turn.hpp>
#include <parley/json.hpp>

#include "cluster/log_history.hpp"
#include "cluster/marks.hpp"
#include "cluster/shared_text.hpp"
#include "evidence/derive.hpp"
#include "evidence/ingest.hpp"
#include "message/log.hpp"
#include "runtime/random_id.hpp"
#include "store/sqlite.hpp"

namespace parley::cluster {
namespace {

// Half of it is the most of one owner, see LogQueue.
constexpr std::size_t kMostWaitingTurns = 2'000, kMostWaitingEvents = 20'000;
constexpr std::size_t kMostBytes = std::size_t{16} << 20U;
constexpr std::size_t kLongest = std::size_t{64} << 10U;  ///< Bytes of one.
constexpr std::size_t kMostFlying = 32;                   ///< Told, and not yet confirmed.
constexpr std::size_t kMostAdded =
    5'000;  ///< Of its own that it remembers: it may have to take them out again.
constexpr std::size_t kDerivedAtOnce = 1'000;
constexpr std::size_t kMuch = LogStream::kPiece / 2;  ///< That waits: it is written soon.
constexpr std::chrono::seconds kAgain(1);
constexpr std::chrono::seconds kFlushWithin(2);
/// Between two lines of the log about what is not told.
constexpr std::chrono::seconds kBetweenLines(10);

constexpr char kCreated[] = "log_created";

void note_taken(Database& database, const LogState& state) {
  set_mark(database, LogHistory::kTaken, static_cast<std::int64_t>(state.last));
  set_mark(database, kCreated, state.created);
}

/// What this instance is to write of what came, each with whether it is an event from outside.
using Wanted = std::vector<std::pair<const LogEntry*, bool>>;

/// What another instance logged: whether it is new here; nothing when it can't be read.
std::optional<bool> write_entry(Database& database, const LogEntry& entry, bool is_event, LogTaking how) {
  if (is_event) {
    const auto row = SharedRow::read(entry.payload);
    return row ? std::optional(how.derives && evidence::take_over(database, row->told())) : std::nullopt;
  }
  const auto logged = parse_json(entry.payload);
  if (!logged) return std::nullopt;
  try {
    return turns::take(database, *logged, how.traces);
  } catch (const Json::exception&) {  // nothing of it was written
    return std::nullopt;
  }
}

/// What others logged, and what is to be derived from it. @return how much was new
std::uint64_t write_entries(Database& database, const Wanted& wanted, LogTaking how) {
  std::uint64_t count = 0;
  for (const auto& [entry, is_event] : wanted) {
    give_turn();
    const auto is_new = write_entry(database, *entry, is_event, how);
    if (!is_new)
      log_warning("cluster", "something that another instance logged can't be read, and is passed over");
    if (is_new.value_or(false)) ++count;
  }
  while (how.derives && count > 0 && evidence::catch_up(database, kDerivedAtOnce)) {
  }
  return count;
}

}  // namespace

SharedLog::SharedLog(LogStream& stream, Timers& timers, Counters& counters, std::shared_ptr<Store> store,
                     Post post, Late late)
    : stream_(stream),
      timers_(timers),
      told_count_(counters.counter("parley_cluster_log_total", {{"what", "told"}})),
      taken_count_(counters.counter("parley_cluster_log_total", {{"what", "taken"}})),
      dropped_count_(counters.counter("parley_cluster_log_total", {{"what", "dropped"}})),
      store_(std::move(store)),
      post_(std::move(post)),
      late_(std::move(late)),
      self_(random_id()),
      turns_(kMostWaitingTurns, kMostBytes),
      events_(kMostWaitingEvents, kMostBytes) {}

void SharedLog::keep(std::chrono::milliseconds retention, LogTaking how) {
  stream_.keep_for(retention);
  keeps_ = true;
  how_ = how;
}

void SharedLog::start() {
  if (!keeps_) return;
  is_started_ = true;
  send();
  load();
}

void SharedLog::stop() {
  is_started_ = false;
  reading_.reset();
  take_again_.reset();
  again_.reset();
}

// ---- telling

void SharedLog::only_here(const std::string& why) {
  dropped_count_.add();
  ++dropped_;
  const auto now = timers_.clock().now();
  if (told_at_ && now < *told_at_ + kBetweenLines) return;
  told_at_ = now;
  log_warning("cluster",
              fmt::format("{} turns and events so far are known at this instance alone: {}", dropped_, why));
}

bool SharedLog::has_room() const {
  constexpr std::size_t kLittle = 100;
  return is_started_ && turns_.entries().size() + events_.entries().size() < kLittle;
}

void SharedLog::tell(std::vector<LoggedTurn> turns) {
  if (!keeps_) return;
  for (auto& turn : turns) add(turns_, OwnEntry(std::move(turn), self_));
  send();
}

void SharedLog::tell(const std::vector<ToldEvent>& events) {
  if (!keeps_) return;
  for (const auto& event : events) add(events_, OwnEntry(event, self_));
  send();
}

void SharedLog::add(LogQueue& queue, OwnEntry entry) {
  const std::size_t size = entry.text.size(), longest = std::min(kLongest, stream_.max_payload());
  if (size > longest) {
    only_here(fmt::format("one has {} bytes, and {} are the most", size, longest));
  } else if (!queue.has_room_for(entry)) {
    only_here("they come faster than NATS takes them, or it is away");
  } else {
    queue.push_back(std::move(entry));
  }
}

void SharedLog::send() {
  while (is_started_ && !again_ && flying_.size() < kMostFlying) {
    LogQueue& queue = turns_.empty() ? events_ : turns_;
    if (queue.empty()) return;
    const std::uint64_t number = ++count_;
    OwnEntry& own = flying_.emplace(number, queue.pop_front()).first->second;
    own.was_sent = true;
    stream_.append(own.name.subject(), own.text,
                   [this, number, alive = std::weak_ptr(alive_)](const Written& how) {
                     if (!alive.expired()) answered(number, how);
                   });
  }
}

void SharedLog::answered(std::uint64_t number, const Written& how) {
  auto done = flying_.extract(number);
  if (done.empty()) return;
  OwnEntry& own = done.mapped();
  if (how.ok()) {
    told_count_.add();
    own.sequence = how.revision;
    if (own.is_forgotten) remove_late(own);
    own.text.clear();
    recent_.push_back(std::move(own));
    if (recent_.size() > kMostAdded) recent_.pop_front();
  } else {  // it may be there; its subject is its own, so that twice is once
    LogQueue& queue = own.name.is_event() ? events_ : turns_;
    queue.push_front(std::move(own));
    again_ = timers_.at(timers_.clock().now() + kAgain, [this] {
      again_.reset();
      send();
    });
  }
  for (const auto& sweep : std::vector(sweeps_)) go_on(sweep);
  send();
  check_flushed();
}

void SharedLog::flush(std::function<void()> done) {
  flushed_ = std::move(done);
  flush_bound_ = timers_.at(timers_.clock().now() + kFlushWithin, [this] {
    if (flushed_) std::exchange(flushed_, nullptr)();
  });
  // A turn that was over a moment ago is told when it is written.
  is_behind_ = true;
  store_->write([](Database&) {},
                [this, post = post_, alive = std::weak_ptr(alive_)](const std::string& /*failure*/) {
                  post([this, alive] {
                    if (alive.expired()) return;
                    is_behind_ = false;
                    check_flushed();
                  });
                },
                Store::Lasts::kWithTheSystem);
}

void SharedLog::check_flushed() {
  if (!flushed_ || is_behind_ || (is_started_ && !(turns_.empty() && events_.empty() && flying_.empty())))
    return;
  flush_bound_.reset();
  std::exchange(flushed_, nullptr)();
}

void SharedLog::drop(const ForgottenTurns& what, std::int64_t by) {
  const auto mark = [&](OwnEntry& own) {
    own.is_forgotten = own.is_forgotten || (own.logged <= by && what.fits(own.name));
    return own.is_forgotten && !own.was_sent;
  };
  for (auto& [number, own] : flying_) mark(own);
  turns_.drop(mark);
  events_.drop(mark);
}

bool SharedLog::is_flying(const ForgottenTurns& what) const {
  const auto is_meant = [&](const OwnEntry& own) { return own.is_forgotten && what.fits(own.name); };
  return std::any_of(turns_.entries().begin(), turns_.entries().end(), is_meant) ||
         std::any_of(events_.entries().begin(), events_.entries().end(), is_meant) ||
         std::any_of(flying_.begin(), flying_.end(), [&](const auto& one) { return is_meant(one.second); });
}

void SharedLog::remove_late(const OwnEntry& own) {
  stream_.remove(own.sequence, [](const Written&) {});
  late_(own.objects(), own.sequence);
}

void SharedLog::heard(const ForgottenTurns& what, std::uint64_t last, std::int64_t by) {
  drop(what, by);
  for (auto& own : recent_) {
    if (own.sequence <= last || own.is_forgotten || own.logged > by || !what.fits(own.name)) continue;
    own.is_forgotten = true;
    remove_late(own);
  }
  if (keeps_ && last > state_.last) gone_.emplace_back(what, last);
}

// ---- taking

void SharedLog::load() {
  const auto there = std::make_shared<LogState>();
  store_->read(
      [there](Database& database) {
        there->last = static_cast<std::uint64_t>(mark_of(database, LogHistory::kTaken).value_or(0));
        there->created = mark_of(database, kCreated).value_or(0);
      },
      [this, there, post = post_, alive = std::weak_ptr(alive_)](const std::string& failure) {
        if (!failure.empty()) log_error("store", "how far the log was read is not known: " + failure);
        post([this, there, alive] {
          if (alive.expired()) return;
          state_ = *there;
          read_on();
        });
      });
}

void SharedLog::read_on() {
  if (!is_started_) return;
  stream_.ask([this, alive = std::weak_ptr(alive_)](const std::optional<LogState>& log) {
    if (alive.expired() || !is_started_) return;
    if (!log) {
      take_again_ = timers_.at(timers_.clock().now() + kAgain, [this] {
        take_again_.reset();
        read_on();
      });
      return;
    }
    if (log->created != state_.created) state_.last = 0;
    state_.created = log->created;
    std::erase_if(gone_, [this](const Gone& one) { return one.last <= state_.last; });
    reading_ = stream_.read(">", state_.last + 1, true, [this](const LogEntry* entry) { heard(entry); });
  });
}

void SharedLog::heard(const LogEntry* entry) {
  if (entry == nullptr) return;
  incoming_.push_back(*entry);
  if (is_taking_ && incoming_.size() == kMuch) store_->hurry();
  take();
}

bool SharedLog::is_gone(const LogName& name, std::uint64_t sequence) const {
  return std::any_of(gone_.begin(), gone_.end(),
                     [&](const Gone& one) { return sequence <= one.last && one.what.fits(name); });
}

void SharedLog::take() {
  if (is_taking_ || incoming_.empty() || take_again_) return;
  is_taking_ = true;
  const auto some = std::make_shared<std::vector<LogEntry>>(std::exchange(incoming_, {}));
  Wanted wanted;
  for (const auto& entry : *some) {
    const auto name = LogName::read(entry.subject);
    if (!name || name->instance == self_) continue;
    if (is_gone(*name, entry.sequence)) {
      stream_.remove(entry.sequence, [](const Written&) {});
    } else {
      wanted.emplace_back(&entry, name->is_event());
    }
  }
  LogState state = state_;
  state.last = some->back().sequence;
  const auto count = std::make_shared<std::uint64_t>(0);
  store_->write(
      [wanted = std::move(wanted), some, state, count, how = how_](Database& database) {
        *count = write_entries(database, wanted, how);
        note_taken(database, state);
      },
      [this, some, count, post = post_, alive = std::weak_ptr(alive_)](const std::string& failure) {
        post([this, some, count, failure, alive] {
          if (alive.expired()) return;
          if (failure.empty()) taken_count_.add(*count);
          taken(*some, failure);
        });
      },
      Store::Lasts::kBehind);
  if (some->size() >= kMuch) store_->hurry();
}

void SharedLog::taken(const std::vector<LogEntry>& some, const std::string& failure) {
  is_taking_ = false;
  if (!failure.empty()) {
    log_error("store", "what other instances logged is not in this log yet: " + failure);
    incoming_.insert(incoming_.begin(), some.begin(), some.end());
    take_again_ = timers_.at(timers_.clock().now() + kAgain, [this] {
      take_again_.reset();
      take();
    });
    return;
  }
  state_.last = some.back().sequence;
  std::erase_if(gone_, [this](const Gone& one) { return one.last <= state_.last; });
  if (reading_) reading_->next();
  take();
}

}  // namespace parley::cluster
