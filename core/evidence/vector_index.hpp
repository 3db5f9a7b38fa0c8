#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "evidence/bounds.hpp"

namespace parley {
class Database;
class Statement;
}  // namespace parley

namespace parley::evidence {

/// The vectors of memories, all in memory: every one within reach of a question is compared with it, and no
/// other. It follows the tables whenever it is asked. From any thread.
class VectorIndex {
 public:
  /// @param most  vectors; of more the latest are held
  explicit VectorIndex(std::size_t most) : most_(most) {}

  /// Drops what it holds; from here on it holds vectors of that model.
  /// @param size  numbers of each; 0: there is no model yet
  void begin(std::int64_t model, std::size_t size);
  /// Reads so many rows further.
  /// @return whether there are more
  bool load(Database& database, std::size_t rows);
  bool is_loaded() const { return loaded_; }
  /// Takes over what has changed since.
  /// @return the id of the last change that was taken over
  std::int64_t follow(Database& database);

  struct Near {
    Near() = default;
    std::vector<std::pair<float, std::int64_t>> rows;  ///< Cosine and row, the nearest first.
    std::size_t compared = 0;
  };
  /// @param vector  as vectors_in() gives it, of size()
  Near nearest(const Bounds& bounds, std::string_view vector, std::size_t most) const;

  /// Numbers of a vector; 0: there are none yet.
  std::size_t size() const noexcept { return size_; }
  /// Vectors.
  std::size_t count() const noexcept { return count_; }

 private:
  static constexpr std::size_t kOfChunk = 1'024;  ///< Vectors.
  struct Entry {
    Entry() = default;
    std::int64_t row = 0, time = 0;
    std::int64_t own = 0, workspace = 0, shared = 0;  ///< Domains; all 0: it was dropped.
    std::size_t session = 0, agent = 0;               ///< Hashes.
    float scale = 0;
    std::uint8_t kind = 0;  ///< Of kMemoryTypes.
    bool is_cold = false;
  };

  void take(const Statement& found);
  void put(const Entry& entry, std::string_view packed);
  void drop(std::int64_t row);
  void enlist(std::size_t at);
  /// Gives back the room of what was dropped.
  void compact();
  std::int8_t* values_of(std::size_t at) const {
    return chunks_[at / kOfChunk].get() + at % kOfChunk * stride_;
  }
  /// A domain that is looked into.
  struct Place;
  static bool is_within(const Entry& entry, const Place& place, const Bounds& bounds, unsigned kinds);

  const std::size_t most_;
  std::atomic<bool> loaded_{false};
  mutable std::shared_mutex mutex_;
  std::int64_t model_ = 0, loaded_up_to_ = 0, followed_ = -1;
  std::atomic<std::size_t> size_{0}, count_{0};
  std::size_t stride_ = 0;
  std::vector<std::unique_ptr<std::int8_t[]>> chunks_;  // NOLINT(*-avoid-c-arrays)
  std::vector<Entry> entries_;
  std::map<std::int64_t, std::size_t> by_row_;                              ///< The oldest first.
  std::unordered_map<std::int64_t, std::vector<std::uint32_t>> by_domain_;  ///< What is of others is skipped.
};

}  // namespace parley::evidence
