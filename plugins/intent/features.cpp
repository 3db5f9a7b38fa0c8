#include "features.hpp"

#include <algorithm>
#include <array>

#include "sampling.hpp"

namespace parley::intent {
namespace {

constexpr std::size_t kLongestValue = 8;  // words
constexpr std::size_t kPairReach = 4;     // words
constexpr std::array<std::size_t, 3> kPieces{3, 4, 5};
constexpr std::size_t kMostLetters = 24;  // of a word that are looked at

constexpr float kWord = 1.0F;
constexpr float kNeighbours = 1.0F;
constexpr float kPair = 0.6F;
constexpr float kPiece = 0.5F;
constexpr float kListed = 0.7F;

enum Family : std::uint64_t { kWordFamily = 1, kNeighbourFamily, kPairFamily, kPieceFamily, kListedFamily };
constexpr std::uint64_t kBefore = 11, kBehind = 12, kUnknown = 13, kNumber = 14;  // not words

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
  if (value.empty() || value.size() > kLongestValue) return;
  std::uint64_t key = 0;
  for (const std::string& word : value) key = hash_of(key, hash_of(word));
  auto& owners = values_[key];
  const std::uint64_t name = hash_of(slot);
  const auto known =
      std::find_if(owners.begin(), owners.end(), [name](const Owner& o) { return o.slot == name; });
  if (known == owners.end()) {
    owners.push_back(Owner{name, 1});
  } else {
    ++known->times;
  }
}

void Gazetteer::remove(const std::string& slot, std::span<const std::string> value) {
  if (value.empty() || value.size() > kLongestValue) return;
  std::uint64_t key = 0;
  for (const std::string& word : value) key = hash_of(key, hash_of(word));
  const auto owners = values_.find(key);
  if (owners == values_.end()) return;
  const std::uint64_t name = hash_of(slot);
  std::erase_if(owners->second, [name](Owner& owner) { return owner.slot == name && --owner.times == 0; });
  if (owners->second.empty()) values_.erase(owners);
}

std::vector<Gazetteer::Hit> Gazetteer::find(std::span<const std::string> words) const {
  std::vector<Hit> hits;
  if (values_.empty()) return hits;
  for (std::size_t begin = 0; begin < words.size(); ++begin) {
    std::uint64_t key = 0;
    for (std::size_t end = begin; end < std::min(words.size(), begin + kLongestValue); ++end) {
      key = hash_of(key, hash_of(words[end]));
      const auto owners = values_.find(key);
      if (owners == values_.end()) continue;
      for (const Owner& owner : owners->second) hits.emplace_back(begin, end + 1, owner.slot);
    }
  }
  return hits;
}

void find_features(std::span<const std::string> words, std::span<const Gazetteer::Hit> listed,
                   const Vocabulary& known, std::vector<Feature>& found) {
  found.clear();
  std::vector<std::uint64_t> terms;
  terms.reserve(words.size());
  for (const std::string& word : words) {
    const std::uint64_t hash = hash_of(word);
    const bool is_number = word.front() >= '0' && word.front() <= '9';
    terms.push_back(is_number ? kNumber : known.contains(hash) ? hash : kUnknown);
  }
  for (std::size_t i = 0; i < terms.size(); ++i) {
    found.emplace_back(hash_of(kWordFamily, terms[i]), kWord);
    found.emplace_back(hash_of(kNeighbourFamily, hash_of(i == 0 ? kBefore : terms[i - 1], terms[i])),
                       kNeighbours);
    for (std::size_t j = i + 2; j < std::min(terms.size(), i + kPairReach + 1); ++j) {
      const auto [low, high] = std::minmax(terms[i], terms[j]);
      found.emplace_back(hash_of(kPairFamily, hash_of(low, high)), kPair);
    }
    if (!words[i].starts_with(kOpenWord)) add_pieces(words[i], found);
  }
  if (!terms.empty()) {
    found.emplace_back(hash_of(kNeighbourFamily, hash_of(terms.back(), kBehind)), kNeighbours);
  }
  for (const Gazetteer::Hit& hit : listed) found.emplace_back(hash_of(kListedFamily, hit.slot), kListed);
}

}  // namespace parley::intent
