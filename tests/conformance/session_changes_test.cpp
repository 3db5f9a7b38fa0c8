#include <doctest/doctest.h>

#include "session/session.hpp"
#include "support/session_helpers.hpp"

using namespace parley;
using namespace parley::testing;
using namespace std::chrono_literals;

// ---- S-6

TEST_CASE("S-6 Match.updated_session: committed before anything is told of the match") {
  TestAssistant parley;
  parley.stage_at_once("one", [](const MatchRequest& request) {
    Match match("tea.test", "brew", request.lang(), request.utterance());
    auto session = std::make_shared<Session>(request.session());
    session->persona_id = "butler";
    session->site_id.reset();
    session->response_mode = ResponseMode("tea.test", 9e9);
    match.updated_session = std::move(session);
    return std::optional<Match>(std::move(match));
  });
  parley.handler("tea.test", "brew", does([](Turn&) {}));
  parley.start();
  const char* const ids[] = {"kitchen", "default"};
  for (const char* id : ids) {
    CAPTURE(id);
    parley.heard.clear();
    parley.say("tea", session_of({{"session_id", id}, {"site_id", "home"}}));
    CHECK(parley.heard.size() == 6);
    for (const auto& message : parley.heard) {
      if (message.type() == "ovos.utterance.handle") continue;
      CAPTURE(message.type());
      CHECK(message.context().session->persona_id == "butler");
      CHECK_FALSE(message.context().session->site_id);
      CHECK(message.context().session->response_mode == ResponseMode("tea.test", 9e9));
    }
  }
}

TEST_CASE("S-6 Match.updated_session: one of a match that does not count changes nothing") {
  TestAssistant parley;
  parley.stage_at_once("one", [](const MatchRequest& request) {
    Match match("tea.test", "brew", request.lang(), request.utterance());
    auto session = std::make_shared<Session>(request.session());
    session->persona_id = "butler";
    match.updated_session = std::move(session);
    return std::optional<Match>(std::move(match));
  });
  parley.start();
  parley.say("tea", session_of({{"session_id", "kitchen"}, {"blacklisted_skills", {"tea.test"}}}));
  CHECK(final_session(parley) == Json{{"session_id", "kitchen"}, {"blacklisted_skills", {"tea.test"}}});
}

TEST_CASE("S-6 a handler's session: becomes the round's when it ends, be it by an error") {
  TestAssistant parley;
  parley.stage_at_once("one", claims("tea.test", "brew"));
  parley.handler("tea.test", "brew", does([](Turn& turn) {
                   turn.change_session([](Session& session) {
                     session.persona_id = "butler";
                     session.site_id.reset();
                     session.session_id = "stolen";
                     session.rest = std::make_shared<const Json>(Json{{"added", true}});
                   });
                   if (turn.text() == "fail") throw std::runtime_error("no water");
                 }));
  parley.start();
  for (const char* text : {"work", "fail"}) {
    CAPTURE(text);
    parley.heard.clear();
    parley.say(text,
               session_of({{"session_id", "kitchen"}, {"site_id", "home"}, {"gone", 1}, {"lang", "en-US"}}));
    CHECK_FALSE(parley.one("ovos.intent.handler.start").context().session->persona_id);
    const bool failed = std::string(text) == "fail";
    const Message end = parley.one(failed ? "ovos.intent.handler.error" : "ovos.intent.handler.complete");
    for (const auto& message : {end, parley.one("ovos.utterance.handled")}) {
      Json session = to_json(*message.context().session);
      session.erase("active_handlers");
      session.erase("converse_handlers");
      CHECK(session ==
            Json{{"session_id", "kitchen"}, {"lang", "en-US"}, {"persona_id", "butler"}, {"added", true}});
    }
  }
}

namespace {

/// Runs the handlers of one skill by reporting a session of its choice.
class ReportingHost final : public HandlerHost {
 public:
  ReportingHost(Assistant& assistant, Json report) : assistant_(assistant), report_(std::move(report)) {}
  bool hosts(const std::string& skill_id) const override { return skill_id == "far.test"; }
  void run(HandlerCall call) override {
    HandlerEnd end;
    end.session = session_of(report_);
    assistant_.post([done = std::move(call.done), end = std::move(end)] { done(end); });
  }
  void cancel(const std::string&, const std::string&) override {}
  std::chrono::milliseconds handler_timeout(const std::string&) const override { return 1s; }

 private:
  Assistant& assistant_;
  Json report_;
};

}  // namespace

