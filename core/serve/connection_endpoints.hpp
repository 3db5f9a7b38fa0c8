#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "net/gateway.hpp"
#include "serve/api.hpp"

namespace parley {

class Assistant;
namespace net {
class RemoteSkills;
}

/// Lists the connections as Gateway::list() does.
using ListConnections = std::function<void(std::function<void(std::vector<net::ConnectionState>)>)>;

/// The connections: `/v1/connections`.
/// @param assistant, remote  outlive them
api::Endpoints connection_endpoints(Assistant& assistant, const net::RemoteSkills& remote,
                                    ListConnections list);

/// What `/metrics` shows beside what is counted. On the loop.
std::map<std::string, double> gauges_of(Assistant& assistant, const net::RemoteSkills& remote,
                                        const std::vector<net::ConnectionState>& connections);

}  // namespace parley
