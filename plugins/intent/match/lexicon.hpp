#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <unordered_map>
#include <vector>

#include "match/chunks.hpp"

namespace parley::intent {

using WordId = std::uint32_t;

/// The words that registrations use, as small numbers. Counts uses, so that what a skill leaves behind when
/// it goes is nothing.
class Lexicon {
 public:
  /// What find() gives for a word nobody uses.
  static constexpr WordId kUnknown = std::numeric_limits<WordId>::max();

  /// The number of a word in matching form (T-4), with one more use.
  WordId hold(const std::string& word);
  /// Ends one use; with the last one the number is free for another word.
  void release(WordId id);

  WordId find(const std::string& word) const;
  std::size_t size() const noexcept { return ids_.size(); }

  /// Calls `visit` for every word that begins with the same byte and is one character longer or shorter at
  /// most.
  template <class Visit>
  void for_each_like(const std::string& form, Visit&& visit) const {
    constexpr std::size_t kCharacter = 4;  // bytes
    const std::size_t shortest = form.size() > kCharacter ? form.size() - kCharacter : 1;
    for (std::size_t size = shortest; size <= form.size() + kCharacter; ++size) {
      const auto found = shapes_.find(shape_of(form.front(), size));
      if (found == shapes_.end()) continue;
      for (const WordId id : found->second) visit(*entries_[id].word);
    }
  }

 private:
  struct Entry {
    const std::string* word = nullptr;  ///< The key in ids_, which stays where it is.
    std::uint32_t uses = 0;
  };

  /// Words of the same first byte and size are found together: a word nobody uses is compared with few.
  static std::size_t shape_of(char first, std::size_t size) {
    return (size << 8U) | static_cast<unsigned char>(first);
  }

  SpreadMap<WordId> ids_;
  std::unordered_map<std::size_t, std::vector<WordId>> shapes_;
  Chunks<Entry> entries_;
  std::vector<WordId> free_;
};

}  // namespace parley::intent
