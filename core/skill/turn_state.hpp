#pragma once

#include <atomic>
#include <boost/asio/any_io_executor.hpp>
#include <functional>
#include <memory>
#include <parley/locale.hpp>
#include <parley/turn.hpp>
#include <string>

#include "bus/bus.hpp"
#include "bus/counters.hpp"
#include "bus/handler_host.hpp"

namespace parley {

/// What every turn of one skill (or stage) shares. Lives as long as any of its turns.
struct TurnEnvironment {
  TurnEnvironment(std::string id, Bus& the_bus, Counters& the_counters, boost::asio::any_io_executor the_loop,
                  LocaleResources resources, std::string zone)
      : owner(std::move(id)),
        bus(the_bus),
        counters(the_counters),
        loop(std::move(the_loop)),
        locale(std::move(resources)),
        default_zone(std::move(zone)) {}

  /// Runs something on the loop, from any thread, in the order of the calls.
  void post(std::function<void()> work) const;
  const Clock& clock() const noexcept { return bus.timers().clock(); }
  /// Suspends until then. @throws Cancelled
  Task<> sleep_until(Clock::Time when) const;

  std::string owner;
  Bus& bus;  ///< On the loop only.
  Counters& counters;
  boost::asio::any_io_executor loop;
  LocaleResources locale;
  std::string default_zone;     ///< IANA.
  Picker pick = pick_randomly;  ///< Chooses among the phrases of a dialog.
};

/// Behind Turn. Used by the handler on its strand; `over` is set from the loop.
class Turn::State {
 public:
  State(std::shared_ptr<const TurnEnvironment> around, const HandlerCall& call);

  /// The handler's own session when it changed it, else null.
  SessionPtr changed_session() const { return session == dispatch.context().session ? nullptr : session; }
  /// Sends a message of this turn, unless the turn is over by then.
  void send(Message message) const;

  const std::shared_ptr<const TurnEnvironment> environment;
  const Message dispatch;
  const std::string text, lang;
  const Slots slots;
  const Clock::Time deadline;
  const Trace trace;
  const SessionStore* const sessions;  ///< On the loop only; may be null.
  SessionPtr session;
  /// Shared with messages under way: what arrives on the loop after it was set is dropped.
  const std::shared_ptr<std::atomic<bool>> over = std::make_shared<std::atomic<bool>>(false);
};

}  // namespace parley
