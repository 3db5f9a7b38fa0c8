#include "child/probe.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <functional>
#include <system_error>
#include <thread>

#include "child/group.hpp"
#include "child/limits.hpp"

namespace parley::child {
namespace {

namespace fs = std::filesystem;

/// What a probe's process has to say: empty, or why the limit does not hold.
using Trial = std::function<std::string()>;

/// Runs a trial in a process of its own and gives what it says.
/// @param ready  called here with its id before it begins
std::string in_process(const Trial& trial, const std::function<void(pid_t)>& ready = nullptr) {
  std::array<int, 2> says{}, begins{};
  if (::pipe2(says.data(), O_CLOEXEC) != 0 || ::pipe2(begins.data(), O_CLOEXEC) != 0)
    return "no pipe is left";
  const pid_t id = ::fork();
  if (id < 0) return "no process can be started";
  if (id == 0) {
    char go = 0;
    ::close(begins[1]);
    static_cast<void>(!::read(begins[0], &go, 1));
    const std::string said = trial();
    static_cast<void>(!::write(says[1], said.data(), said.size()));
    ::_exit(0);
  }
  ::close(says[1]);
  if (ready) ready(id);
  ::close(begins[0]);
  ::close(begins[1]);
  std::string said;
  std::array<char, 512> part{};
  for (ssize_t got = 0; (got = ::read(says[0], part.data(), part.size())) > 0;)
    said.append(part.data(), static_cast<std::size_t>(got));
  ::close(says[0]);
  int status = 0;
  ::waitpid(id, &status, 0);
  return WIFSIGNALED(status) ? fmt::format("whoever tries it dies of signal {}", WTERMSIG(status)) : said;
}

Probed tried(const char* limit, const char* by, const Limits& limits, const Trial& trial) {
  const std::string why = in_process([&] {
    const Unheld unheld = hold_to(limits);
    if (!unheld.empty()) return unheld.front().substr(unheld.front().find(": ") + 2);
    return trial();
  });
  return {limit, why.empty(), why.empty() ? by : why};
}

std::string try_to_eat() {
  constexpr std::size_t kMeal = std::size_t{256} << 20U;
  // Not by operator new: an allocator may have its own idea of what to do then.
  void* const eaten = ::mmap(nullptr, kMeal, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (eaten == MAP_FAILED) return "";
  ::munmap(eaten, kMeal);
  return "more can be taken all the same";
}

std::string try_to_open_many() {
  for (int i = 0; i < 64; ++i)
    if (::open("/dev/null", O_RDONLY | O_CLOEXEC) < 0) return "";
  return "more can be opened all the same";
}

std::string try_to_connect() {
  for (const int family : {AF_INET, AF_INET6, AF_UNIX})
    if (::socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0) >= 0) return "a socket can be opened all the same";
  return "";
}

std::string try_to_start_programs() {
  if (::kill(::getppid(), 0) == 0) return "parley can be signalled all the same";
  const pid_t child = ::fork();
  if (child == 0) ::_exit(0);
  if (child > 0) return "a process can be started all the same";
  try {
    std::thread([] {}).join();
  } catch (const std::system_error& error) {
    return fmt::format("threads can't start, either ({})", error.what());
  }
  return "";
}

std::string try_to_write(const fs::path& allowed, const fs::path& other) {
  const auto makes = [](const fs::path& file) {
    const int id = ::open(file.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    if (id >= 0) ::close(id);
    return id >= 0;
  };
  if (makes(other / "probe")) return "files can be made all the same";
  return makes(allowed / "probe") ? "" : "files can't be made where they may be, either";
}

Probed try_writes() {
  std::string name = (fs::temp_directory_path() / "parley-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) return {"writes", false, "no folder can be made to try it in"};
  const fs::path folder(name);
  fs::create_directory(folder / "allowed");
  Limits limits;
  limits.writes_anywhere = false;
  limits.writes = {folder / "allowed"};
  Probed probed =
      tried("writes", "Landlock", limits, [&] { return try_to_write(folder / "allowed", folder); });
  std::error_code ignored;
  fs::remove_all(folder, ignored);
  return probed;
}

/// Takes that much of a processor's time.
void take_time(std::chrono::milliseconds time) {
  const auto used = [] {
    timespec now{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
  };
  for (const auto until = used() + time; used() < until;) {
  }
}

Probed try_cpu() {
  Limits limits;
  limits.cpu = 0.1;
  auto made = Group::make(limits);
  if (const auto* const why = std::get_if<std::string>(&made)) return {"cpu", false, *why};
  const auto& group = std::get<std::unique_ptr<Group>>(made);
  bool is_in = false;
  const auto began = std::chrono::steady_clock::now();
  in_process(
      [] {
        take_time(std::chrono::milliseconds(60));
        return std::string();
      },
      [&](pid_t id) { is_in = group->add(id); });
  if (!is_in) return {"cpu", false, fmt::format("no process can be put into {}", group->folder().string())};
  const bool slowed = std::chrono::steady_clock::now() - began > std::chrono::milliseconds(250);
  return {"cpu", slowed, slowed ? "control group" : "the control group does not slow it"};
}

}  // namespace

std::vector<Probed> probe_limits() {
  std::vector<Probed> all;
  Limits memory, files, network, programs;
  memory.memory = std::size_t{64} << 20U;
  files.open_files = 32;
  network.network = false;
  programs.processes = false;
  all.push_back(tried("memory", "RLIMIT_DATA", memory, try_to_eat));
  all.push_back(try_cpu());
  all.push_back(tried("open_files", "RLIMIT_NOFILE", files, try_to_open_many));
  all.push_back(tried("network", "seccomp", network, try_to_connect));
  all.push_back(tried("programs", "seccomp", programs, try_to_start_programs));
  all.push_back(try_writes());
  return all;
}

}  // namespace parley::child
