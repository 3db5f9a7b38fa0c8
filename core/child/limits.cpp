#include "child/limits.hpp"

#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include <cerrno>
#include <parley/files.hpp>
#include <sstream>
#include <string_view>
#include <system_error>

#include "child/call_filter.hpp"
#include "child/write_barrier.hpp"

namespace parley::child {
namespace {

std::string reason(int error) {
  return std::generic_category().message(error);
}

/// Bytes of data that this process has: what RLIMIT_DATA counts.
std::size_t data_now() {
  constexpr std::size_t kMost = std::size_t{64} << 10U;
  const auto text = read_file("/proc/self/status", kMost);
  std::istringstream status(text ? *text : std::string());
  for (std::string line; std::getline(status, line);) {
    constexpr std::string_view kKey = "VmData:";
    if (line.starts_with(kKey)) return std::stoull(line.substr(kKey.size())) * 1024;
  }
  return 0;
}

/// Data, not address space: sanitizers and allocators reserve far more of that than they use.
void hold_memory(std::size_t bytes, Unheld& unheld) {
  const rlim_t most = data_now() + bytes;
  const rlimit limit{most, most};
  if (::setrlimit(RLIMIT_DATA, &limit) != 0)
    unheld.push_back(fmt::format("memory: RLIMIT_DATA can't be set ({})", reason(errno)));
}

void hold_open_files(int count, Unheld& unheld) {
  const auto most = static_cast<rlim_t>(count);
  const rlimit limit{most, most};
  if (::setrlimit(RLIMIT_NOFILE, &limit) != 0)
    unheld.push_back(fmt::format("open_files: RLIMIT_NOFILE can't be set ({})", reason(errno)));
}

}  // namespace

Unheld hold_to(const Limits& limits) {
  Unheld unheld;
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  // Neither of what follows is let in without it; and no program gives it more rights than it has.
  ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);  // NOLINT(cppcoreguidelines-pro-type-vararg): as Linux has it
  if (limits.open_files) hold_open_files(*limits.open_files, unheld);
  if (!limits.writes_anywhere) {
    if (const std::string why = allow_writes_only_in(limits.writes); !why.empty())
      unheld.push_back("writes: " + why);
  }
  if (limits.memory) hold_memory(*limits.memory, unheld);
  if (!limits.network || !limits.processes) {
    if (const std::string why = filter_calls(limits.network, limits.processes); !why.empty())
      unheld.push_back((limits.network ? "programs: " : "network: ") + why);
  }
  return unheld;
}

}  // namespace parley::child
