#include "beside.hpp"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>
#include <utility>

namespace parley::command {

Beside::Beside(int descriptor, Heard heard)
    : descriptor_(descriptor), over_(::eventfd(0, EFD_CLOEXEC)), heard_(std::move(heard)) {
  if (over_ < 0) throw std::system_error(errno, std::generic_category(), "eventfd");
  thread_ = std::thread([this] { read(); });
}

Beside::~Beside() {
  ::eventfd_write(over_, 1);
  thread_.join();
  ::close(over_);
  ::close(descriptor_);
}

void Beside::read() {
  std::string rest;
  std::array<char, 4096> part{};
  for (;;) {
    std::array<pollfd, 2> watched{{{descriptor_, POLLIN, 0}, {over_, POLLIN, 0}}};
    if (::poll(watched.data(), watched.size(), -1) < 0 && errno != EINTR) return;
    if (watched[1].revents != 0) return;
    if (watched[0].revents == 0) continue;
    const auto got = ::read(descriptor_, part.data(), part.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return;
    rest.append(part.data(), static_cast<std::size_t>(got));
    for (auto end = rest.find('\n'); end != std::string::npos; end = rest.find('\n')) {
      heard_(rest.substr(0, end));
      rest.erase(0, end + 1);
    }
  }
}

}  // namespace parley::command
