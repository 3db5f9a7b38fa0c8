#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace parley::net {

/// What Prometheus reads.
/// @param counts  name (with labels in `{}`) → how often
/// @param gauges  name → how much now
std::string metrics_text(const std::map<std::string, std::uint64_t>& counts,
                         const std::map<std::string, double>& gauges);

}  // namespace parley::net
