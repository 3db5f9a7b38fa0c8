// W-6: the door, for clients and skills of OVOS before the specifications, over real sockets (ovos-wire 0 to
// 8).
#include "net/grant.hpp"
#include "support/served.hpp"

using namespace parley;
using namespace parley::testing;
using namespace std::chrono_literals;

namespace {

constexpr const char* kOldSkill = "pasta.openvoiceos";

/// A server with the real stages, and one skill of its own.
class OvosHouse : public Served {
 public:
  explicit OvosHouse(bool stages = true) {
    config.gateway.compat = net::Compat::kOvos;
    if (stages) {
      real_stages({"stop_high", "converse", "intent_high", "common_query", "fallback_low"});
      config.pipeline.push_back("go");
    }
    skill("tea.test", does([](Turn& turn) { turn.speak("here you are"); }));
  }
};

/// Connects as ovos-bus-client does.
CoreClient older_client(const Served& server, const std::string& query = {}) {
  CoreClient client = server.client(query);
  client.send("ovos.session.sync", kEmpty, in_session("default"));
  client.receive("ovos.session.update_default");
  return client;
}

Json of_old_skill() {
  return {{"skill_id", kOldSkill},
          {"session", {{"session_id", "default"}, {"active_skills", Json::array()}}}};
}

void register_pasta(CoreClient& skill) {
  skill.send("padatious:register_intent",
             {{"name", std::string(kOldSkill) + ":cook.intent"},
              {"samples", {"cook {what} please"}},
              {"lang", "en-US"},
              {"blacklisted_words", nullptr}},
             of_old_skill());
  skill.send("mycroft.skills.loaded", {{"id", kOldSkill}});
  skill.catch_up();
}

/// The session that comes with a message, by an id that is not the default one's.
Json asks(const std::string& text) {
  return {{"utterances", {text}}, {"lang", "en-US"}};
}

}  // namespace

TEST_CASE("ovos-wire 3: an older skill from its registration to the end of its turn") {
  OvosHouse server;
  server.start();
  CoreClient skill = older_client(server);
  CoreClient user = older_client(server);
  register_pasta(skill);
  skill.passed.clear();
  user.send("recognizer_loop:utterance", asks("cook soup please"),
            {{"session", {{"session_id", "s"}}}, {"source", "me"}});
  const std::string id = kOldSkill;
  const Json dispatch = skill.receive(id + ":cook.intent");
  CHECK(dispatch.at("data").at("what") == "soup");
  CHECK(dispatch.at("data").at("utterances") == Json::array({"cook soup please"}));
  CHECK(skill.count(id + ".activate") == 1);
  CHECK(skill.count(id + ".converse.ping") == 1);
  CHECK_FALSE(user.receive(id + ":cook.intent").at("data").contains("what"));
  const Json& context = dispatch.at("context");
  skill.send("mycroft.skill.handler.start", {{"name", "P.cook"}}, context);
  skill.send("speak", {{"utterance", "It boils."}, {"expect_response", false}}, context);
  skill.send("mycroft.skill.handler.complete", {{"name", "P.cook"}}, context);
  skill.send("ovos.utterance.handled", {{"name", "P.cook"}}, context);
  CHECK(user.receive("speak").at("data").at("utterance") == "It boils.");
  CHECK(user.receive("ovos.utterance.handled").at("context").at("destination") == "me");
  skill.catch_up();
  CHECK(server.log.complaints().empty());
}

TEST_CASE("ovos-wire 1.6: a client reached by its name alone hears of the end and of a failure") {
  OvosHouse server;
  server.start();
  CoreClient user = older_client(server);
  user.send("recognizer_loop:utterance", asks("flurb"),
            {{"session", {{"session_id", "s"}}}, {"source", "satellite"}});
  for (const std::string topic :
       {"ovos.intent.unmatched", "complete_intent_failure", "ovos.utterance.handled"})
    CHECK(user.receive(topic).at("context").at("destination") == "satellite");
}

