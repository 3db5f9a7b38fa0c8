#include "match/matcher.hpp"

#include <algorithm>
#include <bitset>
#include <parley/language.hpp>

namespace parley::intent {
namespace {

using Kind = PhraseUse::Kind;

/// What phrases say about the slots of one intent.
class HeardSlots final : public SlotRules {
 public:
  /// @param spans  hits of entity values and slot blacklists, sorted by where they are
  HeardSlots(const LanguageIndex& index, const Policy& policy, const std::vector<Hit>& spans, IntentId id,
             const IntentRegistration& intent)
      : index_(index), policy_(policy), spans_(spans), id_(id), intent_(intent) {}

  SlotFit fit(const std::string& slot, std::size_t begin, std::size_t end) const override {
    SlotFit best = SlotFit::kOpen;
    const auto wanted = std::pair{begin, end};
    auto hit = std::lower_bound(spans_.begin(), spans_.end(), wanted,
                                [](const Hit& one, const auto& place) { return place_of(one) < place; });
    for (; hit != spans_.end() && place_of(*hit) == wanted; ++hit) {
      const PhraseUse& use = index_.use(hit->payload);
      if (use.name != slot) continue;
      if (use.kind == Kind::kSlotBlacklist && use.owner == id_) return SlotFit::kForbidden;
      if (use.kind == Kind::kEntity && is_ours(index_.entity(use.owner))) best = SlotFit::kListed;
    }
    return best;
  }

 private:
  static std::pair<std::size_t, std::size_t> place_of(const Hit& hit) { return {hit.begin, hit.end}; }

  bool is_ours(const EntityRegistration& entity) const {
    return entity.skill_id == intent_.skill_id && policy_.sees(entity.session_id);
  }

  const LanguageIndex& index_;
  const Policy& policy_;
  const std::vector<Hit>& spans_;
  IntentId id_;
  const IntentRegistration& intent_;
};

class Matcher {
 public:
  Matcher(LanguageIndex& index, const Said& said, const Policy& policy)
      : index_(index), said_(said), policy_(policy) {
    ids_.reserve(said.words.size());
    for (const Word& word : said.words) ids_.push_back(index.lexicon().find(word.norm));
  }

  std::vector<Candidate> literal() {
    find_phrases();
    take_templates();
    take_keywords();
    return sorted();
  }

  bool has_value_outside(const std::string& skill_id, std::size_t begin, std::size_t end) {
    find_phrases();
    return std::any_of(spans_.begin(), spans_.end(), [&](const Hit& hit) {
      const PhraseUse& use = index_.use(hit.payload);
      if (use.kind != Kind::kEntity || (hit.begin >= begin && hit.end <= end)) return false;
      const EntityRegistration& entity = index_.entity(use.owner);
      return entity.skill_id == skill_id && policy_.sees(entity.session_id);
    });
  }

  std::vector<Candidate> resembling() {
    find_phrases();
    std::vector<std::string> forms;
    forms.reserve(said_.words.size());
    for (const Word& word : said_.words) forms.push_back(word.norm);
    const auto may = [this](ClassId id) { return is_in_pool(id); };
    for (const Resemblance& like : index_.learned()->read(forms, may)) take_resemblance(like);
    return sorted();
  }

 private:
  void find_phrases() {
    index_.phrases().find(ids_, hits_);
    for (const Hit& hit : hits_) {
      const Kind kind = index_.use(hit.payload).kind;
      if (kind == Kind::kEntity || kind == Kind::kSlotBlacklist) spans_.push_back(hit);
    }
    std::sort(spans_.begin(), spans_.end(), [](const Hit& a, const Hit& b) {
      return std::pair{a.begin, a.end} < std::pair{b.begin, b.end};
    });
  }

  std::vector<Candidate> sorted() {
    std::stable_sort(candidates_.begin(), candidates_.end(), [](const Candidate& a, const Candidate& b) {
      if (bool(a.veto) != bool(b.veto)) return !a.veto;
      return outranks(a, b);
    });
    return std::move(candidates_);
  }

  bool is_in_pool(IntentId id) { return policy_.sees(index_.intent(id).registration->session_id); }

  void take_templates() {
    std::vector<Payload> found;
    index_.templates().match(ids_, found);
    std::sort(found.begin(), found.end(), [this](Payload a, Payload b) {
      return std::pair{index_.compiled(a).intent, a} < std::pair{index_.compiled(b).intent, b};
    });
    for (std::size_t first = 0; first < found.size();) {
      const IntentId id = index_.compiled(found[first]).intent;
      std::size_t last = first;
      while (last < found.size() && index_.compiled(found[last]).intent == id) ++last;
      if (id != kNoIntent && is_in_pool(id))
        take_templates_of(id, std::span(found).subspan(first, last - first));
      first = last;
    }
  }

