#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <parley/session.hpp>
#include <set>
#include <string>
#include <vector>

#include "ellipsis.hpp"
#include "memory.hpp"
#include "rewriting.hpp"
#include "test_reader.hpp"
#include "topic.hpp"

using namespace parley;
using namespace parley::follow_up;

namespace {

/// "correct: fifteen", or "-".
std::string left_out(const std::string& text, const std::string& lang = "en-US") {
  const std::vector<Word> said = words(text, lang);
  const auto found = ellipsis_in(said, follow_up_words(), lang);
  if (!found) return "-";
  static const std::map<Form, std::string> kNames{
      {Form::kAnd, "and"}, {Form::kAbout, "about"}, {Form::kNo, "no"}, {Form::kCorrect, "correct"}};
  return kNames.at(found->form) + ": " + std::string(surface(text, found->rest));
}

Subject follow_up_subject(const std::string& utterance, const Slots& slots = {}) {
  Subject subject;
  subject.skill_id = "some.skill";
  subject.intent_name = slots.empty() ? "common_query" : "ask";
  subject.is_question = slots.empty();
  subject.utterance = utterance;
  subject.slots = slots;
  return subject;
}

/// What the follow-up may mean, the likeliest; "-" for nothing.
std::string meant(const Subject& subject, const std::string& text, const std::string& lang = "en-US") {
  const std::vector<Word> said = words(text, lang);
  const auto found = ellipsis_in(said, follow_up_words(), lang);
  if (!found) return "-";
  const auto all = rewritings(subject, *found, text, follow_up_reader(lang));
  return all.empty() ? "-" : all.front().text;
}

std::string asked(const Subject& subject, const std::string& text, const std::string& lang = "en-US") {
  return asked_again(subject, text, follow_up_reader(lang)).value_or("-");
}

Message follow_up_match(const std::string& session, const std::string& intent, SenderPtr sender = nullptr) {
  Context context;
  context.session = std::make_shared<const Session>(session);
  context.sender = std::move(sender);
  return {"ovos.intent.matched",
          {{"skill_id", "some.skill"},
           {"intent_name", intent},
           {"pipeline_id", "intent"},
           {"lang", "en-US"},
           {"utterance", intent + " in Tokyo"},
           {"slots", {{"place", "Tokyo"}}}},
          context};
}

const Clock::Time kFollowUpStart{};

}  // namespace

TEST_CASE("follow-ups: what takes the place of something said before is known by the words around it") {
  CHECK(left_out("and in London?") == "and: in London");
  CHECK(left_out("what about Paris") == "about: Paris");
  CHECK(left_out("and what about Paris, please?") == "about: Paris");
  CHECK(left_out("how about tomorrow") == "about: tomorrow");
  CHECK(left_out("make that fifteen") == "correct: fifteen");
  CHECK(left_out("no, make it fifteen minutes") == "correct: fifteen minutes");
  CHECK(left_out("make fifteen instead") == "correct: fifteen");
  CHECK(left_out("make instead") == "-");
  CHECK(left_out("no, five") == "no: five");
  CHECK(left_out("I meant Berlin") == "correct: Berlin");
  CHECK(left_out("fifteen instead") == "no: fifteen");
  CHECK(left_out("bread too please") == "and: bread");
  CHECK(left_out("mozzarella as well") == "and: mozzarella");
  CHECK(left_out("also sunscreen") == "and: sunscreen");
}

TEST_CASE("follow-ups: a bare no, an answer and a sentence of its own are none") {
  for (const char* const text : {"no",
                                 "No.",
                                 "no thanks",
                                 "no no",
                                 "and",
                                 "what about",
                                 "no problem",
                                 "no way",
                                 "and you?",
                                 "what about you",
                                 "and then?",
                                 "no I don't want that",
                                 "and tell me the time",
                                 "London",
                                 "five",
                                 "no stop",
                                 "me too",
                                 "you too",
                                 "that too",
                                 "never mind",
                                 "and how many people live there",
                                 "what about that"}) {
    INFO(text);
    CHECK(left_out(text) == "-");
  }
}

