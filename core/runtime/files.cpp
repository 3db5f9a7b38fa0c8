#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <parley/files.hpp>
#include <system_error>

namespace parley {
namespace {

Error failed_read(int number) {
  return Error(fmt::format("can't be read: {}", std::generic_category().message(number)));
}

const char* kind_of_file(mode_t mode) {
  switch (mode & S_IFMT) {
    case S_IFDIR:
      return "a directory";
    case S_IFIFO:
      return "a pipe";
    case S_IFSOCK:
      return "a socket";
    default:
      return "a device";
  }
}

/// An open file, or why there is none.
class Opened {
 public:
  // Without waiting: opening a pipe would, for its writer.
  explicit Opened(const std::filesystem::path& file)
      : descriptor_(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)) {
    if (file.native().find('\0') != std::string::npos) {
      error_ = "has a NUL in its name";
    } else if (descriptor_ < 0 || ::fstat(descriptor_, &status_) != 0) {
      error_ = failed_read(errno).message;
    } else if (!S_ISREG(status_.st_mode)) {
      error_ = fmt::format("is {}, not a regular file", kind_of_file(status_.st_mode));
    }
  }
  ~Opened() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  Opened(const Opened&) = delete;
  Opened& operator=(const Opened&) = delete;

  int descriptor() const noexcept { return descriptor_; }
  const std::string& error() const noexcept { return error_; }
  std::size_t size() const noexcept { return static_cast<std::size_t>(status_.st_size); }

 private:
  int descriptor_;
  struct stat status_ {};
  std::string error_;
};

}  // namespace

Result<void> check_regular_file(const std::filesystem::path& file) {
  const Opened opened(file);
  if (!opened.error().empty()) return Error(opened.error());
  return {};
}

Result<std::string> read_file(const std::filesystem::path& file, std::size_t limit) {
  const Opened opened(file);
  if (!opened.error().empty()) return Error(opened.error());
  std::string text(std::min(opened.size(), limit) + 1, '\0');  // a byte more shows that there is no more
  std::size_t have = 0;
  while (true) {
    const auto count = ::read(opened.descriptor(), text.data() + have, text.size() - have);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return failed_read(errno);
    if (count == 0) break;
    have += static_cast<std::size_t>(count);
    if (have > limit) return Error(fmt::format("has more than {} bytes", limit));
    // A start reads thousands of files: what is as long as it says, and no longer, is not asked again.
    if (have == opened.size() && have < text.size()) break;
    if (have == text.size()) text.resize(have * 2);  // it grew meanwhile, or says no size
  }
  text.resize(have);
  return text;
}

}  // namespace parley
