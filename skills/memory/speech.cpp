#include "speech.hpp"

#include <parley/moments.hpp>

namespace parley::memory {

Zone zone_of(const std::string& time_zone) {
  const auto named = Zone::named(time_zone);
  return named ? *named : *Zone::named("UTC");
}

std::string say_moment(const LocaleResources& locale, Moment then, Moment now, const std::string& time_zone,
                       const std::string& lang) {
  const Zone zone = zone_of(time_zone);
  const auto at = zone.local(then);
  const auto today = std::chrono::floor<std::chrono::days>(zone.local(now));
  const auto day = std::chrono::floor<std::chrono::days>(at);
  if (now - then < std::chrono::minutes(2)) return locale.render("just_now", lang, {}).text;
  if (day == today - std::chrono::days(1)) {
    const std::string time = say_at(std::chrono::floor<std::chrono::minutes>(at - day), lang);
    return locale.render("yesterday_at", lang, {{"time", time}}).text;
  }
  return say_when(at, zone.local(now), lang);
}

std::string say_fact(const LocaleResources& locale, const Fact& fact, const std::string& owner,
                     const std::string& when, const std::string& lang, const Picker& pick) {
  const char* const dialog = fact.agent == owner ? "fact" : "fact_of";
  return locale.render(dialog, lang, {{"fact", fact.text}, {"when", when}, {"agent", fact.agent}}, pick).text;
}

}  // namespace parley::memory
