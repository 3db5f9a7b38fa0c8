#pragma once

#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>

#include "store/sqlite.hpp"

namespace parley {

/// A file that is not taken as the store. The text names it, says what is the matter and what to do; the file
/// is as it was.
class StoreRefused : public std::runtime_error {
 public:
  explicit StoreRefused(const std::string& reason) : std::runtime_error(reason) {}
};

/// Another process has it.
class StoreInUse : public StoreRefused {
 public:
  /// @param who  what that process said of itself when it took the file
  StoreInUse(const std::string& reason, std::string who) : StoreRefused(reason), holder(std::move(who)) {}
  const std::string holder;
};

/// `$XDG_DATA_HOME/parley/parley.db`, or the same below `~/.local/share`; empty when neither is known.
std::filesystem::path default_store_file();

/// Keeps other processes from a store. It is let go with the process, however that ends.
class StoreLock {
 public:
  /// @param who  for others that want it: "parley serve, process 123"
  /// @throws StoreInUse, StoreRefused
  StoreLock(const std::filesystem::path& file, const std::string& who);
  ~StoreLock();
  StoreLock(const StoreLock&) = delete;
  StoreLock& operator=(const StoreLock&) = delete;

 private:
  int descriptor_ = -1;
};

/// What the header of a file and its WAL say against it; empty: nothing. Reads no more than those.
/// @throws StoreRefused when it can't be read
std::string fault_of(const std::filesystem::path& file);

/// Opens the file, or makes it with its folder, and brings its tables up to date.
/// @throws StoreRefused
std::unique_ptr<Database> open_store_file(const std::filesystem::path& file);
/// For reading alone, beside the process that writes. @throws StoreRefused
std::unique_ptr<Database> open_to_read(const std::filesystem::path& file);

/// An error of SQLite as what it means for a store, and what to do.
std::string explain_error(const DatabaseError& error, const std::filesystem::path& file);

}  // namespace parley
