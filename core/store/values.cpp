#include "store/values.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "store/sqlite.hpp"

namespace parley::values {
namespace {

Statement in_place(Database& database, const char* sql, const StoragePlace& place) {
  Statement query = database.query(sql);
  query.bind(place.skill_id).bind(static_cast<std::int64_t>(place.scope)).bind(place.owner);
  query.bind(place.session_id);
  return query;
}

std::size_t count(Database& database, const StoragePlace& place) {
  Statement found = in_place(database,
                             "SELECT count(*) FROM value "
                             "WHERE skill_id = ? AND scope = ? AND owner = ? AND session_id = ?",
                             place);
  return found.step() ? static_cast<std::size_t>(found.number(0)) : 0;
}

/// Whether a skill keeps things for so many owners, or for so many sessions of that owner, that it may begin
/// no other.
bool is_full_of_places(Database& database, const StoragePlace& place) {
  Statement found = database.query(
      place.scope == StorageScope::kSession
          ? "SELECT count(DISTINCT session_id) FROM value WHERE skill_id = ? AND scope = ? AND owner = ?"
          : "SELECT count(DISTINCT owner) FROM value WHERE skill_id = ? AND scope = ? AND ? <> ''");
  found.bind(place.skill_id).bind(static_cast<std::int64_t>(place.scope)).bind(place.owner);
  return found.step() && static_cast<std::size_t>(found.number(0)) >= kMostPlaces;
}

std::uint64_t version_of(Database& database, const StoragePlace& place, const std::string& key) {
  Statement found = in_place(database,
                             "SELECT version FROM value "
                             "WHERE skill_id = ? AND scope = ? AND owner = ? AND session_id = ? AND key = ?",
                             place);
  return found.bind(key).step() ? static_cast<std::uint64_t>(found.number(0)) : 0;
}

void insert(Database& database, const StoragePlace& place, const std::string& key, const std::string& json,
            std::int64_t version, std::int64_t now) {
  Statement put =
      in_place(database,
               "INSERT OR REPLACE INTO value (skill_id, scope, owner, session_id, key, json, version, "
               "changed) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
               place);
  put.bind(key).bind(json).bind(version).bind(now).run();
}

void erase(Database& database, const StoragePlace& place, const std::string& key) {
  Statement gone = in_place(database,
                            "DELETE FROM value "
                            "WHERE skill_id = ? AND scope = ? AND owner = ? AND session_id = ? AND key = ?",
                            place);
  gone.bind(key).run();
}

}  // namespace

std::optional<StorageHost::Stored> get(Database& database, const StoragePlace& place,
                                       const std::string& key) {
  Statement found = in_place(database,
                             "SELECT json, version FROM value "
                             "WHERE skill_id = ? AND scope = ? AND owner = ? AND session_id = ? AND key = ?",
                             place);
  if (!found.bind(key).step()) return std::nullopt;
  return StorageHost::Stored(found.text(0), static_cast<std::uint64_t>(found.number(1)));
}

std::map<std::string, std::string> all(Database& database, const StoragePlace& place,
                                       const std::string& prefix) {
  Statement found = in_place(database,
                             "SELECT key, json FROM value WHERE skill_id = ? AND scope = ? AND owner = ? AND "
                             "session_id = ? AND key >= ? ORDER BY key",
                             place);
  found.bind(prefix);
  std::map<std::string, std::string> values;
  while (found.step()) {
    std::string key = found.text(0);
    if (!key.starts_with(prefix)) break;
    values.emplace(std::move(key), found.text(1));
  }
  return values;
}

StorageHost::Written write(Database& database, const StoragePlace& place, const std::string& key,
                           const std::optional<std::string>& json, std::optional<std::uint64_t> expect,
                           std::int64_t now) {
  const std::uint64_t there = version_of(database, place, key);
  if (expect && *expect != there) return StorageHost::Written(false, there);
  if (!json) {
    erase(database, place, key);
    return StorageHost::Written(there != 0);
  }
  if (there == 0) require_room(database, place);
  database.query("UPDATE counter SET last = last + 1 WHERE name = 'version'").run();
  const std::int64_t version = database.number("SELECT last FROM counter WHERE name = 'version'");
  insert(database, place, key, *json, version, now);
  return StorageHost::Written(true, static_cast<std::uint64_t>(version));
}

void require_room(Database& database, const StoragePlace& place) {
  const std::size_t keys = count(database, place);
  if (keys == 0 && is_full_of_places(database, place)) {
    throw std::invalid_argument(fmt::format(
        "the skill '{}' keeps values for {} {} already: it has to erase some", place.skill_id, kMostPlaces,
        place.scope == StorageScope::kSession ? "sessions of this owner" : "owners"));
  }
  if (keys >= Storage::kMostKeys) {
    throw std::invalid_argument(
        fmt::format("the skill '{}' keeps {} values there already: it has to erase some", place.skill_id,
                    Storage::kMostKeys));
  }
}

void take(Database& database, const StoragePlace& place, const std::string& key,
          const std::optional<std::string>& json, std::uint64_t version, std::int64_t now) {
  if (!json) return erase(database, place, key);
  const auto there = get(database, place, key);
  if (there && there->version == version && there->json == *json) return;
  database.query("UPDATE counter SET last = max(last, ?) WHERE name = 'version'")
      .bind(static_cast<std::int64_t>(version))
      .run();
  insert(database, place, key, *json, static_cast<std::int64_t>(version), now);
}

std::vector<std::pair<StoragePlace, std::string>> keys(Database& database) {
  std::vector<std::pair<StoragePlace, std::string>> all;
  Statement found = database.query("SELECT skill_id, scope, owner, session_id, key FROM value");
  while (found.step()) {
    all.emplace_back(
        StoragePlace(found.text(0), static_cast<StorageScope>(found.number(1)), found.text(2), found.text(3)),
        found.text(4));
  }
  return all;
}

}  // namespace parley::values
