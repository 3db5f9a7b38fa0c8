#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace parley::intent {

/// A vector that never moves what it holds: to grow a vector of a million takes longer than others may wait.
/// What is added has its default value.
template <class T>
class Chunks {
 public:
  std::size_t size() const noexcept { return size_; }
  T& operator[](std::size_t i) { return chunks_[i / kSize][i % kSize]; }
  const T& operator[](std::size_t i) const { return chunks_[i / kSize][i % kSize]; }
  /// @return the place of what was added
  std::size_t add() {
    if (size_ % kSize == 0) chunks_.push_back(std::make_unique<T[]>(kSize));
    return size_++;
  }

 private:
  static constexpr std::size_t kSize = 256;

  std::vector<std::unique_ptr<T[]>> chunks_;
  std::size_t size_ = 0;
};

/// A hash map in parts, each of which grows for itself, for the same reason. What it holds stays where it is.
template <class Value>
class SpreadMap {
 public:
  using Part = std::unordered_map<std::string, Value>;

  std::pair<typename Part::iterator, bool> try_emplace(const std::string& key, Value value) {
    const auto [found, is_new] = part_of(key).try_emplace(key, std::move(value));
    size_ += is_new ? 1 : 0;
    return {found, is_new};
  }
  /// Null when there is none.
  const Value* find(const std::string& key) const {
    const Part& part = parts_[place_of(key)];
    const auto found = part.find(key);
    return found == part.end() ? nullptr : &found->second;
  }
  /// @param key  may be the map's own
  void erase(const std::string& key) {
    Part& part = part_of(key);
    const auto found = part.find(key);
    if (found == part.end()) return;
    part.erase(found);
    --size_;
  }
  std::size_t size() const noexcept { return size_; }

 private:
  static constexpr std::size_t kParts = 32;

  /// By other bits than those that a part goes by.
  static std::size_t place_of(const std::string& key) {
    return (std::hash<std::string>()(key) >> 40U) % kParts;
  }
  Part& part_of(const std::string& key) { return parts_[place_of(key)]; }

  std::array<Part, kParts> parts_;
  std::size_t size_ = 0;
};

}  // namespace parley::intent
