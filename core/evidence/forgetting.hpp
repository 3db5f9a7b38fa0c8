#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "store/rows.hpp"

namespace parley {
class Database;
}

namespace parley::evidence {

/// Erases objects with the events that they are made of; of a turn's memory the whole turn; of something told
/// what it superseded as well. The file still has what was deleted until Store::scrub().
/// @param elsewhere  if it is there: gets what other instances are to forget. Numbers of events are this
/// log's
///                   alone: there the whole turn goes that such an event is of
/// @return how many of the objects there were
std::size_t forget_objects(Database& database, const std::string& owner, const std::vector<std::string>& ids,
                           ForgottenObjects* elsewhere = nullptr);

}  // namespace parley::evidence
