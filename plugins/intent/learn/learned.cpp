#include "learn/learned.hpp"

#include <algorithm>
#include <cmath>
#include <parley/give_turn.hpp>
#include <parley/language.hpp>
#include <parley/text.hpp>
#include <span>
#include <string_view>
#include <tuple>
#include <unordered_map>

namespace parley::intent {
namespace {

constexpr std::size_t kSentences = 20'000;  // of a language, about; more templates, fewer of each
constexpr std::size_t kOfOneTemplate = 8;
constexpr std::size_t kOfOneBranched = 16;
constexpr std::size_t kLessons = 20'000'000;  // sentences times intents, about, where that allows for more
constexpr std::size_t kTagged =
    60'000;  // that slots are learnt from, about; each intent with slots its share
constexpr std::size_t kTaggedOfOneTemplate = 16;
constexpr std::size_t kValuesOfTemplate = 200;  // of a template that stands for several values
constexpr std::size_t kBest = 5;                // that are looked at further
constexpr double kLeastCoverage = 0.2;          // of an utterance by words of any intent; less is nobody's…
constexpr double kStranger = 0.4;               // …certainty, and so is what is nobody's word for word
constexpr std::size_t kFewUsers = 2;            // values that have a word, for it to be rare
constexpr std::uint64_t kSynonyms = 21;         // not a word
constexpr int kImagined = 20;                   // held-out sentences that count before there are any…
constexpr double kLeastImagined = 0.1, kMostImagined = 2.3;  // …of such confidences

std::uint64_t hash_of_all(const std::vector<std::string>& words) {
  std::uint64_t hash = 0;
  for (const std::string& word : words) hash = hash_of(hash, hash_of(word));
  return hash;
}

/// Whether a word says what a sentence is about, as far as length tells.
bool is_telling(const std::string& word) {
  return word.size() > 3;
}

class NoValues final : public SlotValues {
 public:
  std::span<const std::vector<std::string>> values(const std::string&) const override { return {}; }
  bool is_rare(const std::string&) const override { return true; }
};

std::vector<std::vector<std::string>> values_of(const EntityRegistration& entity) {
  std::set<std::vector<std::string>> values;
  for (const std::string& text : entity.samples) {
    const auto parsed = Template::parse(text, TemplateOptions::for_phrases());
    if (!parsed) continue;
    if (parsed->combinations() <= kValuesOfTemplate) {
      for (const std::string& value : parsed->expand()) values.insert(words_of(value, entity.lang));
      continue;
    }
    const Pattern pattern = word_pattern(*parsed, entity.lang);
    Dice dice(hash_of(text));
    for (std::size_t i = 0; i < kValuesOfTemplate; ++i)
      values.insert(sample(pattern, NoValues(), dice, i).words);
  }
  values.erase(std::vector<std::string>());
  return {values.begin(), values.end()};
}

/// The values of an intent's slots: those its skill registered for everyone or for the intent's session.
/// Holds no copy of them, and counts words only when somebody asks, since a skill's intents are many.
class Values final : public SlotValues {
 public:
  /// @param more  outlives this
  void add(const std::string& slot, const std::vector<std::vector<std::string>>& more) {
    Listed& listed = listed_[slot];
    if (listed.one == nullptr) {
      listed.one = &more;
      return;
    }
    if (listed.all.empty()) listed.all = *listed.one;
    listed.all.insert(listed.all.end(), more.begin(), more.end());
  }
  std::span<const std::vector<std::string>> values(const std::string& slot) const override {
    const auto found = listed_.find(slot);
    if (found == listed_.end()) return {};
    return found->second.values();
  }
  bool is_rare(const std::string& word) const override {
    if (users_.empty()) count_users();
    return users_.at(word) <= kFewUsers;
  }

 private:
  struct Listed {
    std::span<const std::vector<std::string>> values() const { return all.empty() ? *one : all; }
    const std::vector<std::vector<std::string>>* one = nullptr;
    std::vector<std::vector<std::string>> all;  ///< Where several entities have values for it.
  };

  void count_users() const {
    for (const auto& [slot, listed] : listed_) {
      for (const auto& value : listed.values()) {
        for (const std::string& word : value) ++users_[word];
      }
    }
  }

