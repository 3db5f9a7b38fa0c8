#include "match/language_index.hpp"

#include <algorithm>
#include <iterator>
#include <optional>

namespace parley::intent {
namespace {

std::string full_name(const IntentRegistration& intent) {
  return intent.skill_id + ':' + intent.intent_name;
}

std::string full_name(const std::string& skill_id, const std::string& entity) {
  return skill_id + ':' + entity;
}

/// A template that takes what is said only as it is written, with nothing skipped around it.
bool is_exact(const std::string& sample) {
  const auto first = sample.find_first_not_of(" \t");
  return first != std::string::npos && sample[first] == '=';
}

/// Collects what one registration's samples become.
class Compiler {
 public:
  Compiler(std::string subject, const std::string& lang) : subject_(std::move(subject)), lang_(lang) {}

  void add_templates(const std::vector<std::string>& samples) {
    add(samples, TemplateOptions::for_intents(), std::nullopt);
  }
  void add_use(PhraseUse::Kind kind, const std::string& name, const std::vector<std::string>& samples,
               std::uint32_t obligation = 0) {
    if (samples.empty()) return;
    PhraseUse use(kind, 0, name);
    use.obligation = obligation;
    made_.uses.push_back(std::move(use));
    add(samples, TemplateOptions::for_phrases(), made_.uses.size() - 1);
  }
  Compiled take(std::size_t obligations) {
    made_.obligations = obligations;
    return std::move(made_);
  }

 private:
  void add(const std::vector<std::string>& samples, const TemplateOptions& options,
           std::optional<std::size_t> use) {
    for (const std::string& sample : samples) {
      const auto parsed = Template::parse(sample, options);
      if (parsed.ok()) {
        made_.pieces.push_back(Compiled::Piece{word_pattern(*parsed, lang_), use, is_exact(sample)});
      } else {
        made_.problems.push_back(subject_ + " (" + lang_ + "): '" + sample + "': " + parsed.error().message);
      }
    }
  }

