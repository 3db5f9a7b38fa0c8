// The skill as a whole, against an endpoint of the test.
#include <future>

#include "support/end_to_end.hpp"
#include "support/gate.hpp"
#include "support/http_server.hpp"

using namespace parley;
using namespace parley::testing;
using namespace std::chrono_literals;

namespace {

using Connection = HttpServer::Connection;
using Request = HttpServer::Request;

/// A language model of a test.
class ChatServer {
 public:
  /// @param answer  what is done about `/v1/chat/completions`, on a thread of the server; there are models
  explicit ChatServer(HttpServer::Answer answer)
      : answer_(std::move(answer)),
        server_([this](const Request& request, Connection& connection) { serve(request, connection); }) {}

  std::string url() const { return server_.url() + "/v1"; }
  void stop() { server_.stop(); }
  std::vector<Request> chats() const {
    auto all = server_.requests();
    std::erase_if(all, [](const Request& one) { return one.path != "/v1/chat/completions"; });
    return all;
  }
  int models_status = 200;  ///< Set before anybody asks.

 private:
  void serve(const Request& request, Connection& connection) {
    if (request.path == "/v1/models") {
      connection.reply(models_status, "{\"data\": []}");
    } else {
      answer_(request, connection);
    }
  }

  HttpServer::Answer answer_;
  HttpServer server_;  // last: its threads use the above
};

/// A piece of the model's text, as an event.
void say(Connection& connection, const std::string& text) {
  const Json delta = Json::object({{"delta", Json::object({{"content", text}})}});
  const Json event = Json::object({{"choices", Json::array({delta})}});
  connection.write("data: " + event.dump() + "\n\n");
}
void end_events(Connection& connection) {
  connection.write("data: [DONE]\n\n");
}

HttpServer::Answer answers(std::string text) {
  return [text = std::move(text)](const Request&, Connection& connection) {
    connection.begin();
    say(connection, text);
    end_events(connection);
  };
}

/// An assistant in real time with this one skill.
class LlmRun : public EndToEnd {
 public:
  LlmRun() : EndToEnd(Time::kReal) {
    take_skills(PARLEY_SKILLS, {"llm"});
    config.skills.options["llm.parley"].threads = SkillThreads::kOwn;
  }
  Json& settings() { return config.skills.settings["llm.parley"]; }

  /// Starts with that endpoint and waits until the skill knows how it is.
  void start_with(const ChatServer& server) {
    settings()["url"] = server.url();
    settings()["model"] = "tiny";
    make();
    // What the skill's thread writes is nothing the loop would look up for.
    const LogListener looks(
        [this](LogLevel, std::string_view, std::string_view) { assistant().post([] {}); });
    assistant().start();
    REQUIRE(until([this] { return log.has("answers") || log.has("does not answer"); }));
  }
};

Json body(const Request& request) {
  return Json::parse(request.body);
}

}  // namespace

TEST_CASE("llm: what the model writes is spoken sentence by sentence, while it is still writing") {
  Gate heard_first;
  ChatServer server([&](const Request&, Connection& connection) {
    connection.begin();
    say(connection, "The sea is");
    say(connection, " wide and blue. It");
    heard_first.pass();
    say(connection, " never sleeps!");
    end_events(connection);
  });
  LlmRun run;
  run.start_with(server);
  const auto turn = run.begin("write a poem", session("kitchen"));
  const bool heard = run.until([&] { return run.spoken().size() == 1; });
  heard_first.open();
  CHECK(heard);
  const TurnResult result = run.finish(turn);
  CHECK(result.status == TurnStatus::kAnswered);
  CHECK(result.skill_id == "llm.parley");
  CHECK(run.spoken() == std::vector<std::string>{"The sea is wide and blue.", "It never sleeps!"});
}

TEST_CASE("llm: registers with 90; the request has model, prompt, key and what was said") {
  ::setenv("PARLEY_TEST_LLM_KEY", "secret-7", 1);  // NOLINT(concurrency-mt-unsafe)
  ChatServer server(answers("Hello."));
  LlmRun run;
  run.settings()["key_variable"] = "PARLEY_TEST_LLM_KEY";
  run.settings()["max_tokens"] = 77;
  run.start_with(server);
  CHECK(run.say("hello there", session("kitchen")).speech_text() == "Hello.");
  REQUIRE(server.chats().size() == 1);
  const Request request = server.chats().front();
  CHECK(contains(request.head, "Authorization: Bearer secret-7"));
  const Json sent = body(request);
  CHECK(sent.at("model") == "tiny");
  CHECK(sent.at("stream") == true);
  CHECK(sent.at("max_tokens") == 77);
  REQUIRE(sent.at("messages").size() == 2);
  CHECK(sent.at("messages")[0].at("role") == "system");
  CHECK(contains(sent.at("messages")[0].at("content").get<std::string>(), "tag en-US"));
  CHECK(sent.at("messages")[1] == Json{{"role", "user"}, {"content", "hello there"}});
  const auto joined = std::find_if(run.heard.begin(), run.heard.end(), [](const Message& message) {
    return message.type() == "ovos.fallback.register";
  });
  REQUIRE(joined != run.heard.end());
  CHECK(joined->data().at("priority") == 90);
}

