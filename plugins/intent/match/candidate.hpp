#pragma once

#include <cstdint>
#include <optional>
#include <parley/registry.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "match/alignment.hpp"

namespace parley::intent {

/// Why a candidate may not win.
struct Veto {
  enum class Kind : std::uint8_t {
    kNone,
    kSkillBlacklisted,
    kIntentBlacklisted,
    kDisabled,
    kGateClosed,       ///< X-2.
    kBetterLanguage,   ///< The same intent is registered for the speaker's own region.
    kBlacklistPhrase,  ///< T-6; `detail` is the phrase as it was said.
    kSlotForbidden,    ///< T-6: what was said for a slot is on its blacklist.
    kSlotMissing,      ///< U-3; `detail` is the slot.
    kExcluded,         ///< R-4; `detail` is the vocabulary.
  };

  Veto() = default;
  explicit Veto(Kind why, std::string what = {}) : kind(why), detail(std::move(what)) {}
  explicit operator bool() const noexcept { return kind != Kind::kNone; }

  Kind kind = Kind::kNone;
  std::string detail;
};

/// The veto as a person reads it.
std::string to_text(const Veto& veto);

/// A slot that the session's intent context fills, not the utterance.
struct ContextSlot {
  ContextSlot(std::string name, std::string text) : slot(std::move(name)), value(std::move(text)) {}
  std::string slot, value;
};

/// A registered intent that takes an utterance, vetoed or not.
struct Candidate {
  explicit Candidate(IntentPtr registration) : intent(std::move(registration)) {}

  IntentPtr intent;
  std::size_t words = 0;           ///< Of the utterance.
  std::size_t open_words = 0;      ///< In open slots; for keywords the words that no keyword covers.
  std::size_t literal_words = 0;   ///< Written in the template, or covered by keywords.
  std::size_t keywords = 0;        ///< Vocabularies that occur; 0 for a template.
  std::size_t unlisted_words = 0;  ///< In slots that have listed values, and not one of them.
  /// How sure it is that an utterance that is none of its templates is meant so (Resemblance); nothing when
  /// it is one of them.
  std::optional<double> certainty;
  double likeness = 0;  ///< Of such an intent; see Guess.
  /// A slot holds a value of its type, or one without a type says when something is to be: that it fits is no
  /// accident.
  bool has_typed_value = false;
  /// How lately the context was set that gates it, as compared with others'; 0: nothing does.
  std::int64_t recency = 0;
  bool exact = false;  ///< Of a template that takes only what is said as it is written.
  std::vector<Bound> bound;
  std::vector<ContextSlot> from_context;
  Veto veto;

  bool is_template() const noexcept { return intent->is_template() && !certainty; }
  bool is_keyword() const noexcept { return !intent->is_template(); }
  /// The share of the utterance's words that the registration itself names, 0 to 1.
  double coverage() const noexcept;
  /// 0 to 1: the certainty, else the coverage; a template gets half of the rest, since it accounts for every
  /// word.
  double score() const noexcept;
};

/// The order of T-0: fewest open words, most literal words, template before keyword, more keywords, of
/// two that a context gates the one whose context was set later, skill, name, the session's own registration
/// before a default one.
bool outranks(const Candidate& a, const Candidate& b);

/// Whether both are registrations of one intent of one skill.
bool same_intent(const IntentRegistration& a, const IntentRegistration& b) noexcept;

}  // namespace parley::intent
