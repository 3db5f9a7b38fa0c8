#include <doctest/doctest.h>

#include "session/session.hpp"
#include "support/session_helpers.hpp"

using namespace parley;
using namespace parley::testing;
using namespace std::chrono_literals;

// ---- S-5

TEST_CASE("S-5 default session: present fields replace what is held, omitted ones leave it") {
  SessionStore store;
  store.enter(session_of(
      {{"lang", "de-DE"}, {"pipeline", {"one"}}, {"mine", 1}, {"other", 2}, {"x_transformers", {"a"}}}));
  store.enter(session_of(
      {{"session_id", "default"}, {"pipeline", Json::array()}, {"site_id", "home"}, {"mine", {3}}}));
  CHECK(to_json(*store.current()) == Json{{"session_id", "default"},
                                          {"lang", "de-DE"},
                                          {"pipeline", Json::array()},
                                          {"site_id", "home"},
                                          {"mine", {3}},
                                          {"other", 2},
                                          {"x_transformers", {"a"}}});
  const SessionPtr before = store.current();
  CHECK(store.enter(nullptr) == before);
  CHECK(store.enter(session_of(Json::object())) == before);
  CHECK(store.enter(session_of({{"session_id", "kitchen"}, {"lang", "en-US"}}))->lang == "en-US");
  CHECK(store.current() == before);  // somebody else's
}

TEST_CASE("S-5 default session: held from one utterance to the next, every field of it") {
  TestAssistant parley;
  parley.stage_at_once("one", declines());
  parley.start();
  Json all = {{"session_id", "default"}, {"mine", {{"k", 1}}}};
  for (const auto& field : field_cases()) {
    if (field.name != "pipeline" && field.name != "intent_context") all[field.name] = field.good;
  }
  parley.say("a", session_of(all));
  parley.heard.clear();
  parley.say("b");
  CHECK(final_session(parley) == all);
}

TEST_CASE("S-5 default session: the field that a turn changed is written back, the last writer wins") {
  TestAssistant parley;
  parley.stage_at_once("one", claims("tea.test", "brew"));
  parley.handler("tea.test", "brew", [](Turn turn) -> Task<> {
    const bool slow = turn.text() == "slow";
    co_await turn.sleep(slow ? 3s : 1s);
    turn.change_session([slow](Session& session) {
      session.persona_id = slow ? "slow" : "fast";
      if (slow) {
        session.site_id = "home";
      } else {
        session.output_lang = "de-DE";
        session.rest = std::make_shared<const Json>(Json{{"mine", 1}});
      }
    });
  });
  parley.start();
  parley.say("fast", session_of({{"site_id", "away"}}));
  parley.heard.clear();
  parley.send(utterance_message("slow", session_of({{"persona_id", "first"}})));
  parley.send(utterance_message("fast", session_of({{"lang", "en-US"}})));
  parley.run();
  const auto handled = parley.all("ovos.utterance.handled");
  REQUIRE(handled.size() == 2);
  CHECK(handled[0].context().session->persona_id == "fast");
  CHECK(handled[0].context().session->site_id == "away");
  const Json last = to_json(*handled[1].context().session);
  CHECK(last.at("persona_id") == "slow");    // both wrote it: the later one
  CHECK(last.at("site_id") == "home");       // only the slow one wrote it
  CHECK(last.at("output_lang") == "de-DE");  // only the fast one did, while the slow one ran
  CHECK(last.at("mine") == 1);
  CHECK(last.at("lang") == "en-US");  // came in with the other entry
}

TEST_CASE(
    "S-5 default session: outbound messages carry what is held now, and what their handler made of it") {
  TestAssistant parley;
  parley.stage_at_once("one", claims("tea.test", "brew"));
  parley.handler("tea.test", "brew", after_a_second([](Turn& turn) {
                   turn.speak("before");
                   turn.change_session([](Session& session) { session.persona_id = "butler"; });
                   turn.speak("after");
                   turn.emit("tea.poured", Json::object());
                 }));
  parley.start();
  parley.send(utterance_message("tea", session_of({{"lang", "en-US"}})));
  parley.run_for(500ms);
  sync(parley, {{"lang", "de-DE"}, {"mine", 1}}, "default");
  parley.run();
  const auto spoken = parley.all("ovos.utterance.speak");
  REQUIRE(spoken.size() == 2);
  CHECK_FALSE(spoken[0].context().session->persona_id);
  CHECK(spoken[1].context().session->persona_id == "butler");
  const auto later = {spoken[0], spoken[1], parley.one("tea.poured"),
                      parley.one("ovos.intent.handler.complete"), parley.one("ovos.utterance.handled")};
  for (const auto& message : later) {
    CAPTURE(message.type());
    CHECK(message.context().session->lang == "de-DE");
    REQUIRE(message.context().session->rest);
    CHECK(message.context().session->rest->at("mine") == 1);
    CHECK(message.context().session->active_handlers->size() == 1);
  }
}

TEST_CASE("S-5 default session: what listeners of the dispatch change is on the trio already") {
  TestAssistant parley;
  parley.stage_at_once("one", claims("tea.test", "brew"));
  parley.handler("tea.test", "brew", does([](Turn&) {}));
  parley.start();
  const auto ear = parley.bus().subscribe("tea.test:brew", [&](const Message& message) {
    parley.bus().publish(message.forward("ovos.session.sync", Json{{"session", {{"site_id", "home"}}}}));
  });
  parley.send(utterance_message("tea"));
  CHECK_FALSE(parley.one("tea.test:brew").context().session->site_id);
  CHECK(parley.one("ovos.intent.handler.start").context().session->site_id == "home");
}
