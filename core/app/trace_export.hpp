#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/otlp.hpp"
#include "bus/bus.hpp"
#include "config/config.hpp"
#include "registry/registry.hpp"
#include "runtime/counters.hpp"
#include "runtime/http.hpp"
#include "runtime/scope.hpp"
#include "runtime/timers.hpp"

namespace parley {

/// Sends the traces of turns to a collector of OpenTelemetry, many at a time. One request is under way at
/// most; what comes meanwhile waits, and of more than `telemetry.max_queue` the newest are dropped and
/// counted. On the loop's thread.
class TraceExport {
 public:
  /// All it is given must outlive it.
  /// @param settings  with a URL
  TraceExport(const TelemetryConfig& settings, Bus& bus, Timers& timers, Counters& counters,
              HttpTransport& http, boost::asio::any_io_executor loop, Offload offload);

  /// Sends what waits now, and the rest after it; what does not arrive is dropped.
  void finish();
  /// Nothing waits, and nothing is under way.
  bool is_idle() const { return waiting_.empty() && !is_sending_; }

 private:
  void take(const Message& trace);
  void wait();
  void send();
  Task<> deliver(std::string body, std::size_t turns);
  void tell(std::string failure, std::size_t turns);

  const TelemetryConfig settings_;
  Timers& timers_;
  HttpTransport& http_;
  const boost::asio::any_io_executor loop_;
  const Offload offload_;
  const Counter sent_, dropped_;
  std::vector<TracedTurn> waiting_;
  bool is_sending_ = false, is_failing_ = false, is_ending_ = false;
  Timer timer_;
  Subscription traces_;
  std::shared_ptr<char> alive_ = std::make_shared<char>();  ///< What was put together may come too late.
  Scope scope_;
};

}  // namespace parley
