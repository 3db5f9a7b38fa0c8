#pragma once

#include <functional>
#include <optional>
#include <parley/result.hpp>
#include <parley/task.hpp>
#include <string>
#include <type_traits>
#include <utility>

namespace parley {

/// Call inside a `catch`: what was thrown, as text. An exception of a plugin is code of the plugin, so
/// nothing but its text may be kept.
std::string text_of_current_exception();

/// Runs something of a plugin. Gives what it threw (Cancelled included) as text; the exception itself is
/// gone by then.
template <class F>
std::optional<std::string> failure_of(F&& run) {
  try {
    std::forward<F>(run)();
  } catch (...) {
    return text_of_current_exception();
  }
  return std::nullopt;
}

/// Awaits the task that `std::invoke(call, args…)` returns, in which code of a plugin runs: its value, or
/// what was thrown as text, whether by the call or by the task. Task and exception are gone before this
/// ends: `const auto answer = co_await guarded(&Stage::match, stage.get(), request);`
/// Before the plugin's library is closed, post once more: its code may still be below on the stack.
/// @throws Cancelled as the task did, but as an exception of the host
template <class Call, class... Args>
Task<Result<typename std::invoke_result_t<Call&, Args...>::value_type>> guarded(Call call, Args... args) {
  // g++ 12 destroys temporary closures (and aggregates) of a co_await expression twice.
  static_assert(std::is_trivially_destructible_v<Call>, "captures: pass the values as arguments instead");
  static_assert((... && (!std::is_aggregate_v<Args> || std::is_trivially_destructible_v<Args>)),
                "aggregates: give the type a constructor");
  using Value = typename std::invoke_result_t<Call&, Args...>::value_type;
  std::optional<std::string> cancelled;
  std::string failure;
  try {
    if constexpr (std::is_void_v<Value>) {
      co_await std::invoke(call, std::move(args)...);
      co_return Result<Value>();
    } else {
      co_return Result<Value>(co_await std::invoke(call, std::move(args)...));
    }
  } catch (const Cancelled& reason) {
    cancelled = reason.what();
  } catch (...) {
    failure = text_of_current_exception();
  }
  if (cancelled) throw Cancelled(*cancelled);
  co_return Result<Value>(Error(std::move(failure)));
}

}  // namespace parley
