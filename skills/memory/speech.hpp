#pragma once

#include <parley/locale.hpp>
#include <parley/zone.hpp>
#include <string>

#include "facts.hpp"

namespace parley::memory {

/// UTC where there is no zone of that name.
Zone zone_of(const std::string& time_zone);

/// "just now", "yesterday at noon", "on January 3 at 7 AM". @param time_zone  IANA
std::string say_moment(const LocaleResources& locale, Moment then, Moment now, const std::string& time_zone,
                       const std::string& lang);

/// "You told me just now: the spare key is under the pot."
/// @param owner  who asks
/// @param when   of say_moment()
std::string say_fact(const LocaleResources& locale, const Fact& fact, const std::string& owner,
                     const std::string& when, const std::string& lang, const Picker& pick);

}  // namespace parley::memory
