#include "list.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <parley/phrases.hpp>
#include <parley/text.hpp>

namespace parley::lists {
namespace {

/// "banana" and "bananas", "Marmelad" and "Marmelade": the beginning is the same, and little else follows.
bool is_nearly(const std::string& one, const std::string& other) {
  constexpr std::size_t kShortest = 4, kLongestEnd = 2;
  const auto [a, b] = std::mismatch(one.begin(), one.end(), other.begin(), other.end());
  const auto common = static_cast<std::size_t>(a - one.begin());
  return one == other ||
         (common >= kShortest && one.size() - common <= kLongestEnd && other.size() - common <= kLongestEnd);
}

bool are_within(const std::vector<Word>& some, const std::vector<Word>& among) {
  return !some.empty() && std::all_of(some.begin(), some.end(), [&](const Word& word) {
    return std::any_of(among.begin(), among.end(),
                       [&](const Word& other) { return is_nearly(word.norm, other.norm); });
  });
}

}  // namespace

List List::from_json(const Json& kept) {
  if (!kept.is_object()) return List("");
  const auto name = kept.find("name");
  List list(name != kept.end() && name->is_string() ? name->get<std::string>() : std::string());
  const auto items = kept.find("items");
  if (items == kept.end() || !items->is_array()) return list;
  for (const Json& item : *items) {
    if (item.is_string()) list.items_.push_back(item.get<std::string>());
  }
  return list;
}

Json List::to_json() const {
  return {{"name", name_}, {"items", items_}};
}

List::Added List::add(const std::string& item, std::size_t most, const std::string& lang) {
  const std::string said = normalise(item, lang);
  const bool there = std::any_of(items_.begin(), items_.end(),
                                 [&](const std::string& one) { return normalise(one, lang) == said; });
  if (there) return Added::kThere;
  if (items_.size() >= most) return Added::kFull;
  items_.push_back(item);
  return Added::kYes;
}

std::vector<std::string> List::meant_by(const std::string& text, const std::string& lang) const {
  const auto said = words(text, lang);
  const std::string norm = normalise(text, lang);
  const PhraseSet whole({text}, lang);
  std::vector<std::string> found;
  for (const auto& item : items_) {
    if (normalise(item, lang) == norm) return {item};
    if (whole.occurs_in(words(item, lang)) || PhraseSet({item}, lang).occurs_in(said)) found.push_back(item);
  }
  if (!found.empty()) return found;
  for (const auto& item : items_) {
    const auto of_item = words(item, lang);
    if (are_within(said, of_item) || are_within(of_item, said)) found.push_back(item);
  }
  return found;
}

std::vector<std::string> List::named_in(const std::string& text, const std::string& lang) const {
  constexpr double kEnough = 0.5;
  constexpr std::size_t kShortest = 3;  // bytes of a word that tells something
  const auto said = words(text, lang);
  std::vector<std::string> found;
  double best = kEnough;
  for (const auto& item : items_) {
    auto of_item = words(item, lang);
    std::erase_if(of_item, [&](const Word& word) { return word.norm.size() < kShortest; });
    if (of_item.empty()) continue;
    const auto named = std::count_if(of_item.begin(), of_item.end(), [&](const Word& word) {
      return are_within(std::vector<Word>(1, word), said);
    });
    const double share = static_cast<double>(named) / static_cast<double>(of_item.size());
    if (share < best) continue;
    if (share > best) found.clear();
    best = share;
    found.push_back(item);
  }
  return found;
}

bool List::remove(const std::string& item) {
  return std::erase(items_, item) > 0;
}

}  // namespace parley::lists
