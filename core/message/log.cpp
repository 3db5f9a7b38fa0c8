#include "message/log.hpp"

#include <fmt/format.h>
#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <atomic>
#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <parley/message.hpp>
#include <stdexcept>
#include <vector>

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

constexpr const char* kTextPattern = "%Y-%m-%dT%H:%M:%S.%e %^%l%$ %v";
constexpr const char* kJsonPattern = R"({"time": "%Y-%m-%dT%H:%M:%S.%e%z", "level": "%l", %v})";

/// Of a log that can't be written (a full disk), one line a minute is told of.
void tell_of_lost_line(const std::string& why) {
  using Clock = std::chrono::steady_clock;
  static std::atomic<Clock::rep> last{(Clock::now() - std::chrono::minutes(1)).time_since_epoch().count()};
  const auto now = Clock::now().time_since_epoch().count();
  auto before = last.load();
  constexpr auto kMinute = std::chrono::duration_cast<Clock::duration>(std::chrono::minutes(1)).count();
  if (now - before < kMinute || !last.compare_exchange_strong(before, now)) return;
  fmt::print(stderr, "parley: a line of the log is lost: {}\n", why);
}

struct Target {
  Target() : logger(spdlog::stderr_color_mt("parley")) {
    logger->set_pattern(kTextPattern);
    logger->set_level(spdlog::level::warn);
  }
  std::shared_ptr<spdlog::logger> logger;
  bool json = false;
};

Target& target() {
  static Target instance;
  return instance;
}

spdlog::logger& logger() {
  return *target().logger;
}

spdlog::level::level_enum to_spdlog(LogLevel level) {
  switch (level) {
    case LogLevel::kTrace:
      return spdlog::level::trace;
    case LogLevel::kDebug:
      return spdlog::level::debug;
    case LogLevel::kInfo:
      return spdlog::level::info;
    case LogLevel::kWarning:
      return spdlog::level::warn;
    case LogLevel::kError:
      return spdlog::level::err;
    case LogLevel::kOff:
      return spdlog::level::off;
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
  if (target().json) {
    constexpr auto kReplace = Json::error_handler_t::replace;
    logger().log(spd, R"("who": {}, "text": {})", Json(who).dump(-1, ' ', false, kReplace),
                 Json(line).dump(-1, ' ', false, kReplace));
  } else {
    logger().log(spd, "[{}] {}", who, line);
  }
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

void set_log_target(const std::string& file, bool json) {
  auto& to = target();
  const auto level = to.logger->level();
  if (!file.empty()) {
    try {
      to.logger = std::make_shared<spdlog::logger>("parley",
                                                   std::make_shared<spdlog::sinks::basic_file_sink_mt>(file));
    } catch (const spdlog::spdlog_ex& error) {
      throw std::runtime_error(fmt::format("the log file '{}' can't be written: {}", file, error.what()));
    }
    to.logger->flush_on(spdlog::level::trace);
    to.logger->set_level(level);
    to.logger->set_error_handler(&tell_of_lost_line);
  }
  to.json = json;
  to.logger->set_pattern(json ? kJsonPattern : kTextPattern);
}

void set_log_level(LogLevel level) {
  logger().set_level(to_spdlog(level));
}

}  // namespace parley
