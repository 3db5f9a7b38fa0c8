#include "learn/features.hpp"

#include <algorithm>
#include <array>

#include "learn/sampling.hpp"

namespace parley::intent {
namespace {

constexpr std::size_t kLongestPhrase = 8;  // words
constexpr std::size_t kPairReach = 4;      // words
constexpr std::array<std::size_t, 3> kPieces{3, 4, 5};
constexpr std::size_t kMostLetters = 24;  // of a word that are looked at

constexpr float kWord = 1.0F;
constexpr float kNeighbours = 1.0F;
constexpr float kPair = 0.6F;
constexpr float kPiece = 0.5F;
constexpr float kListed = 0.7F;
constexpr float kSynonym = 1.0F;
constexpr float kSynonymPair = 0.8F;

enum Family : std::uint64_t {
  kWordFamily = 1,
  kNeighbourFamily,
  kPairFamily,
  kPieceFamily,
  kListedFamily,
  kSynonymFamily,
  kSynonymPairFamily
};
constexpr std::uint64_t kBefore = 11, kBehind = 12, kUnknown = 13, kNumber = 14,
                        kMeant = 15;  // not words

std::uint64_t mixed(std::uint64_t value) noexcept {
  value = (value ^ (value >> 32U)) * 0xd6e8feb86659fd93U;
  value = (value ^ (value >> 32U)) * 0xd6e8feb86659fd93U;
  return value ^ (value >> 32U);
}

/// Pieces of three to five letters, the word's ends counting as letters.
void add_pieces(std::string_view word, std::vector<Feature>& found) {
  if (word.empty()) return;
  std::array<std::size_t, kMostLetters + 3> starts{};  // of letters in `word`
  std::size_t letters = 0;
  for (std::size_t i = 0; i < word.size() && letters <= kMostLetters; ++i) {
    const bool continues = (static_cast<unsigned char>(word[i]) & 0xC0U) == 0x80U;
    if (!continues) starts.at(letters++) = i;
  }
  starts.at(letters) = word.size();
  const std::size_t padded = letters + 2;
  const auto letter = [&](std::size_t i) -> std::uint64_t {
    if (i == 0) return '<';
    if (i > letters) return '>';
    return hash_of(word.substr(starts.at(i - 1), starts.at(i) - starts.at(i - 1)));
  };
  std::array<std::uint64_t, kMostLetters + 4> codes{};
  for (std::size_t i = 0; i < padded; ++i) codes.at(i) = letter(i);
  for (const std::size_t length : kPieces) {
    for (std::size_t begin = 0; begin + length <= padded; ++begin) {
      std::uint64_t piece = kPieceFamily;
      for (std::size_t i = 0; i < length; ++i) piece = piece * 0x100000001b3U + codes.at(begin + i);
      found.emplace_back(mixed(piece), kPiece);
    }
  }
}

/// Of a phrase's first word, its first two, and so on.
std::vector<std::uint64_t> beginnings_of(std::span<const std::string> phrase) {
  std::vector<std::uint64_t> keys;
  std::uint64_t key = 0;
  for (const std::string& word : phrase) keys.push_back(key = hash_of(key, hash_of(word)));
  return keys;
}

/// What the words are taken for. One that is said for something known is kMeant: nothing by itself.
std::vector<std::uint64_t> terms_of(std::span<const std::string> words,
                                    std::span<const Gazetteer::Hit> listed, const Vocabulary& known) {
  std::vector<std::uint64_t> terms;
  terms.reserve(words.size());
  for (const std::string& word : words) {
    const std::uint64_t hash = hash_of(word);
    const bool is_number = word.front() >= '0' && word.front() <= '9';
    terms.push_back(is_number ? kNumber : known.contains(hash) ? hash : kUnknown);
  }
  for (const Gazetteer::Hit& hit : listed) {
    if (!hit.is_synonym || !known.contains(hit.name)) continue;
    for (std::size_t i = hit.begin; i < hit.end; ++i) {
      if (terms[i] == kUnknown) terms[i] = kMeant;
    }
  }
  return terms;
}

/// What a phrase is said for, alone and beside what the others are said for.
void add_meaning(std::uint64_t name, std::span<const Gazetteer::Hit> listed, std::vector<Feature>& found) {
  found.emplace_back(hash_of(kSynonymFamily, name), kSynonym);
  for (const Gazetteer::Hit& other : listed) {
    if (other.is_synonym && other.name > name)
      found.emplace_back(hash_of(kSynonymPairFamily, hash_of(name, other.name)), kSynonymPair);
  }
}

}  // namespace

std::uint64_t hash_of(std::string_view text) noexcept {
  std::uint64_t hash = 0xcbf29ce484222325U;  // FNV-1a
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  return hash;
}

std::uint64_t hash_of(std::uint64_t first, std::uint64_t second) noexcept {
  return mixed(first * 0x9e3779b97f4a7c15U + second);
}

void Gazetteer::add(const std::string& slot, std::span<const std::string> value) {
  add(Owner{hash_of(slot), false, 1}, value);
}

void Gazetteer::add_synonym(std::uint64_t number, std::span<const std::string> phrase) {
  add(Owner{number, true, 1}, phrase);
}

void Gazetteer::add(Owner owner, std::span<const std::string> phrase) {
  if (phrase.empty() || phrase.size() > kLongestPhrase) return;
  const auto keys = beginnings_of(phrase);
  for (std::size_t i = 0; i + 1 < keys.size(); ++i) ++phrases_[keys[i]].longer;
  auto& owners = phrases_[keys.back()].owners;
  const auto known = std::find_if(owners.begin(), owners.end(), [&owner](const Owner& other) {
    return other.name == owner.name && other.is_synonym == owner.is_synonym;
  });
  if (known == owners.end()) {
    owners.push_back(owner);
  } else {
    ++known->times;
  }
}

void Gazetteer::remove(const std::string& slot, std::span<const std::string> value) {
  if (value.empty() || value.size() > kLongestPhrase) return;
  const auto keys = beginnings_of(value);
  const auto phrase = phrases_.find(keys.back());
  if (phrase == phrases_.end()) return;
  auto& owners = phrase->second.owners;
  const auto owner = std::find_if(owners.begin(), owners.end(), [name = hash_of(slot)](const Owner& known) {
    return known.name == name && !known.is_synonym;
  });
  if (owner == owners.end()) return;
  if (--owner->times == 0) owners.erase(owner);
  for (std::size_t i = 0; i + 1 < keys.size(); ++i) --phrases_[keys[i]].longer;
  for (const std::uint64_t key : keys) {
    const auto left = phrases_.find(key);
    if (left->second.owners.empty() && left->second.longer == 0) phrases_.erase(left);
  }
}

std::vector<Gazetteer::Hit> Gazetteer::find(std::span<const std::string> words) const {
  std::vector<Hit> hits;
  for (std::size_t begin = 0; begin < words.size(); ++begin) {
    std::uint64_t key = 0;
    for (std::size_t end = begin; end < words.size(); ++end) {
      key = hash_of(key, hash_of(words[end]));
      const auto phrase = phrases_.find(key);
      if (phrase == phrases_.end()) break;
      for (const Owner& owner : phrase->second.owners)
        hits.emplace_back(begin, end + 1, owner.name, owner.is_synonym);
      if (phrase->second.longer == 0) break;
    }
  }
  return hits;
}

void find_features(std::span<const std::string> words, std::span<const Gazetteer::Hit> listed,
                   const Vocabulary& known, std::vector<Feature>& found) {
  found.clear();
  const std::vector<std::uint64_t> terms = terms_of(words, listed, known);
  for (std::size_t i = 0; i < terms.size(); ++i) {
    if (terms[i] == kMeant) continue;
    found.emplace_back(hash_of(kWordFamily, terms[i]), kWord);
    const std::uint64_t before = i == 0 ? kBefore : terms[i - 1];
    if (before != kMeant)
      found.emplace_back(hash_of(kNeighbourFamily, hash_of(before, terms[i])), kNeighbours);
    for (std::size_t j = i + 2; j < std::min(terms.size(), i + kPairReach + 1); ++j) {
      if (terms[j] == kMeant) continue;
      const auto [low, high] = std::minmax(terms[i], terms[j]);
      found.emplace_back(hash_of(kPairFamily, hash_of(low, high)), kPair);
    }
    if (!words[i].starts_with(kOpenWord)) add_pieces(words[i], found);
  }
  if (!terms.empty() && terms.back() != kMeant) {
    found.emplace_back(hash_of(kNeighbourFamily, hash_of(terms.back(), kBehind)), kNeighbours);
  }
  for (const Gazetteer::Hit& hit : listed) {
    if (hit.is_synonym) {
      add_meaning(hit.name, listed, found);
    } else {
      found.emplace_back(hash_of(kListedFamily, hit.name), kListed);
    }
  }
}

}  // namespace parley::intent
