#pragma once

#include <map>
#include <memory>
#include <parley/stage.hpp>
#include <set>
#include <string>
#include <vector>

#include "contest.hpp"
#include "running.hpp"

namespace parley::common_query {

/// Runs contests: asks every skill that may know, hears what they say, and hands it to the contests that it
/// is for. On the loop.
class Contests {
 public:
  /// @param context  outlives this
  explicit Contests(StageContext& context);

  Running begin(const MatchRequest& request);
  /// Contests of that utterance hear nothing more.
  void forget(const Message& handled);
  const Limits& limits() const noexcept { return limits_; }

 private:
  void hear(const Message& answer, Heard (Contest::*takes)(const Message&));
  void hear_pong(const Message& pong);
  void listen_for(const std::string& topic);
  std::vector<std::string> potential_claimants() const;
  void note_silence(const std::string& skill);
  Task<> run(std::shared_ptr<Contest> contest);
  Task<> poll(std::shared_ptr<Contest> contest);
  Task<> collect(std::shared_ptr<Contest> contest, std::vector<std::string> asked);

  StageContext& context_;
  const Limits limits_;
  std::multimap<std::string, std::weak_ptr<Contest>, std::less<>> listening_;  ///< By session.
  std::map<std::string, int, std::less<>> silences_;  ///< Polls in a row that remote skills let pass.
  std::set<std::string, std::less<>> topics_;  ///< Of responses; never forgotten, as subscriptions are not.
};

}  // namespace parley::common_query
