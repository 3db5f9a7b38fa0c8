#include "cluster/jetstream.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <nlohmann/json.hpp>
#include <parley/message.hpp>
#include <utility>

#include "cluster/frames.hpp"
#include "cluster/jetstream_answers.hpp"
#include "message/log.hpp"
#include "runtime/random_id.hpp"

namespace parley::cluster {
namespace {

constexpr std::size_t kMostArrived = std::size_t{128} << 20U;  ///< Bytes that wait for the loop.
constexpr std::chrono::seconds kAnswerWithin(2);
/// Between two lines of the log that say that nobody answers.
constexpr std::chrono::seconds kToldAgain(10);
constexpr std::chrono::milliseconds kWatchSilence(3'000);
constexpr std::int64_t kWatchHeartbeat = 1'000'000'000;  ///< Nanoseconds.
constexpr const char* kNothingCame = "100";  ///< Status of a heartbeat: there is nothing to deliver.
constexpr std::int64_t kForgetConsumer = 30'000'000'000;  ///< Likewise.
constexpr std::array kBuckets{"members", "leases", "state"};

}  // namespace

struct JetStream::Watch {
  std::string bucket;
  Watched watched;
  std::uint64_t subscription = 0;
  std::uint64_t next = 1;             ///< Number of the next thing that is delivered.
  std::uint64_t sequence = 0;         ///< Of what was delivered last.
  std::optional<std::uint64_t> last;  ///< Of what was there when it began; empty: not known yet.
  bool is_complete = false;
  Clock::Time heard;
  Timer silence;
};

JetStream::JetStream(ClusterSettings settings, boost::asio::io_context& loop, Timers& timers, Post post)
    : settings_(std::move(settings)), timers_(timers), post_(std::move(post)), socket_(loop) {}

JetStream::~JetStream() {
  connection_.reset();
}

std::string JetStream::stream_of(const std::string& bucket) const {
  return fmt::format("KV_parley_{}_{}", settings_.name, bucket);
}

void JetStream::start(std::function<void(const std::string&)> done) {
  connection_ = connect_nats(settings_, *this);
  is_up_ = true;
  max_payload_ = connection_->max_payload();
  inbox_ = "_INBOX." + random_id();
  handlers_.emplace(connection_->subscribe(inbox_ + ".*"), [this](const Arrived& what) {
    const auto found = pending_.extract(number_from_end(what.subject, 0));
    if (!found.empty()) found.mapped().answered(&what);
  });
  const auto left = std::make_shared<std::size_t>(std::size(kBuckets) + 1);
  const auto made = [left, done](const std::string& failure) {
    if (*left == 0) return;
    if (failure.empty() && --*left > 0) return;
    *left = 0;
    done(failure);
  };
  for (const char* const bucket : kBuckets) make_bucket(bucket, made);
  log_.make(made);
}

void JetStream::make_bucket(const std::string& bucket, std::function<void(const std::string&)> done) {
  const std::string stream = stream_of(bucket);
  const Json wanted = {{"name", stream},
                       {"subjects", {fmt::format("$KV.parley_{}_{}.>", settings_.name, bucket)}},
                       {"max_msgs_per_subject", 1},
                       {"discard", "new"},
                       {"storage", "file"},
                       {"num_replicas", settings_.replicas},
                       {"allow_rollup_hdrs", true},
                       {"deny_delete", bucket != "state"},
                       {"metadata", {{"made_by", "parley"}}}};
  insist("$JS.API.STREAM.CREATE." + stream, wanted.dump(), [this, done](const Arrived* answer) {
    if (answer == nullptr || answer->status == "503") return done(kNoAnswer);
    const Json said = object_of(answer->payload);
    const auto error = error_of(said);
    if (error && error->code != kOtherConfiguration)
      return done("JetStream refuses what the cluster keeps things in: " + error->text);
    // Servers before 2.10 don't know metadata, and watchers of theirs miss what replicas expire.
    const auto config = said.find("config");
    const bool is_old = !error && (config == said.end() || !config->contains("metadata"));
    if (settings_.replicas > 1 && is_old)
      return done("cluster.replicas needs nats-server 2.10 or later; with one server it is 1");
    done("");
  });
}

// ---- from the connection's threads to the loop

void JetStream::received(const NatsIncoming& what) {
  Arrived arrived;
  arrived.subscription = what.subscription;
  arrived.subject = what.subject;
  arrived.reply = what.reply;
  arrived.payload = what.payload;
  arrived.status = what.status;
  arrived.operation = what.operation;
  bool is_first = false;
  {
    const std::lock_guard lock(mutex_);
    if (arrived_bytes_ > kMostArrived) {  // as if the network had lost it: links and watches notice
      ++lost_;
      return;
    }
    arrived_bytes_ += arrived.payload.size();
    is_first = arrived_.empty() && connections_.empty();
    arrived_.push_back(std::move(arrived));
  }
  if (!is_first) return;
  post_([this, alive = std::weak_ptr(alive_)] {
    if (!alive.expired()) drain();
  });
}

void JetStream::connection(bool is_up) {
  {
    const std::lock_guard lock(mutex_);
    connections_.push_back(is_up);
  }
  post_([this, alive = std::weak_ptr(alive_)] {
    if (!alive.expired()) drain();
  });
}

void JetStream::socket(int descriptor) {
  // The library closes its own as soon as it likes, and another file may get its number.
  const int own = descriptor < 0 ? -1 : ::fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
  post_([this, own, alive = std::weak_ptr(alive_)] {
    boost::system::error_code ignored;
    if (!alive.expired()) socket_.close(ignored);
    if (own < 0) return;
    if (alive.expired() || !connection_) return void(::close(own));
    socket_.assign(own, ignored);
    read_on();
    write_on();
  });
}

void JetStream::read_on() {
  socket_.async_wait(socket_.wait_read,
                     [this, alive = std::weak_ptr(alive_)](const boost::system::error_code& failed) {
                       if (failed || alive.expired()) return;
                       connection_->read();
                       read_on();
                     });
}

/// What is said in one go of the loop leaves together.
void JetStream::writes() {
  if (is_write_posted_.exchange(true)) return;
  post_([this, alive = std::weak_ptr(alive_)] {
    if (!alive.expired()) write_on();
  });
}

void JetStream::write_on() {
  is_write_posted_ = false;
  if (!connection_ || !connection_->write() || !socket_.is_open()) return;
  socket_.async_wait(socket_.wait_write,
                     [this, alive = std::weak_ptr(alive_)](const boost::system::error_code& failed) {
                       if (!failed && !alive.expired()) write_on();
                     });
}

void JetStream::drain() {
  std::vector<Arrived> arrived;
  std::vector<bool> connections;
  std::size_t lost = 0;
  {
    const std::lock_guard lock(mutex_);
    arrived.swap(arrived_);
    connections.swap(connections_);
    arrived_bytes_ = 0;
    lost = std::exchange(lost_, 0);
  }
  if (lost > 0) log_warning("cluster", fmt::format("{} messages came faster than they were read", lost));
  for (const bool is_up : connections) {
    is_up_ = is_up;
    log_warning("cluster",
                is_up ? "the connection to NATS is there again" : "the connection to NATS is lost");
    if (!is_up) continue;
    max_payload_ = connection_->max_payload();
    for (const auto& weak : std::vector(watches_)) {
      if (const auto watch = weak.lock()) begin_watch(watch);
    }
    log_.connected();
  }
  for (const auto& one : arrived) dispatch(one);
}

void JetStream::dispatch(const Arrived& what) {
  const auto found = handlers_.find(what.subscription);
  if (found == handlers_.end()) return;
  const Handler handler = found->second;  // it may be its end
  handler(what);
}

// ---- messages

void JetStream::publish(const std::string& subject, std::string payload) {
  connection_->publish(fmt::format("parley.{}.{}", settings_.name, subject), "", {}, payload);
}

Subscription JetStream::subscribe(const std::string& subject, Received received) {
  const std::uint64_t number = connection_->subscribe(fmt::format("parley.{}.{}", settings_.name, subject));
  handlers_.emplace(number,
                    [received = std::move(received)](const Arrived& what) { received(what.payload); });
  return Subscription(std::shared_ptr<void>(nullptr, [this, number, alive = std::weak_ptr(alive_)](void*) {
    if (alive.expired()) return;
    handlers_.erase(number);
    connection_->unsubscribe(number);
  }));
}

void JetStream::request(const std::string& subject, const NatsConnection::Headers& headers,
                        std::string payload, Answered answered) {
  const std::uint64_t number = ++requests_;
  Request& waiting = pending_[number];
  waiting.answered = std::move(answered);
  waiting.bound = timers_.at(timers_.clock().now() + kAnswerWithin, [this, number] {
    const auto late = pending_.extract(number);
    if (!late.empty()) late.mapped().answered(nullptr);
  });
  connection_->publish(subject, fmt::format("{}.{}", inbox_, number), headers, payload);
}

void JetStream::insist(const std::string& subject, const std::string& payload, const Answered& answered,
                       int tries) {
  request(subject, {}, payload, [=, this](const Arrived* answer) {
    if (answer != nullptr || tries <= 1) return answered(answer);
    if (tries == kTries) tell_silence();
    insist(subject, payload, answered, tries - 1);
  });
}

/// Many may have asked: one line says so.
void JetStream::tell_silence() {
  const auto now = timers_.clock().now();
  if (silent_at_ && now < *silent_at_ + kToldAgain) return;
  silent_at_ = now;
  log_warning("cluster", "JetStream has not answered for two seconds: it is asked again");
}

// ---- keys

void JetStream::put(const std::string& bucket, const std::string& key, std::string value,
                    std::optional<std::uint64_t> expect, const std::string& once, Done done) {
  NatsConnection::Headers headers;
  if (!once.empty()) headers.emplace_back("Nats-Msg-Id", once);
  write(bucket, key, std::move(value), std::move(headers), expect, std::move(done));
}

void JetStream::erase(const std::string& bucket, const std::string& key, std::optional<std::uint64_t> expect,
                      Done done) {
  write(bucket, key, "", {{"KV-Operation", "DEL"}}, expect, std::move(done));
}

void JetStream::write(const std::string& bucket, const std::string& key, std::string value,
                      NatsConnection::Headers headers, std::optional<std::uint64_t> expect, Done done) {
  if (expect) headers.emplace_back("Nats-Expected-Last-Subject-Sequence", std::to_string(*expect));
  request(
      fmt::format("$KV.parley_{}_{}.{}", settings_.name, bucket, key), headers, std::move(value),
      [done = std::move(done)](const Arrived* answer) {
        using How = Written::How;
        if (answer == nullptr) return done(Written(How::kFailed, 0, "no answer in time"));
        if (!answer->status.empty()) return done(Written(How::kFailed, 0, "status " + answer->status));
        const Json said = object_of(answer->payload);
        if (const auto error = error_of(said)) {
          return done(Written(error->code == kWrongSequence ? How::kConflict : How::kFailed, 0, error->text));
        }
        done(Written(How::kDone, said.value("seq", std::uint64_t{0})));
      });
}

void JetStream::wipe(const std::string& bucket, const std::string& /*key*/, std::uint64_t revision,
                     Done done) {
  request("$JS.API.STREAM.MSG.DELETE." + stream_of(bucket), {},
          Json({{"seq", revision}, {"no_erase", false}}).dump(),
          [done = std::move(done), revision](const Arrived* answer) {
            using How = Written::How;
            if (answer == nullptr) return done(Written(How::kFailed, 0, "no answer in time"));
            const auto error = error_of(object_of(answer->payload));
            done(error ? Written(How::kFailed, 0, error->text) : Written(How::kDone, revision));
          });
}

Subscription JetStream::watch(const std::string& bucket, Watched watched) {
  auto watch = std::make_shared<Watch>();
  watch->bucket = bucket;
  watch->watched = std::move(watched);
  std::erase_if(watches_, [](const auto& one) { return one.expired(); });
  watches_.push_back(watch);
  begin_watch(watch);
  return Subscription(watch);
}

/// A consumer of its own each time: after a connection was lost, or something between, it is told all again.
void JetStream::begin_watch(const std::shared_ptr<Watch>& watch) {
  if (watch->subscription != 0) {
    handlers_.erase(watch->subscription);
    connection_->unsubscribe(watch->subscription);
  }
  const std::string subject = "_INBOX." + random_id();
  watch->subscription = connection_->subscribe(subject);
  watch->next = 1;
  watch->sequence = 0;
  watch->last.reset();
  watch->is_complete = false;
  watch->heard = timers_.clock().now();
  watch_silence(watch);
  handlers_[watch->subscription] = [this, weak = std::weak_ptr(watch)](const Arrived& what) {
    if (const auto there = weak.lock()) heard(*there, what);
  };
  const std::string stream = stream_of(watch->bucket);
  const Json wanted = {{"stream_name", stream},
                       {"config",
                        {{"deliver_subject", subject},
                         {"deliver_policy", "last_per_subject"},
                         {"filter_subject", fmt::format("$KV.parley_{}_{}.>", settings_.name, watch->bucket)},
                         {"ack_policy", "none"},
                         {"max_deliver", 1},
                         {"replay_policy", "instant"},
                         {"mem_storage", true},
                         {"num_replicas", 1},
                         {"idle_heartbeat", kWatchHeartbeat},
                         {"inactive_threshold", kForgetConsumer}}}};
  const auto current = [weak = std::weak_ptr(watch), number = watch->subscription](const Arrived* answer) {
    const auto there = weak.lock();
    return there && answer != nullptr && there->subscription == number ? there : nullptr;
  };
  insist("$JS.API.STREAM.INFO." + stream, "", [current](const Arrived* answer) {
    const auto there = current(answer);
    if (!there) return;
    const Json said = object_of(answer->payload);
    const auto state = said.find("state");
    if (state == said.end() || !state->is_object()) return;  // it is complete once nothing more comes
    there->last = state->value("last_seq", std::uint64_t{0});
    check_complete(*there);
  });
  request("$JS.API.CONSUMER.CREATE." + stream, {}, wanted.dump(), [current](const Arrived* answer) {
    if (!current(answer)) return;
    if (const auto error = error_of(object_of(answer->payload)))
      log_warning("cluster", "a bucket can't be watched: " + error->text);
  });
}

/// How much is left, by what a server says with each thing, may stay above nothing for ever, or be nothing
/// too soon, where others write meanwhile: by sequences it can't.
void JetStream::check_complete(Watch& watch) {
  if (watch.last && watch.sequence >= *watch.last) complete(watch);
}

void JetStream::complete(Watch& watch) {
  if (!std::exchange(watch.is_complete, true)) watch.watched(nullptr);
}

void JetStream::heard(Watch& watch, const Arrived& what) {
  watch.heard = timers_.clock().now();
  if (what.status == kNothingCame) return complete(watch);
  if (!what.status.empty()) return;
  const Delivered delivered(what.reply);
  if (delivered.number != watch.next) {
    watch.heard = Clock::Time();  // something was lost: it begins again
    return;
  }
  ++watch.next;
  const std::string prefix = fmt::format("$KV.parley_{}_{}.", settings_.name, watch.bucket);
  if (what.subject.starts_with(prefix)) {
    const Entry entry(what.subject.substr(prefix.size()), what.payload, delivered.sequence,
                      !what.operation.empty());
    watch.watched(&entry);
  }
  watch.sequence = delivered.sequence;
  check_complete(watch);
}

void JetStream::watch_silence(const std::shared_ptr<Watch>& watch) {
  watch->silence = timers_.at(timers_.clock().now() + kWatchSilence / 6, [this, weak = std::weak_ptr(watch)] {
    const auto there = weak.lock();
    if (!there) return;
    if (is_up_ && timers_.clock().now() >= there->heard + kWatchSilence) return begin_watch(there);
    watch_silence(there);
  });
}

}  // namespace parley::cluster
