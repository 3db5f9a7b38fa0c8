#include "plugin/private_copy.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <parley/files.hpp>
#include <system_error>
#include <utility>

#include "plugin/error.hpp"

namespace parley {
namespace {

constexpr std::size_t kLargestLibrary = std::size_t{1} << 30U;

bool write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const auto written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

}  // namespace

PrivateCopy::PrivateCopy(const std::filesystem::path& file) {
  const auto bytes = read_file(file, kLargestLibrary);
  if (!bytes) throw PluginError(file, bytes.error().message);
  descriptor_ = ::memfd_create(file.filename().c_str(), MFD_CLOEXEC);
  if (descriptor_ >= 0 && write_all(descriptor_, *bytes)) return;
  const std::string why = std::generic_category().message(errno);
  if (descriptor_ >= 0) ::close(descriptor_);
  throw PluginError(file, fmt::format("can't be copied into memory: {}", why));
}

PrivateCopy::~PrivateCopy() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

PrivateCopy::PrivateCopy(PrivateCopy&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

PrivateCopy& PrivateCopy::operator=(PrivateCopy&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

std::filesystem::path PrivateCopy::path() const {
  return fmt::format("/proc/self/fd/{}", descriptor_);
}

}  // namespace parley
