// Skills of OVOS in a process of their own (support/ovos_skills.py), and a client of OVOS that talks to them.
#include "net/grant.hpp"
#include "support/ovos_double.hpp"
#include "support/patience.hpp"

using namespace parley;
using namespace parley::testing;

namespace {

/// Starts the server and the skills, and holds a conversation.
class OvosKitchen : public OvosServer {
 public:
  void start_with(const Texts& skills) {
    start();
    skills_.emplace(*this, skills);
  }
  Texts say(const Texts& utterances, const std::string& session = "kitchen") {
    return conversation(port(), session, utterances).spoken();
  }
  OlderSkills& skills() { return *skills_; }

 private:
  std::optional<OlderSkills> skills_;
};

/// A skill of a test, over a socket: what it says carries the session every older client sends.
class OlderVoice {
 public:
  OlderVoice(Served& server, std::string id, const std::string& query = {})
      : id_(std::move(id)), client_(server.client(query)) {
    say("ovos.session.sync", kEmpty);
  }
  void say(const std::string& topic, const Json& data) {
    client_.send(topic, data, {{"session", ovos_session("default")}, {"skill_id", id_}});
  }
  CoreClient& client() { return client_; }

 private:
  std::string id_;
  CoreClient client_;
};

Json phrase_of_far(const std::string& phrase) {
  return {{"entity_value", phrase}, {"entity_type", "far_testWord"}, {"lang", "en-US"}};
}

std::string log_of(const Served& server) {
  std::string text;
  for (const auto& line : server.log.all()) text += line + "\n";
  return text;
}

}  // namespace

TEST_CASE(
    "W-6 slots (ovos-wire 2.1, 2.2, 2.5, 3.1): a handler finds them at the top of the data, from templates "
    "and from Adapt") {
  OvosKitchen kitchen;
  kitchen.start_with({"colours.example"});
  CHECK(kitchen.say({"paint it light blue"}) == Texts{"Painting it light blue."});
  CHECK(kitchen.say({"mix red"}) == Texts{"Mixing red."});
  CHECK(kitchen.say({"stir dark green"}) == Texts{"Mixing dark green."});
  CHECK_MESSAGE(kitchen.log.complaints().empty(), log_of(kitchen));
}

TEST_CASE(
    "W-6 questions (ovos-wire 4.1 to 4.4, 1.3, 1.4): the answer comes to the handler that waits, also in a "
    "named session") {
  OvosKitchen kitchen;
  kitchen.start_with({"cook.example", "shrug.example"});
  SUBCASE("named") {
    CHECK(kitchen.say({"boil an egg", "five minutes"}) ==
          Texts{"For how long?", "Boiling it for five minutes."});
  }
  SUBCASE("the default one") {
    CHECK(kitchen.say({"boil an egg", "five minutes"}, "default") ==
          Texts{"For how long?", "Boiling it for five minutes."});
  }
  SUBCASE("and is asked for again") {
    CHECK(kitchen.say({"boil an egg", "cancel", "boil an egg", "two"}) ==
          Texts{"For how long?", "No egg then.", "For how long?", "Boiling it for two."});
  }
  CHECK_MESSAGE(kitchen.log.complaints().empty(), log_of(kitchen));
}

TEST_CASE("W-6 questions (ovos-wire 4.4): when the answer has come, the next words are nobody's answer") {
  OvosKitchen kitchen;
  kitchen.start_with({"cook.example", "shrug.example"});
  CHECK(kitchen.say({"boil an egg", "five minutes", "well well"}) ==
        Texts{"For how long?", "Boiling it for five minutes.", "I don't understand."});
}

TEST_CASE("W-6 questions (ovos-wire 4.3): yes or no, and one of several") {
  OvosKitchen kitchen;
  kitchen.start_with({"cook.example"});
  CHECK(kitchen.say({"cook dinner", "yes please"}) == Texts{"With garlic?", "Garlic: yes."});
  CHECK(kitchen.say({"cook dinner", "no"}) == Texts{"With garlic?", "Garlic: no."});
  CHECK(kitchen.say({"what is on the menu", "the second"}) ==
        Texts{"soup, salad, or bread?", "Which one?", "One salad."});
}

TEST_CASE(
    "W-6 converse (ovos-wire 5.1, 5.3, 5.4, 3.2): a skill that was activated is asked first, until it is no "
    "more") {
  OvosKitchen kitchen;
  kitchen.start_with({"parrot.example", "shrug.example"});
  CHECK(kitchen.say({"start the parrot", "hello there", "fly away", "hello there"}) ==
        Texts{"I am a parrot.", "hello there", "fly away", "I don't understand."});
  kitchen.skills().wait_for("parrot.example activated");
  kitchen.skills().wait_for("parrot.example deactivated");
  CHECK_MESSAGE(kitchen.log.complaints().empty(), log_of(kitchen));
}

