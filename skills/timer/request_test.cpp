#include "request.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <vector>

namespace parley::timer {
namespace {

const LocaleResources& words_of_the_skill() {
  static const LocaleResources locale = [] {
    LocaleFolders folders;
    folders.skill = std::filesystem::path(PARLEY_TIMER_FOLDER);
    return LocaleResources(folders);
  }();
  return locale;
}

Timer running(const std::string& name) {
  return Timer(1, name, std::chrono::minutes(20), Clock::Time(), std::nullopt);
}

/// "set 90 min", or "none".
std::string wish_in(const std::string& text, const std::string& lang, const std::vector<Timer>& timers = {}) {
  const DurationReader durations(words_of_the_skill(), lang);
  const auto found = RequestReader(words_of_the_skill(), durations).read(text, timers);
  if (!found) return "none";
  constexpr const char* kNames[] = {"set",    "extend", "shorten", "change", "pause", "resume", "restart",
                                    "cancel", "left",   "when",    "first",  "list",  "rename"};
  std::string told = kNames[static_cast<std::size_t>(found->wish)];
  if (found->duration) told += ' ' + std::to_string(found->duration->count());
  return found->name.empty() ? told : told + ' ' + found->name;
}

}  // namespace

TEST_CASE("timer requests: how long in one clause, what is wanted in another") {
  CHECK_EQ(wish_in("the roast needs an hour and a half, count it down for me", "en-US"), "set 5400");
  CHECK_EQ(wish_in("i do planks now so make me forty five seconds", "en-US"), "set 45");
  CHECK_EQ(wish_in("der braten muss anderthalb stunden drin bleiben, zähl das bitte runter", "de-DE"),
           "set 5400");
  CHECK_EQ(wish_in("cuenta diez minutos, uy no, doce", "es-ES"), "set 720");
}

TEST_CASE("timer requests: a moment that one is held for, and what was put on") {
  CHECK_EQ(wish_in("hold the egg timer a sec somebody's at the door", "en-US", {running("egg")}), "pause");
  CHECK_EQ(wish_in("eier sind drin, sechs minuten", "de-DE"), "set 360");
  CHECK_EQ(wish_in("die fahrt dauert lang, sechs minuten", "de-DE"), "none");
}

TEST_CASE("timer requests: what is told of is none") {
  CHECK_EQ(wish_in("i've been waiting twenty minutes for this bus", "en-US"), "none");
  CHECK_EQ(wish_in("the movie is two hours long", "en-US"), "none");
  CHECK_EQ(wish_in("gib mir fünf minuten, ich bin am telefon", "de-DE"), "none");
  CHECK_EQ(wish_in("hoje corri trinta minutos", "pt-PT"), "none");
}

TEST_CASE("timer requests: of a timer only where there is one, or where it is named") {
  CHECK_EQ(wish_in("somebody's at the door, pause it", "en-US"), "none");
  CHECK_EQ(wish_in("somebody's at the door, pause it", "en-US", {running("")}), "pause");
  CHECK_EQ(wish_in("rice is ready early, bin that timer but leave the chicken", "en-US"), "cancel");
  CHECK_EQ(wish_in("that timer there, name it bread", "en-US"), "rename bread");
}

TEST_CASE("timer requests: what takes the place of a duration") {
  CHECK_EQ(wish_in("twenty minutes of maths, oh no, make that twenty five minutes", "en-US"), "set 1500");
  CHECK_EQ(wish_in("vier minuten für mein tee, sei so guat", "de-DE"), "set 240 tee");
  CHECK_EQ(wish_in("cuenta hora y media y me avisas", "es-ES"), "set 5400");
}

}  // namespace parley::timer
