#include <doctest/doctest.h>
#include <fmt/format.h>

#include <parley/values.hpp>
#include <random>
#include <string>

using namespace std::chrono;
using parley::read_value;
using parley::SlotType;
using parley::SlotValue;

namespace {

// Saturday, half past two in the afternoon.
constexpr auto kMoment = local_days(2026y / 11 / 21) + hours(14) + minutes(30);

std::string shown(const parley::CalendarDate& date) {
  const year_month_day day(date.day);
  std::string text = fmt::format("{}-{:02}-{:02}", static_cast<int>(day.year()),
                                 static_cast<unsigned>(day.month()), static_cast<unsigned>(day.day()));
  if (date.time) text += fmt::format(" {:02}:{:02}", date.time->count() / 60, date.time->count() % 60);
  return text;
}

std::string shown(const std::optional<SlotValue>& value) {
  if (!value) return "none";
  switch (value->type()) {
    case SlotType::kNumber:
      return fmt::format("{:g}", value->number());
    case SlotType::kDuration:
      return fmt::format("{:g}s", duration<double>(value->duration()).count());
    case SlotType::kColor:
      return fmt::format("{} {:02x}{:02x}{:02x}", value->color().name, value->color().red,
                         value->color().green, value->color().blue);
    case SlotType::kLanguage:
      return value->language();
    default:
      return shown(value->date());
  }
}

std::string number(const char* said, const char* lang = "en-US") {
  return shown(read_value(SlotType::kNumber, said, lang, kMoment));
}
std::string length(const char* said, const char* lang = "en-US") {
  return shown(read_value(SlotType::kDuration, said, lang, kMoment));
}
std::string date(const char* said, const char* lang = "en-US") {
  return shown(read_value(SlotType::kDate, said, lang, kMoment));
}
std::string color(const char* said, const char* lang = "en-US") {
  return shown(read_value(SlotType::kColor, said, lang, kMoment));
}
std::string language(const char* said, const char* lang = "en-US") {
  return shown(read_value(SlotType::kLanguage, said, lang, kMoment));
}

}  // namespace

TEST_CASE("T-1 a number is the same spelled out and in digits") {
  CHECK(number("42") == "42");
  CHECK(number("forty-two") == "42");
  CHECK(number("two hundred and fifty") == "250");
  CHECK(number("two thousand and five") == "2005");
  CHECK(number("3 million") == "3e+06");
  CHECK(number("1,000") == "1000");
  CHECK(number("2.5") == "2.5");
  CHECK(number("two point five") == "2.5");
  CHECK(number("50%") == "50");
  CHECK(number("about 20") == "20");
  CHECK(number("zweiundvierzig", "de-DE") == "42");
  CHECK(number("42", "de-DE") == "42");
  CHECK(number("zweitausendfünfhundert", "de-DE") == "2500");
  CHECK(number("eine Million", "de-DE") == "1e+06");
  CHECK(number("2,5", "de-AT") == "2.5");
  CHECK(number("eins", "de-DE") == "1");
  CHECK(number("ein", "de-DE") == "1");
}

TEST_CASE("T-1 a number may have a sign or a fraction") {
  CHECK(number("minus five") == "-5");
  CHECK(number("-5") == "-5");
  CHECK(number("−5.5") == "-5.5");
  CHECK(number("two and a half") == "2.5");
  CHECK(number("one and a half") == "1.5");
  CHECK(number("half") == "0.5");
  CHECK(number("three quarters") == "0.75");
  CHECK(number("a dozen") == "12");
  CHECK(number("minus zwanzig", "de-DE") == "-20");
  CHECK(number("zweieinhalb", "de-DE") == "2.5");
  CHECK(number("anderthalb", "de-DE") == "1.5");
}

TEST_CASE("T-1 what is no number has no value") {
  for (const char* said : {"", " ", "a", "a few", "five apples", "the second", "minus", "one two", "-",
                           "and a half", "five minutes", "nan", "1e5"})
    CHECK_MESSAGE(number(said) == "none", std::string(said));
  for (const char* said : {"", "ein paar", "fünf Äpfel", "der zweite", "und"})
    CHECK_MESSAGE(number(said, "de-DE") == "none", std::string(said));
}

