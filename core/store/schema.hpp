#pragma once

#include <cstdint>

namespace parley {

class Database;

/// "parl", in the header of every file of ours.
inline constexpr std::int64_t kApplicationId = 0x7061726c;
/// Of the tables this program writes.
inline constexpr std::int64_t kSchemaVersion = 8;

/// Makes the tables, or brings those of an older version up to date, in one transaction.
/// @throws DatabaseError; then nothing has changed
void migrate(Database& database);

/// What takes a file from the version before to that one, from 1 on.
const char* schema_step(std::int64_t version);

}  // namespace parley
