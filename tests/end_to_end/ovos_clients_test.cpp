// Clients of OVOS of before the specifications: a program on its bus library, a satellite behind HiveMind, a
// launcher whose server goes and comes back.
#include "net/grant.hpp"
#include "support/ovos_double.hpp"

using namespace parley;
using namespace parley::testing;

namespace {

/// A server with a skill of its own that answers "paint it red", and a fallback.
class House : public OvosServer {
 public:
  void start_with_skills() {
    start();
    skills_.emplace(*this, Texts{"colours.example", "shrug.example"});
  }
  Json ask(const Texts& question) const { return run_client(port(), question); }

 private:
  std::optional<OlderSkills> skills_;
};

std::string status_of(const House& house, const std::string& id) {
  const std::string body = Json{{"id", id}, {"text", "paint it red"}}.dump();
  return http(house.port(), "POST", "/run", body).json().at("status");
}

}  // namespace

TEST_CASE(
    "W-6 sessions (ovos-wire 1.1, 1.2): a client in the default session changes nothing for anybody else") {
  House house;
  house.start_with_skills();
  CHECK(status_of(house, "default") == "answered");
  CHECK(conversation(house.port(), "default", {"paint it red"}).spoken() == Texts{"Painting it red."});
  CHECK(status_of(house, "default") == "answered");
  CHECK(conversation(house.port(), "default", {"paint it green"}).spoken() == Texts{"Painting it green."});
  const Json session = http(house.port(), "GET", "/v1/sessions/default").json();
  for (const char* field : {"pipeline", "utterance_states", "active_skills", "context"})
    CHECK_FALSE_MESSAGE(session.contains(field), session.dump());
}

TEST_CASE(
    "W-6 sessions (ovos-wire 1.3, 1.5): nothing of the older form is on the bus, and it comes back in it") {
  House house;
  house.start_with_skills();
  CoreClient current = house.client("?topics=ovos.utterance.*,test.mark");
  current.catch_up();
  const Heard heard = conversation(house.port(), "kitchen", {"paint it red"});
  const Json said = current.receive("ovos.utterance.handle").at("context").at("session");
  CHECK(said.at("location").at("tz") == "America/Chicago");
  CHECK(said.at("location").at("lat") == doctest::Approx(38.971669));
  for (const char* field : {"pipeline", "utterance_states", "active_skills"})
    CHECK_FALSE_MESSAGE(said.contains(field), said.dump());
  current.receive("ovos.utterance.handled");
  current.catch_up();
  CHECK(current.count("speak") == 0);
  CHECK(heard.session().at("location").at("timezone").at("code") == "America/Chicago");
  REQUIRE(heard.session().at("active_skills").size() == 1);
  CHECK(heard.session().at("active_skills").at(0).at(0) == "colours.example");
}

TEST_CASE(
    "W-6 sessions (ovos-wire 0.1): a client asks for the default one and gets it in the form it knows") {
  House house;
  house.start_with_skills();
  CoreClient current = house.client();
  const Json place = {{"lat", 52.5}, {"lon", 13.4}, {"tz", "Europe/Berlin"}};
  current.send("ovos.session.sync", {{"session", {{"session_id", "default"}, {"location", place}}}});
  current.catch_up();
  const Json session =
      house.ask({"--ask", "ovos.session.sync", "--answer", "ovos.session.update_default"}).at("session_data");
  CHECK(session.at("session_id") == "default");
  CHECK(session.at("location").at("timezone").at("code") == "Europe/Berlin");
  CHECK(session.at("location").at("coordinate").at("latitude") == 52.5);
  CHECK(house.log.complaints().empty());
}

TEST_CASE(
    "W-6 satellites (ovos-wire 1.6): what is sent to one by name tells it of answers, failures and ends") {
  House house;
  house.start_with_skills();
  const auto satellite = [&](const std::string& text) {
    return Heard(house.ask({"--name", "kitchen::sat", "--session", "sat", text}));
  };
  const Heard answered = satellite("paint it red");
  CHECK(answered.spoken() == Texts{"Painting it red."});
  CHECK(answered.count("ovos.utterance.handled") == 1);
}

TEST_CASE("W-6 satellites (ovos-wire 1.6): one that nobody understands hears of it") {
  OvosServer server;
  server.start();
  const Heard lost(run_client(server.port(), {"--name", "kitchen::sat", "--session", "sat", "flurb"}));
  CHECK(lost.count("complete_intent_failure") == 1);
  CHECK(lost.count("ovos.utterance.handled") == 1);
}