TEST_CASE(
    "S-6 a terminal report: the fields in which it differs from the dispatch are written, omitted ones "
    "left") {
  TestAssistant parley;
  parley.stage_at_once("one", claims("far.test", "brew"));
  parley.start();
  SUBCASE("the round's own") {
    ReportingHost host(parley.core(), {{"session_id", "kitchen"},
                                       {"persona_id", "butler"},
                                       {"theirs", 2},
                                       {"fallback_transformers", {"b"}},
                                       {"intent_context", {{"gone", nullptr}, {"new", {{"value", "3"}}}}}});
    parley.core().orchestrator().add_host(host);
    parley.say("tea",
               session_of({{"session_id", "kitchen"},
                           {"site_id", "home"},
                           {"mine", 1},
                           {"theirs", 1},
                           {"intent_context", {{"gone", {{"value", "1"}}}, {"kept", {{"value", "2"}}}}}}));
    Json end = final_session(parley);
    CHECK(end.at("active_handlers").at(0).at("skill_id") == "far.test");
    end.erase("active_handlers");
    end.erase("converse_handlers");
    CHECK(end == Json{{"session_id", "kitchen"},
                      {"persona_id", "butler"},
                      {"site_id", "home"},
                      {"mine", 1},
                      {"theirs", 2},
                      {"fallback_transformers", {"b"}},
                      {"intent_context", {{"kept", {{"value", "2"}}}, {"new", {{"value", "3"}}}}}});
    CHECK(parley.warnings.empty());
  }
  SUBCASE("what somebody changed meanwhile stays where the report only repeats what was dispatched") {
    ReportingHost host(parley.core(),
                       {{"session_id", "kitchen"}, {"site_id", "home"}, {"persona_id", "butler"}});
    parley.core().orchestrator().add_host(host);
    const auto meanwhile = parley.bus().subscribe("far.test:brew", [&](const Message& dispatch) {
      sync(parley, {{"site_id", "garden"}}, "kitchen", dispatch.context().utterance_id);
    });
    parley.say("tea", session_of({{"session_id", "kitchen"}, {"site_id", "home"}}));
    CHECK(final_session(parley).at("site_id") == "garden");
    CHECK(final_session(parley).at("persona_id") == "butler");
  }
  SUBCASE("another's") {
    ReportingHost host(parley.core(), {{"session_id", "hall"}, {"persona_id", "butler"}});
    parley.core().orchestrator().add_host(host);
    parley.say("tea", session_of({{"session_id", "kitchen"}, {"site_id", "home"}}));
    CHECK(final_session(parley).at("session_id") == "kitchen");
    CHECK(final_session(parley).at("site_id") == "home");
    CHECK_FALSE(final_session(parley).contains("persona_id"));
    CHECK(parley.warned("reported session 'hall': ignored"));
  }
}

TEST_CASE("S-6 ovos.session.sync: present fields replace, in the lifecycle its utterance_id names") {
  TestAssistant parley;
  parley.stage_at_once("one", claims("tea.test", "brew"));
  parley.handler("tea.test", "brew", after_a_second([](Turn&) {}));
  parley.start();
  const SessionPtr kitchen = session_of({{"session_id", "kitchen"}, {"site_id", "home"}, {"lang", "en-US"}});
  parley.send(utterance_message("a", kitchen, "u-a"));
  parley.send(utterance_message("b", kitchen, "u-b"));
  parley.send(utterance_message("c", session_of({{"session_id", "hall"}}), "u-c"));
  const auto personas = [&] {
    parley.run();
    std::map<std::string, std::string> found;
    for (const auto& message : parley.all("ovos.utterance.handled")) {
      const Session& session = *message.context().session;
      found[message.context().utterance_id] = session.persona_id.value_or("-");
      if (session.session_id == "kitchen") CHECK(session.site_id == "home");  // omitted: left
    }
    return found;
  };
  using Found = std::map<std::string, std::string>;
  const Json change = {{"persona_id", "butler"}};
  SUBCASE("the named one alone") {
    sync(parley, change, "kitchen", "u-b");
    CHECK(personas() == Found{{"u-a", "-"}, {"u-b", "butler"}, {"u-c", "-"}});
  }
  SUBCASE("without a name all that the session has running") {
    sync(parley, change, "kitchen");
    CHECK(personas() == Found{{"u-a", "butler"}, {"u-b", "butler"}, {"u-c", "-"}});
  }
  SUBCASE("a name that is not running is no name") {
    sync(parley, change, "kitchen", "u-z");
    CHECK(personas() == Found{{"u-a", "butler"}, {"u-b", "butler"}, {"u-c", "-"}});
  }
  SUBCASE("the session may be named in data alone") {
    parley.send(
        Message("ovos.session.sync", Json{{"session", {{"session_id", "hall"}, {"persona_id", "butler"}}}}));
    CHECK(personas() == Found{{"u-a", "-"}, {"u-b", "-"}, {"u-c", "butler"}});
  }
  SUBCASE("not across sessions") {
    sync(parley, change, "kitchen", "u-c");
    sync(parley, {{"session_id", "hall"}, {"persona_id", "butler"}}, "kitchen");
    CHECK(personas() == Found{{"u-a", "-"}, {"u-b", "-"}, {"u-c", "-"}});
  }
  SUBCASE("without a session it is ignored, with a warning") {
    Context context;
    context.session = kitchen;
    for (const Json& bad : {Json::object(), Json{{"session", nullptr}}, Json{{"session", "x"}}}) {
      parley.send(Message("ovos.session.sync", bad, context));
    }
    CHECK(parley.warnings.size() == 3);
    CHECK(personas() == Found{{"u-a", "-"}, {"u-b", "-"}, {"u-c", "-"}});
  }
  SUBCASE("a spoiled field is left out, with a warning") {
    sync(parley, {{"persona_id", "butler"}, {"site_id", 7}}, "kitchen", "u-a");
    CHECK(parley.warned("site_id is a number"));
    CHECK(personas() == Found{{"u-a", "butler"}, {"u-b", "-"}, {"u-c", "-"}});
  }
}