TEST_CASE("follow-ups: five languages") {
  CHECK(left_out("und in London?", "de-DE") == "and: in London");
  CHECK(left_out("was ist mit Paris", "de-DE") == "about: Paris");
  CHECK(left_out("mach das zu fünfzehn", "de-DE") == "correct: fünfzehn");
  CHECK(left_out("mach fünfzehn draus", "de-DE") == "correct: fünfzehn");
  CHECK(left_out("mach daraus fünfzehn", "de-DE") == "correct: fünfzehn");
  CHECK(left_out("nein, fünf", "de-DE") == "no: fünf");
  CHECK(left_out("ich meinte Berlin", "de-DE") == "correct: Berlin");
  CHECK(left_out("Brot auch noch", "de-DE") == "and: Brot");
  CHECK(left_out("nein danke", "de-DE") == "-");
  CHECK(left_out("et à Londres ?", "fr-FR") == "and: à Londres");
  CHECK(left_out("non, cinq", "fr-FR") == "no: cinq");
  CHECK(left_out("je voulais dire Berlin", "fr-FR") == "correct: Berlin");
  CHECK(left_out("du pain aussi", "fr-FR") == "and: du pain");
  CHECK(left_out("non merci", "fr-FR") == "-");
  CHECK(left_out("¿y en Londres?", "es-ES") == "and: en Londres");
  CHECK(left_out("no, cinco", "es-ES") == "no: cinco");
  CHECK(left_out("quería decir Berlín", "es-ES") == "correct: Berlín");
  CHECK(left_out("pan también", "es-ES") == "and: pan");
  CHECK(left_out("no gracias", "es-ES") == "-");
  CHECK(left_out("e em Londres?", "pt-PT") == "and: em Londres");
  CHECK(left_out("não, cinco", "pt-PT") == "no: cinco");
  CHECK(left_out("queria dizer Berlim", "pt-PT") == "correct: Berlim");
  CHECK(left_out("pão também", "pt-PT") == "and: pão");
  CHECK(left_out("não obrigado", "pt-PT") == "-");
}

TEST_CASE("follow-ups: a value of a type takes the place of one of that type alone") {
  const Subject timer = follow_up_subject("set a timer for ten minutes", {{"duration", "ten minutes"}});
  CHECK(meant(timer, "make that fifteen") == "set a timer for fifteen minutes");
  CHECK(meant(timer, "no, five") == "set a timer for five minutes");
  CHECK(meant(timer, "no, half an hour") == "set a timer for half an hour");
  CHECK(meant(timer, "I meant lunch") == "-");
  const Subject remind =
      follow_up_subject("remind me tomorrow to call mum", {{"what", "tomorrow to call mum"}});
  CHECK(meant(remind, "make that Friday") == "remind me Friday to call mum");
  const Subject wake =
      follow_up_subject("weck mich morgen um halb sieben", {{"what", "morgen um halb sieben"}});
  CHECK(meant(wake, "nein, lieber um sieben", "de-DE") == "weck mich morgen um sieben");
  const Subject call = follow_up_subject("rappelle-moi à six heures d'appeler maman",
                                         {{"what", "à six heures d'appeler maman"}});
  CHECK(meant(call, "non, à sept heures", "fr-FR") == "rappelle-moi à sept heures d'appeler maman");
}