  std::map<std::string, Listed> listed_;
  mutable std::unordered_map<std::string_view, std::size_t> users_;  ///< Values that have a word.
};

auto owner_of(const IntentRegistration& intent) {
  return std::tie(intent.skill_id, intent.intent_name, intent.lang, intent.session_id);
}
auto owner_of(const EntityRegistration& entity) {
  return std::tie(entity.skill_id, entity.entity_name, entity.lang, entity.session_id);
}

/// What went, and then the others by whose they are: in the same order whichever came first.
template <class Registration>
auto in_order(const std::map<std::uint32_t, std::shared_ptr<const Registration>>& changed) {
  std::vector<std::pair<std::uint32_t, std::shared_ptr<const Registration>>> all(changed.begin(),
                                                                                 changed.end());
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
    if (!a.second || !b.second) return !a.second && b.second;
    return owner_of(*a.second) < owner_of(*b.second);
  });
  return all;
}

/// Of all that is learnt at first; other texts: another number.
std::uint64_t key_of(const Changes& changes) {
  std::uint64_t key = 0;
  const auto add = [&key](const auto& what) { key = hash_of(key, hash_of(what)); };
  const auto add_all = [&key, &add](const auto& texts) {
    key = hash_of(key, texts.size());
    for (const std::string& text : texts) add(text);
  };
  const auto add_owner = [&add](const auto& registration) {
    std::apply([&add](const auto&... parts) { (add(parts), ...); }, owner_of(registration));
  };
  for (const auto& [number, intent] : in_order(changes.intents)) {
    if (!intent) continue;
    add_owner(*intent);
    const auto& pattern = std::get<TemplateIntent>(intent->pattern);
    add_all(pattern.samples);
    add_all(pattern.teaching);
  }
  add(std::string("entities"));
  for (const auto& [number, entity] : in_order(changes.entities)) {
    if (!entity) continue;
    add_owner(*entity);
    add_all(entity->samples);
  }
  for (const auto& words : changes.background) add_all(words);
  for (const auto& phrases : changes.synonyms) {
    key = hash_of(key, phrases.size());
    for (const auto& words : phrases) add_all(words);
  }
  return key;
}

bool serves(const EntityRegistration& entity, const IntentRegistration& intent) {
  return entity.skill_id == intent.skill_id &&
         (entity.session_id == "default" || entity.session_id == intent.session_id);
}

}  // namespace

std::vector<std::string> words_of(const std::string& text, const std::string& lang) {
  std::vector<std::string> forms;
  for (Word& word : words(text, lang)) forms.push_back(std::move(word.norm));
  return forms;
}

std::uint32_t Renumbering::own(std::uint32_t theirs) {
  const auto [at, is_new] = own_.try_emplace(theirs, next_);
  if (is_new) theirs_.emplace(next_++, theirs);
  return at->second;
}

std::optional<std::uint32_t> Renumbering::find(std::uint32_t theirs) const {
  const auto found = own_.find(theirs);
  return found == own_.end() ? std::nullopt : std::optional(found->second);
}

void Renumbering::drop(std::uint32_t theirs) {
  const auto gone = own_.extract(theirs);
  if (!gone.empty()) theirs_.erase(gone.mapped());
}

void Learned::learn(const Changes& changes, const InParallel& in_parallel, const LearntFiles* kept) {
  const bool is_first = intents_.empty() && entities_.empty();
  take_synonyms(changes.synonyms);
  std::set<ClassId> changed;
  take_all(changes, changed);
  if (!changes.background.empty()) {
    background_ = changes.background;
    background_meanings_.clear();
    for (const auto& text : background_) background_meanings_.push_back(meanings(text));
  }
  teach(std::vector<ClassId>(changed.begin(), changed.end()), in_parallel);
  if (abandoned_) return;
  teach_background();
  if (kept == nullptr || !is_first) {
    learn_taught(in_parallel);
  } else {
    const std::uint64_t key = key_of(changes);
    const auto found = kept->read(key);
    if (!found || !recall(*found)) {
      learn_taught(in_parallel);
      if (!abandoned_) kept->write(key, packed());
    }
  }
  calibrate();
}

void Learned::take_all(const Changes& changes, std::set<ClassId>& changed) {
  for (const auto& [number, entity] : in_order(changes.entities)) {
    if (entity) {
      take(entity_numbers_.own(number), entity, changed);
    } else if (const auto id = entity_numbers_.find(number)) {
      take(*id, nullptr, changed);
      entity_numbers_.drop(number);
    }
  }
  for (const auto& [number, intent] : in_order(changes.intents)) {
    if (intent) {
      const ClassId id = intent_numbers_.own(number);
      intents_[id].registration = intent;
      changed.insert(id);
    } else if (const auto id = intent_numbers_.find(number)) {
      intents_.erase(*id);
      classifier_.remove(*id);
      taggers_.erase(*id);
      to_tag_.erase(*id);
      changed.erase(*id);
      intent_numbers_.drop(number);
    }
  }
}

