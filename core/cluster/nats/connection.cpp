// The connection to NATS, by NATS' own library: a shared object of its own, loaded where a cluster is
// configured.
#include <nats/nats.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <map>
#include <mutex>
#include <parley/fingerprint.hpp>
#include <stdexcept>

#include "cluster/nats.hpp"

namespace parley::cluster {
namespace {

constexpr std::int64_t kPingEvery = 2'000;       ///< Milliseconds.
constexpr std::int64_t kReconnectAfter = 100;    ///< Likewise.
constexpr std::int64_t kConnectWithin = 5'000;   ///< Likewise.
constexpr int kMostBuffered = 64 << 20;          ///< Bytes that wait to be sent.
constexpr std::size_t kMostRead = 256;           ///< Messages that are kept until they are freed…
constexpr std::size_t kMostReadBytes = 1 << 18;  ///< …and what they hold.
constexpr int kMostPending = 200'000;            ///< Messages of a subscription that wait for the loop.

/// @throws std::runtime_error
void check(natsStatus status, const char* what) {
  if (status == NATS_OK) return;
  const char* const detail = nats_GetLastError(nullptr);
  throw std::runtime_error(std::string(what) + ": " + natsStatus_GetText(status) +
                           (detail == nullptr || *detail == '\0' ? "" : std::string(", ") + detail));
}

class Connection final : public NatsConnection {
 public:
  Connection(const ClusterSettings& settings, NatsListener& listener) : listener_(listener) {
    natsOptions* options = nullptr;
    check(natsOptions_Create(&options), "options");
    options_.reset(options);
    configure(settings);
    natsConnection* connection = nullptr;
    check(natsConnection_Connect(&connection, options), "connecting");
    connection_ = connection;
  }
  ~Connection() override {
    is_silent_ = true;
    natsConnection_Close(connection_);
    destroy_read();
    {
      const std::lock_guard lock(mutex_);
      for (auto& [number, one] : subscriptions_) natsSubscription_Destroy(one.subscription);
      subscriptions_.clear();
    }
    natsConnection_Destroy(connection_);
    options_.reset();
    // Nobody of the library calls this any more when that has returned.
    nats_CloseAndWait(kConnectWithin);
  }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  void publish(const std::string& subject, const std::string& reply, const Headers& headers,
               std::string_view payload) override {
    // As if the network had lost it: a server that stands still must not fill the memory of its clients.
    if (natsConnection_Buffered(connection_) > kMostBuffered) return;
    const int size = static_cast<int>(payload.size());
    if (headers.empty()) {  // a message object costs a thread that frees it
      if (reply.empty()) {
        natsConnection_Publish(connection_, subject.c_str(), payload.data(), size);
      } else {
        natsConnection_PublishRequest(connection_, subject.c_str(), reply.c_str(), payload.data(), size);
      }
      return;
    }
    natsMsg* message = nullptr;
    if (natsMsg_Create(&message, subject.c_str(), reply.empty() ? nullptr : reply.c_str(), payload.data(),
                       size) != NATS_OK)
      return;
    for (const auto& [key, value] : headers) natsMsgHeader_Set(message, key.c_str(), value.c_str());
    natsConnection_PublishMsg(connection_, message);
    natsMsg_Destroy(message);
  }

  std::uint64_t subscribe(const std::string& subject) override {
    auto closure = std::make_unique<Closure>(*this, ++count_);
    natsSubscription* subscription = nullptr;
    const natsStatus status = has_threads_
                                  ? natsConnection_Subscribe(&subscription, connection_, subject.c_str(),
                                                             &Connection::on_message, closure.get())
                                  : natsConnection_SubscribeSync(&subscription, connection_, subject.c_str());
    if (status != NATS_OK) return 0;
    natsSubscription_SetPendingLimits(subscription, kMostPending, -1);
    const std::lock_guard lock(mutex_);
    const std::uint64_t number = closure->number;
    subscriptions_.emplace(number, One{subscription, std::move(closure)});
    return number;
  }