TEST_CASE("follow-ups: the other half of the day is one of the time that was said") {
  const Subject evening = follow_up_subject("set an alarm for 7:30 PM", {{"what", "for 7:30 PM"}});
  CHECK(meant(evening, "no, am") == "set an alarm for 7:30 am");
  CHECK(meant(evening, "I meant in the morning") == "set an alarm for 7:30 in the morning");
  CHECK(meant(evening, "no, am I late") == "-");
  CHECK(meant(evening, "no, fifteen").find("7:30 fifteen") == std::string::npos);
  CHECK(meant(follow_up_subject("set an alarm for 7 in the morning", {{"what", "for 7 in the morning"}}),
              "no, pm") == "set an alarm for 7 pm");
  CHECK(meant(follow_up_subject("set an alarm for 7", {{"what", "for 7"}}), "no, in the morning") ==
        "set an alarm for 7 in the morning");
  CHECK(meant(follow_up_subject("weck mich um acht", {{"what", "um acht"}}), "nein, in der Früh", "de-DE") ==
        "weck mich um acht in der Früh");
  CHECK(meant(follow_up_subject("mets un réveil à 7 heures", {{"what", "à 7 heures"}}), "non, le matin",
              "fr-FR") == "mets un réveil à 7 le matin");
  const Subject minutes = follow_up_subject("set a timer for 10 minutes", {{"duration", "10 minutes"}});
  CHECK(meant(minutes, "no, in the morning") != "set a timer for 10 in the morning");
}

TEST_CASE("follow-ups: what was answered is corrected as if it had been said at once") {
  Subject timer = follow_up_subject("set a timer", {{"name", "timer"}});
  CHECK(meant(timer, "make that eleven") != "set a timer eleven minutes");
  timer.answers = "ten minutes";
  CHECK(meant(timer, "make that eleven") == "set a timer eleven minutes");
  Subject remind = follow_up_subject("remind me", {{"what", "me"}});
  remind.answers = "call mum at five";
  CHECK(meant(remind, "no, at six") == "remind me call mum at six");

  Memory memory;
  memory.hear(follow_up_match("kitchen", "set"), kFollowUpStart);
  const auto answer = [&](const std::string& words) {
    Message matched = follow_up_match("kitchen", "response");
    Json data = matched.data();
    data["utterance"] = words;
    memory.hear(Message(matched.type(), std::move(data), matched.context()), kFollowUpStart);
    return memory.of(matched, kFollowUpStart)->answers;
  };
  CHECK(answer("call mum") == "call mum");
  CHECK(answer("at five") == "call mum at five");
  CHECK(answer(std::string(Memory::kLongest, 'a')).empty());  // nobody corrects that
}

TEST_CASE("follow-ups: what the template named may be exchanged for a value of the same type") {
  Subject day = follow_up_subject("what day is it today");
  day.is_question = false;
  CHECK(meant(day, "and tomorrow") == "what day is it tomorrow");
  day.utterance = "qué día es hoy";
  CHECK(meant(day, "y mañana", "es-ES") == "qué día es mañana");
}

TEST_CASE("follow-ups: a preposition or an article tells which slot is meant") {
  const Subject list = follow_up_subject("ajoute du lait et des œufs à ma liste de courses",
                                         {{"items", "du lait et des œufs"}, {"list", "courses"}});
  CHECK(meant(list, "et du beurre", "fr-FR") == "ajoute beurre à ma liste de courses");
}

TEST_CASE("follow-ups: any other value takes the place of a slot that has no type") {
  const Subject time = follow_up_subject("what time is it in Tokyo?", {{"place", "Tokyo"}});
  CHECK(meant(time, "and in London?") == "what time is it in London?");
  CHECK(meant(time, "what about New York") == "what time is it in New York?");
  const Subject list =
      follow_up_subject("add milk to my shopping list", {{"items", "milk"}, {"list", "shopping"}});
  const std::vector<Word> said = words("and eggs", "en-US");
  const auto all =
      rewritings(list, *ellipsis_in(said, follow_up_words(), "en-US"), "and eggs", follow_up_reader("en-US"));
  REQUIRE(all.size() == 2);  // that without a preposition first, as the value has none
  CHECK(all[0].text == "add eggs to my shopping list");
  CHECK(all[1].text == "add milk to my eggs list");
}

