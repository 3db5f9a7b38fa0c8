#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace parley {

/// A list from outside in which many texts are looked up: by hash, because the sender decides how long the
/// list is. Refers to the list, which must outlive it.
class TextSet {
 public:
  TextSet() = default;
  explicit TextSet(const std::vector<std::string>& list);
  explicit TextSet(const std::optional<std::vector<std::string>>& list);
  explicit TextSet(std::vector<std::string>&&) = delete;
  explicit TextSet(std::optional<std::vector<std::string>>&&) = delete;
  bool contains(std::string_view text) const;
  /// Returns false when it was there already. What `text` refers to must outlive the set.
  bool insert(std::string_view text);

  /// How many elements all sets of this process have taken in or compared so far; for tests.
  static std::uint64_t visited() noexcept;
  /// Adds to visited(). For code that walks a list instead.
  static void count_visits(std::size_t elements) noexcept;

 private:
  std::unordered_set<std::string_view> texts_;
};

}  // namespace parley
