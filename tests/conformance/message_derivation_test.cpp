#include <doctest/doctest.h>

#include <set>
#include <variant>

#include "message/codec.hpp"
#include "support/assistant_fixture.hpp"

using namespace parley;
using namespace parley::testing;
using namespace std::chrono_literals;

namespace {

Message routed(const Json& context) {
  const auto decoded =
      decode(Json{{"type", "ovos.question"}, {"context", context}}.dump(), [](const std::string&) {});
  REQUIRE(std::holds_alternative<Message>(decoded));
  return std::get<Message>(decoded);
}

}  // namespace

// ---- M-4

TEST_CASE("M-4 context: unknown keys survive every derivation") {
  const Json unknown = {{"ident", "x"}, {"nested", {{"a", {1, nullptr, "b"}}}}, {"null", nullptr}};
  Json context = unknown;
  context.update({{"source", "a"}, {"destination", "b"}});
  const Message message = routed(context);
  const auto carries = [&](const Message& derived) {
    const Json wire = to_json(derived).at("context");
    return std::all_of(unknown.items().begin(), unknown.items().end(), [&](const auto& one) {
      return wire.contains(one.key()) && wire.at(one.key()) == one.value();
    });
  };
  CHECK(carries(message));
  CHECK(carries(message.forward("ovos.next", Json::object())));
  CHECK(carries(message.reply("ovos.next", Json::object())));
  CHECK(carries(message.response(Json::object())));
  CHECK(carries(message.reply("ovos.next", Json::object())
                    .forward("ovos.last", Json::object())
                    .response(Json::object())));
  CHECK(carries(message.with_session(std::make_shared<const Session>("s"))));
}

TEST_CASE("M-4 context: unknown keys of the entry are on every message of the round") {
  TestAssistant parley;
  parley.stage_at_once("one", claims("tea.test", "brew"));
  parley.handler("tea.test", "brew", does([](Turn& turn) {
                   turn.speak("done");
                   turn.emit("tea.poured", Json::object());
                 }));
  parley.start();
  Context context;
  context.rest = std::make_shared<const Json>(Json{{"trace_id", "t-1"}});
  parley.send(utterance_message("tea").with_context(context));
  CHECK(parley.heard.size() == 8);
  for (const auto& message : parley.heard) {
    CAPTURE(message.type());
    CHECK(to_json(message).at("context").value("trace_id", "") == "t-1");
  }
}

// ---- M-5 and M-6

TEST_CASE("M-5 forward: the same context") {
  const Json context = {{"source", "a"},
                        {"destination", {"b", "c"}},
                        {"session", {{"session_id", "s"}}},
                        {"utterance_id", "u"},
                        {"other", 1}};
  const Message next = routed(context).forward("ovos.next", {{"n", 1}});
  CHECK(to_json(next) == Json{{"type", "ovos.next"}, {"data", {{"n", 1}}}, {"context", context}});
  const Message single = routed({{"source", "a"}, {"destination", "b"}}).forward("ovos.next", Json::object());
  CHECK(to_json(single).at("context") == Json{{"source", "a"}, {"destination", "b"}});
}

TEST_CASE("M-5 reply: source and destination change places") {
  const auto answered = [](const Json& context) {
    return to_json(routed(context).reply("ovos.answer", Json::object())).at("context");
  };
  SUBCASE("both") {
    CHECK(answered({{"source", "a"}, {"destination", "b"}}) == Json{{"source", "b"}, {"destination", "a"}});
  }
  SUBCASE("of several, the first answers") {
    CHECK(answered({{"source", "a"}, {"destination", {"b", "c"}}}) ==
          Json{{"source", "b"}, {"destination", "a"}});
  }
  SUBCASE("no destination: the source stays as it was") {
    CHECK(answered({{"source", "a"}}) == Json{{"source", "a"}, {"destination", "a"}});
  }
  SUBCASE("no source: no destination is written") {
    CHECK(answered({{"destination", "b"}}) == Json{{"source", "b"}});
  }
  SUBCASE("neither") {
    CHECK(answered(Json::object()) == Json::object());
  }
  SUBCASE("everything else is copied") {
    const Json rest = {{"session", {{"session_id", "s"}, {"lang", "de-DE"}}},
                       {"utterance_id", "u"},
                       {"skill_id", "k"},
                       {"x", 1}};
    Json context = rest;
    context.update({{"source", "a"}, {"destination", "b"}});
    Json expected = rest;
    expected.update({{"source", "b"}, {"destination", "a"}});
    CHECK(answered(context) == expected);
  }
}

