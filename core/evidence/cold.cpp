#include "evidence/cold.hpp"

#include "store/sqlite.hpp"

namespace parley::evidence {

std::size_t cool(Database& database, std::int64_t before, std::size_t most) {
  database
      .query(
          "UPDATE object SET cold = 1 WHERE row IN (SELECT row FROM object WHERE cold = 0 AND time < ? "
          "ORDER BY time LIMIT ?)")
      .bind(before)
      .bind(static_cast<std::int64_t>(most))
      .run();
  return static_cast<std::size_t>(database.changed());
}

}  // namespace parley::evidence
