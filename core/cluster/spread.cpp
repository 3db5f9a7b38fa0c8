#include "cluster/spread.hpp"

#include <algorithm>
#include <numeric>

namespace parley::cluster {
namespace {

/// FNV-1a with a finish that mixes the bits: the same in every process, and no secret.
std::uint64_t hash_of(std::string_view text, std::uint64_t seed = 0) {
  std::uint64_t hash = 14695981039346656037U ^ seed;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211U;
  hash = (hash ^ (hash >> 33U)) * 0xff51afd7ed558ccdU;
  hash = (hash ^ (hash >> 33U)) * 0xc4ceb9fe1a85ec53U;
  return hash ^ (hash >> 33U);
}

}  // namespace

std::size_t partition_of(std::string_view session_id) {
  return hash_of(session_id) % kPartitions;
}

std::array<std::size_t, kPartitions> spread(const std::vector<std::string>& ids) {
  std::array<std::size_t, kPartitions> owners{};
  const std::size_t most = (kPartitions + ids.size() - 1) / ids.size();
  std::vector<std::size_t> taken(ids.size(), 0);
  std::vector<std::size_t> order(ids.size());
  for (std::size_t partition = 0; partition < kPartitions; ++partition) {
    // Each ranks the instances in an order of its own: the first that has room gets it.
    std::vector<std::uint64_t> rank(ids.size());
    for (std::size_t i = 0; i < ids.size(); ++i) rank[i] = hash_of(ids[i], partition * 0x9e3779b97f4a7c15U);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return rank[a] > rank[b]; });
    const auto found =
        std::find_if(order.begin(), order.end(), [&](std::size_t i) { return taken[i] < most; });
    owners[partition] = *found;
    ++taken[*found];
  }
  return owners;
}

}  // namespace parley::cluster
