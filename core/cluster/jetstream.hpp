#pragma once

#include <atomic>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "cluster/fabric.hpp"
#include "cluster/jetstream_log.hpp"
#include "cluster/nats.hpp"
#include "runtime/timers.hpp"

namespace parley::cluster {

/// The fabric on NATS with JetStream. On the loop, but for what the connection's threads hand over.
class JetStream final : public Fabric, private NatsListener {
 public:
  using Post = std::function<void(std::function<void()>)>;

  JetStream(ClusterSettings settings, boost::asio::io_context& loop, Timers& timers, Post post);
  ~JetStream() override;
  JetStream(const JetStream&) = delete;
  JetStream& operator=(const JetStream&) = delete;

  /// Connects, and sees to it that there is what the cluster keeps things in.
  /// @param done  called with why that failed, and what to do; empty: it did not
  /// @throws std::runtime_error when there is no connection
  void start(std::function<void(const std::string& failure)> done);

  bool is_up() const override { return is_up_; }
  std::size_t max_payload() const override { return max_payload_; }
  void publish(const std::string& subject, std::string payload) override;
  [[nodiscard]] Subscription subscribe(const std::string& subject, Received received) override;
  void put(const std::string& bucket, const std::string& key, std::string value,
           std::optional<std::uint64_t> expect, const std::string& once, Done done) override;
  void erase(const std::string& bucket, const std::string& key, std::optional<std::uint64_t> expect,
             Done done) override;
  void wipe(const std::string& bucket, const std::string& key, std::uint64_t revision, Done done) override;
  LogStream& log() override { return log_; }
  [[nodiscard]] Subscription watch(const std::string& bucket, Watched watched) override;

 private:
  friend class JetStreamLog;
  /// What came in, copied.
  struct Arrived {
    std::uint64_t subscription = 0;
    std::string subject, reply, payload, status, operation;
  };
  /// Null: no answer came in time.
  using Answered = std::function<void(const Arrived* answer)>;
  static constexpr int kTries = 5;  ///< Of two seconds each.
  static constexpr const char* kNoAnswer =
      "NATS answers, JetStream does not: start nats-server with --jetstream (or 'jetstream {}' in its "
      "configuration); where it is, look at the server's log and disk";
  struct Request {
    Answered answered;
    Timer bound;
  };
  struct Watch;
  using Handler = std::function<void(const Arrived& what)>;

  void received(const NatsIncoming& what) override;
  void connection(bool is_up) override;
  void socket(int descriptor) override;
  void writes() override;
  void drain();
  void read_on();
  void write_on();
  void dispatch(const Arrived& what);
  void request(const std::string& subject, const NatsConnection::Headers& headers, std::string payload,
               Answered answered);
  /// The same for what may be done twice, as long as nobody answers: a server that starts, or whose disk is
  /// busy, is late.
  void insist(const std::string& subject, const std::string& payload, const Answered& answered,
              int tries = kTries);
  void tell_silence();
  void write(const std::string& bucket, const std::string& key, std::string value,
             NatsConnection::Headers headers, std::optional<std::uint64_t> expect, Done done);
  void make_bucket(const std::string& bucket, std::function<void(const std::string& failure)> done);
  std::string stream_of(const std::string& bucket) const;
  void begin_watch(const std::shared_ptr<Watch>& watch);
  void heard(Watch& watch, const Arrived& what);
  static void check_complete(Watch& watch);
  static void complete(Watch& watch);
  void watch_silence(const std::shared_ptr<Watch>& watch);

  const ClusterSettings settings_;
  Timers& timers_;
  const Post post_;
  bool is_up_ = false;
  std::size_t max_payload_ = 0;
  std::string inbox_;
  std::uint64_t requests_ = 0;
  std::optional<Clock::Time> silent_at_;          ///< When that was last said.
  boost::asio::posix::stream_descriptor socket_;  ///< The connection's, by a number of its own.
  std::map<std::uint64_t, Request> pending_;
  std::map<std::uint64_t, Handler> handlers_;  ///< By subscription.
  std::vector<std::weak_ptr<Watch>> watches_;
  JetStreamLog log_{*this};
  std::shared_ptr<char> alive_ = std::make_shared<char>();

  std::atomic<bool> is_write_posted_{false};
  std::mutex mutex_;  ///< For what follows, which the connection's threads fill.
  std::vector<Arrived> arrived_;
  std::size_t arrived_bytes_ = 0, lost_ = 0;
  std::vector<bool> connections_;
  std::unique_ptr<NatsConnection> connection_;  // last: nobody calls once it is gone
};

}  // namespace parley::cluster