TEST_CASE("follow-ups: a question is asked again with another topic, and pronouns stand for the last one") {
  const Subject capital = follow_up_subject("what's the capital of France?");
  CHECK(asked(capital, "and of Spain?") == "what's the capital of Spain?");
  CHECK(asked(capital, "what about Germany") == "what's the capital of Germany?");
  CHECK(asked(capital, "and how many people live there?") == "how many people live in France?");
  CHECK(asked(capital, "how big is it") == "how big is France");
  CHECK(asked(capital, "what time is it") == "-");
  CHECK(asked(follow_up_subject("what's 150 times 6"), "what is half of that") == "-");
  CHECK(asked(capital, "how many are there") == "-");
  CHECK(asked(follow_up_subject("which of them is bigger"), "what time is it there") == "-");
  CHECK(asked(capital, "what is the capital of Italy") == "-");
  CHECK(asked(follow_up_subject("how do you spell necessary"), "what does it mean") ==
        "what does necessary mean");
  CHECK(asked(follow_up_subject("what does necessary mean"), "use it in a sentence") ==
        "use necessary in a sentence");
  CHECK(asked(follow_up_subject("l'Espagne est plus grande que la France"), "et l'Italie", "fr-FR") ==
        "l'Espagne est plus grande que l'Italie");
  const Subject time = follow_up_subject("what time is it in Tokyo", {{"place", "Tokyo"}});
  CHECK(asked(time, "how many people live there") == "how many people live in Tokyo");
  CHECK(asked(time, "and in London?") == "-");  // the intent's, not a question
  CHECK(asked(follow_up_subject("was ist die Hauptstadt von Frankreich"), "wie viele Menschen leben dort",
              "de-DE") == "wie viele Menschen leben in Frankreich");
  CHECK(asked(follow_up_subject("was ist die Hauptstadt von Frankreich"), "und von Spanien?", "de-DE") ==
        "was ist die Hauptstadt von Spanien");
}

TEST_CASE("follow-ups: a question may leave out what it is about") {
  using Questions = std::set<std::string>;
  const auto completed = [](const Subject& subject, const std::string& text,
                            const std::string& lang = "en-US") {
    const auto all = asked_about_topic(subject, text, follow_up_reader(lang));
    return Questions(all.begin(), all.end());
  };
  const Subject people = follow_up_subject("how many people live in Japan?");
  CHECK(completed(people, "and the capital?") ==
        Questions{"the capital for Japan", "the capital in Japan", "the capital of Japan"});
  CHECK(completed(people, "what is the capital of Japan").empty());
  CHECK(completed(people, "what on earth is it that people who live like that eat").empty());
  const Subject time = follow_up_subject("what time is it in Tokyo", {{"place", "Tokyo"}});
  CHECK(completed(time, "what money do they use").contains("what money do they use in Tokyo"));
  const Subject swiss = follow_up_subject("wie viele Menschen leben in der Schweiz");
  CHECK(completed(swiss, "und die Hauptstadt?", "de-DE").contains("die Hauptstadt von der Schweiz"));
}

TEST_CASE("follow-ups: a question stands for what was spoken of, as long as a row of them names it") {
  const auto meant_by = [](const Subject& subject, const std::string& text,
                           const std::string& lang = "en-US") {
    const auto all = asked_of_topic(subject, text, follow_up_reader(lang));
    return all.empty() ? "-" : all.front();
  };
  Subject austria = follow_up_subject("what's the capital of Austria");
  CHECK(meant_by(austria, "is it in the EU") == "is Austria in the EU");
  CHECK(meant_by(austria, "and what's its population") == "what's the population of Austria");
  CHECK(meant_by(austria, "what does the flag look like") == "what does the flag of Austria look like");
  CHECK(meant_by(austria, "is Norway in the EU") == "-");
  CHECK(meant_by(austria, "is Austria in the EU") == "-");
  CHECK(meant_by(austria, "what is the height of the tower") == "-");
  CHECK(meant_by(follow_up_subject("cuál es la capital de Austria"), "está en la UE", "es-ES") ==
        "Austria está en la UE");
  CHECK(meant_by(follow_up_subject("quelle est la capitale de l'Autriche"), "est-elle dans l'UE", "fr-FR") ==
        "est l'Autriche dans l'UE");
  Subject union_of_it = follow_up_subject("does Austria border Italy");
  CHECK(meant_by(union_of_it, "how big is it") == "how big is Italy");
  union_of_it.follow(austria);
  CHECK(meant_by(union_of_it, "how big is it") == "how big is Austria");
  Subject italy = follow_up_subject("how big is Italy");
  italy.follow(union_of_it);
  CHECK(meant_by(italy, "how high is it") == "how high is Italy");
  Subject time = follow_up_subject("what time is it in Tokyo", {{"place", "Tokyo"}});
  time.follow(italy);
  CHECK(time.earlier.empty());
}

