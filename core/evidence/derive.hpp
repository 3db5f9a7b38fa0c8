#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

namespace parley {
class Database;
}  // namespace parley

// Objects and edges out of the log. On the store's thread.
namespace parley::evidence {

using Json = nlohmann::json;

/// A row of the log.
struct Event {
  Event() = default;
  std::int64_t lsn = 0, time = 0, cause = 0;  ///< cause: an lsn; 0: none.
  std::string owner, session_id, utterance_id, kind, actor;
  Json data;
};

/// What an event of that kind holds in `data` that came by ingest(), see ingest.hpp.
inline constexpr char kOutside[] = "outside";

/// Takes events that were not derived from yet, so many at most; whether there may be more.
bool catch_up(Database& database, std::size_t most);

/// Derives everything that the log still holds anew; the same rows as before. What came of events that the
/// log no longer has stays. Gives how many events there were. @throws StoreRefused
std::size_t rebuild(const std::filesystem::path& file);

}  // namespace parley::evidence
