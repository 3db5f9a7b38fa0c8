#include "match/intent_index.hpp"

#include <doctest/doctest.h>

#include "match/test_support.hpp"

using namespace parley;
using namespace parley::intent;
using namespace parley::intent::test;

using Kind = Veto::Kind;

TEST_CASE_FIXTURE(IndexFixture, "T-0 slots: values are the utterance's own words as they were given") {
  add(template_intent("music", "play", {"play {song} by {artist}"}));
  CHECK(slots("Play “L'Été indien” by JOE Dassin!") ==
        Slots{{"song", "L'Été indien"}, {"artist", "JOE Dassin"}});
  CHECK(slots("play   Rock  'n'  Roll by AC/DC…") == Slots{{"song", "Rock  'n'  Roll"}, {"artist", "AC/DC"}});
  CHECK(slots("PLAY 東京 by Ωmega") == Slots{{"song", "東京"}, {"artist", "Ωmega"}});
}

TEST_CASE_FIXTURE(IndexFixture,
                  "T-4 matching: case, punctuation, white space and apostrophes do not matter") {
  add(template_intent("clock", "time", {"what's the time"}));
  for (const char* said :
       {"What's the time?", "what’s  THE time", "whats the time...", "\tWhat's, the time"}) {
    CHECK_MESSAGE(winner(said) == "clock:time", said);
  }
  CHECK(winner("what the time") == "-");
}

TEST_CASE_FIXTURE(IndexFixture,
                  "T-6 blacklist: a phrase suppresses the intent only as contiguous whole words") {
  auto play = template_intent("music", "play", {"play {song}"});
  std::get<TemplateIntent>(play.pattern).blacklist = {"(the|a) game", "chess"};
  add(play);
  CHECK(winner("play yesterday") == "music:play");
  CHECK(winner("play a game") == "-");
  CHECK(winner("play Chess with me") == "-");
  CHECK(winner("play the last game") == "music:play");
  CHECK(winner("play gamechess") == "music:play");
  const auto found = candidates("play The Game now");
  REQUIRE(found.size() == 1);
  CHECK(found.front().veto.kind == Kind::kBlacklistPhrase);
  CHECK(found.front().veto.detail == "The Game");
  CHECK(to_text(found.front().veto) == "its blacklist has 'The Game'");
}

TEST_CASE_FIXTURE(IndexFixture,
                  "T-6 slot blacklist: its values must not fill that slot, other slots may have them") {
  auto play = template_intent("music", "play", {"play {song} [in {room}]"});
  std::get<TemplateIntent>(play.pattern).slot_blacklist = {{"song", {"something", "music in bed"}}};
  add(play);
  CHECK(veto("play something") == Kind::kSlotForbidden);
  CHECK(slots("play something else") == Slots{{"song", "something else"}});
  CHECK(slots("play hello in something") == Slots{{"song", "hello"}, {"room", "something"}});
  CHECK(slots("play music in bed") == Slots{{"song", "music"}, {"room", "bed"}});
}

TEST_CASE_FIXTURE(IndexFixture, "T-7 entities: listed values are preferred, others still match") {
  add(template_intent("music", "play", {"play {song} by {artist}"}));
  add(entity("music", "song", {"stand [by me]"}));
  add(entity("music", "artist", {"ben [e] king"}));
  CHECK(slots("play Stand by me by Ben King") == Slots{{"song", "Stand by me"}, {"artist", "Ben King"}});
  CHECK(candidates("play stand by me by ben king").front().open_words == 0);
  CHECK(slots("play stand by me by them") == Slots{{"song", "stand by me"}, {"artist", "them"}});
  CHECK(slots("play hello by adele") == Slots{{"song", "hello"}, {"artist", "adele"}});
  CHECK(candidates("play hello by adele").front().open_words == 2);
}

TEST_CASE_FIXTURE(IndexFixture, "T-7 entities: a value set of another skill or session does not count") {
  add(template_intent("music", "play", {"play {song}"}));
  add(entity("radio", "song", {"hello"}));
  auto elsewhere = entity("music", "song", {"yesterday"});
  elsewhere.session_id = "kitchen";
  add(elsewhere);
  CHECK(candidates("play hello").front().open_words == 1);
  CHECK(candidates("play yesterday").front().open_words == 1);
  policy.session = "kitchen";
  CHECK(candidates("play yesterday").front().open_words == 0);
}

TEST_CASE_FIXTURE(IndexFixture,
                  "R-1 entities: a new registration replaces the values, removing takes them away") {
  add(template_intent("music", "play", {"play {song}"}));
  add(entity("music", "song", {"hello"}));
  add(entity("music", "song", {"yesterday"}, "EN-us"));
  CHECK(candidates("play hello").front().open_words == 1);
  CHECK(candidates("play yesterday").front().open_words == 0);
  index.remove(entity("music", "song", {}));
  CHECK(candidates("play yesterday").front().open_words == 1);
}

