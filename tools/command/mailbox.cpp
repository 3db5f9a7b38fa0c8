#include "mailbox.hpp"

#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <system_error>

namespace parley::command {

Mailbox::Mailbox() : descriptor_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  if (descriptor_ < 0) throw std::system_error(errno, std::generic_category(), "eventfd");
}

Mailbox::~Mailbox() {
  ::close(descriptor_);
}

void Mailbox::put(Event event) {
  {
    const std::lock_guard lock(mutex_);
    events_.push_back(std::move(event));
  }
  // Fails only when the counter is full, and then the descriptor is readable anyway.
  const std::uint64_t one = 1;
  [[maybe_unused]] const auto written = ::write(descriptor_, &one, sizeof(one));
}

std::vector<Event> Mailbox::take() {
  std::uint64_t count = 0;
  [[maybe_unused]] const auto consumed = ::read(descriptor_, &count, sizeof(count));
  const std::lock_guard lock(mutex_);
  return std::exchange(events_, {});
}

}  // namespace parley::command
