// Where there is no libFuzzer: puts every input of the folders it is given to the target once.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "support/fuzz.hpp"

int main(int argc, char** argv) {
  int count = 0;
  for (int i = 1; i < argc; ++i) {
    for (const auto& file : std::filesystem::recursive_directory_iterator(argv[i])) {
      if (!file.is_regular_file()) continue;
      std::ifstream stream(file.path(), std::ios::binary);
      const std::string input((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
      std::fprintf(stderr, "%s\n", file.path().c_str());  // the last one is the one that crashed
      parley::testing::fuzz(input);
      ++count;
    }
  }
  std::printf("%d inputs\n", count);
  std::fflush(nullptr);
  // As libFuzzer ends, too: what a target keeps between inputs has threads, which would outlive the objects
  // they use.
  std::_Exit(count == 0 ? 1 : 0);
}
