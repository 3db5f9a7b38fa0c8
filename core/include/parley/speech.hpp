#pragma once

#include <chrono>
#include <parley/task.hpp>
#include <string>
#include <vector>

namespace parley {

/// Things as text that a voice can speak, the way a language says them (ICU). `lang` is a BCP-47 tag, best
/// that of Turn::render_lang() for the dialog the text goes into; an unknown one counts as ICU's root
/// language. Safe from any thread; the first call for a language takes a few milliseconds.
/// @throws std::runtime_error when ICU can't do it

/// "France, Italy, and Spain"; one thing is itself, no things are "".
std::string say_list(const std::vector<std::string>& things, const std::string& lang);

/// The same for things of which one is to be chosen: "France, Italy, or Spain".
std::string say_choice(const std::vector<std::string>& things, const std::string& lang);

/// How exactly a duration is said.
enum class Precision {
  kSeconds,  ///< "1 hour, 58 minutes, and 4 seconds"
  kMinutes,  ///< From an hour on to the minute, the rest cut off: "1 hour and 58 minutes"; else as kSeconds.
};
/// In days, hours, minutes and seconds: "1 hour and 30 minutes". Cut to whole seconds; less than one, also a
/// negative one, is "0 seconds".
std::string say_duration(Duration length, const std::string& lang, Precision precision = Precision::kSeconds);

/// How much of a date is said.
enum class DateParts {
  kDay,         ///< "November 21"
  kYear,        ///< "November 21, 2026"
  kWeekday,     ///< "Saturday, November 21"
  kEverything,  ///< "Saturday, November 21, 2026"
};
std::string say_date(std::chrono::local_days day, const std::string& lang, DateParts parts = DateParts::kDay);

}  // namespace parley
