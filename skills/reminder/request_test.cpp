#include "request.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <string>
#include <vector>

#include "entries.hpp"

namespace parley::reminder {
namespace {

namespace ch = std::chrono;

const LocaleResources& words_of_the_skill() {
  static const LocaleResources locale = [] {
    LocaleFolders folders;
    folders.skill = PARLEY_REMINDER_FOLDER;
    return LocaleResources(folders);
  }();
  return locale;
}

/// "remind 1200 take my pills": minutes from midnight; "-" without.
std::string wish_in(const std::string& text, const std::string& lang,
                    const std::vector<std::string>& known = {}) {
  const ch::local_seconds noon = ch::local_days(ch::year(2026) / ch::January / ch::day(3)) + ch::hours(12);
  const RequestReader::FindWhen find = [&](const std::string& said, bool of_alarm) {
    return of_alarm ? find_alarm_time(said, lang, noon) : find_moment(said, lang, noon);
  };
  const auto found = RequestReader(words_of_the_skill(), lang, find).read(text, known);
  if (!found) return "none";
  constexpr const char* kNames[] = {"remind", "alarm", "cancel", "move", "list", "when"};
  const auto time = time_of_day(found->moment);
  std::string told = kNames[static_cast<std::size_t>(found->wish)];
  told += ' ' + (time ? std::to_string(time->count()) : "-");
  return found->what.empty() ? told : told + ' ' + found->what;
}

}  // namespace

TEST_CASE("reminder requests: of what and when in one clause, the request in another") {
  CHECK_EQ(wish_in("every evening at nine i have to take my pills, will you nag me about it", "en-US"),
           "remind 1260 take my pills");
  CHECK_EQ(wish_in("bins go out tuesdays, give me a shout at 8 pm each week", "en-US"),
           "remind 1200 bins go out");
  CHECK_EQ(wish_in("der kehrichtsack muss jeden montag um sieben früh raus, mahnst du mich", "de-DE"),
           "remind 420 der kehrichtsack muss raus");
  CHECK_EQ(wish_in("weekdays six thirty alarm please", "en-US"), "alarm 390");
}

TEST_CASE("reminder requests: what is to be done again and again needs no other word") {
  CHECK_EQ(wish_in("chaque lundi à neuf heures, payer le loyer", "fr-FR"), "remind 540 payer le loyer");
  CHECK_EQ(wish_in("todos los días a las nueve abre el banco", "es-ES"), "none");
}

TEST_CASE("reminder requests: those there are") {
  CHECK_EQ(wish_in("vet's closed at three, shift that reminder to four", "en-US"), "move 960");
  CHECK_EQ(wish_in("die erinnerung mit dem tierarzt brauchts nicht mehr, die katz ist gesund", "de-DE"),
           "cancel -");
  CHECK_EQ(wish_in("juhu schulfrei, wecker weg", "de-DE"), "cancel -");
  CHECK_EQ(wish_in("lo del banco pásamelo a las doce", "es-ES"), "none");
  CHECK_EQ(wish_in("lo del banco pásamelo a las doce", "es-ES", {"llamar al banco"}), "move 720");
}

TEST_CASE("reminder requests: what only sounds like one") {
  CHECK_EQ(wish_in("das erinnert mich an meine oma", "de-DE"), "none");
  CHECK_EQ(wish_in("let me know when the package arrives tomorrow", "en-US"), "none");
  CHECK_EQ(wish_in("mi madre me despierta todos los días a las siete", "es-ES"), "none");
}

}  // namespace parley::reminder
