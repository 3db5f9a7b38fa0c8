#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace parley {
class Database;
}

// Which memories have no vector yet, and the rows of those that have. On any thread that has the database.
namespace parley::evidence {

/// A model, as far as vectors of it are kept.
struct VectorModel {
  VectorModel() = default;
  std::int64_t id = 0;   ///< 0: none of its vectors has come yet.
  std::size_t size = 0;  ///< Numbers of each of its vectors.
};
/// The one of that name that was used last.
VectorModel find_vector_model(Database& database, const std::string& name);
/// A new one; vectors of all others are made anew.
VectorModel put_vector_model(Database& database, const std::string& name, std::size_t size);

/// A text that a vector is wanted of.
struct Wanted {
  Wanted(std::int64_t which, std::string what) : row(which), text(std::move(what)) {}
  std::int64_t row;
  std::string text;
};
/// What is looked through, and what was found.
struct WantedList {
  WantedList() = default;
  std::vector<Wanted> texts;
  std::int64_t up_to = 0;  ///< Every object up to there was looked at.
  bool is_end = false;     ///< There are no objects behind it.
};
/// Memories whose vector is missing, of another model or of other words.
/// @param after  the row up to which was looked before
WantedList wanted_vectors(Database& database, std::int64_t model, std::int64_t after, std::size_t most);
/// Up to which row was looked, before the process started.
std::int64_t looked_up_to(Database& database);
void set_looked_up_to(Database& database, std::int64_t row);

/// Keeps a vector, unless the memory says something else by now or is gone: then it is wanted again, or not.
/// @param packed  empty: the memory gets none from this model
void put_vector(Database& database, std::int64_t model, const Wanted& of, std::string_view packed);

/// Drops the notes of changes that were taken over.
void clear_vector_changes(Database& database, std::int64_t up_to);

}  // namespace parley::evidence
