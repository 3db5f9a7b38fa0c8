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
/// @return how many of them there were
std::size_t forget_objects(Database& database, const std::string& owner, const std::vector<std::string>& ids);

}  // namespace parley::evidence
