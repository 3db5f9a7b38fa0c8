#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <istream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace parley {

// What `parley store` does to a file. All throw StoreRefused with what to do.

/// Reads the whole file. What is wrong with it; empty: nothing. Beside a process that uses it.
std::vector<std::string> check_store(const std::filesystem::path& file);

/// Gives space of what was erased back to the disk; no other process may have the store. The bytes before and
/// after.
std::pair<std::uintmax_t, std::uintmax_t> compact_store(const std::filesystem::path& file);

/// Copies it as of one moment, beside a process that uses it. @param to  must not exist
void back_up_store(const std::filesystem::path& file, const std::filesystem::path& to);

/// Every row of every table as a line of JSON, `{"table": "value", "row": {…}}`. Gives how many there were.
std::size_t export_store(const std::filesystem::path& file,
                         const std::function<void(std::string_view line)>& write);

/// Puts such lines into a store, all or none; a row that is there already under the same key is replaced. No
/// other process may have it. Gives how many there were.
/// @throws StoreRefused naming the first line that is wrong
std::size_t import_store(const std::filesystem::path& file, std::istream& lines);

}  // namespace parley
