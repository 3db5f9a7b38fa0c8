#include <algorithm>
#include <cmath>

#include "learn/classifier.hpp"

namespace parley::intent {

void Classifier::pack(Packer& into) const {
  std::vector<std::uint32_t> counts;
  std::vector<std::uint8_t> quiet;
  std::vector<Column> columns;
  std::vector<float> values;
  for (const auto& [label, known] : classes_) {
    for (const Sentence& sentence : known.sentences) {
      counts.push_back(static_cast<std::uint32_t>(sentence.duals.size()));
      quiet.push_back(sentence.quiet ? 1 : 0);
      for (const Entry& dual : sentence.duals) {
        columns.push_back(dual.column);
        values.push_back(dual.value);
      }
    }
  }
  into.add(counts);
  into.add(quiet);
  into.add(columns);
  into.add(values);
  into.add(held_out_);
}

bool Classifier::recall(Unpacker& from) {
  const auto counts = from.numbers<std::uint32_t>();
  const auto quiet = from.numbers<std::uint8_t>();
  const auto columns = from.numbers<Column>();
  const auto values = from.numbers<float>();
  auto held_out = from.numbers<double>();
  std::uint64_t duals = 0;
  for (const std::uint32_t count : counts) duals += count;
  const auto is_class = [this](Column column) { return column < groups_.size() && groups_[column] != 0; };
  if (!from.is_good() || counts.size() != sentences_ || quiet.size() != sentences_ ||
      duals != columns.size() || columns.size() != values.size() ||
      !std::all_of(columns.begin(), columns.end(), is_class) ||
      !std::all_of(values.begin(), values.end(), [](float value) { return std::isfinite(value); }) ||
      !std::is_sorted(held_out.begin(), held_out.end()))
    return false;
  std::size_t at = 0, next = 0;
  for (const auto& [known, sentence] : start_over()) {
    sentence->quiet = quiet[at] != 0;
    for (std::uint32_t left = counts[at++]; left > 0; --left, ++next)
      sentence->duals.emplace_back(columns[next], values[next]);
    const auto is_ordered = [](const Entry& one, const Entry& other) { return one.column >= other.column; };
    if (std::adjacent_find(sentence->duals.begin(), sentence->duals.end(), is_ordered) !=
        sentence->duals.end())
      return false;
  }
  sum_up();
  held_out_ = std::move(held_out);
  return true;
}

}  // namespace parley::intent