/// What learn_taught() would find out.
/// @return whether that could be read
bool Learned::recall(std::string_view kept) {
  Unpacker from(kept);
  if (!classifier_.recall(from)) return false;
  std::map<ClassId, Tagger> taggers;
  for (const ClassId id : to_tag_) {
    auto tagger = Tagger::unpacked(from);
    if (!tagger) return false;
    taggers.emplace(id, std::move(*tagger));
  }
  if (!from.is_done()) return false;
  taggers_ = std::move(taggers);
  to_tag_.clear();
  return true;
}

std::string Learned::packed() const {
  Packer into;
  classifier_.pack(into);
  for (const auto& [id, tagger] : taggers_) tagger.pack(into);
  return into.bytes();
}

Learned::Share Learned::share() const {
  std::size_t templates = 0;
  for (const auto& [id, intent] : intents_) {
    const auto& pattern = std::get<TemplateIntent>(intent.registration->pattern);
    templates += pattern.samples.size() + pattern.teaching.size();
  }
  templates = std::max<std::size_t>(templates, 1);
  const std::size_t plain = std::clamp(kSentences / templates, std::size_t{1}, kOfOneTemplate);
  return {plain, std::clamp(kLessons / (templates * intents_.size() + 1), plain, kOfOneBranched)};
}

/// The classifier, which takes longest, comes first: the taggers learn beside it.
void Learned::learn_taught(const InParallel& in_parallel) {
  std::vector<std::pair<ClassId, Tagger*>> pupils;
  for (const ClassId id : std::exchange(to_tag_, {})) pupils.emplace_back(id, &taggers_[id]);
  in_parallel(pupils.size() + 1, [&](std::size_t i) {
    if (i == 0) return classifier_.learn(abandoned_);
    if (!abandoned_) teach_tagger(pupils[i - 1].first, *pupils[i - 1].second);
  });
}

/// Told again when all intents had gone, the same: the gazetteer keeps them.
void Learned::take_synonyms(const std::vector<std::vector<std::vector<std::string>>>& synonyms) {
  for (std::size_t line = 0; line < synonyms.size(); ++line) {
    for (const auto& phrase : synonyms[line]) gazetteer_.add_synonym(hash_of(kSynonyms, line), phrase);
  }
}

void Learned::take(std::uint32_t id, const EntityPtr& entity, std::set<ClassId>& changed) {
  const auto touch = [&](const EntityRegistration& touched) {
    for (const auto& [intent, known] : intents_) {
      if (known.slots.contains(touched.entity_name) && serves(touched, *known.registration))
        changed.insert(intent);
    }
  };
  if (const auto old = entities_.find(id); old != entities_.end()) {
    for (const auto& value : old->second.values) {
      gazetteer_.remove(old->second.registration->entity_name, value);
    }
    touch(*old->second.registration);
    entities_.erase(old);
  }
  if (!entity) return;
  Entity& known = entities_[id];
  known.registration = entity;
  known.values = values_of(*entity);
  for (const auto& value : known.values) gazetteer_.add(entity->entity_name, value);
  touch(*entity);
}

void Learned::teach(const std::vector<ClassId>& ids, const InParallel& in_parallel) {
  const Share most = share();
  std::vector<std::vector<Example>> examples(ids.size());
  in_parallel(ids.size(), [&](std::size_t i) {
    if (!abandoned_) examples[i] = read_templates(intents_.at(ids[i]), most);
  });
  for (std::size_t i = 0; i < ids.size() && !abandoned_; ++i) {
    const Intent& intent = intents_.at(ids[i]);
    const IntentRegistration& registration = *intent.registration;
    const std::uint64_t group = hash_of(registration.skill_id + ':' + registration.intent_name) | 1U;
    classifier_.add(ids[i], group, std::move(examples[i]));
    taggers_.erase(ids[i]);
    if (!intent.slots.empty()) to_tag_.insert(ids[i]);
  }
}

/// What the templates of an intent say: into the intent, and as examples. Of several intents at once from
/// several threads.
std::vector<Example> Learned::read_templates(Intent& intent, Share most) const {
  const auto templates = templates_of(*intent.registration);
  std::unordered_set<std::uint64_t> words;
  std::vector<Example> examples;
  for (const auto& [number, sentence] : sampled(*intent.registration, templates, most)) {
    give_turn();
    for (const std::string& word : sentence.words) words.insert(hash_of(word));
    for (const Gazetteer::Hit& hit : gazetteer_.find(sentence.words)) {
      if (hit.is_synonym) words.insert(hit.name);
    }
    examples.emplace_back(number, sentence.words);
  }
  intent.slots.clear();
  for (const auto& [number, parsed] : templates) {
    for (const Slot& slot : parsed.slots()) intent.slots.insert(slot.name);
  }
  intent.claimed = claimed_by(words);
  return examples;
}

