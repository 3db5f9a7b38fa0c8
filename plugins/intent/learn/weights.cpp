#include "learn/weights.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace parley::intent {
namespace {

constexpr float kSlight =
    0.01F;  // a weight times its row's amount; of a sentence's score a tenth of it at most
constexpr std::size_t kFew = 24;  // weights a row always holds one by one
constexpr std::size_t kMany = 3;  // one column in so many has a weight; 2 takes least room, 4 least time

bool has_many(std::size_t weights, std::size_t columns) {
  return weights >= kFew && weights * kMany >= columns;
}

}  // namespace

std::uint32_t Weights::add_row() {
  rows_.emplace_back();
  return static_cast<std::uint32_t>(rows_.size() - 1);
}

/// Every weight of a row with few is added: to look for those asked for takes longer.
void Weights::add_products(const Features& features, std::span<const Column> columns,
                           std::span<float> sums) const {
  for (const std::uint32_t number : features.rows) {
    const Row& row = rows_[number];
    const float value = row.amount * features.scale;
    for (const Entry& weight : row.few) sums[weight.column] += value * weight.value;
    if (row.all.empty()) continue;
    for (const Column column : columns) {
      if (column < row.all.size()) sums[column] += value * row.all[column];
    }
  }
}

/// Rows with all their weights go four at a time, since the sums take as long to load and store as a row.
void Weights::add_all_products(const Features& features, std::span<float> sums) const {
  std::array<const float*, 4> rows{};
  std::array<float, 4> values{};
  std::size_t waiting = 0;
  for (const std::uint32_t number : features.rows) {
    const Row& row = rows_[number];
    const float value = row.amount * features.scale;
    for (const Entry& weight : row.few) sums[weight.column] += value * weight.value;
    if (row.all.size() < sums.size()) {
      for (std::size_t i = 0; i < row.all.size(); ++i) sums[i] += value * row.all[i];
      continue;
    }
    rows.at(waiting) = row.all.data();
    values.at(waiting) = value;
    if (++waiting < rows.size()) continue;
    waiting = 0;
    for (std::size_t i = 0; i < sums.size(); ++i) {
      sums[i] +=
          values[0] * rows[0][i] + values[1] * rows[1][i] + values[2] * rows[2][i] + values[3] * rows[3][i];
    }
  }
  for (; waiting > 0; --waiting) {
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += values.at(waiting - 1) * rows.at(waiting - 1)[i];
  }
}

void Weights::change(const Features& features, std::span<const Entry> steps, std::size_t columns) {
  if (steps.empty()) return;
  for (const std::uint32_t number : features.rows) {
    Row& row = rows_[number];
    const float value = row.amount * features.scale;
    if (row.all.empty()) {
      change(row.few, value, steps);
      if (!has_many(row.few.size(), columns)) continue;
      row.all.assign(columns, 0);
      for (const Entry& weight : row.few) row.all[weight.column] = weight.value;
      row.few = std::vector<Entry>();  // `{}` would keep its memory
      continue;
    }
    if (steps.back().column >= row.all.size()) row.all.resize(columns, 0);
    for (const Entry& step : steps) row.all[step.column] += step.value * value;
  }
}

void Weights::change(std::vector<Entry>& few, float value, std::span<const Entry> steps) {
  std::size_t missing = 0;
  auto place = few.begin();
  for (const Entry& step : steps) {
    place = std::lower_bound(place, few.end(), step.column, is_before);
    if (place != few.end() && place->column == step.column) {
      place->value += step.value * value;
    } else {
      ++missing;
    }
  }
  if (missing == 0) return;
  std::size_t from = few.size(), to = from + missing;
  few.resize(to, Entry(0, 0));
  for (std::size_t i = steps.size(); i-- > 0 && from < to;) {  // from behind, so that nothing moves twice
    while (from > 0 && few[from - 1].column > steps[i].column) few[--to] = few[--from];
    if (from > 0 && few[from - 1].column == steps[i].column) continue;
    few[--to] = Entry(steps[i].column, steps[i].value * value);
  }
}

float Weights::product(const Features& one, const Features& other) const {
  float sum = 0;
  auto place = other.rows.begin();
  for (const std::uint32_t number : one.rows) {
    while (place != other.rows.end() && *place < number) ++place;
    if (place == other.rows.end()) break;
    if (*place == number) sum += rows_[number].amount * one.scale * (rows_[number].amount * other.scale);
  }
  return sum;
}

void Weights::forget(Column column) {
  for (Row& row : rows_) {
    if (column < row.all.size()) row.all[column] = 0;
    const auto place = std::lower_bound(row.few.begin(), row.few.end(), column, is_before);
    if (place != row.few.end() && place->column == column) row.few.erase(place);
  }
}

void Weights::forget_all() {
  for (Row& row : rows_) {
    row.few.clear();
    row.all.clear();
  }
}

void Weights::shrink() {
  for (Row& row : rows_) {
    const auto counts = [&row](float weight) { return std::abs(weight) * row.amount >= kSlight; };
    std::erase_if(row.few, [&counts](const Entry& weight) { return !counts(weight.value); });
    const auto many = static_cast<std::size_t>(std::count_if(row.all.begin(), row.all.end(), counts));
    if (!row.all.empty() && !has_many(many, row.all.size())) {
      row.few.reserve(many);
      for (Column column = 0; column < row.all.size(); ++column) {
        if (counts(row.all[column])) row.few.emplace_back(column, row.all[column]);
      }
      row.all = std::vector<float>();
    }
    row.few.shrink_to_fit();
  }
}

}  // namespace parley::intent
