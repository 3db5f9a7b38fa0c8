#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace parley::cluster {

inline constexpr std::size_t kPartitions = 256;

/// The partition of a session. By its id alone, whoever its owner is (K-4): what skills say in a session then
/// finds the way without knowing whose it is.
std::size_t partition_of(std::string_view session_id);

/// Who should own which partition: everybody about the same number, and few move when somebody comes or goes.
/// The same on every instance.
/// @param ids  sorted
/// @return the index of the id for each partition; there must be an id
std::array<std::size_t, kPartitions> spread(const std::vector<std::string>& ids);

}  // namespace parley::cluster
