#pragma once

#include <follow_up/memory.hpp>
#include <follow_up/rewriting.hpp>
#include <optional>
#include <parley/stage.hpp>
#include <string>

#include "match/intent_index.hpp"
#include "match/matcher.hpp"

namespace parley::intent {

/// Understands what leaves out half of what it means: "and in London?", "make that fifteen", "what's the
/// weather there?"; and a question within another: "do you know if there's a timer?". Asked when nobody takes
/// the utterance word for word.
class FollowUps {
 public:
  FollowUps(IntentIndex& index, StageContext& context) : index_(index), context_(context) {}

  /// An `ovos.intent.matched`.
  void hear(const Message& matched) { memory_.hear(matched, context_.clock().now()); }

  /// The question within the utterance, as some template has it.
  std::optional<Match> asked_directly(const MatchRequest& request);
  /// The session's last intent with another value, or what the utterance is with a name for its pronoun.
  std::optional<Match> match(const MatchRequest& request);

 private:
  struct Reading;

  std::optional<Match> exchanged(const MatchRequest& request, const follow_up::Subject& subject,
                                 const follow_up::Ellipsis& said, const follow_up::Reader& reader);
  std::optional<Match> resolved(const MatchRequest& request, const std::string& sentence);
  /// Whether some intent takes the text word for word, as far as it has words of its own.
  bool is_taken(const MatchRequest& request, const std::string& text);
  /// The subject's intent as it takes a rewritten sentence, or as it took the one before where that only
  /// resembled its templates.
  std::optional<Match> claim(const MatchRequest& request, const follow_up::Subject& subject,
                             const follow_up::Rewriting& rewriting, follow_up::Form form);
  std::optional<Match> claim_resembling(const MatchRequest& request, const follow_up::Subject& subject,
                                        const follow_up::Rewriting& rewriting);

  IntentIndex& index_;
  StageContext& context_;
  follow_up::Memory memory_;
};

}  // namespace parley::intent