TEST_CASE("M-5 response: a reply on <type>.response, not for dispatches and responses") {
  const Message answer = routed({{"source", "a"}, {"destination", "b"}}).response({{"ok", true}});
  CHECK(answer.type() == "ovos.question.response");
  CHECK(answer.data() == Json{{"ok", true}});
  CHECK(answer.context().source == "b");
  CHECK(answer.context().destination == std::vector<std::string>{"a"});
  CHECK_THROWS_AS(static_cast<void>(Message("tea.test:brew").response(Json::object())), std::logic_error);
  CHECK_THROWS_AS(static_cast<void>(answer.response(Json::object())), std::logic_error);
}

TEST_CASE("M-6 routing: an empty source or destination counts as absent") {
  const auto wire = [](const Json& context) { return to_json(routed(context)).at("context"); };
  CHECK(wire({{"source", ""}, {"destination", ""}}) == Json::object());
  CHECK(wire({{"destination", Json::array()}}) == Json::object());
  CHECK(wire({{"destination", {"", ""}}}) == Json::object());
  CHECK(wire({{"destination", {"", "b"}}}) == Json{{"destination", {"b"}}});
  const Json answer =
      to_json(routed({{"source", "a"}, {"destination", ""}}).reply("ovos.answer", Json::object()));
  CHECK(answer.at("context") == Json{{"source", "a"}, {"destination", "a"}});
  const Json back =
      to_json(routed({{"source", ""}, {"destination", "b"}}).reply("ovos.answer", Json::object()));
  CHECK(back.at("context") == Json{{"source", "b"}});
}

TEST_CASE("M-6 routing: a destination is a string or an array of strings, and keeps its form") {
  CHECK(to_json(routed({{"destination", "b"}})).at("context").at("destination") == "b");
  CHECK(to_json(routed({{"destination", {"b"}}})).at("context").at("destination") == Json{"b"});
  std::vector<std::string> complaints;
  for (const Json& odd : {Json(7), Json(), Json{{"b", 1}}, Json{"b", 7}}) {
    CAPTURE(odd);
    const std::string text = Json{{"type", "a.b"}, {"context", {{"destination", odd}}}}.dump();
    const auto decoded = decode(text, [&](const std::string& field) { complaints.push_back(field); });
    REQUIRE(std::holds_alternative<Message>(decoded));
    CHECK(std::get<Message>(decoded).context().destination.empty());
  }
  CHECK(complaints.size() == 4);
}

// ---- M-7

TEST_CASE("M-7 session: forward, reply and response carry the session they came with") {
  const Json session = {{"session_id", "s"}, {"lang", "de-DE"}, {"mine", {1, 2}}};
  const Message message = routed({{"source", "a"}, {"session", session}});
  for (const auto& derived : {message.forward("ovos.x", Json::object()),
                              message.reply("ovos.x", Json::object()), message.response(Json::object())}) {
    CHECK(to_json(derived).at("context").at("session") == session);
  }
}

TEST_CASE("M-7 session: every message of a round, and every answer of the core, has the session asked in") {
  TestAssistant parley;
  auto& stage = parley.stage_at_once("one", claims("tea.test", "brew"));
  stage.on_start = [](LambdaStage& self) {
    self.services().on("tea.ask", [&self](const Message& message) {
      self.services().publish(message.response(Json::object()));
    });
  };
  parley.handler("tea.test", "brew", does([](Turn& turn) {
                   turn.speak("done");
                   turn.emit("tea.ask", Json::object());
                 }));
  parley.start();
  parley.say("tea", session_of({{"session_id", "kitchen"}, {"site_id", "home"}}));
  CHECK(parley.count("tea.ask.response") == 1);
  for (const auto& message : parley.heard) {
    CAPTURE(message.type());
    REQUIRE(message.context().session);
    CHECK(message.session_id() == "kitchen");
    CHECK(message.context().session->site_id == "home");
  }
  parley.heard.clear();
  Context context;
  context.session = session_of({{"session_id", "hall"}});
  for (const char* topic : {"ovos.intent.list", "ovos.pipeline.one.intents.list", "ovos.intent.describe"}) {
    parley.send(Message(topic, Json{{"skill_id", "tea.test"}}, context));
    CHECK(parley.one(std::string(topic) + ".response").session_id() == "hall");
  }
}

