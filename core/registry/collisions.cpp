#include "registry/collisions.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <parley/language.hpp>
#include <parley/session.hpp>
#include <parley/templates.hpp>
#include <tuple>

#include "registry/sentence_model.hpp"

namespace parley {
namespace {

using Uses = std::unordered_map<std::uint32_t, std::size_t>;

/// T-0 without names: less is better.
using Rank = std::tuple<std::size_t, std::size_t, std::size_t, std::size_t>;

Rank rank(const SentenceFit& fit, std::size_t last) {
  return {fit.unlisted, fit.open, SentenceModel::kMostWords - fit.literal, last};
}

/// All phrases of some vocabularies that meet one obligation.
struct Obligation {
  Obligation() = default;
  std::vector<std::vector<WordRun>> vocabularies;
};

/// One intent: its templates, or its vocabularies.
struct Contender {
  explicit Contender(IntentPtr who) : intent(std::move(who)) {}
  IntentPtr intent;
  std::vector<std::pair<SentenceModel, std::string>> templates;
  std::vector<Obligation> obligations;
  std::vector<std::vector<WordRun>> optional, excluded;
  std::vector<WordRun> blacklist;
};

bool occurs(const WordRun& phrase, const WordRun& said) {
  return !phrase.empty() && std::search(said.begin(), said.end(), phrase.begin(), phrase.end()) != said.end();
}

bool any_occurs(const std::vector<WordRun>& phrases, const WordRun& said) {
  return std::any_of(phrases.begin(), phrases.end(),
                     [&](const WordRun& phrase) { return occurs(phrase, said); });
}

/// Marks where the longest phrase of a vocabulary stands first; whether one does.
bool cover(const std::vector<WordRun>& phrases, const WordRun& said, std::vector<bool>& covered) {
  const WordRun* longest = nullptr;
  for (const WordRun& phrase : phrases) {
    if (occurs(phrase, said) && (longest == nullptr || phrase.size() > longest->size())) longest = &phrase;
  }
  if (longest == nullptr) return false;
  const auto at = std::search(said.begin(), said.end(), longest->begin(), longest->end()) - said.begin();
  std::fill_n(covered.begin() + at, longest->size(), true);
  return true;
}

std::optional<Rank> keyword_rank(const Contender& one, const WordRun& said) {
  for (const auto& phrases : one.excluded) {
    if (any_occurs(phrases, said)) return std::nullopt;
  }
  std::vector<bool> covered(said.size());
  std::size_t vocabularies = 0;
  for (const Obligation& obligation : one.obligations) {
    const std::size_t before = vocabularies;
    for (const auto& phrases : obligation.vocabularies)
      vocabularies += cover(phrases, said, covered) ? 1U : 0U;
    if (vocabularies == before) return std::nullopt;
  }
  for (const auto& phrases : one.optional) vocabularies += cover(phrases, said, covered) ? 1U : 0U;
  const auto words = static_cast<std::size_t>(std::count(covered.begin(), covered.end(), true));
  // Fewer vocabularies come later; any keyword intent comes after the templates.
  return rank(SentenceFit(0, said.size() - words, words), SIZE_MAX - vocabularies);
}

/// The contenders of one language, and who is worth asking about a sentence.
class Ring {
 public:
  explicit Ring(std::string primary) : primary_(std::move(primary)) {}

  void add(const EntityPtr& entity) { entities_.push_back(entity); }
  void add(const IntentPtr& intent) {
    Contender one(intent);
    if (const auto* const templates = std::get_if<TemplateIntent>(&intent->pattern)) {
      read_templates(one, *templates);
    } else {
      read_keywords(one, std::get<KeywordIntent>(intent->pattern));
    }
    if (!one.templates.empty() || !one.obligations.empty()) contenders_.push_back(std::move(one));
  }

  void search(CollisionBounds& bounds, Collisions& result) {
    for (const Contender& one : contenders_) {
      for (const auto& [model, sample] : one.templates) model.count(uses_);
    }
    for (std::uint32_t i = 0; i < contenders_.size(); ++i) index(i);
    for (std::uint32_t i = 0; i < contenders_.size(); ++i) {
      for (const WordRun& said : sentences(contenders_[i], bounds.sentences_per_template))
        ask_others(i, said, bounds);
    }
    result.complete = result.complete && bounds.max_matches > 0;
    for (auto& [pair, collision] : pairs_) result.found.push_back(std::move(collision));
  }

