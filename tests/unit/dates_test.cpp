#include <doctest/doctest.h>

#include <filesystem>
#include <parley/dates.hpp>
#include <string>
#include <utility>

#include "language/date_words.hpp"
#include "support/temporary_folder.hpp"

using namespace std::chrono;
using parley::SpokenDate;

namespace {

constexpr auto kToday = local_days(2026y / 11 / 21);  // a Saturday

std::string iso(const std::optional<SpokenDate>& date) {
  if (!date) return "none";
  const year_month_day day(date->day);
  const auto two = [](unsigned value) { return (value < 10 ? "-0" : "-") + std::to_string(value); };
  return std::to_string(static_cast<int>(day.year())) + two(static_cast<unsigned>(day.month())) +
         two(static_cast<unsigned>(day.day()));
}

std::optional<SpokenDate> find(const char* tag, const char* text, local_days today = kToday) {
  return parley::find_date(text, tag, today);
}

std::string en(const char* text, local_days today = kToday) {
  return iso(find("en-US", text, today));
}
std::string de(const char* text, local_days today = kToday) {
  return iso(find("de-DE", text, today));
}

using Expected = std::pair<const char*, const char*>;

}  // namespace

TEST_CASE("dates: English holidays, the next time they come round") {
  const Expected expected[] = {{"christmas", "2026-12-25"},
                               {"Christmas Eve", "2026-12-24"},
                               {"new year", "2027-01-01"},
                               {"new year's eve", "2026-12-31"},
                               {"new years day", "2027-01-01"},
                               {"halloween", "2027-10-31"},
                               {"valentine's day", "2027-02-14"},
                               {"valentine’s day", "2027-02-14"},
                               {"valentines day", "2027-02-14"},
                               {"easter", "2027-03-28"},
                               {"good friday", "2027-03-26"},
                               {"thanksgiving", "2026-11-26"},
                               {"labor day", "2027-09-06"},
                               {"memorial day", "2027-05-31"},
                               {"the fourth of july", "2027-07-04"},
                               {"the weekend", "2026-11-21"},
                               {"christmas 2027", "2027-12-25"},
                               {"easter twenty thirty", "2030-04-21"},
                               {"next christmas", "2026-12-25"},
                               {"last christmas", "2025-12-25"},
                               {"advent", "2026-11-29"}};
  for (const auto& row : expected) CHECK_MESSAGE(en(row.first) == row.second, std::string(row.first));
}

TEST_CASE("dates: German holidays, with umlauts or without") {
  const Expected expected[] = {{"weihnachten", "2026-12-25"},
                               {"Heiligabend", "2026-12-24"},
                               {"silvester", "2026-12-31"},
                               {"ostern", "2027-03-28"},
                               {"Ostermontag", "2027-03-29"},
                               {"pfingsten", "2027-05-16"},
                               {"dem ersten advent", "2026-11-29"},
                               {"der vierte advent", "2026-12-20"},
                               {"buß und bettag", "2027-11-17"},
                               {"tag der deutschen einheit", "2027-10-03"},
                               {"gruendonnerstag", "2027-03-25"},
                               {"rosenmontag", "2027-02-08"},
                               {"nächstes Weihnachten", "2026-12-25"},
                               {"ostern 2030", "2030-04-21"},
                               {"dem muttertag", "2027-05-09"},
                               {"zum wochenende", "2026-11-21"}};
  for (const auto& row : expected) CHECK_MESSAGE(de(row.first) == row.second, std::string(row.first));
}

TEST_CASE("dates: English dates in any order, in digits and words") {
  const Expected expected[] = {{"december 24", "2026-12-24"},
                               {"24 december 2027", "2027-12-24"},
                               {"the 3rd of march", "2027-03-03"},
                               {"march third", "2027-03-03"},
                               {"March 3, 2028", "2028-03-03"},
                               {"december twenty fourth", "2026-12-24"},
                               {"december twenty-fourth twenty twenty seven", "2027-12-24"},
                               {"the first of may", "2027-05-01"},
                               {"2026-12-24", "2026-12-24"},
                               {"12/24", "2026-12-24"},
                               {"12/24/2027", "2027-12-24"},
                               {"december", "2026-12-01"},
                               {"december 2027", "2027-12-01"},
                               {"in january", "2027-01-01"},
                               {"the 24th", "2026-11-24"},
                               {"the 3rd", "2026-12-03"},
                               {"2027", "2027-01-01"},
                               {"friday december 25", "2026-12-25"},
                               {"may 1 1999", "1999-05-01"},
                               {"november 21", "2026-11-21"},
                               {"november 20", "2027-11-20"},
                               {"the year 2030", "2030-01-01"},
                               {"dec 24", "2026-12-24"}};
  for (const auto& row : expected) CHECK_MESSAGE(en(row.first) == row.second, std::string(row.first));
  CHECK(iso(find("en-GB", "3/4/2027")) == "2027-04-03");
  CHECK(iso(find("en-US", "3/4/2027")) == "2027-03-04");
}

