#include "registry/entities.hpp"

#include <algorithm>

namespace parley {

EntityPtr EntityTable::put(EntityRegistration entity) {
  Key key(entity.skill_id, entity.session_id, entity.entity_name, folded(entity.lang));
  const auto [found, is_new] = entities_.try_emplace(std::move(key), Numbered{nullptr, count_});
  if (is_new) ++count_;
  found->second.entity = std::make_shared<const EntityRegistration>(std::move(entity));
  return found->second.entity;
}

std::vector<EntityPtr> EntityTable::remove(const Target& target) {
  std::vector<EntityPtr> removed;
  auto found = entities_.lower_bound(Key(target.skill_id, target.session_id, target.name.value_or(""), ""));
  while (found != entities_.end()) {
    const auto& [skill_id, session_id, name, lang] = found->first;
    if (skill_id != target.skill_id || session_id != target.session_id) break;
    if (target.name && name != *target.name) break;
    if (!target.covers_lang(lang)) {
      ++found;
      continue;
    }
    removed.push_back(std::move(found->second.entity));
    found = entities_.erase(found);
  }
  return removed;
}

std::vector<EntityPtr> EntityTable::all() const {
  std::vector<Numbered> numbered;
  numbered.reserve(entities_.size());
  for (const auto& [key, one] : entities_) numbered.push_back(one);
  std::sort(numbered.begin(), numbered.end(),
            [](const auto& a, const auto& b) { return a.number < b.number; });
  std::vector<EntityPtr> entities;
  entities.reserve(numbered.size());
  for (auto& one : numbered) entities.push_back(std::move(one.entity));
  return entities;
}

}  // namespace parley
