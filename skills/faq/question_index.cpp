#include "question_index.hpp"

#include <libstemmer.h>

#include <algorithm>
#include <cmath>
#include <parley/language.hpp>
#include <parley/text.hpp>
#include <stdexcept>

namespace parley::faq {
namespace {

// The usual values of BM25; questions are short, so their length matters little.
constexpr double kSaturation = 1.2;
constexpr double kLengthShare = 0.3;
/// A word that no question has says that another question is meant: it counts for so many rare words.
constexpr double kUnknown = 2;

std::string stemmed(sb_stemmer* stemmer, const std::string& word) {
  if (stemmer == nullptr) return word;
  const auto* const bytes = reinterpret_cast<const sb_symbol*>(word.data());
  const sb_symbol* const stem = sb_stemmer_stem(stemmer, bytes, static_cast<int>(word.size()));
  if (stem == nullptr) return word;  // out of memory
  return {reinterpret_cast<const char*>(stem), static_cast<std::size_t>(sb_stemmer_length(stemmer))};
}

}  // namespace

void QuestionIndex::DeleteStemmer::operator()(sb_stemmer* stemmer) const noexcept {
  sb_stemmer_delete(stemmer);
}

QuestionIndex::Phrasing::Phrasing(std::size_t of, Terms words) : entry(of), terms(std::move(words)) {
  for (const auto& [stem, count] : terms) length += count;
}

QuestionIndex::QuestionIndex(std::vector<Entry> entries, const std::vector<std::string>& ignored,
                             std::string lang)
    : lang_(std::move(lang)),
      stemmer_(sb_stemmer_new(primary_language(lang_).c_str(), "UTF_8")),
      entries_(std::move(entries)) {
  Terms nothing;
  for (const auto& word : ignored) nothing.merge(terms_of(word));
  ignored_ = std::move(nothing);
  double words = 0;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    for (const auto& text : entries_[i].phrasings) {
      Phrasing phrasing(i, terms_of(text));
      if (phrasing.terms.empty()) continue;
      for (const auto& [stem, count] : phrasing.terms) ++found_in_[stem];
      words += phrasing.length;
      phrasings_.push_back(std::move(phrasing));
    }
  }
  if (!phrasings_.empty()) mean_length_ = words / static_cast<double>(phrasings_.size());
  for (auto& phrasing : phrasings_) {
    for (const auto& [stem, count] : phrasing.terms) phrasing.full += weight(phrasing, stem, count);
  }
}

QuestionIndex::Terms QuestionIndex::terms_of(std::string_view text) const {
  Terms terms;
  for (const auto& word : words(text, lang_)) {
    const std::string stem = stemmed(stemmer_.get(), word.norm);
    if (!ignored_.contains(stem)) ++terms[stem];
  }
  return terms;
}

/// Inverse document frequency, never below zero.
double QuestionIndex::rarity(std::string_view stem) const {
  const auto found = found_in_.find(stem);
  const double in = found == found_in_.end() ? 0 : found->second;
  const auto all = static_cast<double>(phrasings_.size());
  return std::log(1 + (all - in + 0.5) / (in + 0.5)) * (found == found_in_.end() ? kUnknown : 1);
}

double QuestionIndex::weight(const Phrasing& phrasing, std::string_view stem, int count) const {
  const double room = 1 - kLengthShare + kLengthShare * phrasing.length / mean_length_;
  return rarity(stem) * count * (kSaturation + 1) / (count + kSaturation * room);
}

/// The harmonic mean of how much of the phrasing was said and how much of what was said is in the phrasing.
double QuestionIndex::similarity(const Terms& said, double said_rarity, const Phrasing& phrasing) const {
  double score = 0, covered = 0;
  for (const auto& [stem, count] : said) {
    const auto in = phrasing.terms.find(stem);
    if (in == phrasing.terms.end()) continue;
    score += weight(phrasing, stem, in->second);
    covered += rarity(stem);
  }
  if (score == 0) return 0;
  const double of_phrasing = score / phrasing.full;
  const double of_said = covered / said_rarity;
  return 2 * of_phrasing * of_said / (of_phrasing + of_said);
}

QuestionIndex::Hit QuestionIndex::best(std::string_view utterance) const {
  if (entries_.empty()) throw std::logic_error("there are no questions");
  const Terms said = terms_of(utterance);
  double said_rarity = 0;
  for (const auto& [stem, count] : said) said_rarity += rarity(stem);
  Hit best(entries_.front(), 0);
  for (const auto& phrasing : phrasings_) {
    const double score = similarity(said, said_rarity, phrasing);
    if (score > best.score) best = Hit(entries_[phrasing.entry], score);
  }
  return best;
}

}  // namespace parley::faq