TEST_CASE("dates: German dates in any order, in digits and words") {
  const Expected expected[] = {{"24. Dezember", "2026-12-24"},
                               {"zum 24. Dezember 2027", "2027-12-24"},
                               {"24.12.", "2026-12-24"},
                               {"24.12.2027", "2027-12-24"},
                               {"dritter märz", "2027-03-03"},
                               {"3 maerz", "2027-03-03"},
                               {"vierundzwanzigsten dezember", "2026-12-24"},
                               {"ersten mai", "2027-05-01"},
                               {"dezember", "2026-12-01"},
                               {"24ten dezember", "2026-12-24"},
                               {"am 24.", "2026-11-24"},
                               {"ersten januar zweitausendachtundzwanzig", "2028-01-01"},
                               {"im jahr 2030", "2030-01-01"}};
  for (const auto& row : expected) CHECK_MESSAGE(de(row.first) == row.second, std::string(row.first));
}

TEST_CASE("dates: weekdays and days told from today") {
  const Expected english[] = {{"friday", "2026-11-27"},           {"saturday", "2026-11-21"},
                              {"next saturday", "2026-11-28"},    {"last saturday", "2026-11-14"},
                              {"this sunday", "2026-11-22"},      {"today", "2026-11-21"},
                              {"tomorrow", "2026-11-22"},         {"the day after tomorrow", "2026-11-23"},
                              {"yesterday", "2026-11-20"},        {"in two weeks", "2026-12-05"},
                              {"in a week", "2026-11-28"},        {"three days ago", "2026-11-18"},
                              {"10 days from now", "2026-12-01"}, {"two weeks from tomorrow", "2026-12-06"},
                              {"in a month", "2026-12-21"},       {"in one year", "2027-11-21"},
                              {"next week", "2026-11-23"},        {"next month", "2026-12-01"},
                              {"next year", "2027-01-01"},        {"in a fortnight", "2026-12-05"}};
  for (const auto& row : english) CHECK_MESSAGE(en(row.first) == row.second, std::string(row.first));
  const Expected german[] = {{"freitag", "2026-11-27"},
                             {"nächsten samstag", "2026-11-28"},
                             {"sonnabend", "2026-11-21"},
                             {"übermorgen", "2026-11-23"},
                             {"uebermorgen", "2026-11-23"},
                             {"in zwei wochen", "2026-12-05"},
                             {"vor drei tagen", "2026-11-18"},
                             {"in einem tag", "2026-11-22"},
                             {"morgen in einer woche", "2026-11-29"},
                             {"nächstes jahr", "2027-01-01"},
                             {"nächsten monat", "2026-12-01"},
                             {"vorgestern", "2026-11-19"}};
  for (const auto& row : german) CHECK_MESSAGE(de(row.first) == row.second, std::string(row.first));
}

TEST_CASE("dates: 29 February waits for a leap year, and others know none") {
  CHECK(en("february 29") == "2028-02-29");
  CHECK(de("29. februar") == "2028-02-29");
  CHECK(en("february 29", local_days(2028y / 2 / 29)) == "2028-02-29");
  CHECK(en("february 29", local_days(2096y / 3 / 1)) == "2104-02-29");
  CHECK(en("february 29 2027") == "none");
  CHECK(en("in a month", local_days(2027y / 1 / 31)) == "2027-02-28");
  CHECK(en("in a year", local_days(2028y / 2 / 29)) == "2029-02-28");
  CHECK(en("the 31st", local_days(2027y / 4 / 1)) == "2027-05-31");
  CHECK(en("next month", local_days(2026y / 12 / 31)) == "2027-01-01");
}

TEST_CASE("dates: the day itself counts as the next") {
  CHECK(en("christmas", local_days(2026y / 12 / 25)) == "2026-12-25");
  CHECK(en("next christmas", local_days(2026y / 12 / 25)) == "2027-12-25");
  CHECK(en("christmas", local_days(2026y / 12 / 26)) == "2027-12-25");
}

