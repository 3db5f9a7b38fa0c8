#pragma once

#include <optional>
#include <string>
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

}  // namespace parley
