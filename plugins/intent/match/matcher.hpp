#pragma once

#include <optional>
#include <parley/text.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "match/candidate.hpp"
#include "match/language_index.hpp"

namespace parley::intent {

/// A longer utterance is nobody's: nobody says that much in one breath, and readings multiply with length.
inline constexpr std::size_t kMaxWords = 256;

/// What the session and the registry's state allow.
class Policy {
 public:
  virtual ~Policy() = default;
  /// Whether registrations made in that session are in the pool.
  virtual bool sees(const std::string& session_id) const = 0;
  /// Blacklists, disabled, gates.
  virtual Veto veto(const IntentRegistration& intent) const = 0;
  /// How lately the context was set that the intent is gated by, where it is counted in turns: more is later.
  virtual std::int64_t recency(const IntentRegistration& /*intent*/) const { return 0; }
  /// What fills a required slot that the utterance leaves open.
  virtual std::optional<std::string> context_value(const IntentRegistration& intent,
                                                   const std::string& slot) const = 0;
};

/// One utterance: the text, its words, and the speaker's language.
struct Said {
  Said(std::string_view utterance, std::string_view tag)
      : text(utterance), lang(tag), words(parley::words(utterance, tag)) {}
  std::string_view text;
  std::string_view lang;
  std::vector<Word> words;
};

/// Every registration of the pool that takes the utterance, vetoed ones included, each once; the winner first
/// (T-0), the vetoed last. Looks at what the words lead to, never at all intents.
std::vector<Candidate> find_candidates(LanguageIndex& index, const Said& said, const Policy& policy);

/// Whether any of the words outside [begin, end) is in a listed value of the skill.
bool has_value_outside(LanguageIndex& index, const Said& said, const Policy& policy,
                       const std::string& skill_id, std::size_t begin, std::size_t end);

/// The intents of the pool that the utterance resembles without being one of their templates, the surest
/// first, the vetoed last. Looks at all intents that share words with it. Not while somebody teaches
/// LanguageIndex::learned().
std::vector<Candidate> find_resemblances(LanguageIndex& index, const Said& said, const Policy& policy);

}  // namespace parley::intent
