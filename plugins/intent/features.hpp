#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace parley::intent {

/// Equal texts, equal numbers; in one process only.
std::uint64_t hash_of(std::string_view text) noexcept;
/// Order matters.
std::uint64_t hash_of(std::uint64_t first, std::uint64_t second) noexcept;

/// Something an utterance has, by number, and how much it counts before rarity is looked at.
struct Feature {
  Feature(std::uint64_t what, float amount) noexcept : key(what), weight(amount) {}
  std::uint64_t key;
  float weight;
};

/// Features that weigh less are pieces of words and pairs, of which there are many.
inline constexpr float kMajor = 0.7F;

/// How many sentences use a word, by its hash_of().
using Vocabulary = std::unordered_map<std::uint64_t, std::uint32_t>;

/// Values of entities, to be found in utterances.
class Gazetteer {
 public:
  struct Hit {
    Hit(std::size_t from, std::size_t to, std::uint64_t name) noexcept : begin(from), end(to), slot(name) {}
    std::size_t begin, end;
    std::uint64_t slot;  ///< hash_of() the slot's name.
  };

  /// Counts: what is added twice must be removed twice. Values of more than eight words are left out.
  void add(const std::string& slot, std::span<const std::string> value);
  void remove(const std::string& slot, std::span<const std::string> value);

  /// Every value that occurs in `words`, those that are part of another included.
  std::vector<Hit> find(std::span<const std::string> words) const;

 private:
  struct Owner {
    std::uint64_t slot;
    std::uint32_t times;
  };
  std::unordered_map<std::uint64_t, std::vector<Owner>> values_;  ///< By hash of the words.
};

/// What the classifier looks at: words, neighbours, words near each other in any order, pieces of words (so
/// that "heating" resembles "heat"), and slots a listed value of which occurs.
/// @param known  words that registrations use; all others count as one
void find_features(std::span<const std::string> words, std::span<const Gazetteer::Hit> listed,
                   const Vocabulary& known, std::vector<Feature>& found);

}  // namespace parley::intent