// ---- M-8

TEST_CASE("M-8 utterance_id: stamped once, and on every message of the lifecycle") {
  TestAssistant parley;
  parley.stage_at_once("one", claims("tea.test", "brew"));
  parley.handler("tea.test", "brew", does([](Turn& turn) {
                   turn.speak("done");
                   turn.emit("tea.poured", Json::object());
                 }));
  parley.start();
  parley.send(utterance_message("tea"));
  const std::string id = parley.one("ovos.utterance.handled").context().utterance_id;
  CHECK_FALSE(id.empty());
  CHECK(parley.heard.size() == 8);
  for (const auto& message : parley.heard) {
    CAPTURE(message.type());
    if (message.type() == "ovos.utterance.handle") {
      CHECK(message.context().utterance_id.empty());  // the client's own
    } else {
      CHECK(message.context().utterance_id == id);
    }
  }
  parley.heard.clear();
  parley.send(utterance_message("tea"));
  CHECK(parley.one("ovos.utterance.handled").context().utterance_id != id);
}

TEST_CASE("M-8 utterance_id: the entry's own is kept, and may come again once it is over") {
  TestAssistant parley;
  parley.stage_at_once("one", declines());
  parley.start();
  for (int round = 0; round < 2; ++round) {
    parley.heard.clear();
    parley.send(utterance_message("tea", nullptr, "mine"));
    CHECK(parley.one("ovos.intent.unmatched").context().utterance_id == "mine");
    CHECK(parley.one("ovos.utterance.handled").context().utterance_id == "mine");
  }
}

TEST_CASE("M-8 utterance_id: one that is in flight is replaced") {
  TestAssistant parley;
  SUBCASE("while that one runs") {}
  SUBCASE("while that one waits its turn") {
    parley.config.orchestrator.max_in_flight = 1;
  }
  StageContext* services = nullptr;
  auto& stage = parley.stage("one", [&services](MatchRequest) -> Task<std::optional<Match>> {
    co_await services->sleep(1s);
    co_return std::nullopt;
  });
  stage.on_start = [&services](LambdaStage& self) { services = &self.services(); };
  parley.start();
  for (int i = 0; i < 4; ++i) parley.send(utterance_message("tea", nullptr, "mine"));
  parley.run();
  std::set<std::string> ids;
  for (const auto& handled : parley.all("ovos.utterance.handled")) ids.insert(handled.context().utterance_id);
  CHECK(parley.count("ovos.utterance.handled") == 4);
  CHECK(ids.size() == 4);
  CHECK(ids.count("mine") == 1);
}

TEST_CASE(
    "M-8 utterance_id: those of the core's own making hold 128 random bits, and nothing of the one before") {
  TestAssistant parley;
  parley.stage_at_once("one", declines());
  parley.start();
  std::set<std::string> ids;
  constexpr std::size_t kMany = 300;  // more than are asked of the kernel at a time
  for (std::size_t i = 0; i < kMany; ++i) parley.send(utterance_message("hello"));
  parley.run();
  for (const auto& handled : parley.all("ovos.utterance.handled")) {
    const std::string& id = handled.context().utterance_id;
    CHECK(id.size() == 32);
    CHECK(id.find_first_not_of("0123456789abcdef") == id.npos);
    ids.insert(id);
  }
  CHECK(ids.size() == kMany);
  for (std::size_t half = 0; half < 2; ++half) {  // nor do they share a part
    std::set<std::string> parts;
    for (const auto& id : ids) parts.insert(id.substr(half * 16, 16));
    CHECK(parts.size() == kMany);
  }
}
