#pragma once

#include <memory>
#include <parley/stage.hpp>
#include <string>
#include <utility>

#include "contest.hpp"

namespace parley::common_query {

/// A contest under way; letting it go ends it.
struct Running {
  Running() = default;
  Running(std::shared_ptr<Contest> what, Subscription token)
      : contest(std::move(what)), work(std::move(token)) {}
  Running(Running&& other) noexcept = default;
  Running& operator=(Running&& other) noexcept {
    std::swap(contest, other.contest);
    std::swap(work, other.work);
    return *this;
  }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;
  ~Running() {
    // Its coroutine may be about to go on with what has just come, and would ask claimants for nobody.
    if (contest) contest->finish();
  }
  std::shared_ptr<Contest> contest;
  Subscription work;
};

/// What was begun for an utterance before anybody asked.
struct Early {
  Early(const MatchRequest& request, Subscription when)
      : utterance_id(request.message().context().utterance_id), start(std::move(when)) {}
  bool is_of(const Message& message) const { return message.context().utterance_id == utterance_id; }
  std::string utterance_id;
  Subscription start;  ///< Begins the contest, after a while.
  Running running;     ///< Empty until then, or when it is no question.
};

}  // namespace parley::common_query
