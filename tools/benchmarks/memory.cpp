#include "memory.hpp"

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

}  // namespace parley::bench
