#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace parley {

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
};

/// Deletes it, and what was deleted from the file and its WAL as well. No other process may have the store.
/// Sessions, values and what is to come go by owner and session, but not by time.
/// @throws StoreRefused
Forgotten forget(const std::filesystem::path& file, const ForgetWhat& what);

}  // namespace parley