  std::string subject_;
  const std::string& lang_;
  Compiled made_;
};

std::size_t size_of(const Pattern& pattern) {
  std::size_t size = 1;
  for (const Pattern& child : pattern.children) size += size_of(child);
  return size;
}

/// Puts the slots an intent insists on first, since the first of equals is bound; then those it would ask
/// for.
void prefer_wanted(Route& route, const IntentRegistration& intent) {
  const auto first = [&route](const std::vector<std::string>& names) {
    std::stable_partition(route.slots.begin(), route.slots.end(), [&names](const SlotState& slot) {
      return std::find(names.begin(), names.end(), slot.name) != names.end();
    });
  };
  first(intent.asked_slots);
  first(intent.required_slots);
}

}  // namespace

Compiled compile(const IntentRegistration& intent) {
  using Kind = PhraseUse::Kind;
  Compiler compiler(full_name(intent), intent.lang);
  if (const auto* const wanted = std::get_if<TemplateIntent>(&intent.pattern)) {
    compiler.add_templates(wanted->samples);
    compiler.add_use(Kind::kBlacklist, {}, wanted->blacklist);
    for (const auto& [slot, values] : wanted->slot_blacklist)
      compiler.add_use(Kind::kSlotBlacklist, slot, values);
    return compiler.take(0);
  }
  const auto& wanted = std::get<KeywordIntent>(intent.pattern);
  std::uint32_t obligations = 0;
  for (const KeywordVocabulary& one : wanted.required)
    compiler.add_use(Kind::kKeyword, one.name, one.samples, obligations++);
  for (const auto& group : wanted.one_of) {
    for (const KeywordVocabulary& one : group)
      compiler.add_use(Kind::kKeyword, one.name, one.samples, obligations);
    ++obligations;
  }
  for (const KeywordVocabulary& one : wanted.optional)
    compiler.add_use(Kind::kOptional, one.name, one.samples);
  for (const KeywordVocabulary& one : wanted.excluded)
    compiler.add_use(Kind::kExcluded, one.name, one.samples);
  return compiler.take(obligations);
}

Compiled compile(const EntityRegistration& entity) {
  Compiler compiler(entity.skill_id + " entity " + entity.entity_name, entity.lang);
  compiler.add_use(PhraseUse::Kind::kEntity, entity.entity_name, entity.samples);
  return compiler.take(0);
}

IntentId LanguageIndex::add(const IntentPtr& intent, std::vector<std::string>& problems) {
  const auto compiled = std::make_shared<Compiled>(compile(*intent));
  std::move(compiled->problems.begin(), compiled->problems.end(), std::back_inserter(problems));
  const IntentId id = begin_add(intent, compiled);
  put_all(growing_.back());
  growing_.pop_back();
  return id;
}

EntityId LanguageIndex::add(const EntityPtr& entity, std::vector<std::string>& problems) {
  const auto compiled = std::make_shared<Compiled>(compile(*entity));
  std::move(compiled->problems.begin(), compiled->problems.end(), std::back_inserter(problems));
  const EntityId id = begin_add(entity, compiled);
  put_all(growing_.back());
  growing_.pop_back();
  return id;
}

IntentId LanguageIndex::begin_add(const IntentPtr& intent, std::shared_ptr<Compiled> compiled) {
  IntentEntry entry;
  entry.registration = intent;
  entry.met_in.assign(compiled->obligations, 0);
  const IntentId id = intents_.put(std::move(entry));
  by_name_[full_name(*intent)].push_back(id);
  if (intent->is_template()) changes_.intents[id] = intent;
  Growth growth{id, false, std::move(compiled), {}};
  growth.uses = put_uses(*growth.compiled, id);
  intents_[id].uses = growth.uses;
  growing_.push_back(std::move(growth));
  return id;
}

EntityId LanguageIndex::begin_add(const EntityPtr& entity, std::shared_ptr<Compiled> compiled) {
  EntityEntry entry;
  entry.registration = entity;
  const EntityId id = entities_.put(std::move(entry));
  entities_by_name_[full_name(entity->skill_id, entity->entity_name)].push_back(id);
  changes_.entities[id] = entity;
  Growth growth{id, true, std::move(compiled), {}};
  growth.uses = put_uses(*growth.compiled, id);
  entities_[id].uses = growth.uses;
  growing_.push_back(std::move(growth));
  return id;
}

std::vector<Payload> LanguageIndex::put_uses(const Compiled& compiled, std::uint32_t owner) {
  std::vector<Payload> numbers;
  numbers.reserve(compiled.uses.size());
  for (PhraseUse use : compiled.uses) {
    use.owner = owner;
    numbers.push_back(uses_.put(std::move(use)));
  }
  return numbers;
}

void LanguageIndex::put_piece(const Growth& growth, const Compiled::Piece& piece) {
  if (piece.use) {
    const Payload number = growth.uses[*piece.use];
    uses_[number].routes.push_back(phrases_.insert(piece.pattern, number));
    return;
  }
  const Payload number = compiled_.put(CompiledTemplate());
  CompiledTemplate& made = compiled_[number];
  made.intent = growth.owner;
  made.exact = piece.exact;
  made.route = templates_.insert(piece.pattern, number);
  prefer_wanted(made.route, *intents_[growth.owner].registration);
  intents_[growth.owner].templates.push_back(number);
}

void LanguageIndex::put_all(const Growth& growth) {
  for (const Compiled::Piece& piece : growth.compiled->pieces) put_piece(growth, piece);
}

std::size_t LanguageIndex::clear_some(std::size_t states) {
  std::size_t done = 0;
  while (done < states && !leaving_.empty()) {
    const Leaving next = leaving_.back();
    leaving_.pop_back();
    done += clear(next);
  }
  return done;
}

bool LanguageIndex::work(std::size_t states) {
  std::size_t done = clear_some(states);
  while (done < states && !growing_.empty()) {
    Growth& growth = growing_.front();
    auto& pieces = growth.compiled->pieces;
    if (growth.next == pieces.size()) {
      growing_.pop_front();
      continue;
    }
    Compiled::Piece& piece = pieces[growth.next++];
    done += size_of(piece.pattern);
    put_piece(growth, piece);
    piece = Compiled::Piece{Pattern(Pattern::Kind::kSequence), {}};  // its memory goes as it goes
  }
  return has_work();
}

std::size_t LanguageIndex::clear(const Leaving& leaving) {
  constexpr std::size_t kStates = 4;  // of a phrase, about
  if (!leaving.is_use) {
    templates_.remove(compiled_[leaving.number].route, leaving.number);
    compiled_.drop(leaving.number);
    return kStates;
  }
  auto& routes = uses_[leaving.number].routes;
  if (!routes.empty()) {
    phrases_.remove(routes.back(), leaving.number);
    routes.pop_back();
  }
  if (routes.empty()) {
    uses_.drop(leaving.number);
  } else {
    leaving_.push_back(leaving);  // the next route in its turn
  }
  return kStates;
}

void LanguageIndex::leave(Payload number, bool is_use) {
  if (is_use) {
    uses_[number].kind = PhraseUse::Kind::kGone;
  } else {
    compiled_[number].intent = kNoIntent;
  }
  leaving_.push_back(Leaving{number, is_use});
}

void LanguageIndex::stop_growing(std::uint32_t owner, bool entity) {
  std::erase_if(growing_, [&](const Growth& one) { return one.owner == owner && one.entity == entity; });
}

void LanguageIndex::remove_intent(IntentId id) {
  stop_growing(id, false);
  const IntentEntry& entry = intents_[id];
  if (entry.registration->is_template()) changes_.intents[id] = nullptr;
  for (const Payload number : entry.templates) leave(number, false);
  for (const Payload use : entry.uses) leave(use, true);
  const auto named = by_name_.find(full_name(*entry.registration));
  std::erase(named->second, id);
  if (named->second.empty()) by_name_.erase(named);
  intents_.drop(id);
}

void LanguageIndex::remove_entity(EntityId id) {
  stop_growing(id, true);
  const EntityRegistration& entity = *entities_[id].registration;
  const auto named = entities_by_name_.find(full_name(entity.skill_id, entity.entity_name));
  std::erase(named->second, id);
  if (named->second.empty()) entities_by_name_.erase(named);
  changes_.entities[id] = nullptr;
  for (const Payload use : entities_[id].uses) leave(use, true);
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
  for (std::size_t i = 0; i < intents_.items.size(); ++i) {  // it went round: old marks must not look new
    IntentEntry& entry = intents_.items[i];
    entry.turn = 0;
    std::fill(entry.met_in.begin(), entry.met_in.end(), 0);
  }
  return turn_ = 1;
}

const std::vector<IntentId>& LanguageIndex::registrations(const IntentRegistration& intent) const {
  return by_name_.at(full_name(intent));
}

}  // namespace parley::intent
