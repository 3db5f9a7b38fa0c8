#include "match/padding.hpp"

#include <algorithm>
#include <follow_up/padding.hpp>
#include <optional>
#include <parley/language.hpp>

namespace parley::intent {
namespace {

constexpr std::size_t kShortestWord = 4;  // characters
constexpr std::size_t kLongWord = 5;
constexpr std::size_t kMostWordsRead = 32;
constexpr int kMostSlips = 3;

/// The characters of a word; nothing for one with digits, or whose bytes are not UTF-8.
std::optional<std::u32string> letters_of(const std::string& word) {
  std::u32string letters;
  for (std::size_t i = 0; i < word.size();) {
    const auto lead = static_cast<unsigned char>(word[i]);
    const std::size_t length = lead < 0x80 ? 1 : lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 0;
    if (length == 0 || i + length > word.size() || (lead >= '0' && lead <= '9')) return std::nullopt;
    char32_t letter = length == 1 ? lead : lead & (0x7FU >> length);
    for (std::size_t k = 1; k < length; ++k)
      letter = (letter << 6U) | (static_cast<unsigned char>(word[i + k]) & 0x3FU);
    letters.push_back(letter);
    i += length;
  }
  return letters;
}

bool is_swap(std::u32string_view a, std::u32string_view b) {
  if (a.size() != b.size()) return false;
  const auto at = static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin()).first - a.begin());
  return at + 1 < a.size() && a[at] == b[at + 1] && a[at + 1] == b[at] &&
         a.substr(at + 2) == b.substr(at + 2);
}

/// One letter wrong, missing or too many.
bool is_one_letter_off(std::u32string_view a, std::u32string_view b) {
  if (a.size() > b.size()) std::swap(a, b);
  if (b.size() - a.size() > 1) return false;
  const auto at = static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin()).first - a.begin());
  const std::size_t next = a.size() == b.size() ? at + 1 : at;
  return a.substr(std::min(next, a.size())) == b.substr(std::min(at + 1, b.size()));
}

bool is_slip(std::u32string_view said, std::u32string_view meant) {
  const std::size_t shorter = std::min(said.size(), meant.size());
  if (shorter < kShortestWord || said.front() != meant.front()) return false;
  return is_swap(said, meant) || (shorter >= kLongWord && is_one_letter_off(said, meant));
}

/// The best of those that are word for word a template, vetoed ones left out.
const Candidate* best_template(const std::vector<Candidate>& candidates) {
  const auto found = std::find_if(candidates.begin(), candidates.end(),
                                  [](const Candidate& one) { return one.is_template() && !one.veto; });
  return found == candidates.end() ? nullptr : &*found;
}

std::vector<Candidate> read_again(LanguageIndex& index, const Said& said, const Policy& policy) {
  std::vector<Candidate> candidates = find_candidates(index, said, policy);
  std::erase_if(candidates, [](const Candidate& one) { return one.exact; });
  return candidates;
}

/// Whether a slot begins within what may be left out at the end: "de {name} por {duration}" of "por favor".
bool is_torn(const Candidate& candidate, std::size_t end) {
  return std::any_of(candidate.bound.begin(), candidate.bound.end(),
                     [end](const Bound& bound) { return bound.begin > end; });
}

/// Whether a reading of fewer words is better: it loses none of the words that its template names.
/// @param end  where those words end among all
bool is_better(const std::vector<Candidate>& shorter, const std::vector<Candidate>& whole, std::size_t end) {
  const Candidate* const one = best_template(shorter);
  const Candidate* const other = best_template(whole);
  if (one == nullptr) return false;
  return other == nullptr || one->literal_words >= other->literal_words || is_torn(*other, end);
}

}  // namespace

std::vector<Word> without_fillers(std::span<const Word> said, const LocaleResources& common,
                                  const std::string& lang) {
  std::vector<Word> left(said.begin(), said.end());
  if (!common.vocabulary_occurs(lang, "fillers", said)) return left;  // mostly
  std::erase_if(
      left, [&](const Word& word) { return common.vocabulary_equals(lang, "fillers", std::span(&word, 1)); });
  return left;
}

std::vector<Word> without_slips(const std::vector<Word>& said, const Lexicon& lexicon,
                                std::vector<std::string>& heard) {
  const auto is_strange = [&lexicon](const Word& word) {
    return word.norm.size() >= kShortestWord && lexicon.find(word.norm) == Lexicon::kUnknown;
  };
  // Where many words are strange, it is not slips that make them so.
  if (std::count_if(said.begin(), said.end(), is_strange) > kMostSlips) return said;
  std::vector<Word> mended = said;
  for (Word& word : mended) {
    if (!is_strange(word)) continue;
    const auto letters = letters_of(word.norm);
    if (!letters) continue;
    const std::string* meant = nullptr;
    bool several = false;
    lexicon.for_each_like(word.norm, [&](const std::string& known) {
      const auto other = letters_of(known);
      if (!other || other->empty() || !is_slip(*letters, *other)) return;
      several = several || meant != nullptr;
      meant = &known;
    });
    if (meant == nullptr || several) continue;
    heard.push_back(word.norm + " as " + *meant);
    word.norm = *meant;
  }
  return mended;
}

namespace {

/// Without slips.
/// @param shorter  without padding; the rest as of read_through()
std::string read_mended(LanguageIndex& index, const Policy& policy, const Said& shorter, Said& said,
                        std::vector<Candidate>& candidates) {
  std::vector<std::string> heard;
  Said other = shorter;
  other.words = without_slips(shorter.words, index.lexicon(), heard);
  if (heard.empty()) return {};
  std::vector<Candidate> again = read_again(index, other, policy);
  if (!is_better(again, candidates, said.words.size())) return {};
  said.words = std::move(other.words);
  candidates = std::move(again);
  std::string story;
  for (const std::string& one : heard) story += (story.empty() ? "heard " : ", ") + one;
  return story;
}

}  // namespace

std::string read_through(LanguageIndex& index, const LocaleResources& common, const Policy& policy,
                         Said& said, std::vector<Candidate>& candidates) {
  if (said.words.empty() || said.words.size() > kMostWordsRead) return {};
  const std::string lang(said.lang);
  Said shorter = said;
  shorter.words = without_fillers(said.words, common, lang);
  if (!shorter.words.empty() && shorter.words.size() < said.words.size()) {
    std::vector<Candidate> again = read_again(index, shorter, policy);
    // "Spell um" means it.
    if (best_template(candidates) == nullptr || is_better(again, candidates, said.words.size())) {
      candidates = std::move(again);
      said.words = shorter.words;
    }
  }
  const auto bare = follow_up::without_padding(said.words, common, lang);
  if (bare.size() < said.words.size()) {
    shorter.words.assign(bare.begin(), bare.end());
    std::vector<Candidate> again = read_again(index, shorter, policy);
    const auto begin = static_cast<std::size_t>(bare.data() - said.words.data());
    const std::size_t end = begin + bare.size();
    // "Now" may be what a slot is to be.
    if (is_better(again, candidates, end) &&
        !has_value_outside(index, said, policy, best_template(again)->intent->skill_id, begin, end)) {
      said.words = std::move(shorter.words);
      candidates = std::move(again);
      return "without what is said for politeness: \"" + std::string(surface(said.text, said.words)) + "\"";
    }
  }
  if (best_template(candidates) != nullptr) return {};
  return read_mended(index, policy, shorter, said, candidates);
}

}  // namespace parley::intent