  void unsubscribe(std::uint64_t number) override {
    const std::lock_guard lock(mutex_);
    const auto found = subscriptions_.find(number);
    if (found == subscriptions_.end()) return;
    natsSubscription_Unsubscribe(found->second.subscription);
    natsSubscription_Destroy(found->second.subscription);
    found->second.subscription = nullptr;  // what it is called with stays: it may be on its way
    ended_.push_back(std::move(found->second.closure));
    subscriptions_.erase(found);
  }

  std::size_t max_payload() override {
    return static_cast<std::size_t>(natsConnection_GetMaxPayload(connection_));
  }

  void read() override {
    natsConnection_ProcessReadEvent(connection_);
    const std::lock_guard lock(mutex_);
    for (const auto& [number, one] : subscriptions_) {
      natsMsg* message = nullptr;
      while (natsSubscription_NextMsg(&message, one.subscription, 0) == NATS_OK) {
        hear(number, message);
        read_bytes_ += static_cast<std::size_t>(natsMsg_GetDataLength(message));
        read_.push_back(message);
      }
    }
    // Each wakes a thread of the library that frees it, or all at once do.
    if (read_.size() >= kMostRead || read_bytes_ >= kMostReadBytes) destroy_read();
  }

  bool write() override {
    if (waits_) natsConnection_ProcessWriteEvent(connection_);  // it takes sending nothing for an end
    return waits_;
  }

 private:
  struct Closure {
    Closure(Connection& which, std::uint64_t what) : owner(which), number(what) {}
    Connection& owner;
    const std::uint64_t number;
  };
  struct One {
    natsSubscription* subscription;
    std::unique_ptr<Closure> closure;
  };

  void configure(const ClusterSettings& settings) {
    natsOptions* const options = options_.get();
    // The library waits for the rest of what TLS has begun to read.
    has_threads_ = !settings.ca.empty() || !settings.certificate.empty() ||
                   std::any_of(settings.servers.begin(), settings.servers.end(),
                               [](const auto& server) { return server.starts_with("tls://"); });
    if (!has_threads_) {
      check(natsOptions_SetEventLoop(options, this, &Connection::on_attached, &Connection::on_reads,
                                     &Connection::on_writes, [](void*) { return NATS_OK; }),
            "events");
    }
    std::vector<const char*> servers;
    for (const auto& server : settings.servers) servers.push_back(server.c_str());
    check(natsOptions_SetServers(options, servers.data(), static_cast<int>(servers.size())),
          "cluster.servers");
    check(natsOptions_SetName(options, ("parley " + settings.name).c_str()), "name");
    check(natsOptions_SetTimeout(options, kConnectWithin), "timeout");
    check(natsOptions_SetAllowReconnect(options, true), "reconnecting");
    check(natsOptions_SetMaxReconnect(options, -1), "reconnecting");
    check(natsOptions_SetReconnectWait(options, kReconnectAfter), "reconnecting");
    check(natsOptions_SetReconnectJitter(options, kReconnectAfter, kReconnectAfter), "reconnecting");
    check(natsOptions_SetPingInterval(options, kPingEvery), "pings");
    check(natsOptions_SetSendAsap(options, true), "sending");
    check(natsOptions_SetDisconnectedCB(options, &Connection::on_lost, this), "callbacks");
    check(natsOptions_SetReconnectedCB(options, &Connection::on_found, this), "callbacks");
    if (!settings.token.empty())
      check(natsOptions_SetToken(options, settings.token.c_str()), "cluster.token");
    if (!settings.user.empty()) {
      check(natsOptions_SetUserInfo(options, settings.user.c_str(), settings.password.c_str()),
            "cluster.user");
    }
    if (!settings.credentials.empty()) {
      check(natsOptions_SetUserCredentialsFromFiles(options, settings.credentials.c_str(), nullptr),
            "cluster.credentials");
    }
    if (!settings.ca.empty()) {
      check(natsOptions_SetSecure(options, true), "TLS");
      check(natsOptions_LoadCATrustedCertificates(options, settings.ca.c_str()), "cluster.ca");
    }
    if (!settings.certificate.empty()) {
      check(natsOptions_SetSecure(options, true), "TLS");
      const std::string& key = settings.private_key.empty() ? settings.certificate : settings.private_key;
      check(natsOptions_LoadCertificatesChain(options, settings.certificate.c_str(), key.c_str()),
            "cluster.certificate");
    }
  }