TEST_CASE("dates: toward the past, the latest of what comes round again") {
  const auto back = [](const char* tag, const char* text) {
    return iso(parley::find_date(text, tag, kToday, parley::Toward::kPast));
  };
  CHECK(back("en-US", "christmas") == "2025-12-25");
  CHECK(back("en-US", "easter") == "2026-04-05");
  CHECK(back("en-US", "friday") == "2026-11-20");
  CHECK(back("en-US", "saturday") == "2026-11-14");
  CHECK(back("en-US", "december 24") == "2025-12-24");
  CHECK(back("de-DE", "weihnachten") == "2025-12-25");
  CHECK(back("de-DE", "der dritte oktober") == "2026-10-03");
  // What does not come round again stays where it is.
  CHECK(back("en-US", "christmas 2027") == "2027-12-25");
  CHECK(back("en-US", "july 20 1969") == "1969-07-20");
  CHECK(back("en-US", "yesterday") == "2026-11-20");
  CHECK(back("en-US", "tomorrow") == "2026-11-22");
  CHECK(back("en-US", "two weeks ago") == "2026-11-07");
  CHECK(back("en-US", "next friday") == "2026-11-27");
  CHECK(back("en-US", "flurb") == "none");
}

TEST_CASE("dates: Easter over the centuries") {
  using parley::easter;
  CHECK(easter(1961y) == local_days(1961y / 4 / 2));
  CHECK(easter(2000y) == local_days(2000y / 4 / 23));
  CHECK(easter(2008y) == local_days(2008y / 3 / 23));
  CHECK(easter(2024y) == local_days(2024y / 3 / 31));
  CHECK(easter(2038y) == local_days(2038y / 4 / 25));
  CHECK(easter(2285y) == local_days(2285y / 3 / 22));
}

TEST_CASE("dates: how the day was said is told") {
  const auto how = [](const char* tag, const char* text) {
    const auto date = find(tag, text);
    if (!date) return std::string("none");
    return date->holiday + (date->year_said ? " year" : "") + (date->weekday_only ? " weekday" : "");
  };
  CHECK(how("en-US", "xmas") == "Christmas");
  CHECK(how("en-US", "christmas 2027") == "Christmas year");
  CHECK(how("en-US", "december 24") == "");
  CHECK(how("en-US", "december 24 2027") == " year");
  CHECK(how("en-US", "next friday") == " weekday");
  CHECK(how("de-DE", "nikolaustag") == "Nikolaus");
}

TEST_CASE("dates: French, Spanish and Portuguese") {
  CHECK(iso(find("fr-FR", "demain")) == "2026-11-22");
  CHECK(iso(find("fr-FR", "le 24 décembre")) == "2026-12-24");
  CHECK(iso(find("fr-FR", "vendredi prochain")) == "2026-11-27");
  CHECK(iso(find("fr-FR", "dans deux semaines")) == "2026-12-05");
  CHECK(iso(find("es-ES", "mañana")) == "2026-11-22");
  CHECK(iso(find("es-ES", "el 3 de marzo")) == "2027-03-03");
  CHECK(iso(find("es-ES", "dentro de dos días")) == "2026-11-23");
  CHECK(iso(find("pt-PT", "amanhã")) == "2026-11-22");
  CHECK(iso(find("pt-BR", "25 de abril")) == "2027-04-25");
  CHECK(iso(find("pt-PT", "sexta-feira")) == "2026-11-27");
  CHECK(iso(find("fr-FR", "dans une quinzaine")) == "2026-12-05");
  CHECK(iso(find("fr-FR", "le premier janvier")) == "2027-01-01");
  CHECK(iso(find("fr-FR", "il y a trois jours")) == "2026-11-18");
  CHECK(iso(find("fr-FR", "15 d’août 2027")) == "2027-08-15");
  CHECK(iso(find("fr-FR", "avant-hier")) == "2026-11-19");
  CHECK(iso(find("es-ES", "hace tres días")) == "2026-11-18");
  CHECK(iso(find("es-ES", "el viernes que viene")) == "2026-11-27");
  CHECK(iso(find("es-ES", "veinticuatro de diciembre de 2027")) == "2027-12-24");
  CHECK(iso(find("pt-PT", "há três dias")) == "2026-11-18");
  CHECK(iso(find("pt-PT", "daqui a duas semanas")) == "2026-12-05");
  CHECK(iso(find("pt-PT", "no dia 3 de março")) == "2027-03-03");
  CHECK(iso(find("it-IT", "domani")) == "none");  // no words for it
}