TEST_CASE("T-1 numbers of other languages") {
  CHECK(number("vingt-deux", "fr-FR") == "22");
  CHECK(number("deux mille", "fr-FR") == "2000");
  CHECK(number("moins cinq", "fr-FR") == "-5");
  CHECK(number("treinta y dos", "es-ES") == "32");
  CHECK(number("dos mil", "es-ES") == "2000");
  CHECK(number("vinte e dois", "pt-PT") == "22");
  CHECK(number("ventidue", "it-IT") == "22");  // no words but ICU's
  CHECK(number("22", "xx") == "22");
  CHECK(number("22", "../../etc/passwd") == "22");
}

TEST_CASE("T-1 a duration is the whole of the slot") {
  CHECK(length("ten minutes") == "600s");
  CHECK(length("an hour and a half") == "5400s");
  CHECK(length("1h30") == "5400s");
  CHECK(length("1.5 seconds") == "1.5s");
  CHECK(length("200 milliseconds") == "0.2s");
  CHECK(length("for about two days") == "172800s");
  CHECK(length("two thousand seconds") == "2000s");
  CHECK(length("eineinhalb Minuten", "de-DE") == "90s");
  CHECK(length("eine Dreiviertelstunde", "de-DE") == "2700s");
  CHECK(length("zehnminütigen", "de-DE") == "600s");
  CHECK(length("hour and a half") == "5400s");
  CHECK(length("three quarter hour") == "2700s");
  for (const char* said :
       {"", "five", "pasta", "ten minute pasta", "zero minutes", "five minutes ten minutes", "second"})
    CHECK_MESSAGE(length(said) == "none", std::string(said));
  CHECK(length("domani", "it-IT") == "none");
  CHECK(length("999999999999999 days") == "8.64e+07s");
}

TEST_CASE("T-1 durations of French, Spanish and Portuguese") {
  CHECK(length("deux heures et demie", "fr-FR") == "9000s");
  CHECK(length("pendant une heure et quart", "fr-FR") == "4500s");
  CHECK(length("trois quarts d’heure", "fr-FR") == "2700s");
  CHECK(length("deux demi-heures", "fr-FR") == "3600s");
  CHECK(length("une journée", "fr-FR") == "86400s");
  CHECK(length("une minute et demie", "fr-FR") == "90s");
  CHECK(length("dos horas y media", "es-ES") == "9000s");
  CHECK(length("durante hora y media", "es-ES") == "5400s");
  CHECK(length("dos medias horas", "es-ES") == "3600s");
  CHECK(length("un cuarto de hora", "es-ES") == "900s");
  CHECK(length("un par de minutos", "es-ES") == "120s");
  CHECK(length("dez minutos", "pt-PT") == "600s");
  CHECK(length("hora e meia", "pt-PT") == "5400s");
  CHECK(length("três quartos de hora", "pt-PT") == "2700s");
  CHECK(length("um minuto e meio", "pt-BR") == "90s");
}

TEST_CASE("T-1 a date is told from the day it is for the user") {
  CHECK(date("tomorrow") == "2026-11-22");
  CHECK(date("next friday") == "2026-11-27");
  CHECK(date("in three days") == "2026-11-24");
  CHECK(date("three days") == "2026-11-24");
  CHECK(date("december 24") == "2026-12-24");
  CHECK(date("christmas 2027") == "2027-12-25");
  CHECK(date("yesterday") == "2026-11-20");
  CHECK(date("tomorrow evening") == "2026-11-22");
  CHECK(date("übermorgen", "de-DE") == "2026-11-23");
  CHECK(date("nächsten Freitag", "de-DE") == "2026-11-27");
  CHECK(date("in drei Tagen", "de-DE") == "2026-11-24");
  CHECK(date("am 24. Dezember", "de-DE") == "2026-12-24");
  CHECK(date("1. Jänner", "de-AT") == "2027-01-01");
  CHECK(date("le premier", "fr-FR") == "2026-12-01");
  CHECK(date("dia um de maio", "pt-PT") == "2027-05-01");
  CHECK(date("in a week") == "2026-11-28");
  for (const char* said :
       {"", "my birthday", "february 30", "the", "a", "an", "13/13/2027", "99999999999999999999", "at"})
    CHECK_MESSAGE(date(said) == "none", std::string(said));
}

