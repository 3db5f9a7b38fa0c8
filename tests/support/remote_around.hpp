#pragma once

#include <chrono>
#include <string>
#include <utility>

#include "net/remote_skills.hpp"
#include "orchestrator/orchestrator.hpp"

namespace parley::testing {

/// What remote skills are told of an assistant that has no gateway.
/// @param is_taken  whether something of the assistant answers to that name
inline net::RemoteSkills::Around around(Orchestrator& orchestrator, std::chrono::milliseconds handler_timeout,
                                        std::function<bool(const std::string&)> is_taken) {
  net::RemoteSkills::Around asks;
  asks.is_taken = std::move(is_taken);
  asks.handler_timeout = [handler_timeout](const std::string&) { return handler_timeout; };
  asks.turn = [&orchestrator](const std::string& id) { return orchestrator.sender_of(id); };
  asks.waiting = [&orchestrator](std::uint64_t client) { return orchestrator.waiting_of(client); };
  asks.departed = [&orchestrator](std::uint64_t client) { orchestrator.departed(client); };
  asks.limits = []() -> const net::GatewaySettings& {
    static const net::GatewaySettings standard;
    return standard;
  };
  return asks;
}

}  // namespace parley::testing