  void destroy_read() {
    for (natsMsg* const message : read_) natsMsg_Destroy(message);
    read_.clear();
    read_bytes_ = 0;
  }
  static std::string_view header(natsMsg* message, const char* key) {
    const char* value = nullptr;
    if (natsMsgHeader_Get(message, key, &value) != NATS_OK || value == nullptr) return {};
    return value;
  }
  static void on_message(natsConnection* /*connection*/, natsSubscription* /*subscription*/, natsMsg* message,
                         void* closure) {
    const auto& about = *static_cast<const Closure*>(closure);
    about.owner.hear(about.number, message);
    natsMsg_Destroy(message);
  }
  void hear(std::uint64_t subscription, natsMsg* message) {
    if (is_silent_) return;
    NatsIncoming what;
    what.subscription = subscription;
    what.subject = natsMsg_GetSubject(message);
    const char* const reply = natsMsg_GetReply(message);
    if (reply != nullptr) what.reply = reply;
    what.payload =
        std::string_view(natsMsg_GetData(message), static_cast<std::size_t>(natsMsg_GetDataLength(message)));
    what.status = header(message, "Status");
    what.operation = header(message, "KV-Operation");
    listener_.received(what);
  }
  static natsStatus on_attached(void** self, void* loop, natsConnection* /*connection*/, natsSock socket) {
    *self = loop;
    return on_socket(loop, static_cast<int>(socket));
  }
  static natsStatus on_reads(void* self, bool starts) { return starts ? NATS_OK : on_socket(self, -1); }
  static natsStatus on_socket(void* self, int socket) {
    const auto& connection = *static_cast<const Connection*>(self);
    if (!connection.is_silent_) connection.listener_.socket(socket);
    return NATS_OK;
  }
  static natsStatus on_writes(void* self, bool starts) {
    auto& connection = *static_cast<Connection*>(self);
    connection.waits_ = starts;
    if (starts && !connection.is_silent_) connection.listener_.writes();
    return NATS_OK;
  }
  static void on_lost(natsConnection* /*connection*/, void* closure) {
    const auto& self = *static_cast<const Connection*>(closure);
    if (!self.is_silent_) self.listener_.connection(false);
  }
  static void on_found(natsConnection* /*connection*/, void* closure) {
    const auto& self = *static_cast<const Connection*>(closure);
    if (!self.is_silent_) self.listener_.connection(true);
  }

  struct Destroy {
    void operator()(natsOptions* options) const noexcept { natsOptions_Destroy(options); }
  };
  NatsListener& listener_;
  std::unique_ptr<natsOptions, Destroy> options_;
  natsConnection* connection_ = nullptr;
  bool has_threads_ = true;
  std::atomic<bool> is_silent_{false}, waits_{false};  ///< That something waits to be sent.
  std::atomic<std::uint64_t> count_{0};
  std::vector<natsMsg*> read_;  ///< That were heard, and are to be freed.
  std::size_t read_bytes_ = 0;
  std::mutex mutex_;
  std::map<std::uint64_t, One> subscriptions_;
  std::vector<std::unique_ptr<Closure>> ended_;
};

}  // namespace
}  // namespace parley::cluster

extern "C" __attribute__((visibility("default"))) parley::cluster::NatsConnection* parley_nats_connect(
    const char* fingerprint, const parley::cluster::ClusterSettings& settings,
    parley::cluster::NatsListener& listener, std::string& failure) {
  if (std::strcmp(fingerprint, parley::kBuildFingerprint) != 0) {
    failure = std::string("the library was built for [") + parley::kBuildFingerprint + "]: build it again";
    return nullptr;
  }
  try {
    return new parley::cluster::Connection(settings, listener);
  } catch (const std::exception& error) {
    failure = error.what();
    return nullptr;
  }
}
