#include "net/server.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/post.hpp>
#include <filesystem>
#include <parley/files.hpp>

#include "message/log.hpp"
#include "runtime/thread_name.hpp"
#include "runtime/workers.hpp"

namespace parley::net {
namespace {

namespace asio = boost::asio;
using tcp = asio::ip::tcp;

constexpr std::size_t kMostSurplus = 64;  ///< Connections over the limit that are told so at a time.
constexpr std::chrono::milliseconds kPause(100);
/// Whoever has said nothing for so long makes room for others when there is none.
constexpr std::chrono::seconds kIdle(2);
/// Wrong tokens of one address that are answered at once: a second, and at a time.
constexpr double kGuesses = 4, kGuessesAtOnce = 256;
/// Messages of older clients over the rate of their grant, in a minute: the phrases of a few skills.
constexpr double kBurst = 2'048;
constexpr std::size_t kMostAddresses = 4096;  ///< Of which guesses are counted.
/// Bytes: whoever reads less from one look to the next is too slow to be waited for.
constexpr std::size_t kTrickle = 65'536;
constexpr std::chrono::milliseconds kLook(1'000);
constexpr std::chrono::milliseconds kWatch(500);

std::string text_of(const tcp::endpoint& endpoint) {
  const auto& address = endpoint.address();
  if (address.is_v6()) return fmt::format("[{}]:{}", address.to_string(), endpoint.port());
  return fmt::format("{}:{}", address.to_string(), endpoint.port());
}

/// Programs that plugins start don't inherit it.
template <class Socket>
void close_on_exec(Socket& socket) {
  ::fcntl(socket.native_handle(), F_SETFD, FD_CLOEXEC);
}

/// Whether a PEM file has a key in it, of whatever kind.
bool holds_key(const std::string& file) {
  constexpr std::size_t kLargest = std::size_t{1} << 20U;
  const auto text = read_file(file, kLargest);
  return text && text->find("PRIVATE KEY-----") != std::string::npos;
}

/// Null without a certificate. @throws std::runtime_error naming the file that can't be used
std::shared_ptr<asio::ssl::context> tls_from(const GatewaySettings& settings) {
  if (settings.certificate.empty()) return nullptr;
  auto tls = std::make_shared<asio::ssl::context>(asio::ssl::context::tls_server);
  tls->set_options(asio::ssl::context::default_workarounds | asio::ssl::context::no_tlsv1 |
                   asio::ssl::context::no_tlsv1_1);
  const auto load = [](const char* key, const std::string& file, auto read) {
    std::error_code missing;  // is told of by who reads it
    if (std::filesystem::exists(file, missing)) {
      if (const auto regular = check_regular_file(file); !regular)
        throw std::runtime_error(fmt::format("gateway.{}: '{}' {}", key, file, regular.error().message));
    }
    try {
      read();
    } catch (const boost::system::system_error& error) {
      throw std::runtime_error(
          fmt::format("gateway.{}: '{}' can't be used: {}", key, file, error.code().message()));
    }
  };
  load("certificate", settings.certificate, [&] { tls->use_certificate_chain_file(settings.certificate); });
  if (settings.private_key == settings.certificate && !holds_key(settings.certificate))
    throw std::runtime_error(
        fmt::format("gateway.certificate: '{}' holds no private key: name the file that does in "
                    "gateway.private_key",
                    settings.certificate));
  load("private_key", settings.private_key,
       [&] { tls->use_private_key_file(settings.private_key, asio::ssl::context::pem); });
  return tls;
}

}  // namespace

Gateway::Server::Server(GatewaySettings settings, Session::Strings entries, Counters& counters,
                        ClientListener& clients, HttpEndpoints& endpoints, Post post)
    : settings_(std::move(settings)),
      counters_(counters),
      received_(counters.counter("parley_gateway_messages_received_total")),
      sent_(counters.counter("parley_gateway_messages_sent_total")),
      listener_(clients),
      endpoints_(endpoints),
      post_(std::move(post)) {
  terms_.entries = std::move(entries);
  terms_.compat = settings_.understands_older();
}

Gateway::Server::~Server() {
  close(std::chrono::milliseconds(0));
}

void Gateway::Server::open() {
  tls_ = tls_from(settings_);
  const auto where = fmt::format("{} port {}", settings_.listen, settings_.port);
  try {
    const tcp::endpoint wanted(asio::ip::make_address(settings_.listen),
                               static_cast<unsigned short>(settings_.port));
    acceptor_.open(wanted.protocol());
    close_on_exec(acceptor_);
    acceptor_.set_option(tcp::acceptor::reuse_address(true));
    acceptor_.bind(wanted);
    acceptor_.listen();
    endpoint_ = acceptor_.local_endpoint();
  } catch (const boost::system::system_error& error) {
    const bool taken = error.code() == asio::error::address_in_use;
    throw std::runtime_error(fmt::format(
        "can't listen on {}: {}; {}", where, error.code().message(),
        taken ? "another program has that port: end it, or choose one with --set gateway.port=…"
              : "gateway.listen must be an address of this machine, and ports below 1024 need privileges"));
  }
  accept();
  thread_ = std::thread([this] {
    name_thread("gateway");
    run_in_short_slices();
    run_eagerly(io_, nullptr);
  });
}

void Gateway::Server::accept() {
  acceptor_.async_accept([this](const boost::system::error_code& failed, tcp::socket socket) {
    if (!acceptor_.is_open()) return;
    if (!failed) {
      accepted(std::move(socket));
      accept();
      return;
    }
    // Out of descriptors, most likely: connections that end make room.
    counters_.counter("parley_gateway_refused_total", {{"reason", "accept"}}).add();
    log_warning("gateway", fmt::format("a connection could not be accepted: {}", failed.message()));
    pause_.expires_after(kPause);
    pause_.async_wait([this](const boost::system::error_code& cancelled) {
      if (!cancelled) accept();
    });
  });
}

void Gateway::Server::accepted(tcp::socket socket) {
  close_on_exec(socket);
  boost::system::error_code failed;
  const auto peer = socket.remote_endpoint(failed);
  if (failed) return;
  socket.set_option(tcp::no_delay(true), failed);
  const bool surplus =
      connections_.size() >= settings_.max_connections && !make_room_for(peer.address().to_string());
  if (surplus) {
    door_.complain("connections", fmt::format("{} connections are open: more are refused "
                                              "(gateway.max_connections)",
                                              settings_.max_connections));
    if (connections_.size() >= settings_.max_connections + kMostSurplus) {
      counters_.counter("parley_gateway_refused_total", {{"reason", "connections"}}).add();
      return;
    }
  }
  counters_.counter("parley_gateway_connections_total").add();
  const std::uint64_t id = ++last_id_;
  const auto connection = std::make_shared<Connection>(
      *this, Link(std::move(socket), tls_.get(), settings_.max_queue), id, text_of(peer), surplus);
  connections_.emplace(id, connection);
  scope_.spawn(io_.get_executor(), Connection::run(connection));
}

/// The oldest of those that say nothing; when nobody has said nothing for long, one of an address that has
/// more of them than the newcomer's.
bool Gateway::Server::make_room_for(const std::string& address) {
  const auto now = std::chrono::steady_clock::now();
  std::map<std::string, std::pair<std::size_t, Connection*>> idle;  // by address: how many, and the oldest
  for (const auto& [id, connection] : connections_) {
    if (!connection->is_idle_since(now)) continue;
    auto& [count, oldest] = idle[connection->client()->address];
    ++count;
    if (oldest == nullptr || id < oldest->client()->id) oldest = connection.get();
  }
  const auto most = std::max_element(
      idle.begin(), idle.end(), [](const auto& a, const auto& b) { return a.second.first < b.second.first; });
  if (most == idle.end()) return false;
  const auto own = idle.find(address);
  const bool fewer = own == idle.end() || own->second.first + 1 < most->second.first;
  Connection& victim = *most->second.second;
  if (!fewer && !victim.is_idle_since(now - kIdle)) return false;
  counters_.counter("parley_gateway_disconnects_total", {{"reason", "room"}}).add();
  const auto keep = victim.shared_from_this();
  keep->close();
  connections_.erase(keep->client()->id);
  return true;
}

bool Gateway::Server::is_guessing(const std::string& address) {
  if (guesses_.size() >= kMostAddresses) guesses_.clear();
  return !guesses_[address].take(kGuesses, clock_.now(), kGuessesAtOnce);
}

bool Gateway::Server::is_full(const Grant& grant) const {
  const std::size_t most =
      grant.shares.connections.value_or(std::max<std::size_t>(1, settings_.max_connections / 2));
  const auto taken = std::count_if(connections_.begin(), connections_.end(), [&](const auto& one) {
    const auto& theirs = one.second->grant();
    return theirs && theirs->client == grant.client;
  });
  return static_cast<std::size_t>(taken) >= most;
}

void Gateway::Server::run_aside(std::function<void()> work, std::function<void()> done) {
  asio::post(aside_, [this, work = std::move(work), done = std::move(done)]() mutable {
    work();
    // What the work keeps is let go of on the thread of the door, where it belongs.
    asio::post(io_, [kept = std::move(work), done = std::move(done)] { done(); });
  });
}

void Gateway::Server::forgive_slow() {
  const auto now = clock_.now();
  if (now - looked_ < kLook) return;
  looked_ = now;
  for (const auto& [id, client] : clients_) {
    const auto taken = client->link().taken();
    const auto before = taken_.find(id);
    if (before != taken_.end())
      client->set_lagging(client->link().queued() > 0 && taken < before->second + kTrickle);
    taken_[id] = taken;
  }
  std::erase_if(taken_, [this](const auto& one) { return !clients_.contains(one.first); });
}

void Gateway::Server::watch_slow() {
  if (std::exchange(watches_, true)) return;
  watch_.expires_after(kWatch);
  watch_.async_wait([this](const boost::system::error_code& cancelled) {
    watches_ = false;
    if (cancelled) return;
    bool any = false;
    const auto all = clients_;  // some end
    for (const auto& [id, client] : all) {
      any = client->link().end_if_slow() || any;
      if (client->link().is_closed()) client->close();
    }
    if (any) watch_slow();
  });
}

std::string Gateway::Server::unready() const {
  const std::lock_guard lock(mutex_);
  return unready_;
}

std::shared_ptr<const Grants> Gateway::Server::grants() const {
  const std::lock_guard lock(mutex_);
  return grants_;
}

void Gateway::Server::set_grants(std::optional<Grants> grants) {
  auto fresh = grants ? std::make_shared<const Grants>(std::move(*grants)) : nullptr;
  const std::lock_guard lock(mutex_);
  grants_ = std::move(fresh);
}

void Gateway::Server::set_settings(GatewaySettings settings) {
  auto tls = tls_from(settings);
  asio::post(io_, [this, settings = std::move(settings), tls = std::move(tls)]() mutable {
    settings.listen = settings_.listen;
    settings.port = settings_.port;
    if (tls_ && tls) tls_ = std::move(tls);
    settings_ = std::move(settings);
    terms_.compat = settings_.understands_older();
    receivers_.clear();
  });
}

void Gateway::Server::complain_of(const Client& client, const std::string& about, const std::string& text) {
  const std::string address = client.name.substr(0, client.name.rfind(':'));  // the next one has another port
  door_.complain(about + " " + address, fmt::format("{}: {}", client.name, text));
}

bool Gateway::Server::within_rate(const GrantPtr& grant, bool is_older) {
  if (!grant || grant->messages_per_second <= 0) return true;
  const auto now = clock_.now();
  if (rates_[grant->client].take(grant->messages_per_second, now)) return true;
  return is_older && bursts_[grant->client].take(kBurst / 60, now, kBurst);
}

void Gateway::Server::set_unready(std::string reason) {
  const std::lock_guard lock(mutex_);
  unready_ = std::move(reason);
}

void Gateway::Server::ended(Connection& connection) {
  if (connection.has_asked()) hand_over(Inbound(Inbound::Kind::kLeft, connection.client()));
  connections_.erase(connection.client()->id);
  if (closing_ && connections_.empty()) begin_end(std::chrono::milliseconds(0));
}

void Gateway::Server::complain(const ClientPtr& client, std::string about, std::string text) {
  asio::post(io_, [this, id = client->id, about = std::move(about), text = std::move(text)] {
    const auto found = connections_.find(id);
    if (found != connections_.end()) found->second->inlet().complain(about, text);
  });
}

// ---- the end

void Gateway::Server::begin_end(std::chrono::milliseconds bound) {
  closing_ = true;
  boost::system::error_code ignored;
  acceptor_.close(ignored);
  pause_.cancel();
  watch_.cancel();
  if (connections_.empty()) {
    bound_.cancel();
    guard_.reset();
    io_.stop();
    return;
  }
  const auto all = connections_;  // some end at once
  for (const auto& [id, connection] : all) connection->say_goodbye();
  bound_.expires_after(bound);
  bound_.async_wait([this](const boost::system::error_code& cancelled) {
    if (cancelled) return;
    const auto left = connections_;
    for (const auto& [id, connection] : left) connection->close();
  });
}

void Gateway::Server::close(std::chrono::milliseconds bound) {
  if (!thread_.joinable()) return;
  asio::post(io_, [this, bound] { begin_end(bound); });
  thread_.join();
  aside_.join();
}

// ---- Gateway

Gateway::Gateway(GatewaySettings settings, Session::Strings entries, Counters& counters,
                 ClientListener& clients, HttpEndpoints& endpoints, Post post)
    : server_(std::make_unique<Server>(std::move(settings), std::move(entries), counters, clients, endpoints,
                                       std::move(post))) {}

Gateway::~Gateway() = default;

void Gateway::check_certificate(const GatewaySettings& settings) {
  tls_from(settings);
}
void Gateway::open() {
  server_->open();
}
std::string Gateway::address() const {
  return text_of(server_->endpoint());
}
unsigned short Gateway::port() const {
  return server_->endpoint().port();
}
void Gateway::set_ready() {
  server_->set_unready("");
}
void Gateway::set_unready(std::string reason) {
  server_->set_unready(std::move(reason));
}
std::string Gateway::unready() const {
  return server_->unready();
}
void Gateway::set_settings(GatewaySettings settings) {
  server_->set_settings(std::move(settings));
}
void Gateway::begun(std::uint64_t client) {
  server_->begun(client);
}
void Gateway::set_grants(std::optional<Grants> grants) {
  server_->set_grants(std::move(grants));
}
void Gateway::send(const Message& message, std::uint64_t owner) {
  server_->send(message, owner, false);
}
void Gateway::relay(const Message& message) {
  server_->send(message, 0, true);
}
void Gateway::tell(std::uint64_t client, ovos::Query query, const Message& question, Json answer) {
  server_->send(Outbound(Answer(client, query, question, std::move(answer))));
}
void Gateway::complain(const ClientPtr& client, std::string about, std::string text) {
  server_->complain(client, std::move(about), std::move(text));
}
void Gateway::close(std::chrono::milliseconds bound) {
  server_->close(bound);
}

}  // namespace parley::net
