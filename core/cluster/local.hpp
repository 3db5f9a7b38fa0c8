#pragma once

#include <cstdint>
#include <functional>
#include <parley/message.hpp>
#include <string>

#include "net/client.hpp"

namespace parley::cluster {

/// One instance, as its cluster sees it. On the loop.
class Local {
 public:
  /// Puts an utterance onto the bus.
  virtual void enter(const Message& utterance) = 0;
  /// A client of another instance says something that is dealt with here.
  virtual void received(const net::ClientPtr& client, const Message& message) = 0;
  /// Likewise: it speaks for a skill. @returns false when somebody else does
  virtual bool speaks(const net::ClientPtr& client, const std::string& skill_id) = 0;
  /// A client of this instance or another one speaks for a skill no longer, because `speaker` does.
  virtual void silence(const net::ClientPtr& client, const std::string& skill_id,
                       const std::string& speaker) = 0;
  virtual void left(const net::ClientPtr& client) = 0;
  /// Sends a message to the clients of this instance that want it.
  virtual void tell(const Message& message) = 0;
  /// An utterance of that client which was under way elsewhere is no longer.
  virtual void begun(std::uint64_t client) = 0;
  /// Whether a turn of that id runs or waits here.
  virtual bool runs(const std::string& utterance_id) const = 0;
  /// Whether anything runs or waits in such a session.
  virtual bool is_busy(const std::function<bool(const std::string& session_id)>& which) const = 0;
  /// Ends what runs and waits in such sessions, as an error.
  virtual void end_turns(const std::function<bool(const std::string& session_id)>& which,
                         const std::string& why) = 0;
  /// Who owns some sessions has changed.
  virtual void moved() = 0;
  /// Whether somebody who is no client on `/core` wants traces of turns.
  virtual bool are_traces_heard() const = 0;
  /// While it is wanted, traces are made of the turns that run here.
  virtual void want_traces(bool wanted) = 0;

 protected:
  ~Local() = default;
};

}  // namespace parley::cluster
