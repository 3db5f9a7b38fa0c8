#include "message/log.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <map>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <parley/message.hpp>
#include <stdexcept>
#include <vector>

#include "language/unicode.hpp"

namespace parley {
namespace {

struct Listeners {
  std::mutex mutex;
  std::map<std::size_t, std::shared_ptr<LogListener::Callback>> callbacks;
  std::size_t next = 1;
  std::array<std::atomic<int>, static_cast<std::size_t>(LogLevel::kOff) + 1> wanting{};  ///< By level.
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

constexpr std::size_t kLongestLine = 4096;  ///< Bytes of a line's text; what is longer is cut.
constexpr std::size_t kLongestWho = 128;

/// Whether a terminal or an editor would obey the character instead of showing it.
bool is_unsafe(std::int32_t value) {
  const auto within = [value](std::int32_t low, std::int32_t high) { return value >= low && value <= high; };
  return value < 0x20 || within(0x7F, 0x9F) || value == 0x61C || within(0x200E, 0x200F) ||
         within(0x2028, 0x202E) || within(0x2066, 0x2069) || value == 0xFEFF;
}

/// One line that shows what it says: bytes that are no text, control characters and those that change the
/// direction of writing are escaped; what is too long is cut.
std::string one_safe_line(std::string_view text, std::size_t longest) {
  std::string out;
  out.reserve(std::min(text.size(), longest));
  for (std::size_t i = 0; i < text.size();) {
    if (out.size() >= longest) return out + "…";
    const unicode::CodePoint here = unicode::decode(text, i);
    if (here.value >= 0 && !is_unsafe(here.value)) {
      out.append(text, i, here.next - i);
    } else if (text[i] == '\n') {
      out += "\\n";
    } else if (here.value > 0x7F) {
      out += fmt::format("\\u{{{:x}}}", here.value);
    } else {
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[i]));
    }
    i = here.next;
  }
  return out;
}

/// Lets each part of the program write so many lines a second, and counts the rest.
class Throttle {
 public:
  enum class Verdict { kWrite, kLast, kDrop };

  void set_limit(int lines) {
    const std::lock_guard lock(mutex_);
    limit_ = lines;
  }

  /// @param dropped  gets how many lines of the seconds before were not written
  Verdict take(std::string_view who, std::uint64_t& dropped) {
    const std::lock_guard lock(mutex_);
    if (limit_ == 0) return Verdict::kWrite;
    const auto second = std::chrono::floor<std::chrono::seconds>(std::chrono::steady_clock::now());
    auto found = parts_.find(who);
    if (found == parts_.end()) {
      if (parts_.size() >= kMostParts) parts_.clear();
      found = parts_.emplace(who, Part()).first;
    }
    Part& part = found->second;
    if (part.second != second) {
      dropped = part.lines > limit_ ? static_cast<std::uint64_t>(part.lines - limit_) : 0;
      part.second = second;
      part.lines = 0;
    }
    ++part.lines;
    if (part.lines < limit_) return Verdict::kWrite;
    return part.lines == limit_ ? Verdict::kLast : Verdict::kDrop;
  }

 private:
  struct Part {
    std::chrono::time_point<std::chrono::steady_clock, std::chrono::seconds> second;
    std::int64_t lines = 0;
  };
  static constexpr std::size_t kMostParts = 1024;

  std::mutex mutex_;
  std::map<std::string, Part, std::less<>> parts_;
  std::int64_t limit_ = kLogLinesPerSecond;
};

Throttle& throttle() {
  static Throttle instance;
  return instance;
}

void write_line(spdlog::level::level_enum level, std::string_view who, std::string_view line) {
  if (target().json) {
    constexpr auto kReplace = Json::error_handler_t::replace;
    logger().log(level, R"("who": {}, "text": {})", Json(who).dump(-1, ' ', false, kReplace),
                 Json(line).dump(-1, ' ', false, kReplace));
  } else {
    logger().log(level, "[{}] {}", who, line);
  }
}

/// What the throttle lets through; debugging is the operator's own wish.
void write_throttled(LogLevel level, std::string_view who, std::string_view line) {
  const auto spd = to_spdlog(level);
  if (!logger().should_log(spd)) return;
  if (level <= LogLevel::kDebug) return write_line(spd, who, line);
  std::uint64_t dropped = 0;
  const auto verdict = throttle().take(who, dropped);
  if (dropped > 0)
    write_line(spdlog::level::warn, who,
               fmt::format("{} lines were not written (logging.max_per_second)", dropped));
  if (verdict == Throttle::Verdict::kDrop) return;
  write_line(spd, who, line);
  if (verdict == Throttle::Verdict::kLast)
    write_line(spdlog::level::warn, who,
               "more lines in this second are counted instead of written (logging.max_per_second)");
}

/// Programs that plugins start don't inherit the log.
spdlog::file_event_handlers closed_on_exec() {
  spdlog::file_event_handlers events;
  events.after_open = [](const spdlog::filename_t&, std::FILE* file) {
    ::fcntl(::fileno(file), F_SETFD, FD_CLOEXEC);
  };
  return events;
}

}  // namespace

void log(LogLevel level, std::string_view who, std::string_view text) {
  auto& heard = listeners();
  if (!logger().should_log(to_spdlog(level)) && !heard.any) return;
  const std::string line = one_safe_line(text, kLongestLine);
  write_throttled(level, one_safe_line(who, kLongestWho), line);
  if (!heard.any) return;
  std::vector<std::shared_ptr<LogListener::Callback>> targets;
  {
    const std::lock_guard lock(heard.mutex);
    for (const auto& [id, callback] : heard.callbacks) targets.push_back(callback);
  }
  for (const auto& target : targets) (*target)(level, who, line);
}

bool is_logged(LogLevel level) {
  if (logger().should_log(to_spdlog(level))) return true;
  const auto& wanting = listeners().wanting;
  return std::any_of(wanting.begin(), wanting.begin() + static_cast<std::ptrdiff_t>(level) + 1,
                     [](const std::atomic<int>& count) { return count > 0; });
}

LogListener::LogListener(Callback callback, LogLevel wanted) : wanted_(wanted) {
  auto& all = listeners();
  ++all.wanting[static_cast<std::size_t>(wanted)];
  const std::lock_guard lock(all.mutex);
  id_ = all.next++;
  all.callbacks.emplace(id_, std::make_shared<Callback>(std::move(callback)));
  all.any = true;
}

LogListener::~LogListener() {
  auto& all = listeners();
  --all.wanting[static_cast<std::size_t>(wanted_)];
  const std::lock_guard lock(all.mutex);
  all.callbacks.erase(id_);
  all.any = !all.callbacks.empty();
}

void set_log_target(const std::string& file, bool json) {
  auto& to = target();
  const auto level = to.logger->level();
  if (!file.empty()) {
    try {
      to.logger = std::make_shared<spdlog::logger>(
          "parley", std::make_shared<spdlog::sinks::basic_file_sink_mt>(file, false, closed_on_exec()));
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

void set_log_limit(int lines_per_second) {
  throttle().set_limit(lines_per_second);
}

void set_log_level(LogLevel level) {
  logger().set_level(to_spdlog(level));
}

}  // namespace parley
