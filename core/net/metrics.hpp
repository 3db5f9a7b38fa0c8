#pragma once

#include <map>
#include <string>
#include <vector>

#include "runtime/counters.hpp"

namespace parley::net {

/// What Prometheus reads.
/// @param counts  those of a name one after the other
/// @param gauges  name → how much now
std::string metrics_text(const std::vector<Counters::Count>& counts,
                         const std::vector<Counters::Spread>& spreads,
                         const std::map<std::string, double>& gauges);

}  // namespace parley::net