TEST_CASE("llm: the last turns of the session go along, whoever answered them, and no other session's") {
  ChatServer server(answers("Very deep. Some say endless."));
  LlmRun run;
  run.locale("a.test", "en-US/go.intent", "go now\n");
  run.skill("a.test",
            [](LambdaSkill& skill) { skill.on_intent("go", does([](Turn& turn) { turn.speak("gone"); })); });
  run.start_with(server);
  run.say("go now", session("kitchen"));
  run.say("how deep is the sea", session("cellar"));
  run.say("how deep is the lake", session("kitchen"));
  run.say("and the pond", session("kitchen"));
  Json talk = body(server.chats().back()).at("messages");
  talk.erase(0);
  CHECK(talk == Json::array({{{"role", "user"}, {"content", "go now"}},
                             {{"role", "assistant"}, {"content", "gone"}},
                             {{"role", "user"}, {"content", "how deep is the lake"}},
                             {{"role", "assistant"}, {"content", "Very deep. Some say endless."}},
                             {{"role", "user"}, {"content", "and the pond"}}}));
}

TEST_CASE("llm: a server that does not stream is understood too") {
  ChatServer server([](const Request&, Connection& connection) {
    connection.reply(
        200, R"({"choices": [{"message": {"role": "assistant", "content": "First this. Then that."}}]})");
  });
  LlmRun run;
  run.start_with(server);
  CHECK(run.say("what now").speech_text() == "First this. Then that.");
}

TEST_CASE("llm: an endpoint that has gone is said so aloud, once; then others are asked") {
  ChatServer server(answers("Hello."));
  LlmRun run;
  run.start_with(server);
  server.stop();
  const TurnResult gone = run.say("what now");
  CHECK(gone.status == TurnStatus::kAnswered);
  CHECK(contains(gone.speech_text(), "language model"));
  CHECK(run.log.count("does not answer as it should") == 1);
  CHECK(run.say("what now").status == TurnStatus::kUnmatched);
}

TEST_CASE(
    "llm: an error of the endpoint is in the log in its own words, and the user hears that there was one") {
  ChatServer server([](const Request&, Connection& connection) {
    connection.reply(500, R"({"error": {"message": "out of memory"}})");
  });
  LlmRun run;
  run.start_with(server);
  CHECK(contains(run.say("what now").speech_text(), "language model"));
  CHECK(run.log.has("HTTP status 500: out of memory"));
}

TEST_CASE("llm: a reply that breaks off is said as far as it came, and that it broke off") {
  ChatServer server([](const Request&, Connection& connection) {
    connection.begin();
    say(connection, "The beginning is here. And then");
    connection.write("data: {\"error\": {\"message\": \"overloaded\"}}\n\n");
  });
  LlmRun run;
  run.start_with(server);
  run.say("what now");
  REQUIRE(run.spoken().size() == 3);
  CHECK(run.spoken()[0] == "The beginning is here.");
  CHECK(run.spoken()[1] == "And then");
  const std::string last = run.spoken()[2];
  const bool owned_up = contains(last, "broke off") || contains(last, "all I got");
  CHECK(owned_up);
}

TEST_CASE("llm: a model that says nothing does not leave the user in silence") {
  ChatServer server(answers(""));
  LlmRun run;
  run.start_with(server);
  CHECK(run.say("what now").speech_text() == "My language model had nothing to say to that.");
}

TEST_CASE(
    "llm: an endpoint that was never there is not asked in the query phase: the skill declines at once") {
  ChatServer server(answers("never"));
  server.models_status = 401;
  LlmRun run;
  run.start_with(server);
  CHECK(run.log.has("HTTP status 401"));
  CHECK(run.say("what now").status == TurnStatus::kUnmatched);
  CHECK(server.chats().empty());
}