TEST_CASE("follow-ups: another day at the same time, another time of the same day, the day after") {
  const Subject call =
      follow_up_subject("remind me tomorrow at five to call mum", {{"what", "tomorrow at five to call mum"}});
  CHECK(meant(call, "no, on Friday") == "remind me Friday at five to call mum");
  CHECK(meant(call, "no, Friday at six") == "remind me Friday at six to call mum");
  CHECK(meant(call, "make that seven thirty") == "remind me tomorrow at 7:30 to call mum");
  CHECK(meant(call, "no, six in the morning") == "remind me tomorrow at six in the morning to call mum");
  CHECK(meant(call, "no, in an hour") == "remind me an hour to call mum");
  CHECK(meant(call, "and at nine to water the flowers") == "remind me tomorrow at nine to water the flowers");
  const Subject day = follow_up_subject("what day is it on 2026-01-05");
  CHECK(meant(day, "and the day after") == "what day is it on 2026-01-06");
  CHECK(meant(day, "and the day before") == "what day is it on 2026-01-04");
}

TEST_CASE("follow-ups: the minutes go with the hour that is put right") {
  const auto put_right = [](const char* said, const char* slot, const char* correction) {
    return meant(follow_up_subject(said, {{"what", slot}}), correction);
  };
  CHECK(put_right("wake me at quarter to seven", "at quarter to seven", "make that seven") ==
        "wake me at seven");
  CHECK(put_right("wake me at half past six PM", "at half past six PM", "no, seven") ==
        "wake me at seven PM");
  CHECK(put_right("wake me at six thirty", "at six thirty", "make it six forty five") == "wake me at 6:45");
  CHECK(put_right("wake me at 6:45", "6:45", "no, seven") == "wake me at seven");
  CHECK(put_right("alarm 6:45", "6:45", "no, seven") == "alarm 7:00");
  CHECK(put_right("wake me at six tomorrow", "at six tomorrow", "no, at seven") ==
        "wake me at seven tomorrow");
  CHECK(put_right("wake me at 8 PM", "at 8 PM", "no, nine") == "wake me at nine PM");
  CHECK(put_right("remind me at 6:30 to take two pills", "at 6:30 to take two pills", "make that three") ==
        "remind me at 6:30 to take three pills");
}

TEST_CASE("follow-ups: what a session was about is its own, and gone after two minutes or another subject") {
  Memory memory;
  const Message kitchen = follow_up_match("kitchen", "what_time");
  memory.hear(kitchen, kFollowUpStart);
  REQUIRE(memory.of(kitchen, kFollowUpStart + Memory::kLifetime) != nullptr);
  CHECK(memory.of(kitchen, kFollowUpStart)->slots.at("place") == "Tokyo");
  CHECK(memory.of(kitchen, kFollowUpStart + Memory::kLifetime + std::chrono::seconds(1)) == nullptr);
  CHECK(memory.of(follow_up_match("hall", "what_time"), kFollowUpStart) == nullptr);
  const auto other = std::make_shared<const Sender>(7, "a", "somebody");
  CHECK(memory.of(follow_up_match("kitchen", "what_time", other), kFollowUpStart) == nullptr);
  for (const char* const same : {"response", "fallback"}) {
    memory.hear(follow_up_match("kitchen", same), kFollowUpStart);
    REQUIRE(memory.of(kitchen, kFollowUpStart) != nullptr);
    CHECK(memory.of(kitchen, kFollowUpStart)->intent_name == "what_time");
  }
  memory.hear(follow_up_match("kitchen", "stop"), kFollowUpStart);
  CHECK(memory.of(kitchen, kFollowUpStart) == nullptr);
}

