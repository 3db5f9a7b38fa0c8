#include "bus/bus.hpp"

#include <doctest/doctest.h>
#include <malloc.h>

#include "runtime/timers.hpp"

using namespace parley;

namespace {

std::size_t heap_held() {
  return ::mallinfo2().uordblks;
}

}  // namespace

TEST_CASE("bus: a subscription that has ended leaves nothing behind, though nobody is told of anything") {
  JumpingClock clock;
  Timers timers(clock);
  Bus bus(timers);
  const auto some = [&] {
    const Subscription leaving = bus.presence().on_leave([](const std::string&) {});
    const Subscription arriving = bus.presence().on_arrive([](const std::string&) {});
    const Subscription topic = bus.subscribe("a.topic", [](const Message&) {});
    const Subscription prefix = bus.subscribe("a.*", [](const Message&) {});
    const Subscription all = bus.subscribe("*", [](const Message&) {});
  };
  for (int i = 0; i < 1000; ++i) some();
  const std::size_t before = heap_held();
  for (int i = 0; i < 10'000; ++i) some();
  CHECK(heap_held() < before + 100'000);
}
