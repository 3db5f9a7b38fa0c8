// W-6: clients that use the names of before the OVOS specifications, over real sockets.
#include "net/grant.hpp"
#include "support/served.hpp"

using namespace parley;
using namespace parley::testing;
using namespace std::chrono_literals;

namespace {

constexpr const char* kMark = "_namespace_compat_twin";

/// A server that understands older names, with a a skill that answers and one that fails.
class Compatible : public Served {
 public:
  Compatible() {
    config.gateway.compat = net::Compat::kOvos;
    skill("tea.test", does([](Turn& turn) { turn.speak(turn.text() + ": here you are"); }));
    skill("bad.test", does([](Turn&) { throw std::runtime_error("out of tea"); }));
  }
};

Json session_in(const Json& message) {
  return message.at("context").at("session");
}

/// What a newer client sends: the message, and its duplicate under the older name.
void send_twice(CoreClient& client, const std::string& topic, const std::string& older, const Json& data,
                Json context) {
  client.send(topic, data, context);
  context[kMark] = true;
  client.send(older, data, context);
}

/// Says what older clients say first, and waits for the answer.
void be_older(CoreClient& client) {
  client.send("ovos.session.sync", kEmpty);
  client.receive("ovos.session.update_default");
  client.passed.clear();
}

std::uint64_t duplicates(Served& server) {
  return server.counters().of("parley_gateway_dropped_total{reason=\"duplicate\"}");
}

}  // namespace

TEST_CASE("W-6 a client of Mycroft's times holds a conversation under the names it knows") {
  Compatible server;
  server.start();
  const char* const names =
      "?topics=speak,complete_intent_failure,mycroft.skill.handler.*,ovos.utterance.handled";
  CoreClient client = server.client(names);
  Json session = {{"session_id", "old"}, {"active_skills", Json::array()}, {"touch_time", 17}};
  for (const std::string text : {"go tea.test first", "go tea.test second"}) {
    client.passed.clear();
    client.send("recognizer_loop:utterance", {{"utterances", {text}}, {"lang", "en-us"}},
                {{"session", session}, {"source", "debug_cli"}, {"destination", {"skills"}}});
    session = session_in(client.receive("ovos.utterance.handled"));
    CHECK(topics_of(client.passed) ==
          std::vector<std::string>{"mycroft.skill.handler.start", "speak", "mycroft.skill.handler.complete"});
    const Json& spoken = client.passed.at(1);
    CHECK(spoken.at("data").at("utterance") == text + ": here you are");
    CHECK(session_in(spoken).at("session_id") == "old");
    CHECK(client.passed.at(2).at("data").at("name") == "tea.test:go");
  }
  CHECK(session.at("active_handlers").at(0).at("skill_id") == "tea.test");
  CHECK(session.at("touch_time") == 17);
}

TEST_CASE("W-6 failures: the older names for what nobody takes, and for what goes wrong") {
  Compatible server;
  server.start();
  CoreClient client = server.client("?topics=complete_intent_failure,mycroft.skill.handler.error");
  client.send("recognizer_loop:utterance", utterance("hello"), in_session("s"));
  CHECK(client.receive("complete_intent_failure").at("data").at("utterances") == Json{"hello"});
  client.send("recognizer_loop:utterance", utterance("go bad.test"), in_session("s"));
  const Json error = client.receive("mycroft.skill.handler.error").at("data");
  CHECK(error.at("exception") == "out of tea");
  CHECK(error.at("name") == "bad.test:go");
}

TEST_CASE("W-6 both names: the older one right behind the current one, marked, with the same content") {
  Compatible server;
  server.start();
  CoreClient client = server.client();
  be_older(client);
  client.send("ovos.utterance.handle", utterance("go tea.test"), in_session("s"));
  client.receive("ovos.utterance.handled");
  CHECK(topics_of(client.passed) ==
        std::vector<std::string>{"ovos.utterance.handle", "recognizer_loop:utterance", "ovos.intent.matched",
                                 "tea.test:go", "ovos.intent.handler.start", "mycroft.skill.handler.start",
                                 "ovos.utterance.speak", "speak", "ovos.intent.handler.complete",
                                 "mycroft.skill.handler.complete"});
  for (const std::size_t at : {std::size_t{0}, std::size_t{6}}) {
    Json older = client.passed.at(at + 1);
    CHECK(older.at("data") == client.passed.at(at).at("data"));
    CHECK(older.at("context").at(kMark) == true);
    older.at("context").erase(kMark);
    CHECK(older.at("context") == client.passed.at(at).at("context"));
    CHECK_FALSE(client.passed.at(at).at("context").contains(kMark));
  }
  CHECK_FALSE(client.passed.at(5).at("context").contains(kMark));
}

