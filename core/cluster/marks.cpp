#include "cluster/marks.hpp"

#include "store/sqlite.hpp"

namespace parley::cluster {

std::optional<std::int64_t> mark_of(Database& database, const char* name) {
  Statement found = database.query("SELECT last FROM counter WHERE name = ?");
  return found.bind(name).step() ? std::optional(found.number(0)) : std::nullopt;
}

void set_mark(Database& database, const char* name, std::int64_t value) {
  database.query("INSERT OR REPLACE INTO counter VALUES (?, ?)").bind(name).bind(value).run();
}

}  // namespace parley::cluster
