#pragma once

#include <chrono>
#include <string>

#include "net/remote_skills.hpp"

namespace parley::testing {

/// Lets remote skills in where there is no gateway, and hears no complaints.
class NoGateway final : public net::RemoteSkillsOwner {
 public:
  explicit NoGateway(std::chrono::milliseconds handler_timeout) : handler_timeout_(handler_timeout) {}

  void complain(const net::ClientPtr&, std::string, std::string) override {}
  void relay(const Message&) override {}
  void tell(std::uint64_t, net::ovos::Query, const Message&, Json) override {}
  std::chrono::milliseconds handler_timeout(const std::string&) const override { return handler_timeout_; }
  const net::GatewaySettings& limits() const override { return limits_; }

 private:
  std::chrono::milliseconds handler_timeout_;
  net::GatewaySettings limits_;
};

}  // namespace parley::testing
