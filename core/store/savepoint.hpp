#pragma once

#include <filesystem>
#include <string>
#include <utility>

#include "runtime/guard.hpp"
#include "store/open.hpp"
#include "store/sqlite.hpp"
#include "store/store.hpp"

namespace parley {

/// What writes and reads of a store that was closed come to.
inline constexpr char kClosed[] = "the store is closed: parley is ending";

/// Runs something with the database; gives why it failed, empty if it did not.
template <class F>
std::string failure_in(const std::filesystem::path& file, F&& run) {
  try {
    std::forward<F>(run)();
  } catch (const DatabaseError& error) {
    return explain_error(error, file);
  } catch (...) {
    return text_of_current_exception();
  }
  return {};
}

/// Takes what is in the WAL into the file and empties it; outside of a transaction.
/// @throws std::runtime_error when somebody reads for so long that it can't
void truncate_wal(Database& database);

/// Does a piece of work wholly or not at all, within a transaction or as one of its own.
inline std::string in_savepoint(Database& database, const Store::Work& work,
                                const std::filesystem::path& file) {
  return failure_in(file, [&] {
    database.run("SAVEPOINT work");
    try {
      work(database);
      database.run("RELEASE work");
    } catch (...) {
      // After some errors SQLite has taken everything back itself, and there is no savepoint any more.
      failure_of([&] { database.run("ROLLBACK TO work; RELEASE work"); });
      throw;
    }
  });
}

}  // namespace parley
