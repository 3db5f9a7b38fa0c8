#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

namespace parley {

/// What went wrong, as a sentence a person can act on.
struct Error {
  explicit Error(std::string text) : message(std::move(text)) {}
  std::string message;
};

/// A value, or the reason why there is none. For failures that are expected (bad input from peers and
/// files); everything else throws. `E` has a `message` like Error.
///
/// Reading the side that is not there throws std::logic_error: that is a bug in the calling code.
template <class T, class E = Error>
class [[nodiscard]] Result {
 public:
  using Value = T;

  // Implicit on purpose, so that `return value;` and `return Error("…");` both read well.
  Result(T value) : value_(std::move(value)) {}  // NOLINT(google-explicit-constructor)
  Result(E error) : error_(std::move(error)) {}  // NOLINT(google-explicit-constructor)

  bool ok() const noexcept { return value_.has_value(); }
  explicit operator bool() const noexcept { return ok(); }

  const T& value() const& { return checked(); }
  T& value() & {
    checked();
    return *value_;
  }
  T&& value() && {
    checked();
    return std::move(*value_);
  }

  const T& operator*() const& { return value(); }
  T& operator*() & { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  const T* operator->() const { return &value(); }
  T* operator->() { return &value(); }

  const E& error() const {
    if (!error_) throw std::logic_error("Result: error() of a result that holds a value");
    return *error_;
  }

  T value_or(T fallback) const& { return ok() ? *value_ : std::move(fallback); }

 private:
  const T& checked() const {
    if (!value_) throw std::logic_error("Result: value() of an error: " + error_->message);
    return *value_;
  }

  std::optional<T> value_;
  std::optional<E> error_;
};

/// Success without a value: `return {};`, or the reason why not: `return Error("…");`.
template <class E>
class [[nodiscard]] Result<void, E> {
 public:
  using Value = void;

  Result() = default;
  Result(E error) : error_(std::move(error)) {}  // NOLINT(google-explicit-constructor)

  bool ok() const noexcept { return !error_.has_value(); }
  explicit operator bool() const noexcept { return ok(); }

  const E& error() const {
    if (!error_) throw std::logic_error("Result: error() of a success");
    return *error_;
  }

 private:
  std::optional<E> error_;
};

}  // namespace parley
