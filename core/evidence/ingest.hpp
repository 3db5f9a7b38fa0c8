#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "evidence/access.hpp"
#include "evidence/outside.hpp"
#include "store/rows.hpp"

namespace parley {
class Database;
}

namespace parley::evidence {

using Json = nlohmann::json;

inline constexpr std::size_t kMostEvents = 1'000;       ///< Of one request.
inline constexpr std::size_t kLongestText = 64 * 1024;  ///< Bytes.
inline constexpr std::size_t kLongestId = 256;          ///< Bytes of any id.
inline constexpr std::size_t kMostLinks = 64;           ///< Causes, or edges, of one event.

/// What is wrong with a body as a whole, `{"code", "message"}`; null: its events can be looked at.
Json body_fault(const Json& body);

/// An event of a request: what is wrong with it, or all that can be known of it without the database.
struct ReadyEvent {
  ReadyEvent() = default;
  Json id;                    ///< As it was given, whatever it is.
  std::string code, message;  ///< Why it is rejected; empty: it is not.
  OutsideEvent event;
  std::string json;  ///< As the log keeps it.
};

/// Checks events and makes them ready. From any thread.
/// @param body  one that has no body_fault()
std::vector<ReadyEvent> make_ready(const Json& body);

/// Writes events to the log and derives what they say, in one piece. An event that is wrong is rejected, and
/// the others are taken. On the store's thread.
/// @param now   Unix milliseconds
/// @param told  if it is there: gets what was taken, for the other instances of a cluster
/// @return `{"accepted", "duplicates", "rejected", "last_lsn", "results"}`
Json ingest(Database& database, const Caller& caller, const std::vector<ReadyEvent>& events, std::int64_t now,
            std::vector<ToldEvent>* told = nullptr);

/// Takes what another instance has taken. On the store's thread. @return whether it was new
bool take_over(Database& database, const ToldEvent& told);

}  // namespace parley::evidence
