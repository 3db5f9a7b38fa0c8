#include "memory.hpp"

#include <malloc.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <sstream>
#include <string_view>

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
  char* text = nullptr;
  std::size_t size = 0;
  std::FILE* const stream = ::open_memstream(&text, &size);
  if (stream == nullptr) return 0;
  ::malloc_info(0, stream);
  std::fclose(stream);
  const std::unique_ptr<char, decltype(&std::free)> kept(text, &std::free);
  const std::string_view all(text, size);
  // The last of each is that of all arenas together.
  const auto bytes = [&](std::string_view element) {
    const auto at = all.rfind(element);
    const auto number = at == std::string_view::npos ? at : all.find("size=\"", at);
    return number == std::string_view::npos ? 0.0 : std::strtod(text + number + 6, nullptr);
  };
  const double free_bytes = bytes("<total type=\"fast\"") + bytes("<total type=\"rest\"");
  return (bytes("<system type=\"current\"") + bytes("<total type=\"mmap\"") - free_bytes) / (1024 * 1024);
}

}  // namespace parley::bench
