// W-6: turns of older skills (ovos-wire 3 to 6, 8).
#include "support/ovos_peer.hpp"

using namespace parley;
using namespace parley::net::ovos;
using parley::testing::OvosPeer;
using parley::testing::topics;

namespace {

constexpr const char* kCook = OvosPeer::kSkill;
const std::string kId = kCook;
using Topics = std::vector<std::string>;

/// An older skill is known by what it registered.
void register_in(OvosPeer& peer) {
  peer.says("mycroft.skills.loaded", {{"id", kCook}});
}

Message ping_of(const std::string& topic, const Json& session = {{"session_id", "kitchen"}}) {
  return OvosPeer::message(
      topic, {{"utterances", {"hello"}}, {"lang", "en-US"}},
      {{"session", session}, {"utterance_id", "t"}, {"source", "core"}, {"destination", "me"}});
}

/// What the skill answers to something it heard, in its context.
Json in_context_of(const Message& heard) {
  Json context = to_json(heard).at("context");
  context["skill_id"] = kCook;
  return context;
}

const Message& heard_of(const std::vector<Message>& all, const std::string& topic) {
  for (const auto& one : all) {
    if (one.type() == topic) return one;
  }
  FAIL("it did not hear " << topic);
  return all.front();
}

}  // namespace

TEST_CASE("ovos-wire 3.1: slots are at the top level too, and what D-1 names wins") {
  OvosPeer peer;
  register_in(peer);
  const Heard heard = peer.hears_dispatch("cook.intent", {{"what", "soup"}, {"lang", "a slot"}});
  REQUIRE(heard.instead);
  CHECK(heard.instead->data() == Json{{"what", "soup"},
                                      {"lang", "en-US"},
                                      {"utterance", "make pasta"},
                                      {"utterances", {"make pasta"}},
                                      {"slots", {{"what", "soup"}, {"lang", "a slot"}}}});
}

