#include "several.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <span>
#include <utility>

namespace parley::common_query {
namespace {

/// A part with slots must name so many of its words: what comes after an "and" is easily part of a slot.
constexpr std::size_t kPlainWords = 2;
/// More than this is nothing that somebody says in one breath.
constexpr std::size_t kMostWords = 48;

/// Takes an utterance apart, as few parts as there can be.
class Splitter {
 public:
  Splitter(Gate& gate, std::string_view utterance, const std::string& lang, const Takes& takes)
      : gate_(gate), utterance_(utterance), lang_(lang), takes_(takes), said_(words(utterance, lang)) {}

  std::vector<Part> parts() {
    if (said_.size() > kMostWords || !has_joint() || !split(0) || found_.size() < 2) return {};
    return std::move(found_);
  }

 private:
  std::size_t joint_at(std::size_t at) { return gate_.joint_at(std::span(said_).subspan(at), lang_); }

  bool has_joint() {
    for (std::size_t at = 1; at + 1 < said_.size(); ++at)
      if (joint_at(at) > 0) return true;
    return false;
  }

  bool split(std::size_t begin) {
    if (found_.size() == Match::kMostParts) return false;
    if (begin > 0 && take(begin, said_.size())) return true;
    for (std::size_t at = begin + 1; at + 1 < said_.size(); ++at) {
      const std::size_t length = joint_at(at);
      if (length == 0 || !take(begin, at)) continue;
      if (split(at + length)) return true;
      found_.pop_back();
    }
    return false;
  }

  bool take(std::size_t begin, std::size_t end) {
    // Each part is read once, in however many ways the rest is cut: the loop waits for it.
    const auto [known, is_new] = read_.try_emplace({begin, end});
    if (is_new) known->second = read(std::span(said_).subspan(begin, end - begin));
    if (known->second) found_.push_back(*known->second);
    return known->second.has_value();
  }

  std::optional<Part> read(std::span<const Word> part) {
    if (part.empty() || has_question(part)) return std::nullopt;
    std::string text(surface(utterance_, part));
    auto intent = takes_(text);
    if (intent && !intent->slots.empty() && intent->literal_words < kPlainWords) intent.reset();
    if (!intent && !gate_.begins_like_question(part, lang_)) return std::nullopt;
    return Part(std::move(text), std::move(intent));
  }

  /// Whether another question begins in it.
  bool has_question(std::span<const Word> part) {
    for (std::size_t at = 1; at + 1 < part.size(); ++at) {
      const std::size_t length = gate_.joint_at(part.subspan(at), lang_);
      if (length > 0 && gate_.begins_like_question(part.subspan(at + length), lang_)) return true;
    }
    return false;
  }

  Gate& gate_;
  const std::string_view utterance_;
  const std::string& lang_;
  const Takes& takes_;
  const std::vector<Word> said_;
  std::vector<Part> found_;
  std::map<std::pair<std::size_t, std::size_t>, std::optional<Part>> read_;  ///< By first word and end.
};

}  // namespace

std::vector<Part> several_in(Gate& gate, std::string_view utterance, const std::string& lang,
                             const Takes& takes) {
  if (!gate.may_join(utterance, lang)) return {};
  std::vector<Part> parts = Splitter(gate, utterance, lang, takes).parts();
  const bool all_taken =
      std::all_of(parts.begin(), parts.end(), [](const Part& part) { return part.intent.has_value(); });
  if (all_taken) return {};
  const auto named = std::accumulate(
      parts.begin(), parts.end(), std::size_t{0},
      [](std::size_t sum, const Part& part) { return sum + (part.intent ? part.intent->literal_words : 0); });
  const auto whole = takes(std::string(utterance));
  if (whole && whole->literal_words > named) return {};
  return parts;
}

}  // namespace parley::common_query
