#include "memory.hpp"

#include <jemalloc/jemalloc.h>

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <sstream>

namespace parley::bench {

std::map<std::string, double> memory() {
  std::map<std::string, double> figures;
  std::ifstream rollup("/proc/self/smaps_rollup");
  for (std::string line; std::getline(rollup, line);) {
    std::istringstream words(line);
    std::string name, unit;
    double amount = 0;
    if (words >> name >> amount >> unit && unit == "kB")
      figures[name.substr(0, name.size() - 1)] = amount / 1024;
  }
  return figures;
}

double heap_in_use() {
  std::uint64_t epoch = 1;  // makes it count anew
  std::size_t size = sizeof epoch;
  ::mallctl("epoch", &epoch, &size, &epoch, size);
  std::size_t bytes = 0;
  size = sizeof bytes;
  ::mallctl("stats.allocated", &bytes, &size, nullptr, 0);
  return static_cast<double>(bytes) / (1024 * 1024);
}

}  // namespace parley::bench
