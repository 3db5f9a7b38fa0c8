// W-6: older clients at the door (ovos-wire 0).
#include "support/ovos_peer.hpp"

using namespace parley;
using namespace parley::net::ovos;
using parley::testing::OvosPeer;
using parley::testing::topics;

namespace {

using Topics = std::vector<std::string>;

/// Whether a peer that says this first is taken for an older one.
bool is_older_after(const std::string& topic, const Json& data, bool compat = true) {
  OvosPeer peer;
  peer.translator = Translator();
  peer.terms.compat = compat;
  peer.says(topic, data);
  return peer.translator.is_older();
}

}  // namespace

TEST_CASE("ovos-wire 0.1: an older peer is known by what it says") {
  CHECK(is_older_after("ovos.session.sync", Json::object()));
  CHECK(is_older_after("recognizer_loop:utterance", Json::object()));
  CHECK(is_older_after("register_vocab", Json::object()));
  CHECK(is_older_after("mycroft.skills.is_ready", Json::object()));
  CHECK(is_older_after("speak", Json::object()));
  CHECK_FALSE(is_older_after("ovos.session.sync", {{"session", {{"lang", "en-US"}}}}));
  CHECK_FALSE(is_older_after("ovos.utterance.handle", {{"utterances", {"x"}}}));
  CHECK_FALSE(is_older_after("ovos.intent.register.template", Json::object()));
  CHECK_FALSE(is_older_after("speak", Json::object(), false));
}

TEST_CASE("ovos-wire 0.1: a bare sync asks for the default session, and gets it in its own form") {
  OvosPeer peer;
  const Said said = peer.says("ovos.session.sync", Json::object(), {{"source", "me"}});
  CHECK(said.passed.empty());
  REQUIRE(said.asked.size() == 1);
  CHECK(said.asked.front().first == net::ovos::Query::kDefaultSession);
  const Json now = {{"session_id", "default"},
                    {"converse_handlers", Json::array({{{"skill_id", "a.test"}, {"activated_at", 5.0}}})}};
  const auto answer =
      peer.translator.answer(net::ovos::Query::kDefaultSession, said.asked.front().second, now);
  REQUIRE(answer);
  CHECK(answer->type() == "ovos.session.update_default");
  CHECK(answer->data().at("session_data").at("active_skills") == Json::array({Json::array({"a.test", 5.0})}));
  CHECK(answer->context().destination == std::vector<std::string>{"me"});
}

TEST_CASE("ovos-wire 0.2: who asks whether all is ready is answered at once") {
  OvosPeer peer;
  for (const std::string topic :
       {"mycroft.skills.is_ready", "mycroft.skills.is_alive", "mycroft.skills.all_loaded",
        "mycroft.intents.is_ready", "mycroft.intents.is_alive"}) {
    const Said said = peer.says(topic, Json::object(), {{"source", "workshop"}, {"destination", "skills"}});
    CHECK(said.passed.empty());
    REQUIRE(topics(said.told) == Topics{topic + ".response"});
    CHECK(said.told.front().data() == Json{{"status", true}});
    CHECK(said.told.front().context().destination == std::vector<std::string>{"workshop"});
  }
}

TEST_CASE("ovos-wire 0.3: who connects and does not ask is told that all is ready") {
  OvosPeer peer;
  CHECK_FALSE(peer.translator.due());
  peer.says("ovos.session.sync");
  REQUIRE(peer.translator.due() == peer.now + Translator::kReadyAfter);
  SUBCASE("when nothing comes") {
    CHECK(peer.translator.on_time(peer.now + 1).told.empty());
    CHECK(topics(peer.translator.on_time(peer.now + Translator::kReadyAfter).told) ==
          Topics{"mycroft.ready"});
    CHECK(peer.translator.on_time(peer.now + 100).told.empty());
  }
  SUBCASE("unless it asks") {
    peer.says("mycroft.skills.is_ready");
    peer.says("ovos.session.sync");
    CHECK_FALSE(peer.translator.due());
  }
}

TEST_CASE("ovos-wire 0.6: topics with ':' that are no dispatch are relayed, and not onto the bus") {
  OvosPeer peer;
  for (const std::string topic : {"recognizer_loop:record_begin", "recognizer_loop:audio_output_end",
                                  "recognizer_loop:state.set", "recognizer_loop:b64_transcribe",
                                  "speak:b64_audio", "question:query", "ocp:play", "other.test:intent"}) {
    const Said said = peer.says(topic, {{"x", 1}});
    CHECK(said.passed.empty());
    CHECK(topics(said.relayed) == Topics{topic});
  }
}

