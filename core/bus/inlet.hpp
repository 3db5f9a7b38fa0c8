#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include "bus/bus.hpp"
#include "time/timers.hpp"

namespace parley {

struct DecodeError;

/// Puts what one peer sends onto the bus, or drops it (M-3, S-3). On the loop's thread; must not outlive
/// the bus.
class Inlet {
 public:
  /// @param origin  who sends here, as the log is to name it, e.g. "client 127.0.0.1:51234"
  Inlet(Bus& bus, std::string origin);
  ~Inlet();
  Inlet(const Inlet&) = delete;
  Inlet& operator=(const Inlet&) = delete;

  /// One message as JSON text. False when it was malformed: then it is dropped and nothing follows from
  /// it, except that a carrier that is no object is answered with `ovos.session.rejected` (S-3), for an
  /// utterance also with the `ovos.utterance.handled` every one of them gets (U-1).
  bool receive(std::string_view text);

 private:
  void reject(const DecodeError& error);
  void complain(const std::string& about, const std::string& text);
  void summarise();

  Bus& bus_;
  std::string origin_;
  std::set<std::string, std::less<>> said_;  ///< What the log has been told of in this period.
  std::uint64_t unsaid_ = 0;                 ///< Complaints since then that it was not told of.
  Timer period_;
};

}  // namespace parley