TEST_CASE("W-6 converse (ovos-wire 5.3, 5.5): an intent of its own, and an error, are the skill's") {
  OvosKitchen kitchen;
  kitchen.start_with({"parrot.example", "shrug.example"});
  const Heard heard = conversation(kitchen.port(), "kitchen", {"start the parrot", "louder", "fall over"});
  CHECK(heard.spoken() == Texts{"I am a parrot."});
  kitchen.skills().wait_for("parrot.example louder, in kitchen");
  REQUIRE(heard.count("mycroft.skill.handler.error") == 1);
  CHECK(contains(heard.texts("mycroft.skill.handler.error").front(), "fell over"));
}

TEST_CASE("W-6 converse (ovos-wire 5.1): another session is not drawn in") {
  OvosKitchen kitchen;
  kitchen.start_with({"parrot.example", "shrug.example"});
  CHECK(kitchen.say({"start the parrot"}, "one") == Texts{"I am a parrot."});
  CHECK(kitchen.say({"hello there"}, "two") == Texts{"I don't understand."});
}

TEST_CASE(
    "W-6 fallback (ovos-wire 6.1 to 6.3): by priority, each once, and what says it took nothing has ended "
    "all the same") {
  OvosKitchen kitchen;
  kitchen.start_with({"shrug.example", "luck.example"});
  CHECK(kitchen.say({"what luck", "flurb"}) == Texts{"Luck it is.", "I don't understand."});
  CHECK_MESSAGE(kitchen.log.complaints().empty(), log_of(kitchen));
}

TEST_CASE(
    "W-6 common query (ovos-wire 7.1 to 7.3): the best answer is spoken once, and its skill's callback "
    "runs") {
  OvosKitchen kitchen;
  kitchen.start_with({"atlas.example", "almanac.example", "shrug.example"});
  const Heard plain = conversation(kitchen.port(), "kitchen", {"what is the capital of france"});
  CHECK(plain.spoken() == Texts{"Paris, says the atlas."});
  CHECK(plain.count("ovos.utterance.handled") == 1);
  kitchen.skills().wait_for("atlas.example callback what is the capital of france");
  const Heard classic = conversation(kitchen.port(), "kitchen", {"what is the capital of italy"});
  CHECK(classic.spoken() == Texts{"Rome, says the almanac."});
  kitchen.skills().wait_for("almanac.example callback what is the capital of italy");
  CHECK(kitchen.say({"what is the capital of nowhere"}) == Texts{"I don't understand."});
}

TEST_CASE(
    "W-6 stop (ovos-wire 8.1 to 8.3): a skill is stopped in the middle of what it says, and in its own "
    "session alone") {
  OvosKitchen kitchen;
  kitchen.start_with({"counting.example"});
  CoreClient user = kitchen.client();
  const Json session = ovos_session("kitchen");
  user.send("recognizer_loop:utterance", utterance("keep counting"), {{"session", session}});
  const Json spoken = user.receive("speak");
  CHECK(spoken.at("data").at("utterance") == "one");
  SUBCASE("by what the user says") {
    user.send("recognizer_loop:utterance", utterance("stop"),
              {{"session", as_ovos_keeps(spoken.at("context").at("session"))}});
  }
  SUBCASE("by the message of that name") {
    user.send("mycroft.stop", kEmpty, {{"session", session}});
  }
  kitchen.skills().wait_for("counting.example was stopped");
  user.receive("ovos.utterance.handled");
}

TEST_CASE("W-6 stop (ovos-wire 4.5): a question is given up") {
  OvosKitchen kitchen;
  kitchen.start_with({"cook.example"});
  CoreClient user = kitchen.client();
  user.send("recognizer_loop:utterance", utterance("boil an egg"), {{"session", ovos_session("kitchen")}});
  const Json asked = user.receive("speak");
  CHECK(asked.at("data").at("expect_response") == true);
  user.send("mycroft.stop", kEmpty, {{"session", as_ovos_keeps(asked.at("context").at("session"))}});
  const Json session = user.receive("ovos.utterance.handled").at("context").at("session");
  user.passed.clear();
  user.send("recognizer_loop:utterance", utterance("five minutes"), {{"session", as_ovos_keeps(session)}});
  user.receive("ovos.utterance.handled");
  CHECK(user.count("complete_intent_failure") == 1);
}

TEST_CASE(
    "W-6 context (ovos-wire 2.6, 9.1): it opens an intent, comes along as a slot, and is taken away again") {
  OvosKitchen kitchen;
  kitchen.start_with({"story.example", "shrug.example"});
  CHECK(kitchen.say({"more", "tell me a story", "more", "close the book", "more"}) ==
        Texts{"I don't understand.", "Once upon a time.", "More of the frog.", "The end.",
              "I don't understand."});
}

