#include "language_index.hpp"

#include <algorithm>
#include <optional>

namespace parley::intent {
namespace {

std::string full_name(const IntentRegistration& intent) {
  return intent.skill_id + ':' + intent.intent_name;
}

std::string full_name(const std::string& skill_id, const std::string& entity) {
  return skill_id + ':' + entity;
}

std::optional<Pattern> compile(const std::string& sample, TemplateOptions options, const std::string& lang,
                               std::vector<std::string>& problems) {
  const auto parsed = Template::parse(sample, std::move(options));
  if (parsed.ok()) return word_pattern(*parsed, lang);
  problems.push_back("'" + sample + "': " + parsed.error().message);
  return std::nullopt;
}

/// Puts the slots an intent insists on first, since the first of equals is bound.
void prefer_required(Route& route, const std::vector<std::string>& required) {
  std::stable_partition(route.slots.begin(), route.slots.end(), [&required](const SlotState& slot) {
    return std::find(required.begin(), required.end(), slot.name) != required.end();
  });
}

}  // namespace

IntentId LanguageIndex::add(const IntentPtr& intent, std::vector<std::string>& problems) {
  const std::size_t known = problems.size();
  IntentEntry entry;
  entry.registration = intent;
  const IntentId id = intents_.put(std::move(entry));
  by_name_[full_name(*intent)].push_back(id);
  if (intent->is_template()) {
    add_templates(id, *intent, problems);
    changes_.intents[id] = intent;
  } else {
    add_keywords(id, *intent, problems);
  }
  for (std::size_t i = known; i < problems.size(); ++i) {
    problems[i] = full_name(*intent) + " (" + intent->lang + "): " + problems[i];
  }
  return id;
}

void LanguageIndex::add_templates(IntentId id, const IntentRegistration& intent,
                                  std::vector<std::string>& problems) {
  const auto& wanted = std::get<TemplateIntent>(intent.pattern);
  for (const std::string& sample : wanted.samples) {
    const auto pattern = compile(sample, TemplateOptions::for_intents(), intent.lang, problems);
    if (!pattern) continue;
    const Payload number = compiled_.put(CompiledTemplate());
    CompiledTemplate& compiled = compiled_[number];
    compiled.intent = id;
    compiled.route = templates_.insert(*pattern, number);
    prefer_required(compiled.route, intent.required_slots);
    intents_[id].templates.push_back(number);
  }
  add_intent_use(id, PhraseUse(PhraseUse::Kind::kBlacklist, id, {}), wanted.blacklist, problems);
  for (const auto& [slot, values] : wanted.slot_blacklist) {
    add_intent_use(id, PhraseUse(PhraseUse::Kind::kSlotBlacklist, id, slot), values, problems);
  }
}

void LanguageIndex::add_keywords(IntentId id, const IntentRegistration& intent,
                                 std::vector<std::string>& problems) {
  const auto& wanted = std::get<KeywordIntent>(intent.pattern);
  const auto add_all = [&](PhraseUse::Kind kind, const std::vector<KeywordVocabulary>& vocabularies,
                           std::uint32_t obligation) {
    for (const KeywordVocabulary& vocabulary : vocabularies) {
      PhraseUse use(kind, id, vocabulary.name);
      use.obligation = obligation;
      add_intent_use(id, std::move(use), vocabulary.samples, problems);
    }
  };
  std::uint32_t obligations = 0;
  for (const KeywordVocabulary& vocabulary : wanted.required) {
    add_all(PhraseUse::Kind::kKeyword, {vocabulary}, obligations++);
  }
  for (const auto& group : wanted.one_of) add_all(PhraseUse::Kind::kKeyword, group, obligations++);
  add_all(PhraseUse::Kind::kOptional, wanted.optional, 0);
  add_all(PhraseUse::Kind::kExcluded, wanted.excluded, 0);
  intents_[id].met_in.assign(obligations, 0);
}

void LanguageIndex::add_intent_use(IntentId id, PhraseUse use, const std::vector<std::string>& samples,
                                   std::vector<std::string>& problems) {
  if (samples.empty()) return;
  const std::string& lang = intents_[id].registration->lang;
  const Payload number = add_use(std::move(use), samples, lang, problems);
  intents_[id].uses.push_back(number);
}

Payload LanguageIndex::add_use(PhraseUse use, const std::vector<std::string>& samples,
                               const std::string& lang, std::vector<std::string>& problems) {
  const Payload number = uses_.put(std::move(use));
  for (const std::string& sample : samples) {
    const auto pattern = compile(sample, TemplateOptions::for_phrases(), lang, problems);
    if (pattern) uses_[number].routes.push_back(phrases_.insert(*pattern, number));
  }
  return number;
}

void LanguageIndex::drop_use(Payload id) {
  for (const Route& route : uses_[id].routes) phrases_.remove(route, id);
  uses_.drop(id);
}

void LanguageIndex::remove_intent(IntentId id) {
  const IntentEntry& entry = intents_[id];
  if (entry.registration->is_template()) changes_.intents[id] = nullptr;
  for (const Payload number : entry.templates) {
    templates_.remove(compiled_[number].route, number);
    compiled_.drop(number);
  }
  for (const Payload use : entry.uses) drop_use(use);
  const auto named = by_name_.find(full_name(*entry.registration));
  std::erase(named->second, id);
  if (named->second.empty()) by_name_.erase(named);
  intents_.drop(id);
}

EntityId LanguageIndex::add(const EntityPtr& entity, std::vector<std::string>& problems) {
  const std::size_t known = problems.size();
  EntityEntry entry;
  entry.registration = entity;
  const EntityId id = entities_.put(std::move(entry));
  const Payload use = add_use(PhraseUse(PhraseUse::Kind::kEntity, id, entity->entity_name), entity->samples,
                              entity->lang, problems);
  entities_[id].use = use;
  entities_by_name_[full_name(entity->skill_id, entity->entity_name)].push_back(id);
  changes_.entities[id] = entity;
  for (std::size_t i = known; i < problems.size(); ++i) {
    problems[i] =
        entity->skill_id + " entity " + entity->entity_name + " (" + entity->lang + "): " + problems[i];
  }
  return id;
}

void LanguageIndex::remove_entity(EntityId id) {
  const EntityRegistration& entity = *entities_[id].registration;
  const auto named = entities_by_name_.find(full_name(entity.skill_id, entity.entity_name));
  std::erase(named->second, id);
  if (named->second.empty()) entities_by_name_.erase(named);
  changes_.entities[id] = nullptr;
  drop_use(entities_[id].use);
  entities_.drop(id);
}

bool LanguageIndex::lists(const std::string& skill_id, const std::string& slot,
                          const std::function<bool(const std::string&)>& sees) const {
  const auto named = entities_by_name_.find(full_name(skill_id, slot));
  return named != entities_by_name_.end() &&
         std::any_of(named->second.begin(), named->second.end(),
                     [&](EntityId id) { return sees(entities_[id].registration->session_id); });
}

std::uint32_t LanguageIndex::next_turn() {
  if (++turn_ != 0) return turn_;
  for (IntentEntry& entry : intents_.items) {  // the counter went round: old marks must not look new
    entry.turn = 0;
    std::fill(entry.met_in.begin(), entry.met_in.end(), 0);
  }
  return turn_ = 1;
}

const std::vector<IntentId>& LanguageIndex::registrations(const IntentRegistration& intent) const {
  return by_name_.at(full_name(intent));
}

}  // namespace parley::intent
