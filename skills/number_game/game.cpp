#include "game.hpp"

#include <iterator>

namespace parley::number_game {

Verdict Game::guess(std::int64_t guess) {
  ++guesses_;
  if (last_guesses_.size() == kMostKept) last_guesses_.erase(last_guesses_.begin());
  last_guesses_.push_back(guess);
  if (guess == number_) return Verdict::kRight;
  return number_ > guess ? Verdict::kHigher : Verdict::kLower;
}

std::optional<Hint> Game::hint() {
  constexpr Hint kInOrder[] = {Hint::kParity, Hint::kThree, Hint::kLastDigit};
  if (hints_ == std::ssize(kInOrder)) return std::nullopt;
  spend();
  return kInOrder[hints_++];
}

}  // namespace parley::number_game