void Learned::teach_tagger(ClassId id, Tagger& tagger) const {
  const IntentRegistration& registration = *intents_.at(id).registration;
  const Templates templates = templates_of(registration);
  const auto with_slots = static_cast<std::size_t>(std::count_if(
      intents_.begin(), intents_.end(), [](const auto& intent) { return !intent.second.slots.empty(); }));
  const std::size_t share = kTagged / std::max<std::size_t>(with_slots, 1);
  const std::size_t most =
      std::clamp(share / std::max<std::size_t>(templates.size(), 1), std::size_t{2}, kTaggedOfOneTemplate);
  std::vector<Sampled> sentences;
  for (auto& [number, sentence] : sampled(registration, templates, {most, kOfOneTemplate}))
    sentences.push_back(std::move(sentence));
  Dice dice(sentences.size());
  const std::size_t own = sentences.size();
  for (std::size_t i = 0; i < own; ++i) {
    sentences.push_back(varied(sentences[i], sentences[dice.below(own)], dice));
  }
  std::erase_if(sentences, [](const Sampled& sentence) { return sentence.words.empty(); });
  tagger.learn(sentences, gazetteer_, classifier_.vocabulary(), abandoned_);
}

Learned::Templates Learned::templates_of(const IntentRegistration& intent) {
  Templates templates;
  const auto& pattern = std::get<TemplateIntent>(intent.pattern);
  std::uint32_t number = 0;
  for (const auto* const samples : {&pattern.samples, &pattern.teaching}) {
    for (const std::string& sample : *samples) {
      auto parsed = Template::parse(sample, TemplateOptions::for_teaching());
      if (parsed) templates.emplace_back(number, std::move(*parsed));
      ++number;
    }
  }
  return templates;
}

/// Different sentences of an intent's templates, with the number of the template.
std::vector<std::pair<std::uint32_t, Sampled>> Learned::sampled(const IntentRegistration& intent,
                                                                const Templates& templates,
                                                                Share most) const {
  Values values;
  for (const auto& [number, entity] : entities_) {
    if (serves(*entity.registration, intent)) values.add(entity.registration->entity_name, entity.values);
  }
  std::vector<std::pair<std::uint32_t, Sampled>> sentences;
  std::size_t turn = 0;
  for (const auto& [number, parsed] : templates) {
    const Pattern pattern = word_pattern(parsed, intent.lang);
    Dice dice(hash_of(parsed.text()));
    const std::size_t branches = count_sentences(pattern, kOfOneBranched);
    std::size_t tries = branches == 1 ? 1 : std::min(2 * branches, most.branched);  // some come up twice
    if (!parsed.slots().empty()) tries = std::max(tries, most.plain);
    std::unordered_set<std::uint64_t> seen;
    for (std::size_t i = 0; i < tries; ++i) {
      Sampled sentence = sample(pattern, values, dice, turn++);
      if (sentence.words.empty() || !seen.insert(hash_of_all(sentence.words)).second) continue;
      sentences.emplace_back(number, std::move(sentence));
    }
  }
  return sentences;
}

/// Of the words that say what a sentence is about, or of all if none does.
Learned::Meanings Learned::meanings(const std::vector<std::string>& words) const {
  const auto listed = gazetteer_.find(words);
  const bool has_telling = std::any_of(words.begin(), words.end(), is_telling);
  Meanings found;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (has_telling && !is_telling(words[i])) continue;
    auto& meant = found.emplace_back(1, hash_of(words[i]));
    for (const Gazetteer::Hit& hit : listed) {
      if (hit.is_synonym && hit.begin <= i && i < hit.end) meant.push_back(hit.name);
    }
  }
  return found;
}

/// What has no telling word that the words lack: that may well be meant.
/// @param known  words, and what they are said for
std::vector<std::size_t> Learned::claimed_by(const std::unordered_set<std::uint64_t>& known) const {
  const auto is_known = [&known](const std::vector<std::uint64_t>& meant) {
    return std::any_of(meant.begin(), meant.end(),
                       [&known](std::uint64_t meaning) { return known.contains(meaning); });
  };
  std::vector<std::size_t> claimed;
  for (std::size_t i = 0; i < background_meanings_.size(); ++i) {
    const Meanings& text = background_meanings_[i];
    if (std::all_of(text.begin(), text.end(), is_known)) claimed.push_back(i);
  }
  return claimed;
}