TEST_CASE("ovos-wire 3.1: for a skill of today as well, and for nobody but its own connection") {
  Translator translator;
  const Message dispatch = OvosPeer::dispatch("cook", {{"what", "soup"}});
  const Heard own = translator.hear(dispatch, true, 1'000);
  REQUIRE(own.instead);
  CHECK(own.instead->text("what") == "soup");
  CHECK_FALSE(own.instead->data().contains("utterances"));
  CHECK(own.before.empty());
  CHECK(own.after.empty());
  CHECK_FALSE(translator.hear(dispatch, false, 1'000).instead);
}

TEST_CASE("ovos-wire 3.1: an Adapt intent has what Adapt adds, and its names with and without the skill's") {
  OvosPeer peer;
  const std::string type = "pasta_openvoiceosCook";
  peer.says("register_vocab", {{"entity_value", "cook"}, {"entity_type", type}, {"lang", "en-US"}},
            OvosPeer::of_skill());
  peer.says("register_intent",
            {{"name", kId + ":CookIntent"}, {"requires", Json::array({Json::array({type, type})})}},
            OvosPeer::of_skill());
  const Json data = peer.hears_dispatch("CookIntent", {{type, "cook"}}).instead.value().data();
  CHECK(data.at(type) == "cook");
  CHECK(data.at("Cook") == "cook");
  CHECK(data.at("intent_type") == kId + ":CookIntent");
  CHECK(data.at("target") == nullptr);
  CHECK(data.at("confidence") == 1.0);
  CHECK(data.at("__tags__") == Json::array());
}

TEST_CASE("ovos-wire 3.2: a skill is activated before its handler is called") {
  OvosPeer peer;
  register_in(peer);
  const Heard heard = peer.hears_dispatch("cook.intent");
  CHECK(topics(heard.before) == Topics{kId + ".converse.ping", kId + ".activate"});
  CHECK(topics(peer.hears_dispatch("cook.intent").before) == Topics{kId + ".activate"});
}

TEST_CASE("ovos-wire 3.3: a handler is done when its older trio says so, once") {
  OvosPeer peer;
  const std::string done = "mycroft.skill.handler.complete";
  peer.hears_dispatch("cook.intent");
  CHECK(peer.says("mycroft.skill.handler.start", {{"name", "P.cook"}}, OvosPeer::context_of_turn())
            .passed.empty());
  SUBCASE("complete") {
    const Json report = peer.becomes(done, {{"name", "P.cook"}}, OvosPeer::context_of_turn());
    CHECK(report.at("type") == "ovos.intent.handler.complete");
    CHECK(report.at("data") == Json{{"skill_id", kCook}, {"intent_name", "cook.intent"}});
    CHECK(report.at("context").at("utterance_id") == "t");
  }
  SUBCASE("an error, with a complete behind it") {
    const Json report =
        peer.becomes("mycroft.skill.handler.error", {{"name", "P.cook"}, {"exception", "burnt"}},
                     OvosPeer::context_of_turn());
    CHECK(report.at("type") == "ovos.intent.handler.error");
    CHECK(report.at("data").at("exception") == "burnt");
  }
  for (const std::string& topic : {done, std::string("ovos.utterance.handled")}) {
    const Said said = peer.says(topic, {{"name", "P.cook"}}, OvosPeer::context_of_turn());
    CHECK(said.passed.empty());
    CHECK(said.notes.empty());
    CHECK(said.dropped != nullptr);
  }
}

TEST_CASE("ovos-wire 3.3: the older trio counts without `compat` as well") {
  OvosPeer peer;
  peer.translator = Translator();
  peer.terms = Terms();
  peer.hears_dispatch("cook");
  CHECK(peer.says("mycroft.skill.handler.start", Json::object(), OvosPeer::context_of_turn()).passed.empty());
  CHECK(peer.becomes("mycroft.skill.handler.complete", Json::object(), OvosPeer::context_of_turn())
            .at("type") == "ovos.intent.handler.complete");
  CHECK(peer.says("mycroft.skill.handler.complete", Json::object(), OvosPeer::context_of_turn())
            .passed.empty());
}

TEST_CASE("ovos-wire 3.3: a sequence that comes back to a skill in one turn ends each time") {
  OvosPeer peer;
  for (int i = 0; i < 2; ++i) {
    peer.hears_dispatch("cook.intent");
    CHECK(peer.becomes("mycroft.skill.handler.complete", Json::object(), OvosPeer::context_of_turn())
              .at("type") == "ovos.intent.handler.complete");
  }
}

TEST_CASE("ovos-wire 3.4: speech keeps what it says, and `expect_response` is to listen") {
  OvosPeer peer;
  const Json speech = peer.becomes(
      "speak", {{"utterance", "how much?"}, {"expect_response", true}, {"meta", {{"dialog", "x"}}}});
  CHECK(speech.at("type") == "ovos.utterance.speak");
  CHECK(speech.at("data").at("listen") == true);
  CHECK(speech.at("data").at("meta") == Json{{"dialog", "x"}});
}

TEST_CASE("ovos-wire 3.5 and 3.6: what has no name of today goes on as it is") {
  OvosPeer peer;
  for (const std::string topic :
       {"mycroft.mic.listen", "mycroft.audio.play_sound", "gui.page.show", "enclosure.eyes.spin",
        "ovos.common_play.announce", "pasta.openvoiceos.public_api"}) {
    CHECK(peer.becomes(topic, {{"x", 1}}).at("type") == topic);
  }
}

TEST_CASE("ovos-wire 3: a skill_id that was only copied from what was heard claims no skill") {
  OvosPeer peer;
  register_in(peer);
  const Json theirs = {{"skill_id", "other.test"}};
  CHECK_FALSE(peer.becomes("mycroft.mic.listen", Json::object(), theirs).at("context").contains("skill_id"));
  CHECK(
      peer.becomes("mycroft.mic.listen", Json::object(), OvosPeer::of_skill()).at("context").at("skill_id") ==
      kCook);
}

TEST_CASE("ovos-wire 4: a question to the user, its answer, and its end") {
  OvosPeer peer;
  peer.hears_dispatch("cook.intent");
  const auto mode = [](const Json& sync) {
    CHECK(sync.at("type") == "ovos.session.sync");
    CHECK(sync.at("context").at("utterance_id") == "t");
    CHECK(sync.at("data").at("session").at("session_id") == "kitchen");
    return sync.at("data").at("session").at("response_mode");
  };
  const Json asked =
      peer.becomes("skill.converse.get_response.enable", {{"skill_id", kCook}}, OvosPeer::context_of_turn());
  CHECK(mode(asked) == Json{{"skill_id", kCook}, {"expires_at", 1'060.0}});  // 4.1

  peer.now += 20;
  for (const std::string topic : {"speak", "mycroft.mic.listen"}) {
    const Said again = peer.says(topic, {{"utterance", "how much?"}, {"expect_response", true}},
                                 OvosPeer::context_of_turn());
    REQUIRE(again.passed.size() == 2);
    CHECK(mode(to_json(again.passed[0])) == Json{{"skill_id", kCook}, {"expires_at", 1'080.0}});
  }
  CHECK(peer.says("speak", {{"utterance", "well"}, {"expect_response", false}}, OvosPeer::context_of_turn())
            .passed.size() == 1);

  Json context = OvosPeer::context_of_turn();  // 4.3
  context["utterance_id"] = "u";
  const Heard answer = peer.hears(OvosPeer::message(
      kId + ":response", {{"lang", "en-US"}, {"utterance", "a lot"}, {"slots", Json::object()}}, context));
  CHECK(topics(answer.after) == Topics{kId + ".converse.get_response"});
  CHECK(answer.after.front().data() ==
        Json{{"utterance", "a lot"}, {"utterances", {"a lot"}}, {"lang", "en-US"}, {"skill_id", kCook}});
  REQUIRE(topics(answer.passed) == Topics{"ovos.intent.handler.complete"});
  CHECK(answer.passed.front().text("intent_name") == "response");
  CHECK(answer.passed.front().context().utterance_id == "u");

  const Json over =
      peer.becomes("skill.converse.get_response.disable", {{"skill_id", kCook}}, OvosPeer::context_of_turn());
  CHECK(mode(over) == Json{{"skill_id", kCook}, {"expires_at", 0}});  // 4.4
  CHECK(peer.says("skill.converse.get_response.disable", {{"skill_id", kCook}}, OvosPeer::context_of_turn())
            .passed.empty());
  CHECK(peer.says("speak", {{"utterance", "?"}, {"expect_response", true}}, OvosPeer::context_of_turn())
            .passed.size() == 1);
}

TEST_CASE("ovos-wire 4.1 and 1.3: what a skill says while it waits tells whose the next words are") {
  OvosPeer peer;
  peer.hears_dispatch("cook.intent");
  const auto says = [&](const std::string& state) {
    const Json session = {{"session_id", "kitchen"}, {"utterance_states", {{kCook, state}}}};
    return peer.says("speak", {{"utterance", "how much?"}}, OvosPeer::context_of_turn(session))
        .passed.back()
        .context()
        .session;
  };
  const SessionPtr asking = says("response");
  REQUIRE(asking->response_mode);
  CHECK(asking->response_mode->skill_id == kCook);
  CHECK_FALSE(says("intent")->response_mode);
}

TEST_CASE("ovos-wire 3: a skill whose id could be part of no topic is no skill") {
  OvosPeer peer;
  peer.says("detach_intent", {{"intent_name", "a b:cook"}});
  CHECK_FALSE(peer.translator.owns("a b"));
  const Json active = {{"session_id", "s"},
                       {"active_handlers", Json::array({{{"skill_id", "a b"}, {"activated_at", 990}}})}};
  CHECK(peer.hears(ping_of("ovos.stop.ping", active), false).after.empty());
}

TEST_CASE("ovos-wire 4.5: a question that was given up is not renewed") {
  OvosPeer peer;
  peer.hears_dispatch("cook.intent");
  peer.says("skill.converse.get_response.enable", {{"skill_id", kCook}}, OvosPeer::context_of_turn());
  CHECK(peer.says(kId + ".get_response.killed", Json::object(), OvosPeer::context_of_turn()).passed.size() ==
        1);
  CHECK(peer.says("speak", {{"utterance", "?"}, {"expect_response", true}}, OvosPeer::context_of_turn())
            .passed.size() == 1);
}

TEST_CASE("ovos-wire 5.1 and 5.2: whether a skill converses is known before anybody waits for it") {
  OvosPeer peer;
  register_in(peer);
  const Heard dispatched = peer.hears_dispatch("cook.intent");
  const Message& probe = heard_of(dispatched.before, kId + ".converse.ping");
  CHECK(probe.data().at("utterances") == Json::array({"make pasta"}));
  const Json no = {{"skill_id", kCook}, {"can_handle", false}};
  SUBCASE("it says nothing: the door says so, at once") {
    const Heard heard = peer.hears(ping_of(kId + ".converse.ping"));
    CHECK(heard.instead->text("skill_id") == kCook);
    REQUIRE(topics(heard.passed) == Topics{kId + ".converse.pong"});
    CHECK(heard.passed.front().data().at("result") == false);
    CHECK(heard.passed.front().context().skill_id == kCook);
    CHECK(heard.passed.front().context().utterance_id == "t");
  }
  SUBCASE("it answers: the stage asks it from then on") {
    CHECK(peer.says("skill.converse.pong", no, in_context_of(probe)).passed.empty());
    const Message ping = ping_of(kId + ".converse.ping");
    CHECK(peer.hears(ping).passed.empty());
    const Json pong =
        peer.becomes("skill.converse.pong", {{"skill_id", kCook}, {"can_handle", true}}, in_context_of(ping));
    CHECK(pong.at("type") == kId + ".converse.pong");
    CHECK(pong.at("data").at("result") == true);
    CHECK(pong.at("context").at("skill_id") == kCook);
  }
}

TEST_CASE("ovos-wire 5.2: a skill that nothing is known of is asked once") {
  OvosPeer peer;
  register_in(peer);
  CHECK(peer.hears(ping_of(kId + ".converse.ping")).passed.empty());
  CHECK(peer.hears(ping_of(kId + ".converse.ping")).passed.size() == 1);
}

TEST_CASE("ovos-wire 5.1: nobody answers for a skill of today") {
  OvosPeer peer;
  peer.says("ovos.intent.register.template", {{"skill_id", kCook}, {"intent_name", "x"}},
            OvosPeer::of_skill());
  CHECK(peer.hears(ping_of(kId + ".converse.ping")).passed.empty());
  CHECK(peer.hears(ping_of(kId + ".converse.ping")).passed.empty());
}

TEST_CASE("ovos-wire 5.3: the request comes with its sides swapped, and its answer ends the turn") {
  OvosPeer peer;
  register_in(peer);
  const Heard heard = peer.hears_dispatch("converse");
  CHECK_FALSE(heard.instead);
  CHECK(heard.before.empty());
  REQUIRE(topics(heard.after) == Topics{kId + ".converse.request"});
  const Message& request = heard.after.front();
  CHECK(request.context().source == "me");
  CHECK(request.context().destination == std::vector<std::string>{"core"});
  CHECK(request.data() == Json{{"utterance", "make pasta"},
                               {"utterances", {"make pasta"}},
                               {"lang", "en-US"},
                               {"skill_id", kCook}});
  // What its own conversational intents say of themselves is not the end.
  CHECK(peer.says("mycroft.skill.handler.complete", Json::object(), in_context_of(request)).passed.empty());
  Json data = {{"skill_id", kCook}, {"result", nullptr}};
  std::string expected = "ovos.intent.handler.complete";
  SUBCASE("it took it") {}
  SUBCASE("it failed") {
    data["error"] = "burnt";
    expected = "ovos.intent.handler.error";
  }
  const Json report = peer.becomes("skill.converse.response", data, in_context_of(request));
  CHECK(report.at("type") == expected);
  CHECK(report.at("data").at("intent_name") == "converse");
  CHECK(peer.says("skill.converse.response", data, in_context_of(request)).passed.empty());
}

TEST_CASE("ovos-wire 5.4: a skill asks to be active, and not to be") {
  OvosPeer peer;
  const Said said = peer.says("intent.service.skills.activate", {{"skill_id", kCook}, {"timeout", 5}},
                              OvosPeer::of_skill());
  REQUIRE(said.asked.size() == 1);
  CHECK(said.asked.front().first == net::ovos::Query::kActivate);
  const auto answer =
      peer.translator.answer(net::ovos::Query::kActivate, said.asked.front().second, Json::object());
  CHECK(answer->type() == "intent.service.skills.activated");
  CHECK(answer->data() == Json{{"skill_id", kCook}});
  CHECK(peer.says("intent.service.skills.deactivate", {{"skill_id", kCook}}, OvosPeer::of_skill())
            .asked.front()
            .first == net::ovos::Query::kDeactivate);
}

TEST_CASE("ovos-wire 5.5 and 0.6: what a skill says to itself under a topic with ':' is relayed") {
  OvosPeer peer;
  const Said said = peer.says(kId + ".converse:yes.intent", {{"x", 1}}, OvosPeer::context_of_turn());
  CHECK(topics(said.relayed) == Topics{kId + ".converse:yes.intent"});
  CHECK(said.passed.empty());
}

TEST_CASE("ovos-wire 6.2: the ping of an older fallback, and the pong of the one that was asked") {
  OvosPeer peer;
  peer.says("ovos.skills.fallback.register", {{"skill_id", kCook}, {"priority", 50}});
  peer.says("ovos.skills.fallback.register", {{"skill_id", "rice.test"}, {"priority", 50}});
  const Message ping = ping_of(kId + ".fallback.ping");
  const Heard heard = peer.hears(ping);
  REQUIRE(topics(heard.after) == Topics{"ovos.skills.fallback.ping"});
  CHECK(heard.after.front().data().at("utterances") == Json::array({"hello"}));
  CHECK(heard.after.front().data().at("range") == Json::array({0, 101}));
  const std::string pong = "ovos.skills.fallback.pong";
  CHECK(peer.says(pong, {{"skill_id", "rice.test"}, {"can_handle", true}}).passed.empty());
  const Json answer = peer.becomes(pong, {{"skill_id", kCook}, {"can_handle", true}});
  CHECK(answer.at("type") == kId + ".fallback.pong");
  CHECK(answer.at("data") == Json{{"skill_id", kCook}, {"can_handle", true}});
  CHECK(answer.at("context").at("skill_id") == kCook);
  CHECK(answer.at("context").at("utterance_id") == "t");
  CHECK(peer.says(pong, {{"skill_id", kCook}, {"can_handle", true}}).passed.empty());
}

TEST_CASE("ovos-wire 6.3: the request of an older fallback, and its end") {
  OvosPeer peer;
  peer.says("ovos.skills.fallback.register", {{"skill_id", kCook}, {"priority", 50}});
  const Heard heard = peer.hears_dispatch("fallback");
  const std::string topic = "ovos.skills.fallback." + kId;
  REQUIRE(topics(heard.after) == Topics{topic + ".request"});
  CHECK(heard.after.front().data().at("utterances") == Json::array({"make pasta"}));
  CHECK(peer.says(topic + ".start", Json::object(), OvosPeer::context_of_turn()).passed.empty());
  SUBCASE("done, whatever it thinks of it") {
    const Json report = peer.becomes(topic + ".response", {{"result", false}, {"fallback_handler", "P.x"}},
                                     OvosPeer::context_of_turn());
    CHECK(report.at("type") == "ovos.intent.handler.complete");
    CHECK(report.at("data").at("intent_name") == "fallback");
  }
  SUBCASE("ended by somebody") {
    CHECK(peer.becomes(topic + ".killed", Json::object(), OvosPeer::context_of_turn()).at("type") ==
          "ovos.intent.handler.error");
  }
}

TEST_CASE("ovos-wire 8: an older skill is asked whether it can stop, is stopped, and says so") {
  OvosPeer peer;
  register_in(peer);
  const Json active = {
      {"session_id", "kitchen"},
      {"active_handlers", Json::array({{{"skill_id", kCook}, {"activated_at", 990}},
                                       {{"skill_id", "other.test"}, {"activated_at", 980}}})}};
  const Message ping = ping_of("ovos.stop.ping", active);
  const Heard asked = peer.hears(ping, false);
  REQUIRE(topics(asked.after) == Topics{kId + ".stop.ping"});  // 8.1
  CHECK(asked.after.front().data() == Json{{"skill_id", kCook}});
  CHECK(peer.hears(ping_of("ovos.stop.ping"), false).after.empty());
  const Json pong =
      peer.becomes("skill.stop.pong", {{"skill_id", kCook}, {"can_handle", true}}, in_context_of(ping));
  CHECK(pong.at("type") == "ovos.stop.pong");
  CHECK(pong.at("context").at("skill_id") == kCook);

  const Heard stopped = peer.hears_dispatch("stop");  // 8.2
  REQUIRE(topics(stopped.after) == Topics{kId + ".stop"});
  const Json done = {{"skill_id", kCook}, {"result", true}};
  CHECK(peer.becomes(kId + ".stop.response", done, in_context_of(stopped.after.front())).at("type") ==
        "ovos.intent.handler.complete");
  // 8.3: every skill answers a stop of everything, and nobody has asked.
  CHECK(peer.says(kId + ".stop.response", done, OvosPeer::of_skill()).passed.empty());
}

TEST_CASE("ovos-wire 3: the latest turns are remembered, no more") {
  OvosPeer peer;
  for (std::size_t i = 0; i <= Translator::kMostTurns; ++i) {
    Json context = OvosPeer::context_of_turn();
    context["utterance_id"] = "t" + std::to_string(i);
    peer.hears(OvosPeer::message(
        kId + ":cook", {{"lang", "en-US"}, {"utterance", "x"}, {"slots", Json::object()}}, context));
  }
  Json context = OvosPeer::context_of_turn();
  context["utterance_id"] = "t0";
  CHECK(peer.says("mycroft.skill.handler.complete", Json::object(), context).passed.empty());
  context["utterance_id"] = "t1";
  CHECK(peer.says("mycroft.skill.handler.complete", Json::object(), context).passed.size() == 1);
}
