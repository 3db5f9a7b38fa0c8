#include "cluster/jetstream_log.hpp"

#include <fmt/format.h>

#include <utility>

#include "cluster/frames.hpp"
#include "cluster/jetstream.hpp"
#include "cluster/jetstream_answers.hpp"
#include "message/log.hpp"
#include "runtime/random_id.hpp"
#include "runtime/rfc3339.hpp"

namespace parley::cluster {
namespace {

constexpr std::int64_t kMostLogged = std::int64_t{256} << 20U;  ///< Bytes of all.
constexpr std::size_t kSubjectAndMore = std::size_t{1} << 10U;
constexpr std::int64_t kNanoseconds = 1'000'000'000;
constexpr std::int64_t kPullFor = 10;           ///< Seconds that a question for what is new stands.
constexpr std::int64_t kForgetReader = 60;      ///< Seconds after which NATS forgets one who does not ask.
constexpr std::chrono::seconds kLogSilence(3);  ///< Beyond what was asked for.

}  // namespace

/// One consumer, which is asked for a piece at a time; after something was lost, another one from there on.
class JetStreamLog::Reader final : public LogStream::Reading {
 public:
  Reader(JetStreamLog& log, std::string filter, std::uint64_t from, bool follows, Read read)
      : log_(log), filter_(std::move(filter)), last_(from - 1), follows_(follows), read_(std::move(read)) {
    log_.readers_.insert(this);
    begin();
    watch();
  }
  ~Reader() override {
    log_.readers_.erase(this);
    leave();
  }
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  void next() override {
    is_wanted_ = true;
    if (!consumer_.empty() && open_ == 0) pull();
  }

  void begin() {
    leave();
    inbox_ = "_INBOX." + random_id();
    subscription_ = nats().connection_->subscribe(inbox_);
    nats().handlers_[subscription_] = [this](const JetStream::Arrived& what) { hear(what); };
    number_ = 1;
    is_wanted_ = true;
    heard_ = nats().timers_.clock().now();
    Json config = {{"deliver_policy", "by_start_sequence"},
                   {"opt_start_seq", last_ + 1},
                   {"filter_subject", log_.prefix() + filter_},
                   {"ack_policy", "none"},
                   {"max_deliver", 1},
                   {"replay_policy", "instant"},
                   {"mem_storage", true},
                   {"num_replicas", 1},
                   {"headers_only", !follows_},
                   {"inactive_threshold", kForgetReader * kNanoseconds}};
    nats().request(
        "$JS.API.CONSUMER.CREATE." + log_.stream(), {},
        Json({{"stream_name", log_.stream()}, {"config", std::move(config)}}).dump(),
        [this, number = subscription_, alive = std::weak_ptr(alive_)](const JetStream::Arrived* answer) {
          if (!alive.expired() && answer != nullptr && number == subscription_) begun(*answer);
        });
  }

 private:
  JetStream& nats() const { return log_.owner_; }

  void begun(const JetStream::Arrived& answer) {
    const Json said = object_of(answer.payload);
    if (const auto error = error_of(said))
      return log_warning("cluster", "the log of all can't be read: " + error->text);
    consumer_ = said.value("name", "");
    if (said.value("num_pending", std::uint64_t{1}) == 0) tell_end();
    pull();
  }
  void leave() {
    if (subscription_ != 0) {
      nats().handlers_.erase(subscription_);
      nats().connection_->unsubscribe(subscription_);
    }
    if (!consumer_.empty()) {
      nats().connection_->publish(fmt::format("$JS.API.CONSUMER.DELETE.{}.{}", log_.stream(), consumer_), "",
                                  {}, "");
    }
    subscription_ = 0;
    consumer_.clear();
    open_ = 0;
  }
  void pull() {
    if (!std::exchange(is_wanted_, false) || (is_complete_ && !follows_)) return;
    open_ = kPiece;
    heard_ = nats().timers_.clock().now();
    Json wanted = {{"batch", kPiece}};
    if (follows_) wanted["expires"] = kPullFor * kNanoseconds;
    if (!follows_) wanted["no_wait"] = true;
    nats().connection_->publish(fmt::format("$JS.API.CONSUMER.MSG.NEXT.{}.{}", log_.stream(), consumer_),
                                inbox_, {}, wanted.dump());
  }
  void hear(const JetStream::Arrived& what) {
    heard_ = nats().timers_.clock().now();
    if (what.status == "404" || what.status == "408") {  // there is no more, for now
      if (!follows_) return tell_end();
      is_wanted_ = true;
      return pull();
    }
    if (!what.status.empty()) return lost();
    const Delivered delivered(what.reply);
    if (delivered.number != number_) return lost();
    ++number_;
    last_ = delivered.sequence;
    if (open_ > 0) --open_;
    const std::string prefix = log_.prefix();
    if (what.subject.starts_with(prefix)) {
      const LogEntry entry(what.subject.substr(prefix.size()), what.payload, delivered.sequence);
      const std::weak_ptr<char> alive = alive_;
      read_(&entry);
      if (alive.expired()) return;
    }
    if (delivered.left == 0) tell_end();
    if (open_ == 0) pull();
  }
  /// It begins again at the next look.
  void lost() { heard_ = Clock::Time(); }
  void tell_end() {
    if (!std::exchange(is_complete_, true)) read_(nullptr);
  }
  void watch() {
    silence_ = nats().timers_.at(nats().timers_.clock().now() + kLogSilence / 3, [this] {
      const auto patience = kLogSilence + std::chrono::seconds(follows_ ? kPullFor : 0);
      const bool waits = consumer_.empty() || open_ > 0;
      const bool is_over = is_complete_ && !follows_;
      if (waits && !is_over && nats().is_up_ && nats().timers_.clock().now() >= heard_ + patience) begin();
      watch();
    });
  }

