#pragma once

#include <string>
#include <string_view>

#include "bus/bus.hpp"
#include "bus/inlet.hpp"

namespace parley::testing {

/// A peer whose messages go straight onto the bus.
class BusInlet {
 public:
  BusInlet(Bus& bus, std::string origin) : bus_(bus), inlet_(bus.timers(), std::move(origin)) {}

  /// Whether it was a message.
  bool receive(std::string_view text) {
    Received received = inlet_.receive(text);
    if (received.message) bus_.publish(*received.message);
    bus_.publish_together(std::move(received.answers));
    return received.message.has_value();
  }

 private:
  Bus& bus_;
  Inlet inlet_;
};

}  // namespace parley::testing