TEST_CASE("dates: days with names in French, Spanish and Portuguese") {
  const auto day = [](const char* tag, const char* text) {
    const auto date = find(tag, text);
    return date ? date->holiday + " " + iso(date) : std::string("none");
  };
  CHECK(day("fr-FR", "l'Épiphanie") == "l'Épiphanie 2027-01-06");
  CHECK(day("fr-FR", "l’ascension 2027") == "l'Ascension 2027-05-06");
  CHECK(day("fr-FR", "d'Halloween") == "Halloween 2027-10-31");
  CHECK(day("fr-FR", "la fête des mères") == "la fête des Mères 2027-05-30");
  CHECK(day("fr-FR", "le jour de l'an") == "le jour de l'an 2027-01-01");
  CHECK(day("es-ES", "la nochebuena") == "Nochebuena 2026-12-24");
  CHECK(day("es-ES", "el día de la madre") == "el Día de la Madre 2027-05-02");
  CHECK(day("es-ES", "viernes santo de 2027") == "el Viernes Santo 2027-03-26");
  CHECK(day("es-ES", "fin de año") == "Nochevieja 2026-12-31");
  CHECK(day("pt-PT", "o natal") == "Natal 2026-12-25");
  CHECK(day("pt-PT", "sexta-feira santa") == "Sexta-feira Santa 2027-03-26");
  CHECK(day("pt-PT", "passagem de ano") == "Véspera de Ano Novo 2026-12-31");
}

TEST_CASE("dates: what is no date is none") {
  for (const char* text : {"",
                           " ",
                           "my birthday",
                           "flurb",
                           "31 february",
                           "february 30",
                           "0",
                           "32",
                           "13/13/2027",
                           "the",
                           "next",
                           "in",
                           "two weeks",
                           "in weeks",
                           "ago",
                           "monday tuesday",
                           "may june",
                           "christmas easter",
                           "christmas 12",
                           "christmas in two weeks",
                           "1 2 3 4 5",
                           "december 24 25",
                           "december 24 2027 2028",
                           "99999999999999999999",
                           "january 1 1200",
                           "tomorrow friday",
                           "next last friday",
                           "\xFF\xFE",
                           "2026-13-01",
                           "last week"}) {
    CHECK_MESSAGE(en(text) == "none", std::string(text));
  }
  for (const char* text : {"", "mein geburtstag", "32. dezember", "vor in zwei wochen", "christmas", "tag"}) {
    CHECK_MESSAGE(de(text) == "none", std::string(text));
  }
  CHECK(en(std::string(100000, '1').c_str()) == "none");
  CHECK(en((std::string("the ") + std::string(20000, 'x')).c_str()) == "none");
}

TEST_CASE("date words: what is wrong with the file is named with its line") {
  const parley::testing::TemporaryFolder folder;
  const auto complaint = [&](const std::string& days) {
    const auto file = folder.write("en.yaml", "dates:\n  days:\n" + days);
    try {
      const parley::DateWords words(file, "en");
    } catch (const std::runtime_error& problem) {
      return std::string(problem.what()).substr(file.string().size());
    }
    return std::string("none");
  };
  CHECK(complaint("  - { names: [Day], date: 12-25 }\n") == "none");
  CHECK(complaint("  - { names: [Day], date: 12-32 }\n") ==
        ":3: '12-32' is no date; expected month-day, such as 12-25");
  CHECK(complaint("  - { names: [Day], nth: [5, sonntag, 2] }\n") ==
        ":3: unknown weekday 'sonntag'; expected monday … sunday");
  CHECK(complaint("  - { names: [Day] }\n") == ":3: a day needs one of date, easter, weekday, nth, before");
  CHECK(complaint("  - { date: 12-25 }\n") == ":3: a day needs a list of names");
  CHECK(complaint("  - { names: [Day\n").substr(0, 2) == ":4");
  CHECK_THROWS_WITH(parley::DateWords("/nowhere/en.yaml", "en"),
                    "/nowhere/en.yaml: can't be read: No such file or directory; it belongs to the program");
}

TEST_CASE("dates: a day of next, this or last year") {
  CHECK(en("the 24th of December this year") == "2026-12-24");
  CHECK(en("the 20th of May next year") == "2027-05-20");
  CHECK(en("may last year") == "2025-05-01");
  CHECK(de("24. Dezember dieses Jahr") == "2026-12-24");
  CHECK(iso(find("fr-FR", "le 14 juillet l'année prochaine")) == "2027-07-14");
  CHECK(iso(find("es-ES", "el 6 de enero este año")) == "2026-01-06");
  CHECK(en("the 24th of December 2027 this year") == "none");
}

TEST_CASE("dates: a holiday of next, this or last year") {
  CHECK(en("easter next year") == "2027-03-28");
  CHECK(en("christmas this year") == "2026-12-25");
  CHECK(en("easter this year") == "2026-04-05");
  CHECK(en("christmas last year") == "2025-12-25");
  CHECK(de("Ostern nächstes Jahr") == "2027-03-28");
  CHECK(iso(find("fr-FR", "Pâques l'année prochaine")) == "2027-03-28");
  CHECK(iso(find("es-ES", "Navidad este año")) == "2026-12-25");
  CHECK(iso(find("pt-PT", "a Páscoa no próximo ano")) == "2027-03-28");
  CHECK(en("easter in two years") == "none");
  CHECK(en("easter 2027 next year") == "none");
}
