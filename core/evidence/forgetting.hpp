#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace parley {
class Database;
}

namespace parley::evidence {

/// Erases objects with the events that they are made of; of a turn's memory the whole turn; of something told
/// what it superseded as well. The file still has what was deleted until Store::scrub().
/// @param events  if it is there: gets the ids of the events from outside that went
/// @return how many of the objects there were
std::size_t forget_objects(Database& database, const std::string& owner, const std::vector<std::string>& ids,
                           std::vector<std::string>* events = nullptr);

}  // namespace parley::evidence
