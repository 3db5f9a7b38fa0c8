#pragma once

#include <string>

#include "asker.hpp"

namespace parley::reminder {

/// Reads what is to be set from what a template's slots took, and from what they did not.
class SlotReader : public Asker {
 protected:
  /// What was said behind "remind me".
  void read_behind(const Turn& turn, Wanted& wanted) const;
  /// What was said in front of "remind me": when ("in two hours remind me to call"), of what ("I have to pick
  /// them up at five, remind me of that"), or why.
  void read_in_front(const Turn& turn, const std::string& front, Wanted& wanted) const;
  /// What a clause of its own says beside the request: "on Friday at six remind me, we've got the concert".
  void read_beside(const Turn& turn, Wanted& wanted) const;
  /// "A daily reminder for the pill": the word is none of what it is for.
  void of_every_day(const Turn& turn, Wanted& wanted) const;
  /// What slots did not get: "every day at nine I have to take my pill, could you remind me of it please".
  void read_whole(const Turn& turn, Wanted& wanted);
  /// "At seven wake me", "tomorrow wake me at seven"; else what stands in front may be why.
  std::string said_of_alarm(const Turn& turn) const;
  /// The same of an alarm: "tomorrow at seven wake me, ah no, it's Sunday, nine".
  void read_whole_alarm(const Turn& turn, Wanted& wanted);

 private:
  void read(const Turn& turn, Wanted& wanted) const;
  /// Whether a time is taken back for another in what the slots took.
  bool is_put_right(const Turn& turn) const;
  /// "Remind me every night at nine", of which only the time was read.
  bool loses_repetition(const Turn& turn, const Wanted& wanted) const;
  /// "My physio is Thursday, could you nag me at nine": the day is in front, the time behind.
  bool leaves_day_in_front(const Turn& turn, const Wanted& wanted) const;
  /// "Thursday at eleven to the dentist", "next week Tuesday at nine", of which only the time was read.
  bool leaves_day_in_what(const Turn& turn, const Wanted& wanted) const;
};

}  // namespace parley::reminder
