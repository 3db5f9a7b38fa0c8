#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace parley {

class Database;

/// What is to be forgotten: what fits all that is set.
struct ForgetWhat {
  ForgetWhat() = default;
  bool everything = false;                    ///< Of everybody, what skills keep for the household included.
  std::string owner;                          ///< Empty: any.
  std::string session_id;                     ///< Empty: any.
  std::int64_t since = 0, until = INT64_MAX;  ///< Unix milliseconds; of turns and their events alone.
};

/// How many rows went.
struct Forgotten {
  std::int64_t events = 0, turns = 0, sessions = 0, values = 0, scheduled = 0;
  std::int64_t objects = 0;  ///< Of what was made of events, so that it can be asked about.
};

/// Deletes it from every table, and the words of it from full-text indexes; within a transaction. The file
/// still has what was deleted until Store::scrub().
Forgotten erase_kept(Database& database, const ForgetWhat& what);

/// Deletes it, and what was deleted from the file and its WAL as well. No other process may have the store.
/// Sessions, values and what is to come go by owner and session, but not by time.
/// @throws StoreRefused
Forgotten forget(const std::filesystem::path& file, const ForgetWhat& what);

/// Merges the parts of full-text indexes: until then a word that was deleted is still in them.
void optimize_indexes(Database& database);

}  // namespace parley
