#include "start_up.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <system_error>

#include "memory.hpp"
#include "prepared.hpp"
#include "terminal.hpp"

namespace parley::bench {
namespace {

using SteadyTime = std::chrono::steady_clock;

double milliseconds_since(SteadyTime::time_point begin) {
  return std::chrono::duration<double, std::milli>(SteadyTime::now() - begin).count();
}

struct Start {
  Start() = default;
  double total_ms = 0;                 ///< From asking for the process until it said that it is ready.
  double program_ms = 0;               ///< Of these, after the program was loaded and linked.
  double resident = 0, anonymous = 0;  ///< MiB
};

/// Both ends of a pipe.
class Pipe {
 public:
  Pipe() {
    if (::pipe2(ends_.data(), O_CLOEXEC) != 0)
      throw std::system_error(errno, std::generic_category(), "pipe");
  }
  ~Pipe() {
    ::close(ends_[0]);
    close_writing();
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  int writing() const noexcept { return ends_[1]; }
  void close_writing() noexcept {
    if (ends_[1] >= 0) ::close(ends_[1]);
    ends_[1] = -1;
  }
  /// Up to the first line end, or all there is.
  std::string line() const {
    std::string text;
    for (char c = 0; ::read(ends_[0], &c, 1) == 1 && c != '\n';) text.push_back(c);
    return text;
  }

 private:
  std::array<int, 2> ends_{-1, -1};
};

pid_t spawn(const std::string& program, int standard_output) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, standard_output, STDOUT_FILENO);
  std::string name = program, option = "--start-only";
  const std::array<char*, 3> arguments{name.data(), option.data(), nullptr};
  pid_t child = 0;
  const int failed = ::posix_spawn(&child, program.c_str(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) throw std::system_error(failed, std::generic_category(), "starting " + program);
  return child;
}

Start start_once(const std::string& program) {
  Pipe pipe;
  const auto begin = SteadyTime::now();
  const pid_t child = spawn(program, pipe.writing());
  pipe.close_writing();
  const std::string line = pipe.line();
  Start start;
  start.total_ms = milliseconds_since(begin);
  int status = 0;
  ::waitpid(child, &status, 0);
  std::istringstream words(line);
  std::string ready;
  const bool told =
      static_cast<bool>(words >> ready >> start.program_ms >> start.resident >> start.anonymous);
  if (told && ready == "ready" && WIFEXITED(status) && WEXITSTATUS(status) == 0) return start;
  throw std::runtime_error(
      fmt::format("`{} --start-only` did not start and end well (status {}): '{}'", program, status, line));
}

double median(std::vector<Start>& starts, double Start::*figure) {
  std::sort(starts.begin(), starts.end(),
            [=](const Start& a, const Start& b) { return a.*figure < b.*figure; });
  return starts[starts.size() / 2].*figure;
}

}  // namespace

void start_up(const Options& options, Report& report) {
  const std::string program = std::filesystem::read_symlink("/proc/self/exe").string();
  std::vector<Start> starts;
  starts.reserve(static_cast<std::size_t>(options.starts));
  for (int i = 0; i < options.starts; ++i) starts.push_back(start_once(program));

  Figure memory("resident_at_ready", median(starts, &Start::resident), "MiB");
  memory.remark =
      fmt::format("{:.1f} MiB of it its own, the rest files it maps", median(starts, &Start::anonymous));
  memory.target = Target::at_most(40, "ICU's data and the libraries, which are mapped files");
  const double program_ms = median(starts, &Start::program_ms);
  Figure time("start_up", median(starts, &Start::total_ms), "ms");
  time.remark = fmt::format("median of {} processes, slowest {:.1f} ms; {:.1f} ms after main() began",
                            starts.size(), starts.back().total_ms, program_ms);
  time.target = Target::at_most(150, "the dynamic linker, and locale files of every skill");
  report.add(time);
  report.add(memory);
}

void start_only() {
  const auto begin = SteadyTime::now();
  const auto assistant = make_assistant();
  start_at_once(*assistant);
  const double took = milliseconds_since(begin);
  const auto figures = memory();
  command::print(fmt::format("ready {} {} {}\n", took, figures.at("Rss"), figures.at("Anonymous")));
}

}  // namespace parley::bench
