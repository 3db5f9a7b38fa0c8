#include "runtime/random_id.hpp"

#include <sys/random.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <system_error>

namespace parley {
namespace {

constexpr std::size_t kIdBytes = 16;

/// What the kernel gave and nobody has used yet: a system call for each id would cost more than the id.
struct Stock {
  std::array<unsigned char, 4096> bytes{};
  std::size_t used = sizeof bytes;
};

void refill(Stock& stock) {
  std::size_t filled = 0;
  while (filled < stock.bytes.size()) {
    const auto got = ::getrandom(stock.bytes.data() + filled, stock.bytes.size() - filled, 0);
    if (got < 0 && errno != EINTR)
      throw std::system_error(errno, std::generic_category(), "the kernel gave no random bytes");
    if (got > 0) filled += static_cast<std::size_t>(got);
  }
  stock.used = 0;
}

}  // namespace

std::string random_id() {
  static constexpr char kDigits[] = "0123456789abcdef";
  thread_local Stock stock;
  if (stock.used + kIdBytes > stock.bytes.size()) refill(stock);
  std::string id;
  id.reserve(2 * kIdBytes);
  for (std::size_t i = 0; i < kIdBytes; ++i) {
    unsigned char& byte = stock.bytes[stock.used++];
    id.push_back(kDigits[byte >> 4U]);
    id.push_back(kDigits[byte & 0xFU]);
    byte = 0;  // what was given away is not kept
  }
  return id;
}

}  // namespace parley