TEST_CASE("W-6 queries (ovos-wire 0.10): who is there, what would be matched, who is active") {
  House house;
  house.start_with_skills();
  const Json skills = house.ask({"--ask", "skillmanager.list", "--answer", "mycroft.skills.list"});
  CHECK(skills.at("colours.example").at("id") == "colours.example");
  CHECK(skills.at("colours.example").at("active") == true);
  const auto intent_for = [&](const std::string& text) {
    const std::string data = Json{{"utterance", text}, {"lang", "en-US"}}.dump();
    return house
        .ask(
            {"--ask", "intent.service.intent.get", "--data", data, "--answer", "intent.service.intent.reply"})
        .at("intent");
  };
  const Json found = intent_for("paint it red");
  CHECK(found.at("skill_id") == "colours.example");
  CHECK(found.at("intent_name") == "paint.intent");
  CHECK(intent_for("flurb").is_null());
  const Json active = house.ask(
      {"--ask", "intent.service.active_skills.get", "--answer", "intent.service.active_skills.reply"});
  CHECK(active.at("skills").is_array());
}

TEST_CASE("W-6 readiness (ovos-wire 0.2): every question about it is answered") {
  OvosServer server;
  server.start();
  for (const char* topic : {"mycroft.skills.is_ready", "mycroft.skills.is_alive", "mycroft.skills.all_loaded",
                            "mycroft.intents.is_ready", "mycroft.intents.is_alive"}) {
    CHECK_MESSAGE(run_client(server.port(), {"--ask", topic}).at("status") == true, topic);
  }
}

TEST_CASE("W-6 restart (ovos-wire 0.3, 0.4): skills come back to a server that has ended and started again") {
  auto first = std::make_unique<OvosServer>();
  first->start();
  OlderSkills skills(*first, {"gate.example", "shrug.example"});
  const unsigned short port = first->port();
  CHECK(conversation(port, "one", {"open the gate"}).spoken() == Texts{"Open."});
  first.reset();  // as SIGTERM ends it
  skills.wait_for("reconnecting");
  OvosServer second;
  second.config.gateway.port = port;
  second.start();
  CoreClient watcher = second.client(OlderSkills::kLoaded);
  OlderSkills::wait_for_all(watcher, {"gate.example", "shrug.example"});
  CHECK(conversation(port, "one", {"open the gate", "flurb"}).spoken() ==
        Texts{"Open.", "I don't understand."});
}

TEST_CASE("W-6 frames (ovos-wire 0.5): a large one goes to whom it names, and the sender stays") {
  House house;
  house.start_with_skills();
  const auto older = [&](const std::string& name) {
    CoreClient client = house.client();
    client.send("ovos.session.sync", kEmpty, {{"session", ovos_session("default")}, {"source", name}});
    client.receive("ovos.session.update_default");
    client.catch_up();
    return client;
  };
  CoreClient laugh = older("laugh.example");
  CoreClient other = older("other");
  CoreClient satellite = older("kitchen::sat");
  const Json sound = {{"audio_ext", "wav"}, {"binary_data", std::string(3'200'000, 'a')}};
  laugh.send(
      "mycroft.audio.play_sound", sound,
      {{"session", ovos_session("sat")}, {"source", "laugh.example"}, {"destination", {"kitchen::sat"}}});
  CHECK(satellite.receive("mycroft.audio.play_sound").at("data") == sound);
  laugh.send("mycroft.audio.play_sound", sound, {{"session", ovos_session("sat")}});  // names nobody: dropped
  laugh.catch_up();
  other.catch_up();
  satellite.catch_up();
  CHECK(other.count("mycroft.audio.play_sound") == 0);
  CHECK(satellite.count("mycroft.audio.play_sound") == 0);
}

TEST_CASE("W-6 topics (ovos-wire 0.6): those with a colon that are no dispatch reach the other clients") {
  House house;
  house.start_with_skills();
  CoreClient listener = house.client();
  CoreClient voice = house.client();
  const Json context = {{"session", ovos_session("kitchen")}};
  for (CoreClient* client : {&listener, &voice})
    client->send("ovos.session.sync", kEmpty, {{"session", ovos_session("default")}});
  listener.receive("ovos.session.update_default");
  for (const char* topic : {"recognizer_loop:record_begin", "recognizer_loop:audio_output_end",
                            "recognizer_loop:wakeword", "speak:b64_audio", "ocp:play"}) {
    voice.send(topic, {{"x", 1}}, context);
    CHECK(listener.receive(topic).at("data") == Json{{"x", 1}});
  }
  // A dispatch it remains: of a skill that is there, nobody else says one.
  voice.send("colours.example:paint.intent", {{"colour", "red"}}, context);
  voice.catch_up();
  listener.catch_up();
  CHECK(listener.count("colours.example:paint.intent") == 0);
}

TEST_CASE("W-6 tokens (ovos-wire 0.7): a client that can set no header has its token in the route") {
  OvosServer server;
  server.tokens("  kitchen: {token_sha256: " + net::sha256("secret") + "}\n");
  server.start();
  const Json told = run_client(server.port(), {"--session", "kitchen", "flurb"}, "/core?token=secret");
  CHECK(Heard(told).count("complete_intent_failure") == 1);
}
