#include "learn/compact_weights.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "learn/features.hpp"

using namespace parley::intent;

TEST_CASE("compact weights: each key adds its own row, to a thousandth") {
  constexpr std::size_t kLabels = 3, kKeys = 1000;
  std::vector<std::uint64_t> keys;
  std::vector<float> weights;
  for (std::size_t i = 0; i < kKeys; ++i) {
    keys.push_back(hash_of(1, i));
    weights.insert(weights.end(), {0.1F + 0.01F * static_cast<float>(i), 0, -3.3F});
  }
  const CompactWeights compact(keys, weights, kLabels);
  for (std::size_t i = 0; i < kKeys; ++i) {
    CAPTURE(i);
    std::vector<float> sums{1, 2, 3};
    compact.add(keys[i], sums.data());
    CHECK(std::abs(sums[0] - 1 - weights[i * kLabels]) < 1e-3F);
    CHECK(sums[1] == 2);
    CHECK(std::abs(sums[2] + 0.3F) < 1e-3F);
  }
}

TEST_CASE("compact weights: a key that was never given adds nothing, nor does a row that decides nothing") {
  const std::vector<std::uint64_t> keys{hash_of(1, 1), hash_of(1, 2)};
  const std::vector<float> weights{1, 1, 0.01F, -0.01F};
  const CompactWeights compact(keys, weights, 2);
  std::vector<float> sums{0, 0};
  compact.add(keys[1], sums.data());
  for (std::uint64_t i = 3; i < 1000; ++i) compact.add(hash_of(1, i), sums.data());
  CompactWeights().add(keys[0], sums.data());
  CHECK(sums == std::vector<float>{0, 0});
  compact.add(keys[0], sums.data());
  CHECK(sums == std::vector<float>{1, 1});
}

TEST_CASE("compact weights: what is too large for its room stays as large as there is room") {
  const std::vector<std::uint64_t> keys{hash_of(1, 1)};
  const std::vector<float> weights{100, -100};
  const CompactWeights compact(keys, weights, 2);
  std::vector<float> sums{0, 0};
  compact.add(keys[0], sums.data());
  CHECK(sums[0] > 31);
  CHECK(sums[1] < -31);
}
