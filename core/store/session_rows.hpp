#pragma once

#include <cstdint>
#include <optional>
#include <parley/session.hpp>
#include <string>

namespace parley {

class Database;

/// Sessions of clients that leave it to parley to remember them, by owner and id (K-4).
namespace kept_sessions {

/// As it was after its latest turn, without the question that was open then: who asked it is gone. Nothing:
/// there is none, or it can't be read.
SessionPtr get(Database& database, const std::string& owner, const std::string& id);
/// @param now  Unix milliseconds
void put(Database& database, const std::string& owner, const Session& session, std::int64_t now);

}  // namespace kept_sessions
}  // namespace parley