TEST_CASE("W-6 speak: what an older client says is heard under the current name, with what it expects") {
  Compatible server;
  server.start();
  CoreClient older = server.client();
  CoreClient current = server.client("?topics=ovos.*,test.mark");
  current.catch_up();
  older.send("speak", {{"utterance", "hello?"}, {"expect_response", true}, {"meta", {{"x", 1}}}});
  const Json spoken = current.receive("ovos.utterance.speak").at("data");
  CHECK(spoken.at("listen") == true);
  CHECK(spoken.at("meta") == Json{{"x", 1}});
  CHECK(older.receive("speak").at("data").at("expect_response") == true);
  current.send("ovos.utterance.speak", {{"utterance", "well?"}, {"listen", true}});
  CHECK(older.receive("speak").at("data").at("expect_response") == true);
}

TEST_CASE("W-6 stop: mycroft.stop ends what runs in the session") {
  Compatible server;
  server.start();
  CoreClient skill = server.client();
  CoreClient user = server.client("?topics=ovos.intent.handler.*,ovos.utterance.handled,mycroft.stop");
  skill.send("test.here", kEmpty, {{"skill_id", "far.test"}});
  skill.catch_up();
  user.send("recognizer_loop:utterance", utterance("go far.test"), in_session("s"));
  skill.receive("far.test:go");
  user.send("mycroft.stop", kEmpty, in_session("s"));
  CHECK(contains(user.receive("ovos.intent.handler.error").at("data").at("exception").get<std::string>(),
                 "stopped"));
  user.receive("ovos.utterance.handled");
  CHECK(user.count("mycroft.stop") == 1);
}

TEST_CASE("W-6 skills: the end of a handler may be reported under the older name") {
  Compatible server;
  server.start();
  CoreClient skill = server.client();
  CoreClient user = server.client();
  be_older(user);
  skill.send("test.here", kEmpty, {{"skill_id", "far.test"}});
  skill.catch_up();
  user.send("ovos.utterance.handle", utterance("go far.test"), in_session("s"));
  const Json context = skill.receive("far.test:go").at("context");
  skill.send("mycroft.skill.handler.start", {{"name", "Far.handle_go"}}, context);
  SUBCASE("when it is done") {
    skill.send("mycroft.skill.handler.complete", {{"name", "Far.handle_go"}}, context);
    user.receive("ovos.intent.handler.complete");
  }
  SUBCASE("when it failed") {
    skill.send("mycroft.skill.handler.error", {{"name", "Far.handle_go"}, {"exception", "no tea"}}, context);
    CHECK(user.receive("ovos.intent.handler.error").at("data").at("exception") == "no tea");
  }
  user.receive("ovos.utterance.handled");
  user.catch_up();
  CHECK(user.count("ovos.intent.handler.start") == 1);
  CHECK(user.count("mycroft.skill.handler.start") == 1);
  CHECK(server.log.count("dropped 'ovos.intent.handler") == 0);
}

TEST_CASE("W-6 management: intents and skills are taken back under the older names") {
  Compatible server;
  server.start();
  CoreClient skill = server.client();
  const Json me = {{"skill_id", "far.test"}};
  for (const char* name : {"one", "two", "three"}) {
    skill.send("ovos.intent.register.template",
               {{"skill_id", "far.test"}, {"intent_name", name}, {"lang", "en-US"}, {"samples", {name}}}, me);
  }
  const auto enabled = [&] {
    skill.send("ovos.intent.list", {{"skill_id", "far.test"}});
    std::vector<std::string> names;
    const Json answer = skill.receive("ovos.intent.list.response").at("data");
    for (const auto& intent : answer.at("intents")) {
      if (intent.at("enabled") == true) names.push_back(intent.at("intent_name"));
    }
    return names;
  };
  skill.send("detach_intent", {{"intent_name", "far.test:one"}}, me);
  skill.send("mycroft.skill.disable_intent", {{"intent_name", "two"}}, me);
  CHECK(enabled() == std::vector<std::string>{"three"});
  skill.send("mycroft.skill.enable_intent", {{"intent_name", "two"}}, me);
  CHECK(enabled() == std::vector<std::string>{"three", "two"});
  skill.send("detach_skill", {{"skill_id", "far.test"}}, me);
  CHECK(enabled().empty());
}

