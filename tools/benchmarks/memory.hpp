#pragma once

#include <map>
#include <string>

namespace parley::bench {

/// What this process has in memory, in MiB, by the names of /proc/self/smaps_rollup ("Rss", "Anonymous", …);
/// status only estimates.
std::map<std::string, double> memory();

/// What the program holds of the heap, in MiB: without what was freed and is kept for later.
double heap_in_use();

}  // namespace parley::bench
