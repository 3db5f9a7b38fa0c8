#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <parley/task.hpp>
#include <string>
#include <utility>

namespace parley {

/// How a question to the user ended (C-4).
enum class AskEnd {
  kAnswered,
  kSilence,        ///< Nobody answered in time.
  kCancelled,      ///< The user took it back: "never mind" (`cancel.voc`), or "no" where that is no answer.
  kReplaced,       ///< Another question was asked in this session; the user answers that one.
  kNotUnderstood,  ///< None of the answers fitted.
};

/// How a question is asked.
struct AskOptions {
  AskOptions() = default;
  Duration timeout = std::chrono::seconds(20);  ///< For each answer; more than zero.
  int retries = 1;    ///< How often the question is repeated after silence or an answer that did not fit.
  std::string retry;  ///< The dialog of the repetition, with the same slots; empty: the first one again.
  std::string not_understood;  ///< The dialog after an answer that did not fit; empty: as after silence.
};

/// Reads an answer, given its words and their language (BCP-47). Returns whether the answer fits.
using Understands = std::function<bool(const std::string& said, const std::string& lang)>;

/// The result of a question: a value, or the reason why there is none. Works like a std::optional and
/// converts to one: `auto size = turn.slot("size"); if (!size) size = co_await turn.ask("which_size");`
template <class T>
class Reply {
 public:
  explicit Reply(AskEnd why) : end_(why) {}
  explicit Reply(T value) : value_(std::move(value)), end_(AskEnd::kAnswered) {}

  explicit operator bool() const noexcept { return value_.has_value(); }
  const T& operator*() const& noexcept { return *value_; }
  const T* operator->() const noexcept { return &*value_; }
  operator std::optional<T>() const { return value_; }  // NOLINT(google-explicit-constructor): see above
  AskEnd end() const noexcept { return end_; }

 private:
  std::optional<T> value_;
  AskEnd end_;
};

/// The result of a yes-or-no question. Not a bool, because silence is neither yes nor no.
class Confirmation {
 public:
  explicit Confirmation(AskEnd why) : end_(why) {}
  explicit Confirmation(bool agreed) : yes_(agreed), end_(AskEnd::kAnswered) {}

  bool yes() const noexcept { return end_ == AskEnd::kAnswered && yes_; }
  bool no() const noexcept { return end_ == AskEnd::kAnswered && !yes_; }
  AskEnd end() const noexcept { return end_; }

 private:
  bool yes_ = false;
  AskEnd end_;
};

}  // namespace parley
