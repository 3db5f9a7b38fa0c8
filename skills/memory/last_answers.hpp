#pragma once

#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "facts.hpp"

namespace parley::memory {

/// What was said from memory last in a session.
struct LastAnswer {
  LastAnswer() = default;
  std::string turn;  ///< Its utterance_id.
  Moment when;
  std::vector<Fact> facts;
};

/// The last answer of each session, of as many sessions as were heard of last.
class LastAnswers {
 public:
  void note(const Message& turn, std::vector<Fact> facts, Moment now);
  void forget(const Asker& asker);
  /// Null: nothing was said. Until the next note() or forget().
  const LastAnswer* of(const Asker& asker) const;

 private:
  std::deque<std::pair<Asker, LastAnswer>> all_;  ///< The session that was heard of last comes last.
};

}  // namespace parley::memory
