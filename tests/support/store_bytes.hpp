#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

namespace parley::testing {

/// Whether a word is anywhere in a store's file, or in what SQLite has beside it; as it is or in lower case,
/// as indexes have it.
inline bool is_in_files(const std::filesystem::path& file, std::string_view word) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; };
  const auto is_same = [&](char one, char other) { return lower(one) == lower(other); };
  for (const char* const beside : {"", "-wal", "-shm", "-journal"}) {
    std::ifstream in(file.string() + beside, std::ios::binary);
    const std::string all{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    if (std::search(all.begin(), all.end(), word.begin(), word.end(), is_same) != all.end()) return true;
  }
  return false;
}

}  // namespace parley::testing
