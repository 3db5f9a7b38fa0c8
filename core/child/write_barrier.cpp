#include "child/write_barrier.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/landlock.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <system_error>

namespace parley::child {
namespace {

constexpr std::uint64_t kTruncate = std::uint64_t{1} << 14U;  ///< From the third version on.

std::string failed(const char* what, int error) {
  return fmt::format("{} ({})", what, std::generic_category().message(error));
}

/// All that changes something.
std::uint64_t writes_of(long version) {
  std::uint64_t all = LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR |
                      LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_CHAR |
                      LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG |
                      LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO |
                      LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM;
  if (version >= 2) all |= std::uint64_t{1} << 13U;  // REFER: from folder to folder
  if (version >= 3) all |= kTruncate;
  return all;
}

class Ruleset {
 public:
  explicit Ruleset(std::uint64_t handled) : handled_(handled) {
    landlock_ruleset_attr attributes{};
    attributes.handled_access_fs = handled;
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-vararg): glibc has no function for these
    id_ = static_cast<int>(::syscall(SYS_landlock_create_ruleset, &attributes, sizeof attributes, 0));
  }
  ~Ruleset() {
    if (id_ >= 0) ::close(id_);
  }
  Ruleset(const Ruleset&) = delete;
  Ruleset& operator=(const Ruleset&) = delete;

  bool is_there() const noexcept { return id_ >= 0; }

  bool allow(const std::filesystem::path& path, std::uint64_t what) const {
    const int folder = ::open(path.c_str(), O_PATH | O_CLOEXEC);
    if (folder < 0) return false;
    landlock_path_beneath_attr rule{};
    rule.allowed_access = what & handled_;
    rule.parent_fd = folder;
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-vararg)
    const auto added = ::syscall(SYS_landlock_add_rule, id_, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
    const int error = errno;
    ::close(folder);
    errno = error;
    return added == 0;
  }

  bool hold() const {
    return ::syscall(SYS_landlock_restrict_self, id_, 0) == 0;  // NOLINT(cppcoreguidelines-pro-type-vararg)
  }

 private:
  const std::uint64_t handled_;
  int id_ = -1;
};

}  // namespace

std::string allow_writes_only_in(const std::vector<std::filesystem::path>& folders) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-vararg)
  const long version = ::syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
  if (version < 1) return failed("the kernel has no Landlock", errno);
  const std::uint64_t writes = writes_of(version);
  const Ruleset rules(writes);
  if (!rules.is_there()) return failed("the kernel takes no rules of Landlock", errno);
  rules.allow("/dev/null", LANDLOCK_ACCESS_FS_WRITE_FILE | kTruncate);
  std::string missing;
  for (const auto& folder : folders) {
    if (!rules.allow(folder, writes))
      missing =
          failed(fmt::format("{} can't be written to: it can't be opened", folder.string()).c_str(), errno);
  }
  return rules.hold() ? missing : failed("the rules of Landlock can't be held to", errno);
}

}  // namespace parley::child