  /// Of an intent's templates that take the utterance, the one that reads it best.
  void take_templates_of(IntentId id, std::span<const Payload> found) {
    const IntentPtr& intent = index_.intent(id).registration;
    const HeardSlots rules(index_, policy_, spans_, id, *intent);
    std::optional<Candidate> best;
    for (const Payload number : found) {
      Candidate candidate = read(intent, number, rules);
      const bool better =
          !best || (bool(candidate.veto) != bool(best->veto) ? bool(best->veto) : outranks(candidate, *best));
      if (better) best = std::move(candidate);
    }
    if (const Veto veto = veto_of(id)) best->veto = veto;
    best->recency = policy_.recency(*intent);
    candidates_.push_back(std::move(*best));
  }

  Candidate read(const IntentPtr& intent, Payload number, const SlotRules& rules) {
    Candidate candidate(intent);
    candidate.words = ids_.size();
    candidate.exact = index_.compiled(number).exact;
    auto alignment = align(index_.templates(), index_.compiled(number).route, ids_, rules);
    if (!alignment) {
      candidate.open_words = ids_.size();
      candidate.veto = Veto(Veto::Kind::kSlotForbidden);
      return candidate;
    }
    candidate.open_words = alignment->open_words;
    candidate.literal_words = alignment->literal_words;
    candidate.bound = std::move(alignment->bound);
    count_unlisted(candidate);
    fill_required(candidate);
    return candidate;
  }

  void count_unlisted(Candidate& candidate) const {
    const auto sees = [this](const std::string& session) { return policy_.sees(session); };
    for (const Bound& bound : candidate.bound) {
      if (bound.listed || !index_.lists(candidate.intent->skill_id, bound.slot, sees)) continue;
      candidate.unlisted_words += bound.end - bound.begin;
    }
  }

  void take_resemblance(const Resemblance& like) {
    const IntentPtr& intent = index_.intent(like.intent).registration;
    const HeardSlots rules(index_, policy_, spans_, like.intent, *intent);
    Candidate candidate(intent);
    candidate.words = ids_.size();
    candidate.certainty = like.certainty;
    candidate.likeness = like.likeness;
    for (const SlotSpan& span : like.slots) {
      const SlotFit fit = rules.fit(span.slot, span.begin, span.end);
      if (fit == SlotFit::kForbidden) candidate.veto = Veto(Veto::Kind::kSlotForbidden);
      candidate.bound.emplace_back(span.slot, span.begin, span.end, fit == SlotFit::kListed);
      if (fit != SlotFit::kListed) candidate.open_words += span.end - span.begin;
    }
    bind_listed(candidate, rules);
    if (!candidate.veto) fill_required(candidate);
    if (const Veto veto = veto_of(like.intent)) candidate.veto = veto;
    candidates_.push_back(std::move(candidate));
  }

  /// A required slot, or one that would be asked for, that was not found takes the longest of its listed
  /// values that occurs.
  void bind_listed(Candidate& candidate, const HeardSlots& rules) const {
    for (const auto* const wanted : {&candidate.intent->required_slots, &candidate.intent->asked_slots}) {
      for (const std::string& slot : *wanted) bind_listed(candidate, slot, rules);
    }
    std::sort(candidate.bound.begin(), candidate.bound.end(),
              [](const Bound& a, const Bound& b) { return a.begin < b.begin; });
  }

  void bind_listed(Candidate& candidate, const std::string& slot, const HeardSlots& rules) const {
    const Hit* best = nullptr;
    for (const Hit& hit : spans_) {
      const bool is_taken =
          std::any_of(candidate.bound.begin(), candidate.bound.end(), [&](const Bound& bound) {
            return bound.slot == slot || (bound.begin < hit.end && hit.begin < bound.end);
          });
      if (is_taken || rules.fit(slot, hit.begin, hit.end) != SlotFit::kListed) continue;
      if (best == nullptr || hit.end - hit.begin > best->end - best->begin) best = &hit;
    }
    if (best != nullptr) candidate.bound.emplace_back(slot, best->begin, best->end, true);
  }

  void fill_required(Candidate& candidate) const {
    for (const std::string& slot : candidate.intent->required_slots) {
      const bool is_bound = std::any_of(candidate.bound.begin(), candidate.bound.end(),
                                        [&slot](const Bound& bound) { return bound.slot == slot; });
      if (is_bound) continue;
      if (auto value = policy_.context_value(*candidate.intent, slot)) {
        candidate.from_context.emplace_back(slot, std::move(*value));
      } else {
        candidate.veto = Veto(Veto::Kind::kSlotMissing, slot);
        return;
      }
    }
  }

