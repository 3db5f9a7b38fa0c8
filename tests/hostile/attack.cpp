#include "hostile/attack.hpp"

#include <arpa/inet.h>
#include <malloc.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <ctime>
#include <future>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "net/grant.hpp"
#include "support/hostile_messages.hpp"

namespace parley::testing {
namespace {

constexpr timeval kPatience{30, 0};

[[noreturn]] void fail(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

sockaddr address_of(const std::string& host, unsigned short port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  ::inet_pton(AF_INET, host.c_str(), &address.sin_addr);
  sockaddr generic{};
  std::memcpy(&generic, &address, sizeof generic);
  return generic;
}

unsigned byte_of(const std::string& text, std::size_t at) {
  return static_cast<unsigned char>(text[at]);
}

std::chrono::nanoseconds processor_time_of_this_thread() {
  timespec time{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

}  // namespace

std::string token_of(const std::string& name, const std::string& more) {
  return "  " + name + ": {token_sha256: " + net::sha256(name) + more + "}\n";
}

RawSocket::RawSocket(unsigned short port, const std::string& from)
    : descriptor_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  if (descriptor_ < 0) fail("socket");
  ::setsockopt(descriptor_, SOL_SOCKET, SO_RCVTIMEO, &kPatience, sizeof kPatience);
  ::setsockopt(descriptor_, SOL_SOCKET, SO_SNDTIMEO, &kPatience, sizeof kPatience);
  const int on = 1;
  ::setsockopt(descriptor_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  const sockaddr own = address_of(from, 0), server = address_of("127.0.0.1", port);
  if (::bind(descriptor_, &own, sizeof own) != 0) fail("bind");
  if (::connect(descriptor_, &server, sizeof server) != 0) fail("connect");
}

RawSocket::~RawSocket() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

RawSocket::RawSocket(RawSocket&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), received_(std::move(other.received_)) {}

bool RawSocket::send(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(descriptor_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EAGAIN)
      throw std::runtime_error("nothing was taken in half a minute, nor was the connection ended");
    if (sent <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

bool RawSocket::read_more() {
  std::string chunk(65'536, '\0');
  const ssize_t got = ::recv(descriptor_, chunk.data(), chunk.size(), 0);
  if (got < 0 && errno == EAGAIN)
    throw std::runtime_error("nothing came in half a minute; before: " + received_.substr(0, 500));
  if (got <= 0) return false;  // a reset is an end too
  received_.append(chunk, 0, static_cast<std::size_t>(got));
  return true;
}

const std::string& RawSocket::read_until(std::string_view end) {
  while (received_.find(end) == received_.npos && read_more()) continue;
  return received_;
}

const std::string& RawSocket::read_all() {
  while (read_more()) continue;
  return received_;
}

int RawSocket::upgrade(const std::string& target) {
  if (!send("GET " + target +
            " HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"))
    return 0;
  const int status = status_of(read_until("\r\n\r\n"));
  const auto head = received_.find("\r\n\r\n");
  received_.erase(0, head == received_.npos ? received_.size() : head + 4);
  return status;
}

int RawSocket::closed() {
  constexpr unsigned kClose = 8;
  read_all();
  std::size_t at = 0;
  while (at + 2 <= received_.size()) {
    const unsigned opcode = byte_of(received_, at) & 0x0fU;
    std::size_t size = byte_of(received_, at + 1) & 0x7fU, head = 2;
    const std::size_t more = size == 126 ? 2 : size == 127 ? 8 : 0;
    if (at + head + more > received_.size()) break;
    if (more > 0) size = 0;
    for (std::size_t i = 0; i < more; ++i) size = size << 8U | byte_of(received_, at + head + i);
    head += more;
    if (opcode == kClose && at + head + 2 <= received_.size())
      return static_cast<int>(byte_of(received_, at + head) << 8U | byte_of(received_, at + head + 1));
    at += head + size;
  }
  return 0;
}

void RawSocket::end_sending() {
  ::shutdown(descriptor_, SHUT_WR);
}

int status_of(std::string_view answer) {
  if (!answer.starts_with("HTTP/1.") || answer.size() < 12) return 0;
  return std::stoi(std::string(answer.substr(9, 3)));
}

std::string Frame::bytes() const {
  std::string all;
  all.push_back(static_cast<char>((last ? 0x80U : 0U) | reserved << 4U | opcode));
  const unsigned mask = masked ? 0x80U : 0U;
  const std::uint64_t size = payload.size();
  const int bytes = size <= 125 ? 0 : size <= 0xffff ? 2 : 8;
  all.push_back(static_cast<char>(mask | (bytes == 0 ? size : bytes == 2 ? 126U : 127U)));
  for (int left = bytes - 1; left >= 0; --left)
    all.push_back(static_cast<char>(size >> static_cast<unsigned>(8 * left) & 0xffU));
  if (masked) all.append(4, '\0');  // a mask that changes nothing
  return all + payload;
}

Honest::Honest(Served& server, std::string session, const std::string& token)
    : session_(std::move(session)),
      client_(server.client("?session=" + session_ + (token.empty() ? "" : "&token=" + token))) {}

void Honest::converse() {
  const std::string said = "go honest.test " + std::to_string(++turns_) + " of " + session_;
  client_.passed.clear();
  client_.send("ovos.utterance.handle", utterance(said), in_session(session_));
  const Json handled = client_.receive("ovos.utterance.handled");
  const Json& id = handled.at("context").at("utterance_id");
  client_.passed.push_back(handled);
  std::vector<std::string> spoken;
  for (const auto& message : client_.passed) {
    const std::string topic = message.at("type");
    CAPTURE(message.dump());
    if (topic == "ovos.utterance.handle" || topic.starts_with("test.")) continue;  // its own, of no turn
    CHECK(message.at("context").at("session").at("session_id") == session_);
    CHECK(message.at("context").at("utterance_id") == id);
    if (topic == "ovos.utterance.speak") spoken.push_back(message.at("data").at("utterance"));
  }
  CHECK(spoken == std::vector<std::string>{said});
  for (const char* once : {"ovos.intent.matched", "honest.test:go", "ovos.intent.handler.start",
                           "ovos.intent.handler.complete", "ovos.utterance.handled"}) {
    CAPTURE(once);
    CHECK(client_.count(once) == 1);
  }
}

Handler speaks_back() {
  return does([](Turn& turn) { turn.speak(turn.text()); });
}

std::size_t heap_held() {
  const auto info = ::mallinfo2();
  return info.uordblks + info.hblkhd;  // large blocks are counted apart
}

LoopProbe::LoopProbe(Served& server) : server_(server), thread_([this] { probe(); }) {}

LoopProbe::~LoopProbe() {
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void LoopProbe::probe() {
  std::chrono::nanoseconds last{-1};
  std::unique_lock lock(mutex_);
  while (!over_) {
    lock.unlock();
    const auto now = server_.ask([](Assistant&) { return processor_time_of_this_thread(); });
    lock.lock();
    if (last.count() >= 0) longest_ = std::max(longest_, now - last);
    last = now;
    ++rounds_;
    changed_.notify_all();
    changed_.wait_for(lock, std::chrono::milliseconds(2), [this] { return over_; });
  }
}

std::chrono::milliseconds LoopProbe::longest() {
  std::unique_lock lock(mutex_);
  const std::uint64_t wanted = rounds_ + 2;
  changed_.wait(lock, [&] { return rounds_ >= wanted; });
  return std::chrono::duration_cast<std::chrono::milliseconds>(longest_);
}

Attacked& Attacked::with_stages(std::vector<std::string> more) {
  more.insert(more.begin(), "go");
  real_stages(std::move(more));
  return *this;
}

std::string registration(const std::string& skill_id, const std::string& intent, const std::string& sample) {
  return hostile::message(
      "ovos.intent.register.template",
      {{"skill_id", skill_id}, {"intent_name", intent}, {"lang", "en-US"}, {"samples", {sample}}},
      {{"skill_id", skill_id}});
}

std::string said(const std::string& text, const std::string& session) {
  return hostile::utterance(text, {{"session_id", session}});
}

void take_part(Served& server, const std::string& skill_id) {
  CoreClient skill = server.client("?topics=test.*," + skill_id + ":go");
  skill.send("test.here", kEmpty, {{"skill_id", skill_id}});
  skill.catch_up();
  CoreClient user = server.client("?session=user." + skill_id);
  user.send_text(said("go " + skill_id, "user." + skill_id));
  const Json dispatch = skill.receive(skill_id + ":go");
  skill.send("ovos.intent.handler.complete", kEmpty, dispatch.at("context"));
  user.receive("ovos.utterance.handled");
  CHECK(user.count("ovos.intent.handler.complete") == 1);
  CHECK(user.count("ovos.intent.handler.error") == 0);
}

}  // namespace parley::testing
