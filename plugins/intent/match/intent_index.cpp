#include "match/intent_index.hpp"

#include <algorithm>
#include <iterator>
#include <parley/language.hpp>

namespace parley::intent {
namespace {

std::string lower(std::string tag) {
  std::transform(tag.begin(), tag.end(), tag.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return tag;
}

constexpr std::size_t kStatesAtOnce = 1000;

}  // namespace

// No part of a key holds a line break, but for a session_id, which comes last.
std::string IntentIndex::key_of(const IntentRegistration& intent) {
  return intent.skill_id + '\n' + intent.intent_name + '\n' + lower(intent.lang) +
         (intent.is_template() ? "\nt\n" : "\nk\n") + intent.session_id;
}

std::string IntentIndex::key_of(const EntityRegistration& entity) {
  return entity.skill_id + '\n' + entity.entity_name + '\n' + lower(entity.lang) + '\n' + entity.session_id;
}

std::vector<std::string> IntentIndex::add(const IntentPtr& intent) {
  remove(*intent);
  ++revision_;
  std::vector<std::string> problems;
  const std::string primary = primary_language(intent->lang);
  const IntentId id = language(primary).add(intent, problems);
  intents_.emplace(key_of(*intent), Place(primary, id));
  return problems;
}

std::vector<std::string> IntentIndex::add(const EntityPtr& entity) {
  remove(*entity);
  ++revision_;
  std::vector<std::string> problems;
  const std::string primary = primary_language(entity->lang);
  const EntityId id = language(primary).add(entity, problems);
  entities_.emplace(key_of(*entity), Place(primary, id));
  return problems;
}

void IntentIndex::begin_add(const IntentPtr& intent, std::shared_ptr<Compiled> compiled) {
  remove(*intent);
  const std::string primary = primary_language(intent->lang);
  const IntentId id = language(primary).begin_add(intent, std::move(compiled));
  intents_.emplace(key_of(*intent), Place(primary, id));
}

void IntentIndex::begin_add(const EntityPtr& entity, std::shared_ptr<Compiled> compiled) {
  remove(*entity);
  const std::string primary = primary_language(entity->lang);
  const EntityId id = language(primary).begin_add(entity, std::move(compiled));
  entities_.emplace(key_of(*entity), Place(primary, id));
}

bool IntentIndex::work() {
  bool more = false;
  for (auto one = languages_.begin(); one != languages_.end();) {
    LanguageIndex& index = *one->second;
    if (!more && index.has_work()) {
      ++revision_;
      index.work(kStatesAtOnce);
    }
    more = more || index.has_work();
    one = index.empty() ? languages_.erase(one) : std::next(one);
  }
  return more;
}

bool IntentIndex::has_work() const {
  return std::any_of(languages_.begin(), languages_.end(),
                     [](const auto& one) { return one.second->has_work(); });
}

void IntentIndex::remove(const IntentRegistration& intent) {
  const auto found = intents_.find(key_of(intent));
  if (found == intents_.end()) return;
  ++revision_;
  const Place place = found->second;
  intents_.erase(found);
  language(place.language).remove_intent(place.id);
  clear(place.language);
}

void IntentIndex::remove(const EntityRegistration& entity) {
  const auto found = entities_.find(key_of(entity));
  if (found == entities_.end()) return;
  ++revision_;
  const Place place = found->second;
  entities_.erase(found);
  language(place.language).remove_entity(place.id);
  clear(place.language);
}

LanguageIndex& IntentIndex::language(const std::string& primary) {
  auto& index = languages_[primary];
  if (!index) index = std::make_unique<LanguageIndex>();
  return *index;
}

void IntentIndex::clear(const std::string& primary) {
  const auto found = languages_.find(primary);
  found->second->clear_some(kStatesAtOnce);
  if (found->second->empty()) languages_.erase(found);
}

std::vector<IntentPtr> IntentIndex::intents() const {
  std::vector<IntentPtr> all;
  all.reserve(intents_.size());
  for (const auto& [key, place] : intents_)
    all.push_back(languages_.at(place.language)->intent(place.id).registration);
  return all;
}

LanguageIndex* IntentIndex::language_of(const std::string& primary) {
  const auto found = languages_.find(primary);
  return found == languages_.end() ? nullptr : found->second.get();
}

std::vector<Candidate> IntentIndex::find(const Said& said, const Policy& policy) {
  LanguageIndex* const index = language_of(primary_language(said.lang));
  return index == nullptr ? std::vector<Candidate>() : find_candidates(*index, said, policy);
}

}  // namespace parley::intent
