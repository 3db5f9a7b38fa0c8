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
  CHECK(store.enter(nullptr).session == before);
  CHECK(store.enter(session_of(Json::object())).session == before);
  CHECK(store.enter(session_of({{"session_id", "kitchen"}, {"lang", "en-US"}})).session->lang == "en-US");
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

// ---- S-5, the bound

namespace {

constexpr std::size_t kBound = 2'000;

std::size_t size_of(const Session& session) {
  return to_json(session).dump().size();
}

/// A field nobody knows, which makes a session as large as that.
Json filled(Json session, std::size_t bytes) {
  session["filling"] = "";
  session["filling"] = std::string(bytes - session.dump().size(), '.');
  return session;
}

}  // namespace

TEST_CASE("S-5 size: what fits is told to the byte, whatever the session holds") {
  Json all = {{"session_id", "k\u00fcche \"\n"}, {"mine", {{"k", {1, -2.5, nullptr, true, "\x01"}}}}};
  for (const auto& field : field_cases()) all[field.name] = field.good;
  std::vector<SessionPtr> sessions{session_of(all), session_of(Json::object())};
  for (const auto& [key, value] : all.items()) sessions.push_back(session_of({{key, value}}));
  for (const auto& session : sessions) {
    CAPTURE(to_json(*session));
    CHECK(fits(*session, size_of(*session)));
    CHECK_FALSE(fits(*session, size_of(*session) - 1));
  }
}

TEST_CASE(
    "S-5 size: a change that would make a session too large is refused whole, and its sender is named") {
  TestAssistant parley;
  parley.config.session.max_size = kBound;
  parley.stage_at_once("one", [](const MatchRequest& request) {
    Match match("tea.test", "brew", request.lang(), request.utterance());
    if (request.utterance() == "by a stage") {
      auto session = std::make_shared<Session>(request.session());
      session->site_id = "there";
      session->persona_id = std::string(kBound, '.');
      match.updated_session = std::move(session);
    }
    return std::optional(match);
  });
  parley.handler("tea.test", "brew", does([](Turn& turn) {
                   if (turn.text() != "by a handler") return;
                   turn.change_session([](Session& session) {
                     session.site_id = "there";
                     session.persona_id = std::string(kBound, '.');
                   });
                   turn.speak("done");
                 }));
  parley.start();
  const Json before = {{"site_id", "home"}, {"mine", 1}};
  for (const char* id : {"default", "kitchen"}) {
    for (const char* how : {"by a stage", "by a handler"}) {
      CAPTURE(id);
      CAPTURE(how);
      parley.heard.clear();
      parley.warnings.clear();
      Json session = before;
      session["session_id"] = id;
      Json after = to_json(*parley.say(how, session_of(session)).session);
      CHECK(after.at("active_handlers").size() == 1);  // what else the turn did to it
      CHECK(after.at("site_id") == "home");
      CHECK_FALSE(after.contains("persona_id"));
      for (const auto& message : parley.heard) CHECK(size_of(*message.context().session) <= kBound);
      const std::string by = how == std::string("by a stage") ? "one" : "tea.test";
      CHECK(parley.warned("a change by '" + by + "', in a turn of this process, would make session '" + id +
                          "' larger than 2000 bytes (session.max_size): refused"));
    }
  }
  parley.warnings.clear();
  sync(parley, {{"site_id", "there"}, {"persona_id", std::string(kBound, '.')}}, "default");
  CHECK(parley.core().orchestrator().sessions().current()->site_id == "home");
  CHECK(parley.warned("a change by this process would make session 'default' larger than 2000 bytes"));
}

TEST_CASE("S-5 size: what comes in for the default session and would make it too large leaves it as it was") {
  TestAssistant parley;
  parley.config.session.max_size = kBound;
  parley.stage_at_once("one", declines());
  parley.start();
  parley.say("tea", session_of({{"site_id", "home"}}));
  Context context;
  context.sender = std::make_shared<const Sender>(7, "client 192.0.2.1:5");
  context.session = session_of(filled({{"site_id", "there"}}, kBound + 1));
  parley.heard.clear();
  parley.send(Message("ovos.utterance.handle", Json{{"utterances", {"tea"}}}, std::move(context)));
  CHECK(final_session(parley) == Json{{"session_id", "default"}, {"site_id", "home"}});
  CHECK(parley.one("ovos.intent.unmatched").data().at("utterances") == Json{"tea"});
  CHECK(parley.warned("a change by client 192.0.2.1:5 would make session 'default' larger than 2000 bytes"));
}

TEST_CASE(
    "S-5 size: an utterance with a named session that is too large ends unmatched, and nobody is asked") {
  TestAssistant parley;
  parley.config.session.max_size = kBound;
  int asked = 0;
  parley.stage_at_once("one", [&asked](const MatchRequest& request) {
    ++asked;
    return std::optional(Match("tea.test", "brew", request.lang(), request.utterance()));
  });
  parley.handler("tea.test", "brew", does([](Turn&) {}));
  parley.start();
  const Json denies = {{"session_id", "kitchen"}, {"blacklisted_skills", {"tea.test"}}};
  CHECK(parley.say("tea", session_of(filled(denies, kBound + 1))).status == TurnStatus::kUnmatched);
  CHECK(asked == 0);
  CHECK(final_session(parley) == Json{{"session_id", "kitchen"}});
  CHECK(parley.count("ovos.intent.unmatched") == 1);
  CHECK(parley.warned("a change by this process would make session 'kitchen' larger than 2000 bytes"));
  parley.warnings.clear();
  CHECK(parley.say("tea", session_of(filled({{"session_id", "kitchen"}}, kBound - 200))).status ==
        TurnStatus::kAnswered);
  CHECK(asked == 1);
  CHECK(parley.warnings.empty());
}

TEST_CASE("S-5 size: an id that is too large by itself is cut, and the turn ends once for its sender") {
  TestAssistant parley;
  parley.config.session.max_size = kBound;
  parley.stage_at_once("one", declines());
  parley.start();
  for (const std::string& part : {std::string("a"), std::string("é"), std::string(1, '\x01')}) {
    CAPTURE(part);
    std::string id;
    while (id.size() <= kBound * 4) id += part;
    Context context;
    context.session = session_of({{"session_id", id}});
    context.utterance_id = "mine";
    parley.heard.clear();
    parley.send(Message("ovos.utterance.handle", Json{{"utterances", {"tea"}}}, std::move(context)));
    CHECK(parley.one("ovos.utterance.handled").context().utterance_id == "mine");
    for (const auto& message : parley.heard) {
      if (message.type() == "ovos.utterance.handle") continue;  // as it was sent
      CHECK(size_of(*message.context().session) <= kBound);
      CHECK(id.starts_with(message.session_id()));
    }
  }
}
