#include "game.hpp"

#include <algorithm>
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
  ++guesses_;
  return kInOrder[hints_++];
}

void Players::forget_one() {
  std::map<std::uint64_t, std::size_t> count;
  for (const auto& [session, player] : players_) ++count[player.client];
  const auto most = std::max_element(count.begin(), count.end(),
                                     [](const auto& a, const auto& b) { return a.second < b.second; });
  auto oldest = players_.end();
  for (auto one = players_.begin(); one != players_.end(); ++one) {
    if (one->second.client != most->first) continue;
    if (oldest == players_.end() || one->second.seen < oldest->second.seen) oldest = one;
  }
  players_.erase(oldest);
}

std::string Players::key(const std::string& owner, const std::string& session_id) {
  return owner + '/' + session_id;
}

Player& Players::of(const std::string& key, std::uint64_t client) {
  if (players_.size() >= most_ && !players_.contains(key)) forget_one();
  Player& player = players_[key];
  player.seen = ++calls_;
  player.client = client;
  return player;
}

Player* Players::find(const std::string& key) {
  const auto found = players_.find(key);
  if (found == players_.end()) return nullptr;
  found->second.seen = ++calls_;
  return &found->second;
}

bool Players::plays_in(const std::string& session_id) const {
  return std::any_of(players_.begin(), players_.end(), [&](const auto& one) {
    return one.second.game && one.first.ends_with('/' + session_id);
  });
}

bool Players::end_in(const std::string& session_id) {
  const bool any = plays_in(session_id);
  for (auto& [key, player] : players_)
    if (key.ends_with('/' + session_id)) player.game.reset();
  return any;
}

}  // namespace parley::number_game