TEST_CASE("ovos-wire 1.2: what an older client is configured with harms nobody else") {
  OvosHouse server;
  server.start();
  CoreClient user = older_client(server);
  const Json session = {{"session_id", "default"},
                        {"lang", nullptr},
                        {"pipeline", {"ovos-ocp-pipeline-plugin-high"}},
                        {"active_skills", Json::array()},
                        {"utterance_states", Json::object()}};
  for (int i = 0; i < 2; ++i) {
    user.send("recognizer_loop:utterance", asks("go tea.test"), {{"session", session}});
    CHECK(user.receive("ovos.intent.matched").at("data").at("skill_id") == "tea.test");
    user.receive("ovos.utterance.handled");
  }
  CHECK(server.log.complaints().empty());  // 0.8: not of the null either
  const Json stored = http(server.port(), "GET", "/v1/sessions/default").json();
  CHECK_FALSE(stored.contains("pipeline"));
}

TEST_CASE("ovos-wire 0.3: an older client that does not ask is told within seconds that all is ready") {
  OvosHouse server(false);
  server.start();
  CoreClient client = older_client(server);
  CHECK_NOTHROW(client.receive("mycroft.ready"));
}

TEST_CASE("ovos-wire 0.4: at the end of the server an older client sees no close frame, others do") {
  OvosHouse server(false);
  server.start();
  CoreClient older = older_client(server);
  CoreClient other = server.client();
  other.catch_up();
  server.stop();
  CHECK(older.closed() == 0);
  CHECK(other.closed() == 1001);
}

TEST_CASE("ovos-wire 0.5: a frame of many megabytes goes to its destination, and the connection stays") {
  OvosHouse server(false);
  server.start();
  CoreClient skill = older_client(server);
  CoreClient speaker = older_client(server);
  CoreClient other = older_client(server);
  speaker.send("mycroft.audio.speech.started", kEmpty, {{"source", "audio"}});
  speaker.receive("mycroft.audio.speech.started");
  const std::string sound(std::size_t{3} << 20U, 'f');
  const Json data = {{"audio_ext", "wav"}, {"binary_data", sound}};
  skill.send("mycroft.audio.play_sound", data, {{"destination", "audio"}});
  CHECK(speaker.receive("mycroft.audio.play_sound").at("data").at("binary_data") == sound);
  skill.send("mycroft.audio.play_sound", data);
  skill.send("speak", {{"utterance", sound}}, {{"destination", "audio"}});
  skill.catch_up();
  other.catch_up();
  speaker.catch_up();
  CHECK(skill.count("mycroft.audio.play_sound") == 0);
  CHECK(other.count("mycroft.audio.play_sound") == 0);
  CHECK(speaker.count("speak") == 0);
  CHECK(server.log.count("goes to its destination alone") == 1);
  CHECK(server.counters().of("parley_gateway_dropped_total{reason=\"too_large\"}") == 2);
}

TEST_CASE("ovos-wire 0.5: whoever is not older is disconnected for such a frame, as before") {
  OvosHouse server(false);
  server.start();
  CoreClient client = server.client();
  client.send("test.large", {{"text", std::string(std::size_t{2} << 20U, 'x')}});
  CHECK(client.closed() == 1009);
}

TEST_CASE(
    "ovos-wire 0.6: listener, voice and others of before hear each other, and nobody speaks for the core") {
  OvosHouse server(false);
  server.start();
  CoreClient listener = older_client(server);
  CoreClient voice = older_client(server);
  CoreClient current = server.client();
  listener.send("recognizer_loop:record_begin", kEmpty);
  voice.receive("recognizer_loop:record_begin");
  listener.receive("recognizer_loop:record_begin");
  listener.send("tea.test:go", kEmpty);
  listener.send("go:global_stop", kEmpty);
  voice.send("mycroft.skills.loaded", {{"id", kOldSkill}});
  voice.send(std::string(kOldSkill) + ":reminder", {{"x", 1}});
  CHECK(listener.receive(std::string(kOldSkill) + ":reminder").at("data") == Json{{"x", 1}});
  listener.catch_up();
  current.catch_up();
  CHECK(listener.count("tea.test:go") == 0);
  CHECK(listener.count("go:global_stop") == 0);
  CHECK(current.count("recognizer_loop:record_begin") == 0);
  CHECK(server.counters().of("parley_gateway_dropped_total{reason=\"core_topic\"}") == 2);
}

