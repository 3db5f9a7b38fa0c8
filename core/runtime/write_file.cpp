#include "runtime/write_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <stdexcept>
#include <string>
#include <system_error>

namespace parley {
namespace {

[[noreturn]] void fail_to_write(const std::filesystem::path& file, const char* doing) {
  throw std::runtime_error(
      fmt::format("{}: {} failed: {}", file.string(), doing, std::generic_category().message(errno)));
}

/// Removes the unfinished file unless it has taken the other's place.
class Draft {
 public:
  explicit Draft(const std::filesystem::path& target)
      : target_(target),
        name_(target.string() + ".XXXXXX"),
        descriptor_(::mkostemp(name_.data(), O_CLOEXEC)) {
    if (descriptor_ < 0) fail_to_write(target_, "writing beside it");
  }
  ~Draft() {
    if (descriptor_ >= 0) ::close(descriptor_);
    if (!done_) ::unlink(name_.c_str());
  }
  Draft(const Draft&) = delete;
  Draft& operator=(const Draft&) = delete;

  void write(std::string_view text) {
    while (!text.empty()) {
      const auto written = ::write(descriptor_, text.data(), text.size());
      if (written < 0 && errno != EINTR) fail_to_write(target_, "writing");
      if (written > 0) text.remove_prefix(static_cast<std::size_t>(written));
    }
  }

  void put_in_place() {
    struct stat old {};
    const bool was_there = ::stat(target_.c_str(), &old) == 0;
    if (was_there && ::fchmod(descriptor_, old.st_mode & 07777U) != 0)
      fail_to_write(target_, "keeping its mode");
    if (::fsync(descriptor_) != 0) fail_to_write(target_, "writing");
    if (::rename(name_.c_str(), target_.c_str()) != 0) fail_to_write(target_, "replacing it");
    done_ = true;
  }

 private:
  std::filesystem::path target_;
  std::string name_;
  int descriptor_;
  bool done_ = false;
};

}  // namespace

void write_file(const std::filesystem::path& file, std::string_view text) {
  std::error_code unresolved;
  const auto target = std::filesystem::canonical(file, unresolved);
  Draft draft(unresolved ? file : target);
  draft.write(text);
  draft.put_in_place();
}

}  // namespace parley
