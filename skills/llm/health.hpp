#pragma once

#include <memory>
#include <string>

#include "http.hpp"

namespace parley::llm {

/// Whether the endpoint answers, as far as is known: found out beside the turns, so that nobody has to wait
/// for it.
class Health {
 public:
  enum class State { kUnknown, kUp, kDown };

  State state() const noexcept { return state_; }
  /// Why it is down.
  const std::string& reason() const noexcept { return reason_; }
  bool checking() const noexcept { return check_ != nullptr; }

  /// Asks the endpoint what models it has; does nothing while a check is under way.
  void begin(const HttpRequest& request);
  /// Goes on with the check for up to `wait`. True when it is through and the state is another than before.
  bool step(std::chrono::milliseconds wait);

  /// What a turn found out; gives whether that is news.
  bool is_up() { return change(State::kUp, {}); }
  bool is_down(std::string why) { return change(State::kDown, std::move(why)); }

 private:
  bool change(State state, std::string why);

  State state_ = State::kUnknown;
  std::string reason_;
  std::unique_ptr<HttpExchange> check_;
};

}  // namespace parley::llm
