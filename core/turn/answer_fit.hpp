#pragma once

#include <parley/locale.hpp>
#include <parley/stage.hpp>
#include <string>

#include "runtime/timers.hpp"
#include "turn/questions.hpp"

namespace parley {

/// Says how what is said fits the question that is open in its session (C-1). On the loop.
class AnswerFits {
 public:
  /// @param common  the core's own words: yes, no, never mind
  /// @param zone    for sessions that name none; all others must outlive this
  AnswerFits(const Questions& questions, Timers& timers, const LocaleResources& common, std::string zone)
      : questions_(questions), timers_(timers), common_(common), zone_(std::move(zone)) {}

  /// Of the request's first utterance. A skill hosted here says so itself, on its strand, within half a
  /// second; of others their `response_mode` tells what they expect. Who can't be asked is taken to fit.
  Task<AnswerFit> of(MatchRequest request) const;

 private:
  AnswerFit of_remote(const MatchRequest& request, const ResponseMode& mode) const;
  bool says(const MatchRequest& request, const char* vocabulary) const;

  const Questions& questions_;
  Timers& timers_;
  const LocaleResources& common_;
  const std::string zone_;
};

}  // namespace parley
