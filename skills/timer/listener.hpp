#pragma once

#include <map>
#include <memory>
#include <optional>
#include <parley/sentences.hpp>
#include <parley/turn.hpp>
#include <parley/utterance_words.hpp>
#include <string>
#include <vector>

#include "chooser.hpp"
#include "duration.hpp"
#include "live.hpp"
#include "request.hpp"

namespace parley::timer {

/// Reads what a turn says about timers: what its slots took, else the whole of what was said.
class TimerListener : public TimerChooser {
 protected:
  /// "A {ten minute pasta} timer", "a {pasta} timer for {ten minutes}", "{ten} minute timer". At least one.
  std::vector<Spoken> said_at_once(const Turn& turn);
  /// "Change it to {seven minutes}", "mach bei den Eiern sieben draus": minutes where nobody says of what.
  Spoken how_long_now(const Turn& turn);
  /// "{Two minutes} more", "{five} more minutes".
  Spoken how_much_more(const Turn& turn);
  /// As how_much_more(), of what is taken off.
  Spoken how_much_less(const Turn& turn);
  /// What is wanted by the words of the whole, whatever the slots took.
  std::optional<Request> request_in(const std::string& text, const std::string& lang,
                                    const SessionKey& session);
  /// What is wanted of timers that run, where that is clear.
  /// @param talk  null: they were not spoken of lately
  std::optional<Request> live_request_in(const std::string& text, const std::string& lang,
                                         const SessionKey& session, const Talk* talk);
  /// Whether one of the templates takes it, with no more in its slots than a name or how long.
  bool is_template(const std::string& text, const std::string& lang);

 private:
  std::vector<Spoken> said_in_slots(const Turn& turn);
  std::string name_behind(const Turn& turn);
  Spoken last_number(const Turn& turn);
  Spoken told_in_front(const Turn& turn);
  Spoken read_count(const Turn& turn);
  Spoken more_by_slots(const Turn& turn);
  static std::string count_in(const Turn& turn);
  /// The first duration of a text, also as it is spoken.
  std::optional<std::chrono::seconds> heard_in(const std::string& text, const std::string& lang);
  const SpokenForms& heard(const std::string& lang);

  std::map<std::string, std::unique_ptr<const SpokenForms>, std::less<>> heard_;
  std::map<std::string, std::unique_ptr<const Sentences>, std::less<>> sentences_;
};

}  // namespace parley::timer
