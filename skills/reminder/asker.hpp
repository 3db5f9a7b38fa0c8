#pragma once

#include <optional>
#include <parley/query.hpp>
#include <parley/session_memory.hpp>
#include <string>

#include "listener.hpp"

namespace parley::reminder {

/// What is to be set, as far as it is known.
struct Wanted {
  bool is_alarm = false;
  std::string what;
  std::optional<SpokenMoment> moment;
  std::string said;  ///< Where the moment is from.
  std::optional<Replaced> replaced;
  bool is_answered = false;  ///< By an answer to a question.
  bool keeps_time = false;   ///< The time of day is that of what it replaces.
};

/// Asks when something is to be, and takes the answer also when it comes later, after something else.
class Asker : public Listener {
 protected:
  void start_asking();

  /// Asks for what is missing of the time. False: nothing is.
  bool asks_when(Turn turn, const Wanted& wanted);
  /// What was asked for, by an answer that came; nothing: it was not asked for.
  std::optional<Wanted> answered(const Turn& turn, Request answer) const;
  void forget_asked(const Turn& turn) { asked_.forget(turn.session_key()); }

  std::optional<Request> request_of(const Query& query);
  /// The handler no longer sees who spoke last: it reads in the same order.
  std::optional<Request> request_of(const Turn& turn);
  /// The answer to what was asked right before, or that it is not wanted any more.
  ConverseAnswer takes_answer(const Query& query);
  /// What is plainly said of a reminder that there is, before anybody else is asked.
  bool is_of_one_there(const Query& query);
  /// What was said to the question is short, and nothing that says when.
  bool is_no_answer(const Query& query) const;
  bool gives_up(const std::string& text, const std::string& lang) const;

 private:
  struct Asked {
    Wanted wanted;
    Clock::Time when;
  };

  void ask(Turn turn, Wanted wanted, const std::string& dialog, const Slots& slots);
  /// What was wanted with the time that an answer says; nothing where it says none.
  std::optional<Wanted> filled(Wanted wanted, const std::string& text, const std::string& lang,
                               std::chrono::local_seconds now);
  std::optional<Wanted> filled(Wanted wanted, Request answer, const std::string& lang,
                               std::chrono::local_seconds now) const;
  std::string day_of(const Turn& turn, const SpokenMoment& moment) const;
  Talk talk_of(const SessionKey& session, const std::string& owner) const;
  bool spoke_last(const Query& query) const;
  bool is_just_asked(const SessionKey& session) const;
  std::optional<Request> request_in_talk(const std::string& text, const std::string& lang,
                                         std::chrono::local_seconds now, Talk talk);

  /// What each session was asked the time of.
  SessionMemory<Asked> asked_{kMostTold, kCorrectable};
};

}  // namespace parley::reminder
