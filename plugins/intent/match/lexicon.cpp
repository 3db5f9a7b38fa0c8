#include "match/lexicon.hpp"

namespace parley::intent {

WordId Lexicon::hold(const std::string& word) {
  const auto [found, is_new] = ids_.try_emplace(word, 0);
  if (is_new) {
    if (free_.empty()) {
      found->second = static_cast<WordId>(entries_.add());
    } else {
      found->second = free_.back();
      free_.pop_back();
    }
    entries_[found->second].word = &found->first;
    if (!word.empty()) shapes_[shape_of(word.front(), word.size())].push_back(found->second);
  }
  ++entries_[found->second].uses;
  return found->second;
}

void Lexicon::release(WordId id) {
  Entry& entry = entries_[id];
  if (--entry.uses != 0) return;
  if (const std::string& word = *entry.word; !word.empty()) {
    const auto shape = shapes_.find(shape_of(word.front(), word.size()));
    std::erase(shape->second, id);
    if (shape->second.empty()) shapes_.erase(shape);
  }
  ids_.erase(*entry.word);
  entry.word = nullptr;
  free_.push_back(id);
}

WordId Lexicon::find(const std::string& word) const {
  const WordId* const found = ids_.find(word);
  return found == nullptr ? kUnknown : *found;
}

}  // namespace parley::intent
