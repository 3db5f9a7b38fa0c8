#include "logging.hpp"

#include "message/log.hpp"

namespace parley::command {

const std::vector<std::string>& log_level_names() {
  static const std::vector<std::string> names{"debug", "info", "warning", "error"};
  return names;
}

void set_log_level_by_name(std::string_view name) {
  if (name == "debug") return set_log_level(LogLevel::kDebug);
  if (name == "info") return set_log_level(LogLevel::kInfo);
  set_log_level(name == "warning" ? LogLevel::kWarning : LogLevel::kError);
}

struct LogWatch::Listener {
  explicit Listener(Callback callback)
      : real([callback = std::move(callback)](LogLevel level, std::string_view who, std::string_view text) {
          if (level >= LogLevel::kWarning) callback(level == LogLevel::kError, who, text);
        }) {}
  LogListener real;
};

LogWatch::LogWatch(Callback callback) : listener_(std::make_unique<Listener>(std::move(callback))) {}
LogWatch::~LogWatch() = default;

}  // namespace parley::command
