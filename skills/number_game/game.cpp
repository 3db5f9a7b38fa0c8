#include "game.hpp"

#include <iterator>

namespace parley::number_game {

Verdict Game::guess(std::int64_t guess) {
  ++guesses_;
  last_guess_ = guess;
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
