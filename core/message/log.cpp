#include "message/log.hpp"

#include <fmt/format.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <atomic>
#include <map>
#include <memory>
#include <mutex>

namespace parley {
namespace {

struct Listeners {
  std::mutex mutex;
  std::map<std::size_t, std::shared_ptr<LogListener::Callback>> callbacks;
  std::size_t next = 1;
  std::atomic<bool> any{false};
};

Listeners& listeners() {
  static Listeners instance;
  return instance;
}

spdlog::logger& logger() {
  static const auto instance = [] {
    auto made = spdlog::stderr_color_mt("parley");
    made->set_pattern("%Y-%m-%dT%H:%M:%S.%e %^%l%$ %v");
    made->set_level(spdlog::level::info);
    return made;
  }();
  return *instance;
}

spdlog::level::level_enum to_spdlog(LogLevel level) {
  switch (level) {
    case LogLevel::kTrace: return spdlog::level::trace;
    case LogLevel::kDebug: return spdlog::level::debug;
    case LogLevel::kInfo: return spdlog::level::info;
    case LogLevel::kWarning: return spdlog::level::warn;
    case LogLevel::kError: return spdlog::level::err;
    case LogLevel::kOff: return spdlog::level::off;
  }
  return spdlog::level::err;
}

std::string escaped(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte != 0x7f) {
      out.push_back(c);
    } else {
      out += c == '\n' ? std::string("\\n") : fmt::format("\\x{:02x}", byte);
    }
  }
  return out;
}

}  // namespace

void log(LogLevel level, std::string_view who, std::string_view text) {
  const auto spd = to_spdlog(level);
  auto& heard = listeners();
  if (!logger().should_log(spd) && !heard.any) return;
  const std::string line = escaped(text);
  logger().log(spd, "[{}] {}", who, line);
  if (!heard.any) return;
  std::vector<std::shared_ptr<LogListener::Callback>> targets;
  {
    const std::lock_guard lock(heard.mutex);
    for (const auto& [id, callback] : heard.callbacks) targets.push_back(callback);
  }
  for (const auto& target : targets) (*target)(level, who, line);
}

LogListener::LogListener(Callback callback) {
  auto& all = listeners();
  const std::lock_guard lock(all.mutex);
  id_ = all.next++;
  all.callbacks.emplace(id_, std::make_shared<Callback>(std::move(callback)));
  all.any = true;
}

LogListener::~LogListener() {
  auto& all = listeners();
  const std::lock_guard lock(all.mutex);
  all.callbacks.erase(id_);
  all.any = !all.callbacks.empty();
}

void set_log_level(LogLevel level) { logger().set_level(to_spdlog(level)); }

}  // namespace parley
