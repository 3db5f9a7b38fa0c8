#include "list.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <parley/phrases.hpp>
#include <parley/text.hpp>

namespace parley::lists {

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
  return found;
}

bool List::remove(const std::string& item) {
  return std::erase(items_, item) > 0;
}

}  // namespace parley::lists