TEST_CASE("T-1 a date may have a time of day") {
  CHECK(date("tomorrow at five pm") == "2026-11-22 17:00");
  CHECK(date("at five pm tomorrow") == "2026-11-22 17:00");
  CHECK(date("tomorrow at 5:30 pm") == "2026-11-22 17:30");
  CHECK(date("friday at noon") == "2026-11-27 12:00");
  CHECK(date("monday at half past eight") == "2026-11-23 08:30");
  CHECK(date("tomorrow at quarter to nine in the evening") == "2026-11-22 20:45");
  CHECK(date("tomorrow at 17:30") == "2026-11-22 17:30");
  CHECK(date("december 24 at 6 p.m.") == "2026-12-24 18:00");
  CHECK(date("morgen um 17 Uhr", "de-DE") == "2026-11-22 17:00");
  CHECK(date("morgen um 17 Uhr 30", "de-DE") == "2026-11-22 17:30");
  CHECK(date("morgen Abend um acht", "de-DE") == "2026-11-22 20:00");
  CHECK(date("am Freitag um halb sechs", "de-DE") == "2026-11-27 05:30");
  CHECK(date("Montag um viertel nach sieben", "de-DE") == "2026-11-23 07:15");
  CHECK(date("Montag zehn vor acht", "de-DE") == "2026-11-23 07:50");
  CHECK(date("morgen um 12 Uhr", "de-DE") == "2026-11-22 12:00");
  CHECK(date("demain à 17h30", "fr-FR") == "2026-11-22 17:30");
  CHECK(date("mañana a las cinco de la tarde", "es-ES") == "2026-11-22 17:00");
}

TEST_CASE("T-1 minutes stand before the hour or behind it, as the language has them") {
  CHECK(date("demain à huit heures et demie", "fr-FR") == "2026-11-22 08:30");
  CHECK(date("demain à neuf heures moins le quart du soir", "fr-FR") == "2026-11-22 20:45");
  CHECK(date("demain à midi et quart", "fr-FR") == "2026-11-22 12:15");
  CHECK(date("mañana a las cinco y media de la tarde", "es-ES") == "2026-11-22 17:30");
  CHECK(date("a las cinco menos cuarto", "es-ES") == "2026-11-21 16:45");
  CHECK(date("amanhã às cinco e meia da tarde", "pt-PT") == "2026-11-22 17:30");
  CHECK(date("amanhã às oito e um quarto", "pt-PT") == "2026-11-22 08:15");
  CHECK(date("tomorrow at midnight") == "2026-11-22 00:00");
  CHECK(date("morgen um fünf vor halb sieben", "de-DE") == "2026-11-22 06:25");
  CHECK(date("morgen fünf nach halb sieben", "de-DE") == "2026-11-22 06:35");
  CHECK(date("morgen um dreiviertel sieben", "de-AT") == "2026-11-22 06:45");
  CHECK(date("amanhã às dez para as sete", "pt-PT") == "2026-11-22 06:50");
  CHECK(date("amanhã a um quarto para as sete", "pt-PT") == "2026-11-22 06:45");
  CHECK(date("mañana a las diez para las ocho", "es-ES") == "2026-11-22 07:50");
  CHECK(date("mañana a un cuarto para las siete", "es-ES") == "2026-11-22 06:45");
  CHECK(date("amanhã às sete horas e trinta minutos", "pt-PT") == "2026-11-22 07:30");
  CHECK(date("tomorrow at seven oh five") == "2026-11-22 07:05");
  CHECK(date("demain à sept heures et une minute", "fr-FR") == "2026-11-22 07:01");
  CHECK(date("demain à sept heures et un", "fr-FR") == "none");
}

TEST_CASE("T-1 that a time is exact, or not quite, is part of it") {
  CHECK(date("tomorrow at seven sharp") == "2026-11-22 07:00");
  CHECK(date("morgen so gegen sieben", "de-DE") == "2026-11-22 07:00");
  CHECK(date("demain à sept heures pile", "fr-FR") == "2026-11-22 07:00");
  CHECK(date("mañana a las siete y pico", "es-ES") == "2026-11-22 07:00");
  CHECK(date("amanhã às sete e pouco", "pt-PT") == "2026-11-22 07:00");
}