TEST_CASE("S-6 ovos.session.sync: the default session takes it at any time") {
  TestAssistant parley;
  parley.stage_at_once("one", declines());
  parley.start();
  sync(parley, {{"site_id", "home"}, {"mine", 1}}, "default");
  parley.say("tea");
  CHECK(final_session(parley) == Json{{"session_id", "default"}, {"site_id", "home"}, {"mine", 1}});
}

TEST_CASE("S-6 intent_context: merges by entry, null removes one") {
  Session session = *session_of({{"intent_context", {{"a", {{"value", "1"}}}, {"b", {{"value", "2"}}}}}});
  apply_patch(
      session,
      *session_of({{"intent_context",
                    {{"a", nullptr}, {"b", {{"value", "3"}}}, {"c", {{"value", "4"}}}, {"d", nullptr}}}}));
  CHECK(to_json(session).at("intent_context") == Json{{"b", {{"value", "3"}}}, {"c", {{"value", "4"}}}});
  apply_patch(session, *session_of({{"site_id", "home"}}));
  CHECK(session.intent_context->size() == 2);
  apply_patch(session, *session_of({{"intent_context", Json::object()}}));
  CHECK(session.intent_context->size() == 2);
}

TEST_CASE("S-6 intent_context: the entries of overlapping turns come together") {
  for (const char* id : {"default", "kitchen"}) {
    CAPTURE(id);
    TestAssistant parley;
    parley.stage_at_once("one", claims("tea.test", "brew"));
    parley.handler("tea.test", "brew", after_a_second([](Turn& turn) {
                     turn.change_session([](Session& session) {
                       auto& entries = session.intent_context.emplace(
                           session.intent_context.value_or(std::map<std::string, ContextEntry>()));
                       entries["mine"].value = "tea";
                       entries["old"].removed = true;
                     });
                   }));
    parley.start();
    const Json old = {{"old", {{"value", "x"}}}, {"kept", {{"value", "y"}}}};
    parley.send(utterance_message("tea", session_of({{"session_id", id}, {"intent_context", old}}), "u-1"));
    sync(parley, {{"intent_context", {{"theirs", {{"value", "z"}}}}}}, id, "u-1");
    parley.run();
    CHECK(final_session(parley).at("intent_context") ==
          Json{{"kept", {{"value", "y"}}}, {"mine", {{"value", "tea"}}}, {"theirs", {{"value", "z"}}}});
  }
}

TEST_CASE("S-6 intent_context: an entry that comes in as null is not there") {
  TestAssistant parley;
  parley.stage_at_once("one", declines());
  parley.start();
  const Json came = {{"a", nullptr}, {"b", {{"value", "2"}}}};
  const Json left = {{"b", {{"value", "2"}}}};
  for (const char* id : {"kitchen", "default"}) {
    CAPTURE(id);
    parley.heard.clear();
    parley.say("tea", session_of({{"session_id", id}, {"intent_context", came}}));
    CHECK(final_session(parley).at("intent_context") == left);
  }
}

// ---- S-7

TEST_CASE("S-7 times: Unix seconds with fractions, by the core's clock") {
  TestAssistant parley;
  parley.stage_at_once("one", claims("tea.test", "brew"));
  parley.handler("tea.test", "brew", does([](Turn&) {}));
  parley.start();
  parley.run_for(1250ms);
  const double now = unix_seconds(parley.core().clock().wall());
  const TurnResult result = parley.say("tea", session_of({{"session_id", "kitchen"}}));
  REQUIRE(result.session->active_handlers);
  CHECK(result.session->active_handlers->at(0).activated_at == doctest::Approx(now).epsilon(1e-12));
  CHECK(now == doctest::Approx(1767441600.0 + 1.25).epsilon(1e-12));  // the clock of tests starts there
  const Json kept = {{"session_id", "s"},
                     {"response_mode", {{"skill_id", "a"}, {"expires_at", 1767441600.125}}}};
  CHECK(to_json(*session_of(kept)) == kept);
}

TEST_CASE("S-7 times: an entry of the intent context lives until its expires_at") {
  TestAssistant parley;
  parley.stage_at_once("one", declines());
  parley.start();
  const double now = unix_seconds(parley.core().clock().wall());
  const Json entries = {{"dead", {{"value", "x"}, {"expires_at", now - 0.25}}},
                        {"alive", {{"value", "y"}, {"expires_at", now + 0.25}}}};
  parley.say("tea", session_of({{"session_id", "kitchen"}, {"intent_context", entries}}));
  CHECK(final_session(parley).at("intent_context") == Json{{"alive", entries.at("alive")}});
}