 private:
  struct Entrant {
    std::uint32_t contender, model;  ///< `model` is kKeywords for a keyword intent.
  };
  static constexpr std::uint32_t kKeywords = UINT32_MAX;
  struct Verdict {
    Rank rank;
    std::uint32_t model;
  };

  std::vector<WordRun> phrases(const std::vector<std::string>& samples) {
    std::vector<WordRun> runs;
    for (const std::string& sample : samples) {
      const auto parsed = Template::parse(sample, TemplateOptions::for_phrases());
      if (!parsed) continue;
      for (const std::string& phrase : parsed->expand()) runs.push_back(words_.numbers(phrase, primary_));
    }
    return runs;
  }

  SlotTable slots_of(const IntentRegistration& intent, const TemplateIntent& templates) {
    std::map<std::string, SlotWords> known;
    for (const auto& [slot, values] : templates.slot_blacklist) {
      for (WordRun& run : phrases(values)) known[slot].forbidden.insert(std::move(run));
    }
    for (const EntityPtr& entity : entities_) {
      if (entity->skill_id != intent.skill_id) continue;
      SlotWords& slot = known[entity->entity_name];
      for (WordRun& run : phrases(entity->samples)) {
        slot.values.push_back(run);
        slot.listed.insert(std::move(run));
      }
    }
    SlotTable table;
    for (auto& [slot, found] : known)
      table.emplace(slot, std::make_shared<const SlotWords>(std::move(found)));
    return table;
  }

  void read_templates(Contender& one, const TemplateIntent& templates) {
    const SlotTable slots = slots_of(*one.intent, templates);
    one.blacklist = phrases(templates.blacklist);
    for (const std::string& sample : templates.samples) {
      const auto parsed = Template::parse(sample, TemplateOptions::for_intents());
      if (!parsed) continue;
      const auto& needed = one.intent->required_slots;
      if (!std::all_of(needed.begin(), needed.end(),
                       [&](const auto& slot) { return parsed->declares(slot); }))
        continue;  // only the context could fill it
      one.templates.emplace_back(SentenceModel(word_pattern(*parsed, primary_), words_, slots), sample);
    }
  }

  void read_keywords(Contender& one, const KeywordIntent& keywords) {
    const auto all = [this](const std::vector<KeywordVocabulary>& vocabularies) {
      std::vector<std::vector<WordRun>> found;
      for (const auto& vocabulary : vocabularies) found.push_back(phrases(vocabulary.samples));
      return found;
    };
    for (const auto& vocabulary : keywords.required) {
      one.obligations.emplace_back().vocabularies.push_back(phrases(vocabulary.samples));
    }
    for (const auto& group : keywords.one_of) one.obligations.emplace_back().vocabularies = all(group);
    one.optional = all(keywords.optional);
    one.excluded = all(keywords.excluded);
  }

  /// Files an intent under the words one of which it needs.
  void index(std::uint32_t number) {
    const Contender& one = contenders_[number];
    const auto file = [&](const WordRun& key, Entrant who) {
      if (key.empty()) always_.push_back(who);
      for (const auto word : key) by_word_[word].push_back(who);
    };
    for (std::uint32_t i = 0; i < one.templates.size(); ++i)
      file(one.templates[i].first.key(uses_), Entrant{number, i});
    if (one.obligations.empty()) return;
    std::set<std::uint32_t> first_words;
    for (const auto& vocabulary : one.obligations.front().vocabularies) {
      for (const WordRun& phrase : vocabulary) {
        if (!phrase.empty()) first_words.insert(phrase.front());
      }
    }
    file(WordRun(first_words.begin(), first_words.end()), Entrant{number, kKeywords});
  }

  static std::set<WordRun> sentences(const Contender& one, std::size_t most) {
    std::set<WordRun> all;
    for (const auto& [model, sample] : one.templates) {
      for (std::uint32_t choice = 0; choice < most; ++choice) all.insert(model.sentence(choice));
    }
    if (one.obligations.empty()) return all;
    for (std::size_t choice = 0; choice < most; ++choice) {
      WordRun said;
      for (const Obligation& obligation : one.obligations) {
        const auto& phrases = obligation.vocabularies[choice % obligation.vocabularies.size()];
        if (phrases.empty()) continue;
        const WordRun& phrase = phrases[choice % phrases.size()];
        said.insert(said.end(), phrase.begin(), phrase.end());
      }
      all.insert(std::move(said));
    }
    return all;
  }