TEST_CASE("ovos-wire 0.10: what older clients ask is answered to them alone") {
  OvosHouse server;
  server.start();
  CoreClient client = older_client(server);
  CoreClient other = older_client(server);
  register_pasta(client);
  client.send("skillmanager.list", kEmpty);
  const Json skills = client.receive("mycroft.skills.list").at("data");
  CHECK(skills.contains("tea.test"));
  CHECK(skills.at(kOldSkill) == Json{{"active", true}, {"id", kOldSkill}});
  client.send("intent.service.intent.get", {{"utterance", "cook soup please"}, {"lang", "en-US"}},
              in_session("s"));
  const Json intent = client.receive("intent.service.intent.reply").at("data").at("intent");
  CHECK(intent.at("skill_id") == kOldSkill);
  CHECK(intent.at("intent_name") == "cook.intent");
  CHECK(intent.at("what") == "soup");
  client.send("intent.service.intent.get", {{"utterance", "flurb"}}, in_session("s"));
  CHECK(client.receive("intent.service.intent.reply").at("data").at("intent") == nullptr);
  client.send("intent.service.active_skills.get", kEmpty);
  CHECK(client.receive("intent.service.active_skills.reply").at("data").at("skills") == Json::array());
  client.send("intent.service.skills.activate", {{"skill_id", kOldSkill}}, of_old_skill());
  client.receive("intent.service.skills.activated");
  client.send("intent.service.active_skills.get", kEmpty);
  const Json active = client.receive("intent.service.active_skills.reply").at("data").at("skills");
  REQUIRE(active.size() == 1);
  CHECK(active.at(0).at(0) == kOldSkill);
  other.catch_up();
  CHECK(other.count("mycroft.skills.list") == 0);
  CHECK(other.count("intent.service.intent.reply") == 0);
}

TEST_CASE("ovos-wire 2: hundreds of registrations at once pass, with a grant of few messages a second") {
  OvosHouse server;
  server.tokens("  skills: {token_sha256: " + net::sha256("t") + ", messages_per_second: 20}\n");
  server.start();
  CoreClient skill = older_client(server, "?token=t");
  const std::string letters = "pasta_openvoiceos";
  for (int i = 0; i < 400; ++i) {
    skill.send(
        "register_vocab",
        {{"entity_value", "word" + std::to_string(i)}, {"entity_type", letters + "Word"}, {"lang", "en-US"}},
        of_old_skill());
  }
  skill.send("register_intent",
             {{"name", std::string(kOldSkill) + ":W"},
              {"requires", Json::array({Json::array({letters + "word", letters + "word"})})}},
             of_old_skill());
  skill.send("recognizer_loop:utterance", asks("word399"), in_session("s"));
  const Json dispatch = skill.receive(std::string(kOldSkill) + ":W");
  CHECK(dispatch.at("data").at("word") == "word399");
  CHECK(server.counters().of("parley_gateway_dropped_total{reason=\"rate\"}") == 0);
}

TEST_CASE("W-6 by itself: older clients are understood on a loopback address") {
  Served server;
  server.skill("tea.test", does([](Turn& turn) { turn.speak("here you are"); }));
  server.start();
  CoreClient client = older_client(server);
  client.send("recognizer_loop:utterance", asks("go tea.test"), in_session("s"));
  CHECK(client.receive("speak").at("data").at("utterance") == "here you are");
}