  /// What speaks against an intent, whatever took the utterance.
  Veto veto_of(IntentId id) {
    const IntentRegistration& intent = *index_.intent(id).registration;
    if (Veto veto = policy_.veto(intent)) return veto;
    if (!same_language(intent.lang, said_.lang)) {
      for (const IntentId other : index_.registrations(intent)) {
        const std::string& lang = index_.intent(other).registration->lang;
        if (same_language(lang, said_.lang) && is_in_pool(other))
          return Veto(Veto::Kind::kBetterLanguage, lang);
      }
    }
    for (const Hit& hit : hits_) {
      const PhraseUse& use = index_.use(hit.payload);
      if (use.kind == Kind::kBlacklist && use.owner == id)
        return Veto(Veto::Kind::kBlacklistPhrase, said(hit));
    }
    return {};
  }

  std::string said(const Hit& hit) const {
    const auto part = std::span(said_.words).subspan(hit.begin, hit.end - hit.begin);
    return std::string(surface(said_.text, part));
  }

  void take_keywords() {
    for (const IntentId id : satisfied()) {
      if (is_in_pool(id)) take_keywords_of(id);
    }
  }

  /// The keyword intents whose obligations are all met, counted down as the hits come in.
  std::vector<IntentId> satisfied() {
    const std::uint32_t turn = index_.next_turn();
    std::vector<IntentId> found;
    for (const Hit& hit : hits_) {
      const PhraseUse& use = index_.use(hit.payload);
      if (use.kind != Kind::kKeyword) continue;
      IntentEntry& entry = index_.intent(use.owner);
      if (entry.turn != turn) {
        entry.turn = turn;
        entry.unmet = static_cast<std::uint32_t>(entry.met_in.size());
      }
      if (entry.met_in[use.obligation] == turn) continue;
      entry.met_in[use.obligation] = turn;
      if (--entry.unmet == 0) found.push_back(use.owner);
    }
    return found;
  }

  void take_keywords_of(IntentId id) {
    Candidate candidate(index_.intent(id).registration);
    candidate.words = ids_.size();
    std::bitset<kMaxWords> covered;
    for (const Hit& hit : hits_) {
      const PhraseUse& use = index_.use(hit.payload);
      if (use.owner != id || !is_keyword(use.kind)) continue;
      if (use.kind == Kind::kExcluded) {
        candidate.veto = Veto(Veto::Kind::kExcluded, use.name);
        continue;
      }
      for (std::size_t i = hit.begin; i < hit.end; ++i) covered.set(i);
      bind(candidate, use.name, hit);
    }
    candidate.keywords = candidate.bound.size();
    candidate.literal_words = covered.count();
    candidate.open_words = candidate.words - candidate.literal_words;
    if (!candidate.veto) fill_required(candidate);
    if (const Veto veto = veto_of(id)) candidate.veto = veto;
    candidate.recency = policy_.recency(*candidate.intent);
    candidates_.push_back(std::move(candidate));
  }

  static bool is_keyword(Kind kind) noexcept {
    return kind == Kind::kKeyword || kind == Kind::kOptional || kind == Kind::kExcluded;
  }

  /// A vocabulary that occurs several times stands for its longest phrase, then for the first.
  static void bind(Candidate& candidate, const std::string& name, const Hit& hit) {
    const auto known = std::find_if(candidate.bound.begin(), candidate.bound.end(),
                                    [&name](const Bound& bound) { return bound.slot == name; });
    if (known == candidate.bound.end()) {
      candidate.bound.emplace_back(name, hit.begin, hit.end, true);
    } else if (hit.end - hit.begin > known->end - known->begin) {
      known->begin = hit.begin;
      known->end = hit.end;
    }
  }

  LanguageIndex& index_;
  const Said& said_;
  const Policy& policy_;
  std::vector<WordId> ids_;
  std::vector<Hit> hits_;   ///< Of phrases, by where they begin.
  std::vector<Hit> spans_;  ///< Those that matter to slots, by where they are.
  std::vector<Candidate> candidates_;
};

}  // namespace

std::vector<Candidate> find_candidates(LanguageIndex& index, const Said& said, const Policy& policy) {
  if (said.words.empty() || said.words.size() > kMaxWords) return {};
  return Matcher(index, said, policy).literal();
}

bool has_value_outside(LanguageIndex& index, const Said& said, const Policy& policy,
                       const std::string& skill_id, std::size_t begin, std::size_t end) {
  return Matcher(index, said, policy).has_value_outside(skill_id, begin, end);
}

std::vector<Candidate> find_resemblances(LanguageIndex& index, const Said& said, const Policy& policy) {
  if (said.words.empty() || said.words.size() > kMaxWords || index.learned()->empty()) return {};
  return Matcher(index, said, policy).resembling();
}

}  // namespace parley::intent
