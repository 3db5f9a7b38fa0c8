#pragma once

#include <parley/http.hpp>
#include <parley/result.hpp>
#include <string>

namespace parley::llm {

/// Whether the endpoint answers, as far as is known: found out beside the turns, so that nobody has to wait
/// for it.
class Health {
 public:
  enum class State { kUnknown, kUp, kDown };

  State state() const noexcept { return state_; }
  /// Why it is down.
  const std::string& reason() const noexcept { return reason_; }

  /// What it said when asked for the models it has; gives whether that is news.
  bool is_as(const Result<HttpResponse>& models);
  /// What a turn found out; gives whether that is news.
  bool is_up() { return change(State::kUp, {}); }
  bool is_down(std::string why) { return change(State::kDown, std::move(why)); }

 private:
  bool change(State state, std::string why);

  State state_ = State::kUnknown;
  std::string reason_;
};

}  // namespace parley::llm
