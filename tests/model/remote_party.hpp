#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <parley/message.hpp>
#include <string>
#include <vector>

#include "app/assistant.hpp"
#include "model/dice.hpp"
#include "net/remote_skills.hpp"
#include "runtime/timers.hpp"
#include "support/no_gateway.hpp"

namespace parley::testing {

/// Skills at the other ends of connections, which do what the dice say: answer, be silent, answer twice,
/// ask the user, report for others, come and go. No sockets: what they send goes straight to RemoteSkills.
class RemoteParty {
 public:
  static constexpr std::array<const char*, 2> kSkills{"one.remote", "two.remote"};

  RemoteParty(Assistant& core, std::uint64_t seed);
  RemoteParty(const RemoteParty&) = delete;
  RemoteParty& operator=(const RemoteParty&) = delete;

  void connect(std::size_t which);
  void disconnect(std::size_t which);
  void disconnect_all();
  /// Registers something in that skill's name, if it is connected.
  void send(std::size_t which, Message message);

  /// A message of the bus, as its clients get it.
  void hear(const Message& message);
  /// What follows is another program.
  void begin(std::uint64_t seed);

 private:
  using Time = std::chrono::milliseconds;

  void hear(std::size_t which, const Message& message);
  void hear_dispatch(std::size_t which, const Message& dispatch);
  void ask_user(std::size_t which, const Message& dispatch, Dice& dice);
  void answer_poll(std::size_t which, const Message& ping, const std::string& topic, const char* key);
  void answer_question(std::size_t which, const Message& request);
  /// Sends after a while, unless the connection has gone by then.
  void later(std::size_t which, Time after, Message message);
  void report(std::size_t which, Time after, const Message& dispatch, bool failed = false);

  Assistant& core_;
  std::uint64_t seed_;
  NoGateway door_{std::chrono::milliseconds(5000)};
  net::RemoteSkills remote_;
  std::array<net::ClientPtr, kSkills.size()> clients_;
  std::array<std::vector<Message>, kSkills.size()> asking_;  ///< Dispatches that wait for the user's answer.
  std::uint64_t connections_ = 0;
  std::uint64_t sent_ = 0;
  std::map<std::uint64_t, Timer> timers_;
};

}  // namespace parley::testing