TEST_CASE_FIXTURE(IndexFixture,
                  "U-3 required slots: the utterance binds them, or the context, or nobody wins") {
  auto play = template_intent("music", "play", {"play [{song}] now", "play {song}"});
  play.required_slots = {"song"};
  add(play);
  CHECK(slots("play hello now") == Slots{{"song", "hello"}});
  CHECK(slots("play now") == Slots{{"song", "now"}});

  auto stop = template_intent("music", "halt", {"halt [the] [{song}]"});
  stop.required_slots = {"song"};
  add(stop);
  CHECK(veto("halt") == Kind::kSlotMissing);
  CHECK(winner("halt") == "-");
  policy.context["song"] = "Yesterday";
  CHECK(winner("halt") == "music:halt");
  CHECK(slots("halt") == Slots{{"song", "Yesterday"}});
  CHECK(slots("halt hello") == Slots{{"song", "hello"}});
}

TEST_CASE_FIXTURE(IndexFixture, "required slots: of two slots for the same words the required one is bound") {
  auto play = template_intent("music", "play", {"play ({song}|{artist})"});
  play.required_slots = {"artist"};
  add(play);
  CHECK(slots("play abba") == Slots{{"artist", "abba"}});
}

TEST_CASE_FIXTURE(IndexFixture, "L-2 language: tags compare without case, other languages stay out") {
  add(template_intent("hello", "greet", {"good morning"}, "en-us"));
  add(template_intent("hallo", "greet", {"good morning"}, "de-DE"));
  lang = "EN-US";
  CHECK(winner("good morning") == "hello:greet");
  lang = "de-DE";
  CHECK(winner("good morning") == "hallo:greet");
  lang = "fr-FR";
  CHECK(candidates("good morning").empty());
  lang = "";
  CHECK(candidates("good morning").empty());
}

TEST_CASE_FIXTURE(IndexFixture,
                  "language: another region serves when the intent has nothing for the speaker's own") {
  add(template_intent("lamp", "on", {"(light|torch) on"}, "en-GB"));
  lang = "en-AU";
  CHECK(winner("torch on") == "lamp:on");
  CHECK(candidates("torch on").front().intent->lang == "en-GB");

  lang = "en-US";
  CHECK(winner("torch on") == "lamp:on");
  add(template_intent("lamp", "on", {"flashlight on"}, "en-US"));
  CHECK(veto("torch on") == Kind::kBetterLanguage);
  CHECK(winner("flashlight on") == "lamp:on");
  lang = "en-GB";
  CHECK(winner("torch on") == "lamp:on");
  CHECK(veto("flashlight on") == Kind::kBetterLanguage);
}

TEST_CASE_FIXTURE(IndexFixture, "language: words are split by the rules of the language on both sides") {
  add(template_intent("heure", "demander", {"quelle est l'heure à {ville}"}, "fr-FR"));
  add(template_intent("isik", "ac", {"IŞIĞI aç"}, "tr-TR"));
  lang = "fr-CA";
  CHECK(slots("Quelle est l’heure à L'Isle-Adam ?") == Slots{{"ville", "L'Isle-Adam"}});
  lang = "tr";
  CHECK(winner("ışığı AÇ") == "isik:ac");
}

TEST_CASE_FIXTURE(IndexFixture, "R-3 pool: registrations of the session and of default, no others") {
  auto own = template_intent("lamp", "on", {"light on"});
  own.session_id = "kitchen";
  add(own);
  CHECK(candidates("light on").empty());
  policy.session = "cellar";
  CHECK(candidates("light on").empty());
  policy.session = "kitchen";
  CHECK(winner("light on") == "lamp:on");
}

TEST_CASE_FIXTURE(IndexFixture, "R-3 pool: of a pair both are candidates, the session's own first") {
  add(template_intent("lamp", "on", {"light on"}));
  auto own = template_intent("lamp", "on", {"light on", "lamp on"});
  own.session_id = "kitchen";
  add(own);
  policy.session = "kitchen";
  const auto found = candidates("light on");
  REQUIRE(found.size() == 2);
  CHECK(found[0].intent->session_id == "kitchen");
  CHECK(found[1].intent->session_id == "default");
}

TEST_CASE_FIXTURE(IndexFixture, "R-1 index: the same key replaces, other methods and languages stay") {
  add(template_intent("lamp", "on", {"light on"}));
  add(keyword_intent("lamp", "on", {{"lamp"}}));
  add(template_intent("lamp", "on", {"licht an"}, "de-DE"));
  add(template_intent("lamp", "on", {"lights up"}, "EN-us"));
  CHECK(winner("light on") == "-");
  CHECK(winner("lights up") == "lamp:on");
  CHECK(winner("lamp") == "lamp:on");
  CHECK(index.intents().size() == 3);
  lang = "de-DE";
  CHECK(winner("licht an") == "lamp:on");
}