  std::optional<Rank> ask(const Entrant& who, const WordRun& said) const {
    const Contender& one = contenders_[who.contender];
    if (any_occurs(one.blacklist, said)) return std::nullopt;
    if (who.model == kKeywords) return keyword_rank(one, said);
    const auto fit = one.templates[who.model].first.take(said);
    if (!fit) return std::nullopt;
    return rank(*fit, 0);
  }

  void ask_others(std::uint32_t asker, const WordRun& said, CollisionBounds& bounds) {
    std::map<std::uint32_t, Verdict> verdicts;
    const auto ask_all = [&](const std::vector<Entrant>& list) {
      for (const Entrant& who : list) {
        if (who.contender != asker && !rivals(asker, who.contender)) continue;
        if (bounds.max_matches == 0) return;
        --bounds.max_matches;
        const auto rank = ask(who, said);
        if (!rank) continue;
        const auto [at, added] = verdicts.try_emplace(who.contender, Verdict{*rank, who.model});
        if (!added && *rank < at->second.rank) at->second = Verdict{*rank, who.model};
      }
    };
    ask_all(always_);
    for (const auto word : std::set<std::uint32_t>(said.begin(), said.end())) {
      if (const auto found = by_word_.find(word); found != by_word_.end()) ask_all(found->second);
    }
    const auto own = verdicts.find(asker);
    if (own == verdicts.end()) return;  // its own blacklist, say
    for (const auto& [other, verdict] : verdicts) {
      if (other != asker) record(asker, own->second, other, verdict, said);
    }
  }

  bool rivals(std::uint32_t a, std::uint32_t b) const {
    const IntentRegistration& one = *contenders_[a].intent;
    const IntentRegistration& two = *contenders_[b].intent;
    return one.skill_id != two.skill_id &&
           (one.session_id == two.session_id || is_default_session(one.session_id) ||
            is_default_session(two.session_id));
  }

  /// The first sentence of a pair is kept, but a tie is worth more.
  void record(std::uint32_t a, const Verdict& of_a, std::uint32_t b, const Verdict& of_b,
              const WordRun& said) {
    const bool tie = of_a.rank == of_b.rank;
    const std::pair<std::uint32_t, std::uint32_t> pair(std::min(a, b), std::max(a, b));
    const auto known = pairs_.find(pair);
    if (known != pairs_.end() && (known->second.tie || !tie)) return;
    const auto name = [this](std::uint32_t who) {
      const IntentRegistration& intent = *contenders_[who].intent;
      return std::tie(intent.skill_id, intent.intent_name);
    };
    const bool first = tie ? name(a) < name(b) : of_a.rank < of_b.rank;
    Claim one = claim(a, of_a);
    Claim two = claim(b, of_b);
    Collision found(words_.text(said), first ? one : two, first ? two : one, tie);
    if (known == pairs_.end()) {
      pairs_.emplace(pair, std::move(found));
    } else {
      known->second = std::move(found);
    }
  }

  Claim claim(std::uint32_t who, const Verdict& verdict) const {
    const Contender& one = contenders_[who];
    return {one.intent, verdict.model == kKeywords ? std::string() : one.templates[verdict.model].second};
  }

  std::string primary_;
  SentenceWords words_;
  std::vector<EntityPtr> entities_;
  std::vector<Contender> contenders_;
  Uses uses_;
  std::vector<Entrant> always_;
  std::unordered_map<std::uint32_t, std::vector<Entrant>> by_word_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, Collision> pairs_;
};

bool claims_anything(const IntentRegistration& intent) {
  return intent.enabled && intent.requires_context.empty();
}

}  // namespace

Collisions find_collisions(const std::vector<IntentPtr>& intents, const std::vector<EntityPtr>& entities,
                           CollisionBounds bounds) {
  std::map<std::string, Ring> rings;
  const auto ring = [&](const std::string& lang) -> Ring& {
    const std::string primary = primary_language(lang);
    return rings.try_emplace(primary, primary).first->second;
  };
  for (const EntityPtr& entity : entities) ring(entity->lang).add(entity);
  for (const IntentPtr& intent : intents) {
    if (claims_anything(*intent)) ring(intent->lang).add(intent);
  }
  Collisions result;
  for (auto& [primary, one] : rings) one.search(bounds, result);
  std::stable_sort(result.found.begin(), result.found.end(),
                   [](const Collision& a, const Collision& b) { return a.tie && !b.tie; });
  return result;
}

}  // namespace parley