TEST_CASE(
    "W-6 intents (ovos-wire 2.7): what a handler takes back is gone for everybody, and comes back for "
    "everybody") {
  OvosKitchen kitchen;
  kitchen.start_with({"gate.example", "shrug.example"});
  CHECK(kitchen.say({"open the gate", "lock the gate"}, "one") == Texts{"Open.", "Locked."});
  CHECK(kitchen.say({"open the gate", "unlock the gate"}, "two") ==
        Texts{"I don't understand.", "Unlocked."});
  CHECK(kitchen.say({"open the gate"}, "default") == Texts{"Open."});
}

TEST_CASE("W-6 intents (ovos-wire 2.9): others ask a skill to take one back, and it does") {
  OvosKitchen kitchen;
  kitchen.start_with({"gate.example", "shrug.example"});
  CoreClient user = kitchen.client();
  for (const auto& [topic, answer] : {std::pair("mycroft.skill.disable_intent", "I don't understand."),
                                      std::pair("mycroft.skill.enable_intent", "Open.")}) {
    user.send(topic, {{"intent_name", "open.intent"}}, {{"session", ovos_session("default")}});
    Patience waits;  // the skill hears it, and says it to the core, in its own time
    while (kitchen.say({"open the gate"}) != Texts{answer}) waits.once_more(topic);
  }
}

TEST_CASE("W-6 errors (ovos-wire 3.3): they end the turn once, as one, and complete behind it is no fault") {
  OvosKitchen kitchen;
  kitchen.start_with({"broken.example"});
  const Heard heard = conversation(kitchen.port(), "kitchen", {"break something", "break something"});
  CHECK(heard.count("mycroft.skill.handler.error") == 2);
  CHECK(heard.count("ovos.utterance.handled") == 2);
  CHECK_MESSAGE(kitchen.log.complaints().empty(), log_of(kitchen));
}

TEST_CASE(
    "W-6 processes (ovos-wire 2.8): two processes, two skills in one of them, and one that goes takes only "
    "its own along") {
  OvosKitchen kitchen;
  kitchen.start_with({"colours.example", "shrug.example"});
  {
    OlderSkills more(kitchen, {"gate.example"});
    CHECK(kitchen.say({"open the gate", "make it red"}) == Texts{"Open.", "Painting it red."});
  }
  Patience waits;
  while (kitchen.say({"open the gate"}) != Texts{"I don't understand."}) waits.once_more("the gate to go");
  CHECK(kitchen.say({"make it red"}) == Texts{"Painting it red."});
}

TEST_CASE("W-6 registration (ovos-wire 2): hundreds of messages in a burst are not throttled") {
  OvosServer server;
  server.tokens("  skills: {token_sha256: " + net::sha256("s") + ", messages_per_second: 20}\n" +
                "  user: {token_sha256: " + net::sha256("u") + "}\n");
  server.start();
  OlderVoice skill(server, "far.test", "?token=s");
  constexpr int kPhrases = 400;
  for (int i = 0; i < kPhrases; ++i) skill.say("register_vocab", phrase_of_far("word" + std::to_string(i)));
  skill.say("register_intent", {{"name", "far.test:WordIntent"},
                                {"requires", Json::array({Json::array({"far_testWord", "far_testWord"})})},
                                {"optional", Json::array()},
                                {"at_least_one", Json::array()},
                                {"excludes", Json::array()}});
  skill.say("mycroft.skills.loaded", {{"id", "far.test"}});
  skill.client().receive("mycroft.skills.loaded");
  CoreClient user = server.client("?token=u");
  user.send("ovos.utterance.handle", utterance("word399"), in_session("s"));
  const Json dispatch = skill.client().receive("far.test:WordIntent");
  CHECK(dispatch.at("data").at("far_testWord") == "word399");
}

TEST_CASE(
    "W-6 registration (ovos-wire 2.4): what can't be had of Adapt is said once, and costs nothing else") {
  OvosServer server;
  server.start();
  OlderVoice skill(server, "far.test");
  for (const char* regex : {"spell (?P<far_testWord>\\w+)", "write (?P<far_testWord>\\w+)"})
    skill.say("register_vocab", {{"regex", regex}, {"lang", "en-US"}});
  skill.say("padatious:register_intent", {{"name", "far.test:spell.intent"},
                                          {"samples", {"spell {word}"}},
                                          {"lang", "en-US"},
                                          {"file_name", "/opt/spell.intent"},
                                          {"blacklisted_words", nullptr}});
  skill.client().catch_up();
  CHECK(server.log.count("regex") == 1);
  CoreClient user = server.client();
  user.send("ovos.utterance.handle", utterance("spell tree"), in_session("s"));
  CHECK(skill.client().receive("far.test:spell.intent").at("data").at("word") == "tree");
}
