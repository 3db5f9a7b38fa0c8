#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <parley/skill.hpp>
#include <utility>

namespace parley::reminder {

/// Two owners' sessions of one id are two (K-4).
inline std::string whose(const Turn& turn) {
  return turn.owner() + '/' + turn.session_id();
}

/// The last thing each session was told, by whose() it is, for whoever puts it off. Of so many sessions; the
/// one that was told longest ago goes first.
class Told {
 public:
  using Time = std::chrono::system_clock::time_point;

  explicit Told(std::size_t most) : most_(most) {}

  void remember(const std::string& who, const Json& payload, Time now) {
    by_session_.erase(who);
    if (by_session_.size() >= most_) {
      const auto older = [](const auto& one, const auto& other) {
        return one.second.first < other.second.first;
      };
      by_session_.erase(std::min_element(by_session_.begin(), by_session_.end(), older));
    }
    by_session_.emplace(who, std::pair(now, payload));
  }

  /// Nothing when none was told since then.
  std::optional<Json> last(const std::string& who, Time since) const {
    const auto found = by_session_.find(who);
    if (found == by_session_.end() || found->second.first < since) return std::nullopt;
    return found->second.second;
  }

  void forget(const std::string& who) { by_session_.erase(who); }

 private:
  std::size_t most_;
  std::map<std::string, std::pair<Time, Json>, std::less<>> by_session_;
};

}  // namespace parley::reminder
