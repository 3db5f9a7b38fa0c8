#pragma once

#include <cstdint>
#include <optional>

namespace parley {
class Database;
}

// How far an instance has come with what all share, as numbers that its store keeps by name. On the store's
// thread.
namespace parley::cluster {

std::optional<std::int64_t> mark_of(Database& database, const char* name);
void set_mark(Database& database, const char* name, std::int64_t value);

}  // namespace parley::cluster
