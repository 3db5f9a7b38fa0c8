#pragma once

#include <cstddef>
#include <cstdint>

namespace parley {
class Database;
}  // namespace parley

// Objects that are old leave the index that every question is put to: so it stays small, and fast, however
// long one lives with it. They are kept, with their edges, and found by questions with `include_cold`.
namespace parley::evidence {

/// Moves what is of before then into the cold index, so much at most. One that changes is warm again. On the
/// store's thread.
/// @param before  milliseconds since 1970
/// @return how many were moved
std::size_t cool(Database& database, std::int64_t before, std::size_t most);

}  // namespace parley::evidence
