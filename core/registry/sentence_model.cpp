#include "registry/sentence_model.hpp"

#include <algorithm>
#include <parley/text.hpp>

namespace parley {
namespace {

// A word that is not listed outweighs any number in open slots, and those any number written in the template.
constexpr std::uint32_t kUnlistedWord = 1U << 16U;
constexpr std::uint32_t kOpenWord = 1U << 10U;
constexpr std::uint32_t kUnwritten = 1;

/// The same disorder on every machine.
std::uint32_t scatter(std::uint32_t choice, std::uint32_t group) {
  std::uint64_t mixed = (std::uint64_t{choice} << 32U | group) * 0x9E3779B97F4A7C15U;
  mixed ^= mixed >> 29U;
  mixed *= 0xBF58476D1CE4E5B9U;
  return static_cast<std::uint32_t>(mixed >> 32U);
}

std::size_t weight(const std::set<std::uint32_t>& words,
                   const std::unordered_map<std::uint32_t, std::size_t>& uses) {
  std::size_t sum = 0;
  for (const auto word : words) sum += uses.at(word);
  return sum;
}

}  // namespace

std::uint32_t SentenceWords::number(const std::string& word) {
  const auto [at, added] = numbers_.try_emplace(word, static_cast<std::uint32_t>(words_.size()));
  if (added) words_.push_back(word);
  return at->second;
}

WordRun SentenceWords::numbers(std::string_view phrase, std::string_view lang) {
  WordRun run;
  for (const Word& word : words(phrase, lang)) run.push_back(number(word.norm));
  return run;
}

std::string SentenceWords::text(const WordRun& sentence) const {
  std::string text;
  for (const auto word : sentence) text += (text.empty() ? "" : " ") + words_[word];
  return text;
}

SentenceModel::SentenceModel(const Pattern& pattern, SentenceWords& words, const SlotTable& slots)
    : root_(build(pattern, words, slots)) {}

SentenceModel::Node SentenceModel::build(const Pattern& pattern, SentenceWords& words,
                                         const SlotTable& slots) {
  Node node(pattern.kind);
  if (pattern.kind == Pattern::Kind::kWord) node.word = words.number(pattern.text);
  if (pattern.kind == Pattern::Kind::kSlot) {
    node.word = words.number('{' + pattern.text + '}');
    if (const auto known = slots.find(pattern.text); known != slots.end()) node.slot = known->second;
  }
  for (const Pattern& child : pattern.children) node.children.push_back(build(child, words, slots));
  return node;
}

WordRun SentenceModel::sentence(std::uint32_t choice) const {
  WordRun out;
  std::uint32_t group = 0;
  draw(root_, choice, group, out);
  return out;
}

void SentenceModel::draw(const Node& node, std::uint32_t choice, std::uint32_t& group, WordRun& out) {
  switch (node.kind) {
    case Pattern::Kind::kWord:
      out.push_back(node.word);
      return;
    case Pattern::Kind::kSlot:
      if (node.slot == nullptr || node.slot->values.empty()) {
        out.push_back(node.word);
      } else {
        const WordRun& value = node.slot->values[choice % node.slot->values.size()];
        out.insert(out.end(), value.begin(), value.end());
      }
      return;
    case Pattern::Kind::kSequence:
      for (const Node& child : node.children) draw(child, choice, group, out);
      return;
    case Pattern::Kind::kChoice:
      const auto count = static_cast<std::uint32_t>(node.children.size());
      const std::uint32_t which = choice < count ? choice : scatter(choice, group);
      ++group;
      draw(node.children[which % count], choice, group, out);
  }
}

std::optional<SentenceFit> SentenceModel::take(const WordRun& said) const {
  if (said.empty() || said.size() > kMostWords) return std::nullopt;
  Front from;
  Front to;
  from.fill(kDead);
  to.fill(kDead);
  from[0] = 0;
  advance(root_, said, from, to);
  const std::uint32_t cost = to[said.size()];
  if (cost == kDead) return std::nullopt;
  return SentenceFit(cost / kUnlistedWord, cost % kUnlistedWord / kOpenWord, said.size() - cost % kOpenWord);
}

void SentenceModel::advance(const Node& node, const WordRun& said, const Front& from, Front& to) {
  switch (node.kind) {
    case Pattern::Kind::kWord:
      for (std::size_t at = 0; at < said.size(); ++at) {
        if (from[at] != kDead && said[at] == node.word) to[at + 1] = std::min(to[at + 1], from[at]);
      }
      return;
    case Pattern::Kind::kSlot:
      return take_slot(node, said, from, to);
    case Pattern::Kind::kChoice:
      for (const Node& child : node.children) advance(child, said, from, to);
      return;
    case Pattern::Kind::kSequence:
      break;
  }
  Front here = from;
  for (const Node& child : node.children) {
    Front next;
    next.fill(kDead);
    advance(child, said, here, next);
    here = next;
    if (std::all_of(here.begin(), here.end(), [](auto cost) { return cost == kDead; })) return;
  }
  for (std::size_t at = 0; at <= said.size(); ++at) to[at] = std::min(to[at], here[at]);
}

void SentenceModel::take_slot(const Node& node, const WordRun& said, const Front& from, Front& to) {
  for (std::size_t begin = 0; begin < said.size(); ++begin) {
    if (from[begin] == kDead) continue;
    WordRun taken;
    for (std::size_t end = begin + 1; end <= said.size(); ++end) {
      taken.push_back(said[end - 1]);
      if (node.slot && node.slot->forbidden.contains(taken)) continue;
      const bool listed = node.slot && node.slot->listed.contains(taken);
      const auto words = static_cast<std::uint32_t>(end - begin);
      const bool has_list = node.slot && !node.slot->listed.empty();
      const std::uint32_t each =
          kUnwritten + (listed ? 0 : kOpenWord) + (has_list && !listed ? kUnlistedWord : 0);
      to[end] = std::min(to[end], from[begin] + words * each);
    }
  }
}

void SentenceModel::collect(const Node& node, std::set<std::uint32_t>& words) {
  if (node.kind == Pattern::Kind::kWord) words.insert(node.word);
  for (const Node& child : node.children) collect(child, words);
}

void SentenceModel::count(std::unordered_map<std::uint32_t, std::size_t>& uses) const {
  std::set<std::uint32_t> words;
  collect(root_, words);
  for (const auto word : words) ++uses[word];
}

std::optional<std::set<std::uint32_t>> SentenceModel::key_of(
    const Node& node, const std::unordered_map<std::uint32_t, std::size_t>& uses) {
  using Key = std::optional<std::set<std::uint32_t>>;
  if (node.kind == Pattern::Kind::kWord) return std::set<std::uint32_t>{node.word};
  if (node.kind == Pattern::Kind::kSlot) return std::nullopt;
  Key best;
  for (const Node& child : node.children) {
    Key key = key_of(child, uses);
    if (node.kind == Pattern::Kind::kSequence) {
      if (key && (!best || weight(*key, uses) < weight(*best, uses))) best = std::move(key);
    } else if (!key) {
      return std::nullopt;  // that branch can do without
    } else {
      if (!best) best.emplace();
      best->merge(*key);
    }
  }
  return best;
}

WordRun SentenceModel::key(const std::unordered_map<std::uint32_t, std::size_t>& uses) const {
  const auto words = key_of(root_, uses);
  return words ? WordRun(words->begin(), words->end()) : WordRun();
}

}  // namespace parley
