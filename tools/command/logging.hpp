#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace parley::command {

/// The names `--log-level` takes.
const std::vector<std::string>& log_level_names();

/// Lines below this level go nowhere. `name` is one of log_level_names().
void set_log_level_by_name(std::string_view name);
/// Nothing goes to stderr; a LogWatch still sees everything.
void silence_log();

/// Sees the log from a level on while it lives, beside the real log. Called from any thread.
class LogWatch {
 public:
  using Callback = std::function<void(bool is_error, std::string_view who, std::string_view text)>;
  /// @param level  one of log_level_names()
  LogWatch(std::string_view level, Callback callback);
  ~LogWatch();
  LogWatch(const LogWatch&) = delete;
  LogWatch& operator=(const LogWatch&) = delete;

 private:
  struct Listener;
  std::unique_ptr<Listener> listener_;
};

}  // namespace parley::command