TEST_CASE("ovos-wire 0.10: the skills there are") {
  OvosPeer peer;
  const Said said = peer.says("skillmanager.list");
  REQUIRE(said.asked.size() == 1);
  CHECK(said.asked.front().first == net::ovos::Query::kSkills);
  const auto answer =
      peer.translator.answer(net::ovos::Query::kSkills, said.asked.front().second, Json::array({"a.test"}));
  CHECK(answer->type() == "mycroft.skills.list");
  CHECK(answer->data() == Json{{"a.test", {{"active", true}, {"id", "a.test"}}}});
}

TEST_CASE("ovos-wire 0.10: the intent an utterance would become") {
  OvosPeer peer;
  const Said said = peer.says("intent.service.intent.get", {{"utterance", "make pasta"}, {"lang", "en-US"}});
  REQUIRE(said.asked.size() == 1);
  const Message& question = said.asked.front().second;
  CHECK(question.data().at("utterances") == Json::array({"make pasta"}));
  const Json match = {{"skill_id", "a.test"}, {"intent_name", "cook"}, {"slots", {{"what", "pasta"}}}};
  const auto found = peer.translator.answer(net::ovos::Query::kIntent, question,
                                            {{"match", match}, {"pipeline_id", "intent"}});
  CHECK(found->type() == "intent.service.intent.reply");
  CHECK(found->data().at("intent").at("skill_id") == "a.test");
  CHECK(found->data().at("intent").at("intent_name") == "cook");
  CHECK(found->data().at("intent").at("what") == "pasta");
  CHECK(peer.translator.answer(net::ovos::Query::kIntent, question, Json::object())->data().at("intent") ==
        nullptr);
  CHECK(peer.says("intent.service.intent.get").asked.empty());
  for (int i = 0; i < 100; ++i) peer.says("intent.service.intent.get", {{"utterance", "x"}});
  CHECK(peer.says("intent.service.intent.get", {{"utterance", "x"}}).asked.empty());
}

TEST_CASE("ovos-wire 0.10: the skills that are active") {
  OvosPeer peer;
  CHECK(peer.becomes("intent.service.active_skills.get").at("type") == "ovos.converse.active.list");
  const Json data = {{"converse_handlers", Json::array({{{"skill_id", "a.test"}, {"activated_at", 5.5}}})}};
  const Message response = OvosPeer::message("ovos.converse.active.list.response", data, Json::object());
  const Heard heard = peer.hears(response);
  REQUIRE(topics(heard.after) == Topics{"intent.service.active_skills.reply"});
  CHECK(heard.after.front().data() == Json{{"skills", Json::array({Json::array({"a.test", 5.5})})}});
  CHECK(peer.hears(response).after.empty());
}

TEST_CASE("ovos-wire 10 and W-6: what a newer client says under both names counts once") {
  OvosPeer peer;
  const Json data = {{"utterance", "hm"}};
  Json marked = {{"session", {{"session_id", "s"}}}};
  const Json plain = marked;
  marked["_namespace_compat_twin"] = true;
  CHECK(peer.says("ovos.utterance.speak", data, plain).passed.size() == 1);
  const Said twin = peer.says("speak", data, marked);
  CHECK(twin.passed.empty());
  CHECK(std::string(twin.dropped) == "duplicate");
  const Json copied = peer.becomes("speak", data, marked);  // the mark was only copied along
  CHECK_FALSE(copied.at("context").contains("_namespace_compat_twin"));
}

TEST_CASE("ovos-wire 0: a peer goes by the names it gave") {
  OvosPeer peer;
  peer.says("mycroft.mic.listen", Json::object(), {{"source", "satellite"}});
  CHECK(peer.translator.goes_by("satellite"));
  CHECK_FALSE(peer.translator.goes_by("other"));
  for (int i = 0; i < 1'000; ++i)
    peer.says("mycroft.mic.listen", Json::object(), {{"source", "n" + std::to_string(i)}});
  CHECK_FALSE(peer.translator.goes_by("n999"));
}
