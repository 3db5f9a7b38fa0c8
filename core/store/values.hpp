#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <parley/storage.hpp>
#include <string>
#include <utility>
#include <vector>

namespace parley {

class Database;

/// What skills keep, by place and key. Versions are counted over all of them: one never comes again.
namespace values {

/// For how many owners, and for how many sessions of one, a skill can keep something.
inline constexpr std::size_t kMostPlaces = 10'000;

std::optional<StorageHost::Stored> get(Database& database, const StoragePlace& place, const std::string& key);
std::map<std::string, std::string> all(Database& database, const StoragePlace& place,
                                       const std::string& prefix);
/// @param now  Unix milliseconds
/// @return for erasing, whether there was something to erase
/// @throws std::invalid_argument when the place is full
StorageHost::Written write(Database& database, const StoragePlace& place, const std::string& key,
                           const std::optional<std::string>& json, std::optional<std::uint64_t> expect,
                           std::int64_t now);

/// @throws std::invalid_argument when the place can have no further key
void require_room(Database& database, const StoragePlace& place);
/// As it was written elsewhere, with the version that it got there.
void take(Database& database, const StoragePlace& place, const std::string& key,
          const std::optional<std::string>& json, std::uint64_t version, std::int64_t now);
/// Where something is.
std::vector<std::pair<StoragePlace, std::string>> keys(Database& database);

}  // namespace values
}  // namespace parley
