#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace parley::number_game {

/// How a guess lies to the number.
enum class Verdict { kHigher, kLower, kRight };  ///< kHigher: the number is higher than the guess.

/// What may be given away about the number, in this order.
enum class Hint { kParity, kThree, kLastDigit };

/// One game: a number that is to be guessed.
class Game {
 public:
  /// More than these nobody listens to.
  static constexpr std::size_t kMostKept = 10;

  explicit Game(std::int64_t number) : number_(number) {}

  /// Counts, and says where the number is.
  Verdict guess(std::int64_t guess);
  /// The next hint, which counts as a guess; nothing when all were given.
  std::optional<Hint> hint();

  /// A question about the number counts as a guess.
  void spend() noexcept {
    ++guesses_;
    ++told_;
  }

  std::int64_t number() const noexcept { return number_; }
  /// The last guesses as they came, at most kMostKept; hints and questions are none.
  const std::vector<std::int64_t>& last_guesses() const noexcept { return last_guesses_; }
  int guesses() const noexcept { return guesses_; }
  /// Those of them that are hints and questions.
  int told() const noexcept { return told_; }

 private:
  std::int64_t number_;
  int guesses_ = 0;  ///< Hints included.
  int hints_ = 0;
  int told_ = 0;
  std::vector<std::int64_t> last_guesses_;
};

}  // namespace parley::number_game
