#include "learn/weights.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace parley::intent;

namespace {

constexpr std::size_t kColumns = 100;

Features features(std::vector<std::uint32_t> rows, float scale) {
  Features made;
  made.rows = std::move(rows);
  made.scale = scale;
  return made;
}

/// Three features that count 1, 2 and 3; the second one has weights for most columns.
Weights three_rows() {
  Weights weights;
  for (std::uint32_t row = 0; row < 3; ++row)
    weights.set_amount(weights.add_row(), 1.0F + static_cast<float>(row));
  for (Column column = 0; column < 90; ++column) {
    const std::vector<Entry> step{Entry(column, static_cast<float>(column))};
    weights.change(features({1}, 1), step, kColumns);
  }
  return weights;
}

std::vector<float> all_products(const Weights& weights, const Features& of) {
  std::vector<float> sums(kColumns, 0);
  weights.add_all_products(of, sums);
  return sums;
}

}  // namespace

TEST_CASE("weights: steps of several columns find their places among others") {
  Weights weights = three_rows();
  weights.change(features({0}, 2), std::vector<Entry>{Entry(3, 1), Entry(50, 1)}, kColumns);
  weights.change(features({0}, 2), std::vector<Entry>{Entry(1, 1), Entry(3, 1), Entry(7, 1), Entry(99, 1)},
                 kColumns);
  const std::vector<float> sums = all_products(weights, features({0}, 1));
  for (Column column = 0; column < kColumns; ++column) {
    const float expected = column == 3                                                  ? 4.0F
                           : column == 1 || column == 7 || column == 50 || column == 99 ? 2.0F
                                                                                        : 0.0F;
    CAPTURE(column);
    CHECK(sums[column] == expected);
  }
}

TEST_CASE("weights: products are the same for some columns and for all") {
  Weights weights = three_rows();
  weights.change(features({0, 1, 2}, 0.5F), std::vector<Entry>{Entry(2, 1), Entry(95, -1)}, kColumns);
  const Features asked = features({0, 1, 2}, 0.25F);
  const std::vector<float> all = all_products(weights, asked);
  const std::vector<Column> columns{2, 40, 95};
  std::vector<float> some(kColumns, 0);
  weights.add_products(asked, columns, some);
  for (const Column column : columns) CHECK(some[column] == all[column]);
  CHECK(all[40] == 0.25F * 2 * 2 * 40);
  CHECK(all[95] == -0.5F * 0.25F * (1 + 4 + 9));
}

TEST_CASE("weights: a column that is forgotten is zero, and the others stay") {
  Weights weights = three_rows();
  weights.change(features({0}, 1), std::vector<Entry>{Entry(7, 1), Entry(8, 1)}, kColumns);
  weights.forget(7);
  const std::vector<float> sums = all_products(weights, features({0, 1}, 1));
  CHECK(sums[7] == 0);
  CHECK(sums[8] == 1 + 2 * 2 * 8);
}

TEST_CASE("weights: a row with many weights grows with the columns") {
  Weights weights = three_rows();
  weights.change(features({1}, 1), std::vector<Entry>{Entry(130, 1)}, 131);
  std::vector<float> sums(131, 0);
  weights.add_all_products(features({1}, 1), sums);
  CHECK(sums[130] == 2 * 1 * 2);
  CHECK(sums[10] == 2 * 2 * 10);
}

TEST_CASE("weights: the product of two sentences counts what both have") {
  const Weights weights = three_rows();
  CHECK(weights.product(features({0, 2}, 1), features({1, 2}, 0.5F)) == 3 * 3 * 0.5F);
  CHECK(weights.product(features({0}, 1), features({1}, 1)) == 0);
}

TEST_CASE("weights: what came and went leaves nothing, what stayed stays") {
  Weights weights = three_rows();
  weights.change(features({0}, 1), std::vector<Entry>{Entry(5, 0.01F)}, kColumns);
  for (int i = 0; i < 10; ++i) weights.change(features({0}, 1), std::vector<Entry>{Entry(3, 0.1F)}, kColumns);
  weights.change(features({0}, 1), std::vector<Entry>{Entry(3, -1)}, kColumns);  // rounded: not quite 0
  const std::vector<float> before = all_products(weights, features({0, 1, 2}, 1));
  REQUIRE(all_products(weights, features({0}, 1))[3] != 0);
  weights.shrink();
  const std::vector<float> after = all_products(weights, features({0, 1, 2}, 1));
  for (Column column = 0; column < kColumns; ++column) {
    CAPTURE(column);
    CHECK(std::abs(after[column] - before[column]) < 1e-4F);
  }
  CHECK(all_products(weights, features({0}, 1))[3] == 0);
  CHECK(all_products(weights, features({0}, 1))[5] > 0.002F);
}

TEST_CASE("weights: what hardly counts is left out, also of a row that had many, and can come again") {
  Weights weights = three_rows();
  std::vector<Entry> steps;
  for (Column column = 0; column < 90; ++column) steps.emplace_back(column, column % 30 == 7 ? 1.0F : 0.001F);
  weights.change(features({0}, 1), steps, kColumns);
  weights.shrink();
  for (Column column = 0; column < kColumns; ++column) {
    CAPTURE(column);
    CHECK(all_products(weights, features({0}, 1))[column] == (column < 90 && column % 30 == 7 ? 1 : 0));
  }
  weights.change(features({0}, 1), std::vector<Entry>{Entry(7, 1), Entry(8, 0.5F)}, kColumns);
  CHECK(all_products(weights, features({0}, 1))[7] == 2);
  CHECK(all_products(weights, features({0}, 1))[8] == 0.5F);
}
