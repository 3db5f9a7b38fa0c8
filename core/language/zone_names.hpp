#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace parley {

/// What the configuration says, else the zone of this machine; "UTC" where that can't be told.
std::string zone_here(const std::string& configured);
/// Whether ICU knows an IANA name.
bool is_known_zone(std::string_view name);
/// All names that may be meant.
std::vector<std::string> zone_names();

}  // namespace parley
