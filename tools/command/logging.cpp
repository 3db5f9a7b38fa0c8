#include "logging.hpp"

#include <algorithm>
#include <iterator>
#include <sstream>

#include "message/log.hpp"

namespace parley::command {

const std::vector<std::string>& log_level_names() {
  static const std::vector<std::string> kNames = [] {
    std::istringstream words(kLogLevelNames);
    return std::vector<std::string>(std::istream_iterator<std::string>(words), {});
  }();
  return kNames;
}

namespace {

LogLevel level_of(std::string_view name) {
  const auto& names = log_level_names();
  return static_cast<LogLevel>(std::find(names.begin(), names.end(), name) - names.begin());
}

}  // namespace

void set_log_level_by_name(std::string_view name) {
  set_log_level(level_of(name));
}

void silence_log() {
  set_log_level(LogLevel::kOff);
}

struct LogWatch::Listener {
  Listener(LogLevel least, Callback callback)
      : real(
            [least, callback = std::move(callback)](LogLevel level, std::string_view who,
                                                    std::string_view text) {
              if (level >= least) callback(level == LogLevel::kError, who, text);
            },
            least) {}
  LogListener real;
};

LogWatch::LogWatch(std::string_view level, Callback callback)
    : listener_(std::make_unique<Listener>(level_of(level), std::move(callback))) {}
LogWatch::~LogWatch() = default;

}  // namespace parley::command
