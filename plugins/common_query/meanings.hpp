#pragma once

#include <optional>
#include <parley/stage.hpp>
#include <parley/text.hpp>
#include <span>
#include <string>
#include <vector>

#include <follow_up/memory.hpp>
#include <follow_up/topic.hpp>

#include "gate.hpp"

namespace parley::common_query {

/// The same request in other words, in the same trace.
MatchRequest asked_as(const MatchRequest& request, const std::string& question);

/// What questions mean: by themselves, and by what their session was about before. On the loop.
class Meanings {
 public:
  /// @param context  outlives this
  /// @param gate     null: everything may be a question; outlives this
  Meanings(StageContext& context, Gate* gate);

  bool is_question(const MatchRequest& request) const;
  /// What the session was about; null: nothing, or it was said in another language. Valid until the next
  /// utterance is matched.
  const follow_up::Subject* subject_of(const MatchRequest& request) const;

  /// The request about what its utterance leaves out of the question before; nothing: it is its own.
  std::optional<MatchRequest> asked_again(const MatchRequest& request) const;
  /// What a question that nobody has an answer to may mean: itself without the words that say nothing,
  /// the question within it, the same about what was said before, and what is asked beside
  /// something that is no question ("we're off to Portugal, what language do they speak there").
  std::vector<std::string> otherwise(const MatchRequest& request) const;
  /// What a question means other than it says, before an intent takes it for something that resembles it:
  /// what corrects itself, or stands for what the session was about. Empty: it is about something of its own,
  /// or an intent's word for word.
  std::vector<std::string> at_first(const MatchRequest& request) const;
  /// What a question may mean that follows that subject, the likeliest first; not: what it says itself.
  std::vector<std::string> after(const follow_up::Subject& before, const MatchRequest& request) const;

 private:
  std::vector<std::string> of_topic(const MatchRequest& request) const;
  std::vector<std::string> asked_within(const MatchRequest& request, const std::string& text) const;
  std::vector<std::string> about_lead(const std::string& text, std::span<const Word> lead,
                                      const std::string& question, const MatchRequest& request) const;
  std::vector<std::string> about(const follow_up::Subject& before, const std::string& question,
                                 const MatchRequest& request) const;
  follow_up::Reader reader_of(const MatchRequest& request) const;

  StageContext& context_;
  Gate* const gate_;
  follow_up::Memory subjects_;
};

}  // namespace parley::common_query
