#include <parley/text_set.hpp>

#include "orchestrator/orchestrator.hpp"
#include "support/assistant_fixture.hpp"

namespace parley::testing {
namespace {

/// Notes that it was asked, and declines.
Answer notes(Names& asked) {
  return [&asked](const MatchRequest& request) {
    asked.push_back(request.entry());
    return std::optional<Match>();
  };
}

/// An assistant whose stage `engine` has three entries beside the stages `first` and `last`.
struct Pipelines {
  Pipelines() {
    for (const char* id : {"first", "engine", "last"}) test.stage_at_once(id, notes(asked));
    for (const char* name : {"engine_high", "engine_low", "engine_odd"}) {
      test.config.stages["engine"].entries[name] = Json::object();
    }
    test.config.pipeline = {"first", "engine_high", "engine_low", "last"};
  }

  Names asked_for(const Json& session) {
    asked.clear();
    CHECK(test.say("hello", session_of(session)).status == TurnStatus::kUnmatched);
    return asked;
  }

  TestAssistant test;
  Names asked;
};

Json session(Json fields) {
  fields["session_id"] = "kitchen";
  return fields;
}

/// The stage `guarded` makes the match of the test, the stage `next` one that is always good.
struct Guarded {
  explicit Guarded(Answer answer) {
    test.config.language.enabled = {"en-US", "de-DE"};
    test.stage_at_once("guarded", std::move(answer));
    test.stage_at_once("next", claims("next.skill", "go"));
    test.handler("some.skill", "go", does([](Turn&) {}));
    test.handler("next.skill", "go", does([](Turn&) {}));
    test.start();
  }
  std::string winner(const Json& fields = Json::object()) {
    return test.say("hello", session_of(session(fields))).pipeline_id;
  }
  void register_intent(const Json& more, const std::string& session_id = "default") {
    Json data = {{"skill_id", "some.skill"}, {"intent_name", "go"}, {"lang", "en-US"}};
    data["samples"] = {"go {where} by {vehicle}"};
    data.update(more);
    Context context;
    context.skill_id = "some.skill";
    context.session = std::make_shared<const Session>(session_id);
    test.send(Message("ovos.intent.register.template", std::move(data), std::move(context)));
  }
  TestAssistant test;
};

}  // namespace

TEST_CASE("U-2 pipeline: the session's, else the configured one, in its order") {
  Pipelines pipelines;
  pipelines.test.start();
  const Names configured = {"first", "engine_high", "engine_low", "last"};
  CHECK(pipelines.asked_for(session(Json::object())) == configured);
  CHECK(pipelines.asked_for(session({{"pipeline", Json::array()}})) == configured);
  CHECK(pipelines.asked_for(session({{"pipeline", {"last", "engine_odd", "first"}}})) ==
        Names{"last", "engine_odd", "first"});
}

TEST_CASE(
    "U-2 pipeline: entries that are not loaded are skipped with a warning, and nothing stands in for them") {
  Pipelines pipelines;
  pipelines.test.start();
  CHECK(pipelines.asked_for(session({{"pipeline", {"nowhere", "last", "engine", "first"}}})) ==
        Names{"last", "first"});
  CHECK(pipelines.test.warned("'nowhere', which is not loaded"));
  CHECK(pipelines.test.warned("'engine', which is not loaded"));
  CHECK(pipelines.asked_for(session({{"pipeline", {"nowhere"}}})).empty());
}

TEST_CASE("U-2 pipeline: a configured entry that is not loaded is skipped, too") {
  Pipelines pipelines;
  pipelines.test.config.pipeline = {"nowhere", "last"};
  pipelines.test.start();
  CHECK(pipelines.asked_for(session(Json::object())) == Names{"last"});
  CHECK(pipelines.test.warned("nowhere"));
}

TEST_CASE("U-2 blacklisted_pipelines: by the entry's own name or by its plugin's pipeline_id") {
  Pipelines pipelines;
  pipelines.test.start();
  CHECK(pipelines.asked_for(session({{"blacklisted_pipelines", {"engine_low"}}})) ==
        Names{"first", "engine_high", "last"});
  CHECK(pipelines.asked_for(session({{"blacklisted_pipelines", {"engine"}}})) == Names{"first", "last"});
  CHECK(pipelines.asked_for(session({{"blacklisted_pipelines", {"engine", "first", "last"}}})).empty());
  CHECK(pipelines.asked_for(session({{"blacklisted_pipelines", {"stranger"}}})).size() == 4);
  CHECK(pipelines.asked_for(session(
            {{"pipeline", {"engine_odd", "last"}}, {"blacklisted_pipelines", {"engine"}}})) == Names{"last"});
}

TEST_CASE("U-2 blacklisted_pipelines: the configured one holds for sessions that carry none") {
  Pipelines pipelines;
  pipelines.test.config.blacklisted_pipelines = {"engine"};
  pipelines.test.start();
  CHECK(pipelines.asked_for(session(Json::object())) == Names{"first", "last"});
  CHECK(pipelines.asked_for(session({{"blacklisted_pipelines", Json::array()}})) == Names{"first", "last"});
  CHECK(pipelines.asked_for(session({{"blacklisted_pipelines", {"first"}}})) ==
        Names{"engine_high", "engine_low", "last"});
}

TEST_CASE("U-2 pipeline: composed once at entry; who is blacklisted later is so at once") {
  TestAssistant test;
  Json change;
  std::string winner = "second";
  std::string id = "kitchen";
  SUBCASE("pipeline") {
    change = {{"pipeline", {"third"}}};
  }
  SUBCASE("blacklisted_pipelines") {
    change = {{"blacklisted_pipelines", {"second"}}};
  }
  SUBCASE("blacklisted_skills") {
    change = {{"blacklisted_skills", {"second.skill"}}};
    winner = "third";
  }
  SUBCASE("blacklisted_intents") {
    change = {{"blacklisted_intents", {"second.skill:go"}}};
    winner = "third";
  }
  SUBCASE("blacklisted_skills of the default session") {
    change = {{"blacklisted_skills", {"second.skill"}}};
    winner = "third";
    id = "default";
  }
  LambdaStage* first = nullptr;
  first = &test.stage("first", [&](MatchRequest request) -> Task<std::optional<Match>> {
    test.bus().publish(request.message().forward("ovos.session.sync", {{"session", change}}));
    co_await first->services().sleep(std::chrono::seconds(1));
    co_return std::nullopt;
  });
  std::vector<Session::Strings> seen;
  test.stage_at_once("second", [&seen](const MatchRequest& request) {
    seen.push_back(request.session().blacklisted_skills.value_or(Session::Strings()));
    return std::optional(Match("second.skill", "go", request.lang(), request.utterance()));
  });
  test.stage_at_once("third", claims("third.skill", "go"));
  test.handler("second.skill", "go", does([](Turn&) {}));
  test.handler("third.skill", "go", does([](Turn&) {}));
  test.start();
  CHECK(test.say("hello", std::make_shared<const Session>(id)).pipeline_id == winner);
  REQUIRE(seen.size() == 1);
  CHECK(seen[0] == change.value("blacklisted_skills", Session::Strings()));
}

TEST_CASE("U-2 pipeline: a long one from outside is gone through once, and a few of what it lacks are told") {
  Pipelines pipelines;
  pipelines.test.config.session.max_size = std::size_t{16} << 20U;
  pipelines.test.config.blacklisted_pipelines = {};
  pipelines.test.start();
  constexpr std::size_t kMany = 60'000;
  Session::Strings pipeline{"first", "first"}, denied;
  for (std::size_t i = 0; i < kMany; ++i) {
    pipeline.push_back("none" + std::to_string(i));
    denied.push_back("denied" + std::to_string(i));
  }
  pipeline.insert(pipeline.end(), kMany, "last");
  Session session("kitchen");
  session.pipeline = pipeline;
  session.blacklisted_pipelines = denied;
  pipelines.test.warnings.clear();
  const auto before = TextSet::visited();
  pipelines.test.say("hello", std::make_shared<const Session>(session));
  CHECK(TextSet::visited() - before < 4 * (pipeline.size() + denied.size()));
  CHECK(pipelines.asked == Names{"first", "last"});
  CHECK(pipelines.test.warnings.size() == 9);
  CHECK(pipelines.test.warned("'none0', which is not loaded"));
  CHECK(pipelines.test.warned("'and more', which is not loaded"));
}

TEST_CASE(
    "U-3 blacklists: long ones from outside are gone through a few times, however much they are looked up") {
  TestAssistant test;
  test.config.session.max_size = std::size_t{16} << 20U;
  test.stage_at_once("one", [](const MatchRequest& request) {
    Match match("some.skill", "go", request.lang(), request.utterance());
    auto session = std::make_shared<Session>(request.session());
    for (auto& skill : *session->blacklisted_skills) skill += "x";
    session->blacklisted_intents.reset();
    match.updated_session = std::move(session);
    return std::optional(match);
  });
  test.handler("some.skill", "go", does([](Turn&) {}));
  test.start();
  constexpr std::size_t kMany = 80'000;
  Session session("kitchen");
  session.blacklisted_skills.emplace();
  session.blacklisted_intents.emplace();
  for (std::size_t i = 0; i < kMany; ++i) {
    session.blacklisted_skills->push_back("s" + std::to_string(i));
    session.blacklisted_intents->push_back("s:" + std::to_string(i));
  }
  const auto before = TextSet::visited();
  const TurnResult result = test.say("hello", std::make_shared<const Session>(session));
  CHECK(TextSet::visited() - before < 10 * 2 * kMany);
  CHECK(result.session->blacklisted_skills->size() == 2 * kMany);  // what was denied stays denied
  CHECK(result.session->blacklisted_intents->size() == kMany);
}

TEST_CASE("U-2 pipeline: an empty one goes straight to unmatched") {
  Pipelines pipelines;
  pipelines.test.start();
  pipelines.test.send(utterance_message("hello", session_of(session({{"pipeline", {"nowhere"}}}))));
  CHECK(pipelines.test.topics() ==
        Names{"ovos.utterance.handle", "ovos.intent.unmatched", "ovos.utterance.handled"});
}

TEST_CASE("U-3 match: the first that survives wins, and nobody is asked after it") {
  TestAssistant test;
  Names asked;
  test.stage_at_once("first", notes(asked));
  test.stage_at_once("second", claims("some.skill", "go"));
  test.stage_at_once("third", notes(asked));
  test.handler("some.skill", "go", does([](Turn&) {}));
  test.start();
  CHECK(test.say("hello").pipeline_id == "second");
  CHECK(asked == Names{"first"});
}

TEST_CASE("U-3 match: one of a blacklisted skill or intent is a decline") {
  Guarded guarded(claims("some.skill", "go"));
  CHECK(guarded.winner() == "guarded");
  CHECK(guarded.winner({{"blacklisted_skills", {"some.skill"}}}) == "next");
  CHECK(guarded.winner({{"blacklisted_intents", {"some.skill:go"}}}) == "next");
  CHECK(guarded.winner({{"blacklisted_skills", {"some"}},
                        {"blacklisted_intents", {"some.skill:stay", "go"}}}) == "guarded");
  CHECK(guarded.winner({{"blacklisted_skills", {"some.skill", "next.skill"}}}).empty());
}

TEST_CASE("U-3 match: the configured blacklists hold for sessions that carry none") {
  TestAssistant test;
  test.stage_at_once("stage", [](const MatchRequest& request) {
    return std::optional(Match("some.skill", request.utterance(), request.lang(), request.utterance()));
  });
  const auto matched = [&](const std::string& intent, const Json& fields) {
    return !test.say(intent, session_of(session(fields))).pipeline_id.empty();
  };
  SUBCASE("skills") {
    test.config.blacklisted_skills = {"some.skill"};
    test.start();
    CHECK_FALSE(matched("go", Json::object()));
    CHECK(matched("go", {{"blacklisted_skills", {"another.skill"}}}));
  }
  SUBCASE("intents") {
    test.config.blacklisted_intents = {"some.skill:go"};
    test.start();
    CHECK_FALSE(matched("go", Json::object()));
    CHECK(matched("stay", Json::object()));
    CHECK(matched("go", {{"blacklisted_intents", {"some.skill:stay"}}}));
  }
}

TEST_CASE("U-3 match: a stage sees the configured blacklists where the session has none of its own") {
  TestAssistant test;
  test.config.blacklisted_skills = {"some.skill"};
  test.config.blacklisted_intents = {"next.skill:stay"};
  std::optional<Session> seen;
  test.stage_at_once("looks", [&seen](const MatchRequest& request) {
    seen = request.session();
    Match match("next.skill", "go", request.lang(), request.utterance());
    Session changed = request.session();
    changed.site_id = "upstairs";
    match.updated_session = std::make_shared<const Session>(std::move(changed));
    return std::optional<Match>(match);
  });
  test.handler("next.skill", "go", does([](Turn&) {}));
  test.start();
  const TurnResult without = test.say("hello", session_of(session(Json::object())));
  CHECK(seen->blacklisted_skills == Names{"some.skill"});
  CHECK(seen->blacklisted_intents == Names{"next.skill:stay"});
  CHECK(without.session->site_id == "upstairs");
  CHECK_FALSE(without.session->blacklisted_skills.has_value());
  CHECK_FALSE(without.session->blacklisted_intents.has_value());
  test.say("hello", session_of(session({{"blacklisted_skills", {"another.skill"}}})));
  CHECK(seen->blacklisted_skills == Names{"another.skill"});
}

TEST_CASE("U-3 match: what the stage's own session says does not lift a blacklist") {
  Guarded guarded([](const MatchRequest& request) {
    Match match("some.skill", "go", request.lang(), request.utterance());
    auto session = std::make_shared<Session>(request.session());
    session->blacklisted_skills.reset();
    match.updated_session = session;
    return std::optional(match);
  });
  CHECK(guarded.winner({{"blacklisted_skills", {"some.skill"}}}) == "next");
  CHECK(guarded.winner({{"blacklisted_skills", {"another.skill"}}}) == "guarded");
  CHECK(guarded.test.heard.back().context().session->blacklisted_skills == Names{"another.skill"});
}

TEST_CASE("U-3 required_slots: a match must bind all of those the registered intent names") {
  Slots slots;
  std::string lang = "en-US";
  Guarded guarded([&](const MatchRequest& request) {
    Match match("some.skill", "go", lang, request.utterance());
    match.slots = slots;
    return std::optional(match);
  });
  SUBCASE("an intent that is not registered has none") {
    CHECK(guarded.winner() == "guarded");
  }
  SUBCASE("registered for everyone") {
    guarded.register_intent({{"required_slots", {"where", "vehicle"}}});
    CHECK(guarded.winner() == "next");
    CHECK(guarded.test.warned("'some.skill:go' needs the slot"));
    slots = {{"where", "home"}};
    CHECK(guarded.winner() == "next");
    slots = {{"where", "home"}, {"vehicle", ""}};
    CHECK(guarded.winner() == "next");
    slots = {{"where", "home"}, {"vehicle", "tram"}};
    CHECK(guarded.winner() == "guarded");
  }
  SUBCASE("none required, none needed") {
    guarded.register_intent(Json::object());
    CHECK(guarded.winner() == "guarded");
  }
  SUBCASE("of the language of the match") {
    guarded.register_intent({{"required_slots", {"where"}}});
    lang = "de-DE";
    CHECK(guarded.winner() == "guarded");
    lang = "EN-us";
    CHECK(guarded.winner() == "next");
  }
  SUBCASE("registered in another session") {
    guarded.register_intent({{"required_slots", {"where"}}}, "cellar");
    CHECK(guarded.winner() == "guarded");
  }
  SUBCASE("registered in this session") {
    guarded.register_intent({{"required_slots", {"where"}}}, "kitchen");
    CHECK(guarded.winner() == "next");
  }
}

TEST_CASE("U-4 match: a malformed one is a decline, and leaves nothing behind") {
  std::function<void(Match&)> spoil;
  Guarded guarded([&](const MatchRequest& request) {
    Match match("some.skill", "go", request.lang(), request.utterance());
    auto session = std::make_shared<Session>(request.session());
    session->site_id = "touched";
    match.updated_session = session;
    spoil(match);
    return std::optional(match);
  });
  SUBCASE("no skill_id") {
    spoil = [](Match& match) { match.skill_id.clear(); };
  }
  SUBCASE("skill_id with a colon") {
    spoil = [](Match& match) { match.skill_id = "some:skill"; };
  }
  SUBCASE("skill_id with a blank") {
    spoil = [](Match& match) { match.skill_id = "some skill"; };
  }
  SUBCASE("skill_id with an empty part") {
    spoil = [](Match& match) { match.skill_id = "some..skill"; };
  }
  SUBCASE("no intent_name") {
    spoil = [](Match& match) { match.intent_name.clear(); };
  }
  SUBCASE("intent_name with a colon") {
    spoil = [](Match& match) { match.intent_name = "go:now"; };
  }
  SUBCASE("intent_name with a dot at its end") {
    spoil = [](Match& match) { match.intent_name = "go."; };
  }
  SUBCASE("no lang") {
    spoil = [](Match& match) { match.lang.clear(); };
  }
  SUBCASE("lang that is none") {
    spoil = [](Match& match) { match.lang = "not a language"; };
  }
  SUBCASE("no utterance") {
    spoil = [](Match& match) { match.utterance.clear(); };
  }
  CHECK(guarded.winner() == "next");
  CHECK(guarded.test.warned("a match of stage 'guarded' does not count"));
  CHECK_FALSE(guarded.test.heard.back().context().session->site_id.has_value());
}

TEST_CASE("U-4 updated_session: one that names another session is ignored, and only it") {
  std::string id;
  Guarded guarded([&](const MatchRequest& request) {
    Match match("some.skill", "go", request.lang(), request.utterance());
    auto session = std::make_shared<Session>(request.session());
    session->session_id = id;
    session->site_id = "touched";
    match.updated_session = session;
    return std::optional(match);
  });
  const auto site = [&] { return guarded.test.heard.back().context().session->site_id; };
  SUBCASE("another") {
    id = "cellar";
    CHECK(guarded.winner() == "guarded");
    CHECK_FALSE(site().has_value());
    CHECK(guarded.test.warned("changed session 'cellar' in a match for 'kitchen'"));
  }
  SUBCASE("the default one") {
    id = "default";
    CHECK(guarded.winner() == "guarded");
    CHECK_FALSE(site().has_value());
    CHECK_FALSE(guarded.test.core().orchestrator().sessions().current()->site_id.has_value());
  }
  SUBCASE("its own") {
    id = "kitchen";
    CHECK(guarded.winner() == "guarded");
    CHECK(site() == "touched");
    CHECK(guarded.test.warnings.empty());
  }
}

}  // namespace parley::testing