TEST_CASE("T-1 a time alone is the next such time") {
  CHECK(date("at five") == "2026-11-21 17:00");
  CHECK(date("at two") == "2026-11-22 02:00");
  CHECK(date("at two pm") == "2026-11-22 14:00");
  CHECK(date("at 16:00") == "2026-11-21 16:00");
  CHECK(date("um fünf", "de-DE") == "2026-11-21 17:00");
  CHECK(date("heute um fünf", "de-DE") == "2026-11-21 17:00");
  CHECK(date("in two hours") == "2026-11-21 16:30");
  CHECK(date("in einer halben Stunde", "de-DE") == "2026-11-21 15:00");
  CHECK(date("in ten hours") == "2026-11-22 00:30");
  CHECK(date("at 25:00") == "none");
  CHECK(date("at 99") == "none");
}

TEST_CASE("T-1 a colour has a name and its red, green and blue") {
  CHECK(color("red") == "red ff0000");
  CHECK(color("Grey") == "gray 808080");
  CHECK(color("light blue") == "light blue add8e6");
  CHECK(color("lightblue") == "light blue add8e6");
  CHECK(color("the color red") == "red ff0000");
  CHECK(color("#ff8000") == "#ff8000 ff8000");
  CHECK(color("rotes", "de-DE") == "rot ff0000");
  CHECK(color("dunkelblau", "de-DE") == "dunkelblau 00008b");
  CHECK(color("gruen", "de-DE") == "grün 008000");
  CHECK(color("blanche", "fr-FR") == "blanc ffffff");
  CHECK(color("azul", "es-ES") == "azul 0000ff");
  CHECK(color("vermelha", "pt-BR") == "vermelho ff0000");
  for (const char* said : {"", "#", "#ff80", "#gggggg", "the", "loud", "red and blue", "reddish"})
    CHECK_MESSAGE(color(said) == "none", std::string(said));
}

TEST_CASE("T-1 a language is its tag") {
  CHECK(language("German") == "de");
  CHECK(language("in french") == "fr");
  CHECK(language("Mandarin") == "zh");
  CHECK(language("Brazilian Portuguese") == "pt-BR");
  CHECK(language("Deutsch", "de-DE") == "de");
  CHECK(language("auf Englisch", "de-DE") == "en");
  CHECK(language("ins Französische", "de-DE") == "fr");
  CHECK(language("allemand", "fr-FR") == "de");
  CHECK(language("inglés", "es-ES") == "en");
  CHECK(language("alemão", "pt-PT") == "de");
  for (const char* said : {"", "in", "Klingonese", "de", "German and French"})
    CHECK_MESSAGE(language(said) == "none", std::string(said));
}

TEST_CASE("T-1 a value of another type than asked for is an error that names both") {
  const SlotValue five(5.0);
  CHECK(five.type() == SlotType::kNumber);
  CHECK_THROWS_WITH(static_cast<void>(five.duration()),
                    "the value of this slot is a number, not a duration: ask for what its template says");
  CHECK_THROWS_AS(static_cast<void>(five.date()), std::logic_error);
  CHECK_THROWS_AS(static_cast<void>(five.color()), std::logic_error);
  CHECK_THROWS_AS(static_cast<void>(five.language()), std::logic_error);
  CHECK_THROWS_AS(static_cast<void>(SlotValue(std::string("de")).number()), std::logic_error);
  CHECK_FALSE(read_value(SlotType::kNone, "five", "en-US", kMoment));
}

TEST_CASE("T-1 no bytes are too odd to be read") {
  std::mt19937 random(7);  // NOLINT(cert-msc32-c,cert-msc51-cpp): the same bytes each time
  const std::string pieces[] = {"at ",       "five ",  "half ", "past ", "minus ", "-",
                                "tomorrow ", "pm ",    "\xFF",  "\xC3",  "1e9 ",   "999999999999999 ",
                                "thousand ", "hours ", "a ",    "und ",  "halb ",  "#",
                                "0:0 "};
  for (int i = 0; i < 300; ++i) {
    std::string said;
    for (int n = 0; n < 8; ++n) said += pieces[random() % std::size(pieces)];
    for (const auto type :
         {SlotType::kNumber, SlotType::kDuration, SlotType::kDate, SlotType::kColor, SlotType::kLanguage}) {
      for (const char* lang : {"en-US", "de-DE"}) CHECK_NOTHROW(read_value(type, said, lang, kMoment));
    }
  }
  const std::string endless(200'000, 'x');
  for (const auto type :
       {SlotType::kNumber, SlotType::kDuration, SlotType::kDate, SlotType::kColor, SlotType::kLanguage})
    CHECK_FALSE(read_value(type, endless, "en-US", kMoment));
}
