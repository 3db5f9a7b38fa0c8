#pragma once

#include <string>
#include <vector>

#include "config/config.hpp"

namespace parley {

/// The keys whose values differ, such as "stages.intent.match_timeout", in alphabetical order. A list counts
/// as one value; so does a section that only one of them has.
std::vector<std::string> changed_keys(const Config& before, const Config& after);

/// Whether a changed key takes effect while the program runs, as the option tables say; any other does with
/// the next start.
bool can_change_at_run_time(const std::string& key);

/// Gives the options of the core's own sections that can change while it runs their fresh values.
void take_at_run_time(Config& now, const Config& fresh);

}  // namespace parley