  JetStreamLog& log_;
  const std::string filter_;
  std::uint64_t last_;  ///< Sequence of what came last.
  const bool follows_;
  const Read read_;
  std::string inbox_, consumer_;  ///< The latter is empty until there is one.
  std::uint64_t subscription_ = 0;
  std::uint64_t number_ = 1;  ///< Of what is delivered next.
  std::size_t open_ = 0;      ///< What of the piece is still to come.
  bool is_wanted_ = true;     ///< A piece more may come.
  bool is_complete_ = false;
  Clock::Time heard_;
  Timer silence_;
  std::shared_ptr<char> alive_ = std::make_shared<char>();
};

std::string JetStreamLog::stream() const {
  return fmt::format("parley_{}_log", owner_.settings_.name);
}

std::string JetStreamLog::prefix() const {
  return fmt::format("parley.{}.log.", owner_.settings_.name);
}

void JetStreamLog::make(std::function<void(const std::string&)> done) {
  const Json wanted = {{"name", stream()},
                       {"subjects", {prefix() + ">"}},
                       {"max_msgs_per_subject", 1},
                       {"max_bytes", kMostLogged},
                       {"max_age", std::chrono::nanoseconds(max_age_).count()},
                       {"discard", "old"},
                       {"storage", "file"},
                       {"num_replicas", owner_.settings_.replicas}};
  const std::string text = wanted.dump();
  owner_.insist(
      "$JS.API.STREAM.CREATE." + stream(), text, [this, text, done](const JetStream::Arrived* answer) {
        if (answer == nullptr) return done(JetStream::kNoAnswer);
        const auto error = error_of(object_of(answer->payload));
        if (!error) return done("");
        if (error->code != kOtherConfiguration)
          return done(fmt::format("JetStream refuses what the cluster keeps turns in, {} MiB: {}",
                                  kMostLogged >> 20U, error->text));
        // Of several instances that keep it for different times the last one decides.
        owner_.request(
            "$JS.API.STREAM.UPDATE." + stream(), {}, text, [done](const JetStream::Arrived* changed) {
              const auto refused = changed == nullptr ? std::nullopt : error_of(object_of(changed->payload));
              if (refused) log_warning("cluster", "the log of all is kept as it was: " + refused->text);
              done("");
            });
      });
}

std::size_t JetStreamLog::max_payload() const {
  const std::size_t most = owner_.max_payload();
  return most > kSubjectAndMore ? most - kSubjectAndMore : 0;
}

void JetStreamLog::connected() {
  for (Reader* const reader : readers_) reader->begin();
}

void JetStreamLog::ask(std::function<void(const std::optional<LogState>&)> told) {
  owner_.request("$JS.API.STREAM.INFO." + stream(), {}, "",
                 [told = std::move(told)](const JetStream::Arrived* answer) {
                   const Json said = answer == nullptr ? Json() : object_of(answer->payload);
                   if (error_of(said)) return told(std::nullopt);
                   LogState state;
                   state.created = from_rfc3339(said.value("created", "")).value_or(0);
                   const auto found = said.find("state");
                   if (found != said.end() && found->is_object())
                     state.last = found->value("last_seq", std::uint64_t{0});
                   told(state);
                 });
}

void JetStreamLog::append(const std::string& subject, std::string payload, Done done) {
  if (!owner_.is_up_) {  // what the library would keep for later is told again anyway
    return owner_.post_(
        [done = std::move(done)] { done(Written(Written::How::kFailed, 0, "no connection")); });
  }
  // Told again within two minutes it is there once: a second copy would not be overwritten with the first.
  owner_.request(prefix() + subject, {{"Nats-Msg-Id", subject}}, std::move(payload),
                 [done = std::move(done)](const JetStream::Arrived* answer) {
                   using How = Written::How;
                   if (answer == nullptr) return done(Written(How::kFailed, 0, "no answer in time"));
                   const Json said = object_of(answer->payload);
                   if (const auto error = error_of(said)) return done(Written(How::kFailed, 0, error->text));
                   done(Written(How::kDone, said.value("seq", std::uint64_t{0})));
                 });
}

void JetStreamLog::remove(std::uint64_t sequence, Done done) {
  owner_.request(
      "$JS.API.STREAM.MSG.DELETE." + stream(), {}, Json({{"seq", sequence}, {"no_erase", false}}).dump(),
      [done = std::move(done), sequence](const JetStream::Arrived* answer) {
        using How = Written::How;
        if (answer == nullptr) return done(Written(How::kFailed, 0, "no answer in time"));
        const auto error = error_of(object_of(answer->payload));
        const bool is_gone = !error || error->code == kNoSuchMessage || error->code == kNothingStored;
        done(is_gone ? Written(How::kDone, sequence) : Written(How::kFailed, 0, error->text));
      });
}

std::unique_ptr<LogStream::Reading> JetStreamLog::read(const std::string& filter, std::uint64_t from,
                                                       bool follows, Read read) {
  return std::make_unique<Reader>(*this, filter, from, follows, std::move(read));
}

}  // namespace parley::cluster