TEST_CASE("W-6 duplicates: what a newer client says twice is handled once") {
  Compatible server;
  server.start();
  CoreClient client = server.client();
  constexpr int kTurns = 20;
  for (int i = 0; i < kTurns; ++i) {  // the same words each time: each of them counts
    send_twice(client, "ovos.utterance.handle", "recognizer_loop:utterance", utterance("go tea.test"),
               in_session("s"));
    send_twice(client, "ovos.utterance.speak", "speak", {{"utterance", "hm"}, {"expect_response", true}},
               in_session("s"));
  }
  for (int i = 0; i < kTurns; ++i) client.receive("ovos.utterance.handled");
  client.catch_up();
  CHECK(client.count("ovos.utterance.handle") == kTurns);
  CHECK(client.count("ovos.utterance.speak") == 2 * kTurns);
  CHECK(duplicates(server) == 2 * kTurns);
  CHECK(server.log.complaints().empty());
}

TEST_CASE("W-6 duplicates: a mark that was only copied along makes no duplicate") {
  Compatible server;
  server.start();
  CoreClient client = server.client();
  CoreClient other = server.client();
  Json marked = in_session("s");
  marked[kMark] = true;
  SUBCASE("nothing was said before") {}
  SUBCASE("something else was") {
    client.send("ovos.utterance.handle", utterance("hello"), in_session("s"));
    client.receive("ovos.utterance.handled");
  }
  SUBCASE("somebody else said it") {
    other.send("ovos.utterance.handle", utterance("go tea.test"), in_session("s"));
    client.receive("ovos.utterance.handled");
  }
  SUBCASE("the one that was said has had its duplicate") {
    send_twice(client, "ovos.utterance.handle", "recognizer_loop:utterance", utterance("go tea.test"),
               in_session("s"));
    client.receive("ovos.utterance.handled");
  }
  client.passed.clear();
  client.send("recognizer_loop:utterance", utterance("go tea.test"), marked);
  const Json handled = client.receive("ovos.utterance.handled");
  CHECK(client.count("ovos.utterance.speak") == 1);
  CHECK_FALSE(handled.at("context").contains(kMark));
}

TEST_CASE("W-6 the core: under an older name, too, nobody else speaks for it") {
  Compatible server;
  server.start();
  CoreClient client = server.client();
  client.send("complete_intent_failure", kEmpty);
  client.send("mycroft.skill.handler.start", kEmpty);
  client.send("mycroft.skill.handler.complete", kEmpty);
  client.catch_up();
  CHECK(client.passed.empty());
  CHECK(server.counters().of("parley_gateway_dropped_total{reason=\"core_topic\"}") == 1);
  CHECK(server.counters().of("parley_gateway_dropped_total{reason=\"report\"}") == 1);
}

TEST_CASE("W-6 grants: what a client may send and hear is said by current names alone") {
  Compatible server;
  server.tokens("  lamp: {token_sha256: " + net::sha256("l") +
                ", send: [ovos.utterance.handle], receive: [ovos.utterance.speak, test.mark]}\n");
  server.start();
  CoreClient lamp = server.client("?token=l");
  lamp.send("speak", {{"utterance", "boo"}});
  lamp.send("mycroft.stop", kEmpty);
  lamp.send("recognizer_loop:utterance", utterance("go tea.test"), in_session("s"));
  CHECK(lamp.receive("speak").at("data").at("utterance") == "go tea.test: here you are");
  CHECK(topics_of(lamp.passed) == std::vector<std::string>{"ovos.utterance.speak"});
  CHECK(server.counters().of("parley_gateway_dropped_total{reason=\"grant\"}") == 2);
}

TEST_CASE("W-6 off: older names mean nothing, and nobody is sent them") {
  Served server;
  server.config.gateway.compat = net::Compat::kNone;
  server.skill("tea.test", does([](Turn& turn) { turn.speak("here you are"); }));
  server.start();
  CoreClient client = server.client();
  client.send("recognizer_loop:utterance", utterance("go tea.test"), in_session("s"));
  client.catch_up();
  CHECK(client.passed.empty());
  client.send("ovos.utterance.handle", utterance("go tea.test"), in_session("s"));
  client.receive("ovos.utterance.handled");
  client.catch_up();
  CHECK(client.count("speak") == 0);
}