TEST_CASE("llm: pings are answered while a reply is under way") {
  Gate answered;
  ChatServer server([&](const Request&, Connection& connection) {
    connection.begin();
    say(connection, "One moment, please. ");
    answered.pass();
    end_events(connection);
  });
  LlmRun run;
  run.start_with(server);
  const auto turn = run.begin("write a poem", session("kitchen"));
  REQUIRE(run.until([&] { return run.spoken().size() == 1; }));
  const auto before = run.count("llm.parley.fallback.pong");
  run.assistant().bus().publish(
      Message("llm.parley.fallback.ping", {{"utterances", {"hello"}}, {"lang", "en-US"}}));
  const bool pong = run.until([&] { return run.count("llm.parley.fallback.pong") == before + 1; });
  answered.open();
  CHECK(pong);
  CHECK(run.finish(turn).status == TurnStatus::kAnswered);
}

TEST_CASE("llm: a client without room for another request waits for its own, and nobody else does") {
  Gate answered;
  ChatServer server([&](const Request& request, Connection& connection) {
    if (contains(request.body, "first")) answered.pass();
    connection.begin();
    say(connection, "Here you are.");
    end_events(connection);
  });
  LlmRun run;
  run.settings()["requests_per_client"] = 1;
  run.start_with(server);
  const auto asks = [&run](const SenderPtr& client, const std::string& text) {
    TurnInput input(text);
    input.session = session(text);
    input.sender = client;
    auto result = std::make_shared<std::optional<TurnResult>>();
    converse(run.assistant(), std::move(input), [result](TurnResult turn) { *result = std::move(turn); });
    return result;
  };
  const auto anna = std::make_shared<const Sender>(1, "anna");
  const auto ben = std::make_shared<const Sender>(2, "ben");
  const auto first = asks(anna, "the first poem");
  REQUIRE(run.until([&] { return run.count("ovos.intent.handler.start") == 1; }));
  const auto second = asks(anna, "another poem");
  REQUIRE(run.until([&] { return run.count("ovos.intent.handler.start") == 2; }));
  CHECK(run.finish(asks(ben, "one for me")).speech_text() == "Here you are.");
  CHECK_FALSE(second->has_value());
  answered.open();
  CHECK(run.finish(first).speech_text() == "Here you are.");
  CHECK(run.finish(second).speech_text() == "Here you are.");
  CHECK(contains(server.chats().back().body, "another poem"));
}

TEST_CASE("llm: a turn that is cut short closes the connection, and nothing more is spoken") {
  std::promise<void> closed;
  ChatServer server([&](const Request&, Connection& connection) {
    connection.begin();
    say(connection, "This is the first of many. ");
    connection.wait_for_close();
    closed.set_value();
  });
  LlmRun run;
  run.start_with(server);
  const auto turn = run.begin("write a novel");
  REQUIRE(run.until([&] { return run.spoken().size() == 1; }));
  CHECK(run.unload("llm.parley"));
  const TurnResult result = run.finish(turn);
  CHECK(result.status == TurnStatus::kError);
  CHECK(contains(result.error, "unloaded"));
  CHECK(closed.get_future().wait_for(1min) == std::future_status::ready);
  CHECK(run.spoken() == std::vector<std::string>{"This is the first of many."});
}

TEST_CASE("P-6 llm: a stop ends a reply under way and closes its connection") {
  std::promise<void> closed;
  ChatServer server([&](const Request&, Connection& connection) {
    connection.begin();
    say(connection, "This is the first of many. ");
    connection.wait_for_close();
    closed.set_value();
  });
  LlmRun run;
  run.start_with(server);
  const auto turn = run.begin("write a novel");
  REQUIRE(run.until([&] { return run.spoken().size() == 1; }));
  CHECK(run.say("stop").pipeline_id == "stop");
  CHECK(run.finish(turn).status != TurnStatus::kAnswered);
  CHECK(closed.get_future().wait_for(1min) == std::future_status::ready);
  CHECK(run.spoken().front() == "This is the first of many.");
}

TEST_CASE("llm: without a url it takes part in nothing") {
  LlmRun run;
  run.start();
  CHECK(run.count("ovos.fallback.register") == 0);
  CHECK(run.say("what now").status == TurnStatus::kUnmatched);
}

TEST_CASE("llm: a url of another kind, and a key that is not there, are refused by name") {
  LlmRun run;
  SUBCASE("url") {
    run.settings()["url"] = "ftp://example";
    run.start();
    CHECK(contains(run.problems(), "'url' is 'ftp://example'; it must begin with http:// or https://"));
  }
  SUBCASE("key") {
    run.settings()["url"] = "http://127.0.0.1:9/v1";
    run.settings()["key_variable"] = "PARLEY_TEST_NO_SUCH_KEY";
    run.start();
    CHECK(contains(run.problems(), "'key_variable' names PARLEY_TEST_NO_SUCH_KEY, which is not set"));
  }
}