void Learned::teach_background() {
  std::vector<bool> is_somebodys(background_.size());
  for (const auto& [id, intent] : intents_) {
    for (const std::size_t i : intent.claimed) is_somebodys[i] = true;
  }
  std::vector<std::size_t> wanted;
  for (std::size_t i = 0; i < background_.size(); ++i) {
    if (!is_somebodys[i]) wanted.push_back(i);
  }
  if (wanted == background_taught_) return;
  const bool only_less =
      std::includes(background_taught_.begin(), background_taught_.end(), wanted.begin(), wanted.end());
  std::vector<std::size_t> gone;
  std::set_difference(background_taught_.begin(), background_taught_.end(), wanted.begin(), wanted.end(),
                      std::back_inserter(gone));
  background_taught_ = std::move(wanted);
  nobodys_.clear();
  for (const std::size_t i : background_taught_) nobodys_.insert(hash_of_all(background_[i]));
  if (only_less) {
    classifier_.remove(kNobody, {gone.begin(), gone.end()});
    return;
  }
  std::vector<Example> examples;
  for (const std::size_t i : background_taught_) {
    examples.emplace_back(static_cast<std::uint32_t>(i), background_[i]);
  }
  classifier_.add(kNobody, kNobody, std::move(examples));
}

void Learned::calibrate() {
  std::vector<double> held_out = classifier_.held_out();
  for (int i = 0; i < kImagined; ++i)
    held_out.push_back(std::lerp(kLeastImagined, kMostImagined, (i + 0.5) / kImagined));
  std::sort(held_out.begin(), held_out.end());
  const auto quantile = [&held_out](double share) {
    return held_out[static_cast<std::size_t>(share * static_cast<double>(held_out.size() - 1))];
  };
  floor_ = quantile(0.06);
  middle_ = std::max(quantile(0.3), floor_ + 0.01);
  top_ = std::max(quantile(0.8), middle_ + 0.01);
}

double Learned::certainty(double confidence) const {
  const auto between = [confidence](double low, double high, double at_low, double at_high) {
    return at_low + (at_high - at_low) * (confidence - low) / (high - low);
  };
  if (confidence < floor_) return std::max(0.0, between(floor_ - 1, floor_, 0, 0.5));
  if (confidence < middle_) return between(floor_, middle_, 0.5, 0.75);
  if (confidence < top_) return between(middle_, top_, 0.75, 0.95);
  return std::min(1.0, between(top_, top_ + 1, 0.95, 1));
}

std::vector<Resemblance> Learned::read(const std::vector<std::string>& words,
                                       const std::function<bool(std::uint32_t)>& may) {
  std::vector<Resemblance> found;
  const auto is_one = [&](ClassId id) { return may(intent_numbers_.theirs(id)); };
  const auto listed = gazetteer_.find(words);
  const std::vector<Guess> guesses = classifier_.guess(words, listed, kBest + 1, is_one);
  const double coverage = classifier_.coverage(words, listed);
  const std::vector<Tagger::Key> keys = Tagger::keys_of(words, listed, classifier_.vocabulary());
  const bool is_strange = coverage < kLeastCoverage || nobodys_.contains(hash_of_all(words));
  for (std::size_t i = 0; i < std::min(kBest, guesses.size()); ++i) {
    if (guesses[i].label == kNobody) continue;
    double second = -1;
    for (std::size_t j = 0; j < guesses.size(); ++j) {  // another registration of the same intent is no rival
      if (classifier_.group(guesses[j].label) == classifier_.group(guesses[i].label)) continue;
      if (j < i && guesses[j].label != kNobody) continue;
      second = std::max(second, guesses[j].score);
      break;
    }
    const auto tagger = taggers_.find(guesses[i].label);
    std::vector<SlotSpan> slots =
        tagger == taggers_.end() ? std::vector<SlotSpan>() : tagger->second.tag(keys, words.size());
    const double own = classifier_.own_coverage(guesses[i].label, words, listed, slots);
    double sure = certainty(Classifier::confidence(guesses[i].score, second, coverage, own));
    if (is_strange) sure = std::min(sure, kStranger);
    found.emplace_back(intent_numbers_.theirs(guesses[i].label), guesses[i].score, sure, std::move(slots));
  }
  return found;
}

}  // namespace parley::intent
