#include "child/group.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <optional>
#include <parley/files.hpp>
#include <sstream>
#include <system_error>
#include <utility>

namespace parley::child {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kBeginsWith = std::size_t{128} << 20U;  ///< Bytes that a child takes without its skill.
constexpr int kPeriodMicroseconds = 100'000;

/// Nothing: done; else the error.
int write_into(const fs::path& file, const std::string& text) {
  const int to = ::open(file.c_str(), O_WRONLY | O_CLOEXEC);
  if (to < 0) return errno;
  const auto written = ::write(to, text.data(), text.size());
  const int error = written < 0 ? errno : 0;
  ::close(to);
  return error;
}

/// Of a file that the kernel writes; empty where there is none.
std::string text_of(const fs::path& file) {
  constexpr std::size_t kMost = std::size_t{1} << 20U;
  auto text = read_file(file, kMost);
  return text ? std::move(*text) : std::string();
}

bool has_word(const std::string& words, const std::string& wanted) {
  std::istringstream from(words);
  for (std::string word; from >> word;)
    if (word == wanted) return true;
  return false;
}

/// Where version 2 is mounted; nothing: nowhere.
std::optional<fs::path> mounted_at() {
  std::istringstream mounts(text_of("/proc/self/mountinfo"));
  for (std::string line; std::getline(mounts, line);) {
    if (line.find(" - cgroup2 ") == std::string::npos) continue;
    std::istringstream from(line);
    std::string field;
    for (int i = 0; i < 5; ++i) from >> field;
    return field;
  }
  return std::nullopt;
}

/// The group of this process; nothing: it is in none.
std::optional<fs::path> own_group() {
  const auto root = mounted_at();
  std::istringstream groups(text_of("/proc/self/cgroup"));
  for (std::string line; root && std::getline(groups, line);)
    if (line.starts_with("0::/")) return *root / line.substr(4);
  return std::nullopt;
}

/// The process that supervises this one (`serve --supervise`); nothing: none does.
std::optional<pid_t> supervisor() {
  std::error_code unknown;
  const auto program = fs::read_symlink("/proc/self/exe", unknown);
  const auto parents = fs::read_symlink(fmt::format("/proc/{}/exe", ::getppid()), unknown);
  return !unknown && program == parents ? std::optional(::getppid()) : std::nullopt;
}

/// Lets groups beneath this one have those controllers. Where it has processes of its own, which the kernel
/// doesn't want beside groups, this process goes one down, and who supervises it does, too.
int enable(const fs::path& group, const std::string& controllers) {
  int error = write_into(group / "cgroup.subtree_control", controllers);
  if (error != EBUSY) return error;
  const fs::path down = group / "parley";
  std::error_code ignored;
  fs::create_directory(down, ignored);
  error = write_into(down / "cgroup.procs", "0");
  if (const auto above = supervisor(); above && error == 0)
    error = write_into(down / "cgroup.procs", std::to_string(*above));
  return error != 0 ? error : write_into(group / "cgroup.subtree_control", controllers);
}

std::string why_not(const std::string& what, int error) {
  return fmt::format("{} ({})", what, std::generic_category().message(error));
}

}  // namespace

std::variant<std::unique_ptr<Group>, std::string> Group::make(const Limits& limits) {
  static std::atomic<int> count{0};
  static const auto kOwn = own_group();  // as it was before enable() moved this process
  const auto& above = kOwn;
  if (!above) return "control groups of version 2 are not mounted";
  const std::string there = text_of(*above / "cgroup.controllers");
  std::string wanted;
  using Wish = std::pair<const char*, bool>;
  for (const auto& [name, is_wanted] :
       std::array{Wish("cpu", limits.cpu.has_value()), Wish("memory", limits.memory.has_value())}) {
    if (!is_wanted) continue;
    if (!has_word(there, name))
      return fmt::format("{} has no controller '{}'", (*above / "cgroup.controllers").string(), name);
    wanted += fmt::format("{}+{}", wanted.empty() ? "" : " ", name);
  }
  if (const int error = enable(*above, wanted); error != 0)
    return why_not(fmt::format("{} can't be given to groups beneath {}", wanted, above->string()), error);
  const fs::path folder = *above / fmt::format("parley-{}-{}", ::getpid(), ++count);
  std::error_code unmade;
  if (!fs::create_directory(folder, unmade))
    return why_not(folder.string() + " can't be made", unmade.value());
  std::unique_ptr<Group> group(new Group(folder));
  int error = 0;
  if (limits.cpu)
    error = write_into(
        folder / "cpu.max",
        fmt::format("{} {}", static_cast<long>(*limits.cpu * kPeriodMicroseconds), kPeriodMicroseconds));
  if (error == 0 && limits.memory)
    error = write_into(folder / "memory.max", std::to_string(*limits.memory + kBeginsWith));
  if (error != 0) return why_not("the limits of " + folder.string() + " can't be set", error);
  return group;
}

Group::~Group() {
  ::rmdir(folder_.c_str());
}

bool Group::add(pid_t process) const {
  return write_into(folder_ / "cgroup.procs", std::to_string(process)) == 0;
}

}  // namespace parley::child
