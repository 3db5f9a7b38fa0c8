#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "net/remote_skills.hpp"
#include "runtime/timers.hpp"
#include "store/lasting.hpp"
#include "store/store.hpp"

namespace parley::testing {

/// Lets remote skills in where there is no gateway, and hears no complaints. What they keep is in memory, and
/// nobody hears the answers.
class NoGateway final : public net::RemoteSkillsOwner {
 public:
  explicit NoGateway(std::chrono::milliseconds handler_timeout) : handler_timeout_(handler_timeout) {
    limits_.max_registrations = 4096;
    limits_.max_skills = 256;
  }

  void complain(const net::ClientPtr&, std::string, std::string) override {}
  void relay(const Message&) override {}
  void tell(std::uint64_t, net::ovos::Query, const Message&, Json) override {}
  std::chrono::milliseconds handler_timeout(const std::string&) const override { return handler_timeout_; }
  const net::GatewaySettings& limits() const override { return limits_; }
  net::LastingRequests& lasting() override { return requests_; }

 private:
  std::chrono::milliseconds handler_timeout_;
  net::GatewaySettings limits_;
  JumpingClock clock_;
  Timers timers_{clock_};
  const std::function<void(std::function<void()>)> at_once_ = [](const std::function<void()>& work) {
    work();
  };
  std::shared_ptr<Lasting> lasting_ =
      std::make_shared<Lasting>(make_memory_store(), timers_, at_once_, at_once_);
  net::LastingRequests requests_{lasting_, clock_, "", at_once_, [](const Message&) {}};
};

}  // namespace parley::testing
