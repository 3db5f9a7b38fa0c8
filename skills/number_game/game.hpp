#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace parley::number_game {

/// How a guess lies to the number.
enum class Verdict { kHigher, kLower, kRight };  ///< kHigher: the number is higher than the guess.

/// What may be given away about the number, in this order.
enum class Hint { kParity, kThree, kLastDigit };

/// One game: a number that is to be guessed.
class Game {
 public:
  explicit Game(std::int64_t number) : number_(number) {}

  /// Counts, and says where the number is.
  Verdict guess(std::int64_t guess);
  /// The next hint, which counts as a guess; nothing when all were given.
  std::optional<Hint> hint();

  /// A question about the number counts as a guess.
  void spend() noexcept { ++guesses_; }

  std::int64_t number() const noexcept { return number_; }
  /// The last guess; nothing before the first.
  std::optional<std::int64_t> last_guess() const noexcept { return last_guess_; }
  int guesses() const noexcept { return guesses_; }

 private:
  std::int64_t number_;
  int guesses_ = 0;  ///< Hints included.
  int hints_ = 0;
  std::optional<std::int64_t> last_guess_;
};

/// Who plays in one session.
struct Player {
  Player() = default;
  std::optional<Game> game;
  std::uint64_t seen = 0;    ///< When, counted in calls.
  std::uint64_t client = 0;  ///< Whom the session belongs to.
};

/// The players, by the owner and its session. When there are too many, the client with the most of them loses
/// the one that was not seen for longest, so that nobody loses a game to somebody else's many sessions.
class Players {
 public:
  explicit Players(std::size_t most) : most_(most) {}

  /// Two owners' sessions of one id are two (K-4).
  static std::string key(const std::string& owner, const std::string& session_id);

  /// Added when unknown. Valid until the next call.
  /// @param client  who speaks in the session; 0: this process
  Player& of(const std::string& key, std::uint64_t client = 0);
  /// Null when unknown.
  Player* find(const std::string& key);
  /// Ends the games in a session, whoever's it is: who stops something does not say.
  /// @returns whether there was one
  bool end_in(const std::string& session_id);
  bool plays_in(const std::string& session_id) const;
  std::size_t size() const noexcept { return players_.size(); }
  void clear() { players_.clear(); }

 private:
  void forget_one();

  std::size_t most_;
  std::uint64_t calls_ = 0;
  std::map<std::string, Player, std::less<>> players_;
};

}  // namespace parley::number_game
