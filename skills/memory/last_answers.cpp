#include "last_answers.hpp"

#include <algorithm>

namespace parley::memory {
namespace {

constexpr std::size_t kMostSessions = 256;

}  // namespace

void LastAnswers::note(const Message& turn, std::vector<Fact> facts, Moment now) {
  const Asker asker = Asker::of(turn);
  forget(asker);
  LastAnswer answer;
  answer.turn = turn.context().utterance_id;
  answer.when = now;
  answer.facts = std::move(facts);
  all_.emplace_back(asker, std::move(answer));
  if (all_.size() > kMostSessions) all_.pop_front();
}

void LastAnswers::forget(const Asker& asker) {
  std::erase_if(all_, [&](const auto& one) { return one.first == asker; });
}

const LastAnswer* LastAnswers::of(const Asker& asker) const {
  const auto found =
      std::find_if(all_.begin(), all_.end(), [&](const auto& one) { return one.first == asker; });
  return found == all_.end() ? nullptr : &found->second;
}

}  // namespace parley::memory
