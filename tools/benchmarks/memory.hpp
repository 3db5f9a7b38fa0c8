#pragma once

#include <map>
#include <string>

namespace parley::bench {

/// What this process has in memory, in MiB, by the names of /proc/self/smaps_rollup ("Rss", "Anonymous", …);
/// status only estimates.
std::map<std::string, double> memory();

}  // namespace parley::bench