TEST_CASE("follow-ups: what completes a date goes with it, also where it names the same day") {
  const Subject easter = follow_up_subject("when is Easter", {{"date", "Easter"}});
  CHECK(meant(easter, "and next year") == "when is Easter next year");
  // In November, Easter is next year's anyway.
  const std::string text = "and next year";
  const std::vector<Word> said = words(text, "en-US");
  const auto found = ellipsis_in(said, follow_up_words(), "en-US");
  REQUIRE(found);
  const Reader november(
      follow_up_words(), "en-US",
      std::chrono::local_seconds(std::chrono::local_days(std::chrono::year(2026) / 11 / 25)));
  CHECK(rewritings(easter, *found, text, november).front().text == "when is Easter next year");
  CHECK(meant(easter, "and Christmas") == "when is Christmas");
  const Subject tomorrow = follow_up_subject("what is on tomorrow", {{"date", "tomorrow"}});
  CHECK(meant(tomorrow, "and on Monday") == "what is on Monday");
}

TEST_CASE("follow-ups: the answer to a question brings back what it was about, whatever was said meanwhile") {
  const auto said = [](const std::string& skill, const std::string& intent, const std::string& asking) {
    Session session("kitchen");
    if (!asking.empty()) session.response_mode = ResponseMode(asking, 0);
    Message matched = follow_up_match("kitchen", intent);
    Json data = matched.data();
    data["skill_id"] = skill;
    Context context = matched.context();
    context.session = std::make_shared<const Session>(std::move(session));
    return Message(matched.type(), std::move(data), std::move(context));
  };
  Memory memory;
  const auto hear = [&](const std::string& skill, const std::string& intent, const std::string& asking) {
    memory.hear(said(skill, intent, asking), kFollowUpStart);
  };
  const auto subject = [&] {
    const Subject* const found = memory.of(said("", "", ""), kFollowUpStart);
    return found == nullptr ? std::string("-") : found->skill_id + ":" + found->intent_name;
  };
  hear("timer", "set", "");
  hear("clock", "what_time", "timer");  // the timer has asked for how long
  CHECK(subject() == "clock:what_time");
  hear("clock", "what_day", "timer");
  hear("timer", "response", "");
  CHECK(subject() == "timer:set");
  hear("timer", "response", "");  // nothing more is open
  CHECK(subject() == "timer:set");
  hear("clock", "what_time", "");
  hear("timer", "response", "");  // the question had ended before
  CHECK(subject() == "clock:what_time");
  hear("timer", "set", "");
  hear("clock", "what_time", "timer");
  hear("clock", "what_day", "");  // it has ended without an answer
  hear("timer", "response", "");
  CHECK(subject() == "clock:what_day");
}

TEST_CASE("follow-ups: who fills the memory pays for it") {
  Memory memory;
  const Message first = follow_up_match("first", "what_time");
  memory.hear(first, kFollowUpStart);
  const auto flooder = std::make_shared<const Sender>(7, "a", "flooder");
  for (std::size_t i = 0; i < 2 * Memory::kMostSessions; ++i)
    memory.hear(follow_up_match("s" + std::to_string(i), "what_time", flooder), kFollowUpStart);
  CHECK(memory.size() == Memory::kMostOfOne + 1);
  CHECK(memory.of(first, kFollowUpStart) != nullptr);
  for (std::uint64_t id = 8; memory.size() < Memory::kMostSessions; ++id) {
    const auto sender = std::make_shared<const Sender>(id, "a", "owner" + std::to_string(id));
    memory.hear(follow_up_match("s", "what_time", sender), kFollowUpStart);
  }
  memory.hear(follow_up_match("one more", "what_time"), kFollowUpStart);
  CHECK(memory.size() == Memory::kMostSessions);
  CHECK(memory.of(first, kFollowUpStart) == nullptr);
}
