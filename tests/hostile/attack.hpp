#pragma once

#include <fmt/format.h>

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "support/served.hpp"

namespace parley::testing {

/// A connection without a protocol: bytes out, bytes in, each within half a minute.
class RawSocket {
 public:
  /// @param from  the loopback address it comes from, e.g. 127.0.0.2
  explicit RawSocket(unsigned short port, const std::string& from = "127.0.0.1");
  ~RawSocket();
  RawSocket(RawSocket&& other) noexcept;
  RawSocket(const RawSocket&) = delete;
  RawSocket& operator=(const RawSocket&) = delete;

  /// Whether all of it was taken: false when the other side has ended the connection.
  bool send(std::string_view bytes);
  /// What comes until that is in it, or until the other side ends the connection.
  const std::string& read_until(std::string_view end);
  /// What comes until the other side ends the connection. @throws when it does not
  const std::string& read_all();
  /// Becomes a client of `/core`; gives the status of the answer.
  int upgrade(const std::string& target = "/core");
  /// The code of the server's close frame; 0: it ended without one. Of an upgraded one.
  int closed();
  void end_sending();  ///< Half-closed from here on.

 private:
  bool read_more();
  int descriptor_ = -1;
  std::string received_;
};

/// The status of an HTTP answer; 0: there was none.
int status_of(std::string_view answer);

/// A frame of the WebSocket protocol as a client sends it, or should not.
struct Frame {
  Frame(unsigned kind, std::string_view text) : opcode(kind), payload(text) {}
  unsigned opcode;
  std::string payload;
  bool last = true, masked = true;
  unsigned reserved = 0;  ///< Three bits.
  std::string bytes() const;
};

/// Somebody who behaves, and looks closely at what becomes of every word. The server has to have the skill
/// `honest.test` of speaks_back().
class Honest {
 public:
  explicit Honest(Served& server, std::string session = "honest", const std::string& token = {});
  /// A whole turn; fails unless it is answered as it should be, once, and nobody else is in it.
  void converse();
  CoreClient& client() { return client_; }

 private:
  std::string session_;
  CoreClient client_;
  int turns_ = 0;
};

/// A client of the file of tokens, whose token is its name.
/// @param more  the rest of what it says of it, such as ", sessions: own"
std::string token_of(const std::string& name, const std::string& more = {});

/// The skill that answers who behaves: with what was said.
Handler speaks_back();

/// How long the loop was in one go with something: what its thread took of a processor between two things
/// that were handed to it one after the other.
class LoopProbe {
 public:
  explicit LoopProbe(Served& server);
  ~LoopProbe();
  LoopProbe(const LoopProbe&) = delete;
  LoopProbe& operator=(const LoopProbe&) = delete;
  /// So far; what is under way now is waited for.
  std::chrono::milliseconds longest();

 private:
  void probe();
  Served& server_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool over_ = false;
  std::chrono::nanoseconds longest_{0};
  std::uint64_t rounds_ = 0;
  std::thread thread_;
};

/// The time as a session has it: owners that were active long ago are not asked.
inline double unix_now() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

/// What the program holds of the heap, in bytes; under a sanitizer nothing is known of it.
std::size_t heap_held();

/// The suite's bound; sanitizers and unoptimised code are slow, `tools/bench hostile` has the target.
inline constexpr std::chrono::milliseconds kLongestHold(500);

/// A server with the skill of who behaves, and its own stage in front of those that a test adds.
class Attacked : public Served {
 public:
  Attacked() { skill("honest.test", speaks_back()); }
  /// The stages that come along too, after `go`.
  Attacked& with_stages(std::vector<std::string> more);
};

/// A skill's registration of a template, as it sends it.
std::string registration(const std::string& skill_id, const std::string& intent, const std::string& sample);
/// An utterance in a session, as a client sends it.
std::string said(const std::string& text, const std::string& session);
/// Another client's skill: it is registered, found and told.
void take_part(Served& server, const std::string& skill_id);

/// Starts a server with the skill of whoever behaves.
inline Served& with_honest(Served& server) {
  server.skill("honest.test", speaks_back());
  server.start();
  return server;
}

}  // namespace parley::testing
