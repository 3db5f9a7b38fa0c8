#pragma once

#include <chrono>
#include <parley/task.hpp>
#include <string>
#include <vector>

namespace parley {

/// Values as text for a voice, worded as the language does it (ICU). `lang` is a BCP-47 tag, best that of
/// Turn::render_lang() for the dialog that the text goes into. An unknown tag counts as ICU's root
/// language. Safe from any thread; the first call for a language takes a few milliseconds.
/// @throws std::runtime_error when ICU can't do it

/// "France, Italy, and Spain"; one thing is itself, no things are "".
std::string say_list(const std::vector<std::string>& things, const std::string& lang);

/// The same for things to choose from: "France, Italy, or Spain".
std::string say_choice(const std::vector<std::string>& things, const std::string& lang);

/// How exactly a duration is said.
enum class Precision {
  kSeconds,  ///< "1 hour, 58 minutes, and 4 seconds"
  kMinutes,  ///< From one hour on in whole minutes, cut off: "1 hour and 58 minutes"; else as kSeconds.
};
/// In days, hours, minutes and seconds: "1 hour and 30 minutes". Cut to whole seconds. Less than one second,
/// or a negative length, is "0 seconds".
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
