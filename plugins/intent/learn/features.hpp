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

/// How many sentences use a word, by its hash_of(), or what is said for something, by Gazetteer::Hit::name.
using Vocabulary = std::unordered_map<std::uint64_t, std::uint32_t>;

/// Phrases to be found in utterances: values of entities, and what is said for each other.
class Gazetteer {
 public:
  struct Hit {
    Hit(std::size_t from, std::size_t to, std::uint64_t what, bool is_a_synonym) noexcept
        : begin(from), end(to), name(what), is_synonym(is_a_synonym) {}
    std::size_t begin, end;
    std::uint64_t name;  ///< hash_of() the slot's name; of synonyms the number they share.
    bool is_synonym;
  };

  /// Counts: what is added twice must be removed twice. Values of more than eight words are left out.
  void add(const std::string& slot, std::span<const std::string> value);
  void remove(const std::string& slot, std::span<const std::string> value);
  /// Phrases added with the same number are said for each other. As long, and for good.
  void add_synonym(std::uint64_t number, std::span<const std::string> phrase);

  /// Every phrase that occurs in `words`, those that are part of another included.
  std::vector<Hit> find(std::span<const std::string> words) const;

 private:
  struct Owner {
    std::uint64_t name;
    bool is_synonym;
    std::uint32_t times;
  };

  struct Phrase {
    std::vector<Owner> owners;
    std::uint32_t longer =
        0;  ///< Phrases that begin with it; where there are none, nobody need look further.
  };

  void add(Owner owner, std::span<const std::string> phrase);

  std::unordered_map<std::uint64_t, Phrase> phrases_;  ///< By hash of the words; beginnings of phrases too.
};

/// What the classifier looks at: words, neighbours, words near each other in any order, pieces of words (so
/// that "heating" resembles "heat"), slots a listed value of which occurs, what words are said for, and pairs
/// of that (so that "kill the lamp" resembles "switch off the light").
/// @param known  words that registrations use. All others count as one; but one that is said for something
///               they use is looked at as that alone.
void find_features(std::span<const std::string> words, std::span<const Gazetteer::Hit> listed,
                   const Vocabulary& known, std::vector<Feature>& found);

}  // namespace parley::intent
