#pragma once

#include <mutex>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "app/conversation.hpp"

namespace parley::command {

/// Something was spoken, in a turn or on its own.
struct Spoken {
  Spoken(std::string said, std::string where) : text(std::move(said)), session_id(std::move(where)) {}
  std::string text, session_id;
};
/// A warning of the log.
struct Warned {
  explicit Warned(std::string what) : text(std::move(what)) {}
  std::string text;
};
/// The turn with that number has been handled.
struct TurnEnded {
  TurnEnded(int which, TurnResult outcome) : number(which), result(std::move(outcome)) {}
  int number;
  TurnResult result;
};
using Event = std::variant<Spoken, Warned, TurnEnded>;

/// What other threads have to tell the one that has the terminal. Safe to use from any thread.
class Mailbox {
 public:
  Mailbox();
  ~Mailbox();
  Mailbox(const Mailbox&) = delete;
  Mailbox& operator=(const Mailbox&) = delete;

  void put(Event event);
  std::vector<Event> take();
  /// Readable while there is something to take.
  int descriptor() const noexcept { return descriptor_; }

 private:
  int descriptor_;
  std::mutex mutex_;
  std::vector<Event> events_;
};

}  // namespace parley::command
