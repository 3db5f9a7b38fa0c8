#include "evidence/vector_rows.hpp"

#include "store/sqlite.hpp"

namespace parley::evidence {
namespace {

constexpr std::int64_t kLookedAtOnce = 2'000;  ///< Objects.

}  // namespace

VectorModel find_vector_model(Database& database, const std::string& name) {
  Statement found =
      database.query("SELECT id, size FROM vector_model WHERE name = ? ORDER BY id DESC LIMIT 1");
  VectorModel model;
  if (!found.bind(name).step()) return model;
  model.id = found.number(0);
  model.size = static_cast<std::size_t>(found.number(1));
  return model;
}

VectorModel put_vector_model(Database& database, const std::string& name, std::size_t size) {
  // Replacing gives it a new id: vectors that an earlier one of that size left are not taken for its own.
  database.query("INSERT OR REPLACE INTO vector_model (name, size) VALUES (?, ?)")
      .bind(name)
      .bind(static_cast<std::int64_t>(size))
      .run();
  VectorModel model;
  model.id = database.last_row();
  model.size = size;
  return model;
}

WantedList wanted_vectors(Database& database, std::int64_t model, std::int64_t after, std::size_t most) {
  WantedList list;
  list.up_to = after;
  // Of another model, or of none: on both sides of it in the index.
  for (const char* const sql :
       {"SELECT o.row, o.summary FROM vector v JOIN object o ON o.row = v.row WHERE v.model < ? AND o.type = "
        "'memory' LIMIT ?",
        "SELECT o.row, o.summary FROM vector v JOIN object o ON o.row = v.row WHERE v.model > ? AND o.type = "
        "'memory' LIMIT ?"}) {
    Statement found = database.query(sql);
    found.bind(model).bind(static_cast<std::int64_t>(most - list.texts.size()));
    while (found.step()) list.texts.emplace_back(found.number(0), found.text(1));
  }
  Statement found = database.query(
      "SELECT o.row, o.type = 'memory' AND NOT EXISTS (SELECT 1 FROM vector v WHERE v.row = o.row), "
      "o.summary FROM object o WHERE o.row > ? ORDER BY o.row LIMIT ?");
  found.bind(after).bind(kLookedAtOnce);
  std::int64_t looked = 0;
  bool has_row = false;
  while (list.texts.size() < most && (has_row = found.step())) {
    ++looked;
    list.up_to = found.number(0);
    if (found.number(1) != 0) list.texts.emplace_back(list.up_to, found.text(2));
  }
  list.is_end = !has_row && looked < kLookedAtOnce && list.texts.size() < most;
  return list;
}

std::int64_t looked_up_to(Database& database) {
  return database.number("SELECT last FROM counter WHERE name = 'embedded'");
}

void set_looked_up_to(Database& database, std::int64_t row) {
  database.query("UPDATE counter SET last = ? WHERE name = 'embedded'").bind(row).run();
}

void put_vector(Database& database, std::int64_t model, const Wanted& of, std::string_view packed) {
  database
      .query(
          "INSERT OR REPLACE INTO vector (row, model, bytes) SELECT row, ?, ? FROM object WHERE row = ? AND "
          "summary = ?")
      .bind(model)
      .bind_bytes(packed)
      .bind(of.row)
      .bind(of.text)
      .run();
  if (database.changed() > 0) return;
  database
      .query("INSERT OR IGNORE INTO vector (row, model, bytes) SELECT row, 0, x'' FROM object WHERE row = ?")
      .bind(of.row)
      .run();
}

void clear_vector_changes(Database& database, std::int64_t up_to) {
  database.query("DELETE FROM vector_change WHERE id <= ?").bind(up_to).run();
}

}  // namespace parley::evidence
