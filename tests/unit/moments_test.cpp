#include <doctest/doctest.h>

#include <chrono>
#include <parley/lists.hpp>
#include <parley/moments.hpp>
#include <string>
#include <vector>

#include "language/moment_words.hpp"
#include "language/value_file.hpp"

namespace parley {
namespace {

namespace ch = std::chrono;
using Kind = ScheduleRule::Kind;

constexpr ch::local_days kSaturday(ch::year(2026) / ch::January / ch::day(3));
constexpr ch::local_seconds kSaturdayNoon = kSaturday + ch::hours(12);

struct InTime {
  const char* lang;
  const char* text;
  ch::minutes span;
  const char* rest;
};
struct OnDate {
  const char* lang;
  const char* text;
  int days;  ///< From that Saturday.
  int time;  ///< Minutes since midnight; -1: none.
  const char* rest;
};
struct Again {
  const char* lang;
  const char* text;
  Kind kind;
  unsigned day;
  int time;
  const char* rest;
};

std::string words_of(const SpokenMoment& moment) {
  if (moment.span) return "in " + std::to_string(*moment.span / ch::seconds(1)) + " s";
  const auto time = [](const std::optional<ch::minutes>& at) {
    return at ? " at " + std::to_string(at->count()) : std::string();
  };
  if (moment.date)
    return "day " + std::to_string((moment.date->day - kSaturday).count()) + time(moment.date->time);
  return "rule " + std::to_string(static_cast<int>(moment.repeat->kind)) + " on " +
         std::to_string(moment.repeat->day) + time(moment.repeat->time);
}

std::string found(const char* lang, const char* text) {
  const auto moment = find_moment(text, lang, kSaturdayNoon);
  return moment ? words_of(*moment) + " | " + moment->rest : "nothing";
}

}  // namespace

TEST_CASE("moments: a day behind a time of day is the day, also where the time alone would be of it") {
  CHECK(found("en-US", "at 6 am tomorrow to feed the cat") == "day 1 at 360 | to feed the cat");
  CHECK(found("de-DE", "um 6 Uhr morgen die Katze zu füttern") == "day 1 at 360 | die Katze zu füttern");
  CHECK(found("en-US", "tomorrow at 6 am to feed the cat") == "day 1 at 360 | to feed the cat");
}

TEST_CASE("moments: so long from now is found at either end, and what else was said is kept") {
  const std::vector<InTime> all{
      {"en-US", "in twenty minutes to check the oven", ch::minutes(20), "to check the oven"},
      {"en-US", "to check the oven in twenty minutes", ch::minutes(20), "to check the oven"},
      {"en-US", "in half an hour", ch::minutes(30), ""},
      {"de-DE", "in zwanzig Minuten den Ofen zu prüfen", ch::minutes(20), "den Ofen zu prüfen"},
      {"de-DE", "in einer halben Stunde", ch::minutes(30), ""},
      {"fr-FR", "dans vingt minutes de vérifier le four", ch::minutes(20), "de vérifier le four"},
      {"fr-FR", "dans sept heures", ch::minutes(420), ""},
      {"es-ES", "en veinte minutos que mire el horno", ch::minutes(20), "que mire el horno"},
      {"pt-PT", "daqui a vinte minutos de ver o forno", ch::minutes(20), "de ver o forno"}};
  for (const auto& one : all) {
    const SpokenMoment expected(one.span);
    CHECK_EQ(found(one.lang, one.text), words_of(expected) + " | " + one.rest);
  }
}

TEST_CASE("moments: a day and its time of day are found together, also in parts at both ends") {
  const std::vector<OnDate> all{
      {"en-US", "tomorrow at noon to call mum", 1, 720, "to call mum"},
      {"en-US", "to call mum tomorrow at noon", 1, 720, "to call mum"},
      {"en-US", "tomorrow to call mum at five pm", 1, 1020, "to call mum"},
      {"en-US", "at five to call mum", 0, 1020, "to call mum"},
      {"en-US", "to call mum on friday", 6, -1, "to call mum"},
      {"en-US", "at 7:30", 0, 1170, ""},
      {"de-DE", "morgen um zwölf Uhr Mama anzurufen", 1, 720, "Mama anzurufen"},
      {"de-DE", "morgen um fünf die Blumen zu gießen", 1, 300, "die Blumen zu gießen"},
      {"fr-FR", "sept heures", 0, 1140, ""},
      {"fr-FR", "d'appeler maman demain à midi", 1, 720, "d'appeler maman"},
      {"es-ES", "llamar a mamá mañana al mediodía", 1, 720, "llamar a mamá"},
      {"es-ES", "mañana a las siete menos veinte llamar a mamá", 1, 400, "llamar a mamá"},
      {"fr-FR", "demain à six heures moins dix d'appeler maman", 1, 350, "d'appeler maman"},
      {"pt-PT", "de ligar à mãe amanhã às seis e quarenta", 1, 400, "de ligar à mãe"},
      {"pt-PT", "às seis de ligar à mãe", 0, 1080, "de ligar à mãe"},
      {"pt-PT", "de ligar à mãe às sete", 0, 1140, "de ligar à mãe"},
      {"pt-PT", "de ligar à mãe amanhã ao meio-dia", 1, 720, "de ligar à mãe"},
      {"en-US", "tomorrow morning to take out the trash", 1, -1, "to take out the trash"},
      {"en-US", "tomorrow morning to take out the trash at eight", 1, 480, "to take out the trash"},
      {"en-US", "this evening to call mum", 0, -1, "to call mum"},
      {"en-US", "to call mum this evening", 0, -1, "to call mum"},
      {"en-US", "to call mum this evening at seven", 0, 1140, "to call mum"},
      {"de-DE", "morgen in der Früh an die Wäsche", 1, -1, "an die Wäsche"},
      {"de-DE", "um sieben in der Früh", 1, 420, ""},
      {"de-DE", "um dreiviertel acht in der Früh", 1, 465, ""},
      {"de-DE", "um viertel acht", 0, 1155, ""},
      {"de-DE", "um viertel nach acht", 0, 1215, ""},
      {"de-DE", "am Nachmittag an die Post", 0, -1, "an die Post"},
      {"fr-FR", "à sept heures le matin", 1, 420, ""},
      {"es-ES", "a las tres de la madrugada", 1, 180, ""},
      {"pt-PT", "às três da madrugada", 1, 180, ""}};
  for (const auto& one : all) {
    CalendarDate date(kSaturday + ch::days(one.days));
    if (one.time >= 0) date.time = ch::minutes(one.time);
    const SpokenMoment expected(date);
    CHECK_EQ(found(one.lang, one.text), words_of(expected) + " | " + one.rest);
  }
}

TEST_CASE("moments: what comes round again has its days, and a time of day if one was said") {
  const std::vector<Again> all{
      {"en-US", "every weekday at seven", Kind::kWeekdays, 0, 420, ""},
      {"en-US", "at seven every weekday to get up", Kind::kWeekdays, 0, 420, "to get up"},
      {"en-US", "every day to water the plants", Kind::kDaily, 0, -1, "to water the plants"},
      {"en-US", "every evening at eight", Kind::kDaily, 0, 1200, ""},
      {"en-US", "to take out the bins every monday at 6 pm", Kind::kWeekly, 1, 1080, "to take out the bins"},
      {"de-DE", "werktags um sieben", Kind::kWeekdays, 0, 420, ""},
      {"de-DE", "jeden Montag um acht Uhr den Müll rauszubringen", Kind::kWeekly, 1, 480,
       "den Müll rauszubringen"},
      {"de-DE", "jeden Abend um acht", Kind::kDaily, 0, 1200, ""},
      {"fr-FR", "tous les jours à sept heures", Kind::kDaily, 0, 420, ""},
      {"fr-FR", "tous les lundis à huit heures", Kind::kWeekly, 1, 480, ""},
      {"es-ES", "de lunes a viernes a las siete", Kind::kWeekdays, 0, 420, ""},
      {"es-ES", "todos los sábados a las nueve de la noche", Kind::kWeekly, 6, 1260, ""},
      {"pt-PT", "nos dias úteis às sete", Kind::kWeekdays, 0, 420, ""},
      {"pt-PT", "todas as segundas-feiras às oito", Kind::kWeekly, 1, 480, ""}};
  for (const auto& one : all) {
    SpokenRepeat repeat(one.kind, one.day);
    if (one.time >= 0) repeat.time = ch::minutes(one.time);
    const SpokenMoment expected(repeat);
    CHECK_EQ(found(one.lang, one.text), words_of(expected) + " | " + one.rest);
  }
}

TEST_CASE("moments: numbers and units alone are none, nor is anything within a text") {
  CHECK_EQ(found("en-US", "about the party evening"), "nothing");
  CHECK_EQ(found("en-US", "to buy five"), "nothing");
  CHECK_EQ(found("en-US", "to enjoy the day"), "nothing");
  CHECK_EQ(found("en-US", "to look at tomorrow's plan again"), "nothing");
  CHECK_EQ(found("en-US", ""), "nothing");
  CHECK_EQ(found("xx", "tomorrow"), "nothing");
}

TEST_CASE("moments: what stands beside a word of no moment is not read, however the words are written") {
  const std::vector<InTime> all{
      {"de-DE", "in zweieinhalb Stunden den Ofen", ch::minutes(150), "den Ofen"},
      {"en-US", "in three point five hours to eat", ch::minutes(210), "to eat"},
      {"en-US", "in a hundred and five minutes to eat", ch::minutes(105), "to eat"},
      {"en-US", "to eat in 1h30", ch::minutes(90), "to eat"},
      {"fr-FR", "dans soixante et onze minutes de manger", ch::minutes(71), "de manger"}};
  for (const auto& one : all)
    CHECK_EQ(found(one.lang, one.text), words_of(SpokenMoment(one.span)) + " | " + one.rest);
  CHECK_EQ(found("fr-FR", "manger aujourd'hui"), "day 0 | manger");
  CHECK_EQ(found("de-DE", "essen am zweiundzwanzigsten"), "day 19 | essen");

  const auto is_strange = [](const char* lang, const char* word) {
    return !words_for<MomentWords>(lang)->contains(words(word, lang).front());
  };
  CHECK(is_strange("en-US", "kitchen"));
  CHECK(is_strange("de-DE", "Ofen"));
  CHECK_FALSE(is_strange("en-US", "5pm"));
  CHECK_FALSE(is_strange("de-DE", "zehnminütig"));
  CHECK_FALSE(is_strange("de-DE", "zweitausendfünf"));
}

TEST_CASE("moments: they are said with the day they are on") {
  const auto when = [](int days, int minutes) { return kSaturday + ch::days(days) + ch::minutes(minutes); };
  CHECK_EQ(say_when(when(0, 1020), kSaturdayNoon, "en-US"), "at 5 PM");
  CHECK_EQ(say_when(when(1, 720), kSaturdayNoon, "en-US"), "tomorrow at noon");
  CHECK_EQ(say_when(when(6, 450), kSaturdayNoon, "en-US"), "on Friday at 7:30 AM");
  CHECK_EQ(say_when(when(60, 0), kSaturdayNoon, "en-US"), "on March 4 at midnight");
  CHECK_EQ(say_when(when(400, 60), kSaturdayNoon, "en-US"), "February 7, 2027 at 1 AM");
  CHECK_EQ(say_when(when(6, 1050), kSaturdayNoon, "de-DE"), "am Freitag um 17:30 Uhr");
  CHECK_EQ(say_when(when(60, 1020), kSaturdayNoon, "de-DE"), "am 4. März um 17 Uhr");
  CHECK_EQ(say_when(when(1, 720), kSaturdayNoon, "fr-FR"), "demain à midi");
  CHECK_EQ(say_when(when(6, 1020), kSaturdayNoon, "fr-FR"), "vendredi à 17 heures");
  CHECK_EQ(say_when(when(1, 1020), kSaturdayNoon, "es-ES"), "mañana a las 5 de la tarde");
  CHECK_EQ(say_when(when(6, 780), kSaturdayNoon, "es-ES"), "el viernes a la 1 de la tarde");
  CHECK_EQ(say_when(when(6, 1020), kSaturdayNoon, "pt-PT"), "na sexta-feira às 17 horas");
  CHECK_EQ(say_when(when(7, 60), kSaturdayNoon, "pt-PT"), "no dia 10 de janeiro à 1 hora");
  CHECK_EQ(say_at(ch::minutes(725), "xx"), "12:05");
}

TEST_CASE("moments: rules are said with their days") {
  const auto seven = ch::hours(7);
  CHECK_EQ(say_rule(ScheduleRule::weekdays(seven), "en-US"), "every weekday at 7 AM");
  CHECK_EQ(say_rule(ScheduleRule::daily(seven), "de-DE"), "jeden Tag um 7 Uhr");
  CHECK_EQ(say_rule(ScheduleRule::weekly(ch::Sunday, seven), "pt-PT"), "ao domingo às 7 horas");
  CHECK_EQ(say_rule(ScheduleRule::weekly(ch::Monday, seven), "fr-FR"), "chaque lundi à 7 heures");
  CHECK_EQ(say_rule(ScheduleRule::monthly(15, seven), "es-ES"), "el día 15 de cada mes a las 7 de la mañana");
  CHECK_THROWS_AS(say_rule(ScheduleRule::period(seven), "en-US"), std::invalid_argument);
}

TEST_CASE("lists: things are parted by commas and by words for and, amounts are not") {
  using Things = std::vector<std::string>;
  CHECK_EQ(split_list("milk, eggs and two loaves of bread", "en-US"),
           Things{"milk", "eggs", "two loaves of bread"});
  CHECK_EQ(split_list("two and a half kilos of flour and salt", "en-US"),
           Things{"two and a half kilos of flour", "salt"});
  CHECK_EQ(split_list("bread, and butter, and", "en-US"), Things{"bread", "butter", "and"});
  CHECK_EQ(split_list("Milch, Eier und zwei Brote", "de-DE"), Things{"Milch", "Eier", "zwei Brote"});
  CHECK_EQ(split_list("du lait, des œufs et deux pains", "fr-FR"),
           Things{"du lait", "des œufs", "deux pains"});
  CHECK_EQ(split_list("dos kilos y medio de harina y leche", "es-ES"),
           Things{"dos kilos y medio de harina", "leche"});
  CHECK_EQ(split_list("leite, ovos e dois pães", "pt-PT"), Things{"leite", "ovos", "dois pães"});
  CHECK_EQ(split_list(" , ;", "en-US"), Things{});
  CHECK_EQ(split_list("salt, pepper and sugar", "xx"), Things{"salt", "pepper and sugar"});
}

}  // namespace parley