TEST_CASE_FIXTURE(IndexFixture, "index: removing an intent takes all of it, the rest goes on matching") {
  auto play = template_intent("music", "play", {"play {song}", "(put|turn) on {song} [please]"});
  std::get<TemplateIntent>(play.pattern).blacklist = {"game"};
  add(play);
  add(template_intent("game", "play", {"play {game}"}));
  add(keyword_intent("game", "quit", {{"play", "game"}, {"over"}}));
  index.remove(play);
  CHECK(winner("play the game") == "game:play");
  CHECK(winner("put on hello") == "-");
  CHECK(winner("game over") == "game:quit");
  index.remove(keyword_intent("game", "quit", {}));
  CHECK(winner("game over") == "-");
  index.remove(template_intent("game", "play", {}));
  CHECK(candidates("play the game").empty());
  CHECK(index.intents().empty());
  index.remove(play);
  add(play);
  CHECK(winner("put on hello") == "music:play");
}

TEST_CASE_FIXTURE(IndexFixture, "index: every change counts as a revision, a vain removal does not") {
  const auto before = index.revision();
  index.remove(template_intent("music", "play", {}));
  CHECK(index.revision() == before);
  add(template_intent("music", "play", {"play"}));
  const auto added = index.revision();
  CHECK(added > before);
  add(entity("music", "song", {"hello"}));
  CHECK(index.revision() > added);
}

TEST_CASE_FIXTURE(IndexFixture, "index: a sample that can't be compiled is named, the others count") {
  const auto problems = add(template_intent("music", "play", {"play (", "play music"}));
  REQUIRE(problems.size() == 1);
  CHECK(problems.front().starts_with("music:play (en-US): 'play (': "));
  CHECK(winner("play music") == "music:play");
}

TEST_CASE_FIXTURE(IndexFixture,
                  "bad input: utterances without words, garbage and endless ones are nobody's") {
  add(template_intent("music", "play", {"play {song}"}));
  add(keyword_intent("lamp", "on", {{"light"}}));
  for (const char* said : {"", "   ", "?!…", "\xff\xfe\x80", "\xf0\x9f", "\x01\x02", "🎵🎶"}) {
    CHECK_MESSAGE(candidates(said).empty(), said);
  }
  CHECK(winner("play \xff\xfe hello") == "music:play");
  std::string endless = "play";
  for (std::size_t i = 1; i < kMaxWords; ++i) endless += " la";
  CHECK(winner(endless) == "music:play");
  CHECK(candidates(endless + " light").empty());
  CHECK(candidates(std::string(1 << 20, 'x')).empty());
}

TEST_CASE_FIXTURE(IndexFixture,
                  "bad input: words that no registration has match only where a slot takes them") {
  add(template_intent("music", "play", {"play {song}", "stop the music"}));
  CHECK(candidates("flurb the grommet").empty());
  CHECK(candidates("stop the flurb").empty());
  CHECK(slots("play flurb") == Slots{{"song", "flurb"}});
}

TEST_CASE_FIXTURE(IndexFixture, "index: a big registration is put in and taken out a little at a time") {
  constexpr std::size_t kMany = 5000;
  add(template_intent("music", "play", {"play music"}));
  LanguageIndex& english = *index.language_of("en");
  const std::size_t states = english.templates().size();
  std::vector<std::string> samples;
  for (std::size_t i = 0; i < kMany; ++i) samples.push_back("sample " + std::to_string(i));
  const auto big = std::make_shared<const IntentRegistration>(template_intent("big", "one", samples));
  index.begin_add(big, std::make_shared<Compiled>(compile(*big)));
  CHECK(english.templates().size() == states);
  CHECK(winner("play music") == "music:play");
  std::size_t most = 0;
  std::size_t before = states;
  const auto work = [&] {
    const bool more = index.work();
    const std::size_t now = english.templates().size();
    most = std::max(most, now > before ? now - before : before - now);
    before = now;
    return more;
  };
  while (work()) {
  }
  CHECK(winner("sample 4999") == "big:one");
  CHECK(before == states + kMany + 1);
  index.remove(*big);
  CHECK(winner("sample 4999") == "-");
  CHECK(english.templates().size() > states + kMany / 2);
  before = english.templates().size();
  while (work()) {
  }
  CHECK(before == states);
  CHECK(most <= 1000);
  CHECK(winner("play music") == "music:play");
}

TEST_CASE_FIXTURE(IndexFixture,
                  "index: a registration that is removed while it is put in leaves nothing behind") {
  std::vector<std::string> samples;
  for (int i = 0; i < 5000; ++i) samples.push_back("value " + std::to_string(i));
  const auto big = std::make_shared<const EntityRegistration>(entity("music", "song", samples));
  index.begin_add(big, std::make_shared<Compiled>(compile(*big)));
  CHECK(index.work());
  index.remove(*big);
  while (index.work()) {
  }
  CHECK(index.language_of("en") == nullptr);
}
