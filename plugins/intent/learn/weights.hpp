#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace parley::intent {

/// The place of a class in the rows of Weights.
using Column = std::uint32_t;

/// A column with a number: a weight, or what to add to one.
struct Entry {
  Entry(Column which, float what) noexcept : column(which), value(what) {}
  Column column;
  float value;
};

/// For what is searched by column.
inline bool is_before(const Entry& entry, Column column) noexcept {
  return entry.column < column;
}

/// A sparse vector: rows, ascending and each once, every one with its row's amount times `scale`.
struct Features {
  std::vector<std::uint32_t> rows;
  float scale = 1;
};

/// The weights of a linear classifier: a row for each feature, a column for each class. A row holds its few
/// weights one by one, or one for every column once they are many. What is asked of several columns is asked
/// at once, since finding a row costs more than using it.
class Weights {
 public:
  /// @return its number; rows count from 0
  std::uint32_t add_row();
  std::size_t rows() const noexcept { return rows_.size(); }
  /// How much a feature counts, the same in all sentences; 0: it is not looked at.
  float amount(std::uint32_t row) const { return rows_[row].amount; }
  void set_amount(std::uint32_t row, float amount) { rows_[row].amount = amount; }
  void clear() { rows_.clear(); }
  /// Sets all of them to zero; the rows and their amounts stay.
  void forget_all();

  /// Adds the product of `features` and every column.
  /// @param sums  by column
  void add_all_products(const Features& features, std::span<float> sums) const;
  /// The same, of which only the sums of `columns` are right.
  void add_products(const Features& features, std::span<const Column> columns, std::span<float> sums) const;
  /// Adds to each step's column the step's value times `features`.
  /// @param steps    by column, ascending, each once
  /// @param columns  how many there are
  void change(const Features& features, std::span<const Entry> steps, std::size_t columns);
  /// The product of two vectors.
  float product(const Features& one, const Features& other) const;

  /// Sets a column to zero.
  void forget(Column column);
  /// Leaves out weights that hardly count, which most are, and returns memory that would serve for further
  /// change only.
  void shrink();

 private:
  struct Row {
    float amount = 0;
    std::vector<Entry> few;  ///< By column, ascending.
    std::vector<float> all;  ///< By column; when not empty, `few` is.
  };

  static void change(std::vector<Entry>& few, float value, std::span<const Entry> steps);

  std::vector<Row> rows_;
};

}  // namespace parley::intent
