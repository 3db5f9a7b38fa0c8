// W-6: the session of OVOS before the specifications, there and back (ovos-wire 1).
#include "support/ovos_peer.hpp"

using namespace parley;
using namespace parley::net::ovos;
using parley::testing::OvosPeer;

namespace {

const Json kShippedPipeline = {"ovos-stop-pipeline-plugin-high",       "ovos-converse-pipeline-plugin",
                               "ovos-ocp-pipeline-plugin-high",        "ovos-padatious-pipeline-plugin-high",
                               "ovos-adapt-pipeline-plugin-high",      "ovos-m2v-pipeline-high",
                               "ovos-ocp-pipeline-plugin-medium",      "ovos-fallback-pipeline-plugin-high",
                               "ovos-stop-pipeline-plugin-medium",     "ovos-adapt-pipeline-plugin-medium",
                               "ovos-fallback-pipeline-plugin-medium", "ovos-fallback-pipeline-plugin-low"};

/// What every message of ovos-bus-client 1.x carries.
Json older_form(const std::string& id) {
  return {{"session_id", id},
          {"lang", "en-US"},
          {"site_id", "unknown"},
          {"pipeline", kShippedPipeline},
          {"active_skills", Json::array()},
          {"utterance_states", Json::object()},
          {"context", {{"timeout", 120}, {"frame_stack", Json::array()}}},
          {"location",
           {{"city", {{"name", "Lawrence"}}},
            {"coordinate", {{"latitude", 38.97}, {"longitude", -95.25}}},
            {"timezone", {{"code", "America/Chicago"}, {"name", "Central Standard Time"}}}}},
          {"system_unit", "metric"},
          {"blacklisted_skills", {"skill-ovos-stop.openvoiceos"}},
          {"blacklisted_intents", Json::array()}};
}

Json session_said(OvosPeer& peer, const Json& session,
                  const std::string& topic = "recognizer_loop:utterance") {
  return peer.becomes(topic, {{"utterances", {"hello"}}}, {{"session", session}}).at("context").at("session");
}

SessionPtr session_of(const Json& form) {
  std::vector<std::string> spoiled;
  auto session = std::make_shared<const Session>(session_from_json(form, spoiled));
  REQUIRE(spoiled.empty());
  return session;
}

}  // namespace

TEST_CASE("ovos-wire 1.1: an OVOS pipeline becomes the entries that do the same") {
  struct Row {
    Json said, meant;  // null: the assistant's own pipeline
  };
  const std::vector<Row> rows{
      {kShippedPipeline, nullptr},
      {Json::array({"ovos-ocp-pipeline-plugin-high", "somebody-else"}), nullptr},
      {Json::array(), nullptr},
      {Json::array({"stop_high", "converse", "padatious_high", "adapt_high", "common_qa", "fallback_low"}),
       Json::array({"stop_high", "converse", "intent_high", "common_query", "fallback_low"})},
      {Json::array({"ovos-common-query-pipeline-plugin", "ovos-padacioso-pipeline-plugin-low",
                    "ovos-m2v-pipeline-medium", "ovos-fallback-pipeline-plugin-high"}),
       Json::array({"common_query", "intent_low", "intent_medium", "fallback_high"})},
      {Json::array({"converse", "padatious", "adapt", "fallback"}),
       Json::array({"converse", "intent_high", "fallback_high"})},
      {Json::array({"intent_high", "fallback_low"}), Json::array({"intent_high", "fallback_low"})}};
  for (const auto& row : rows) {
    OvosPeer peer;
    Json session = {{"session_id", "kitchen"}, {"pipeline", row.said}};
    const Json becomes = session_said(peer, session);
    CHECK(becomes.value("pipeline", Json()) == row.meant);
  }
}

TEST_CASE("ovos-wire 1.1: an entry of the configuration stands for itself, whatever it is called") {
  OvosPeer peer;
  peer.terms.entries = {"padatious_high"};
  const Json becomes =
      session_said(peer, {{"session_id", "kitchen"}, {"pipeline", {"adapt_high", "padatious_high"}}});
  CHECK(becomes.at("pipeline") == Json::array({"padatious_high"}));
}

TEST_CASE(
    "ovos-wire 1.2: what a client is configured with does not become the default session of everybody") {
  OvosPeer peer;
  CHECK(session_said(peer, older_form("default")) == Json{{"session_id", "default"}});
  CHECK(session_said(peer, older_form("default"), "mycroft.mic.listen") == Json{{"session_id", "default"}});
}

TEST_CASE("ovos-wire 1.2: the language of an utterance in the default session is still the client's") {
  OvosPeer peer;
  Json session = older_form("default");
  session["lang"] = "de-DE";
  const Json context = {{"session", session}};
  CHECK(peer.becomes("recognizer_loop:utterance", {{"utterances", {"hallo"}}}, context)["data"]["lang"] ==
        "de-DE");
  CHECK(peer.becomes("recognizer_loop:utterance", {{"utterances", {"oi"}}, {"lang", "pt-PT"}},
                     context)["data"]["lang"] == "pt-PT");
}

TEST_CASE("ovos-wire 1.2: a change of the default session that is asked for names entries of today") {
  OvosPeer peer;
  const Json data = {{"session", {{"pipeline", {"adapt_high"}}, {"intent_context", {{"a:b", nullptr}}}}}};
  const Json sync = peer.becomes("ovos.session.sync", data);
  CHECK(sync.at("data").at("session") ==
        Json{{"pipeline", Json::array({"intent_high"})}, {"intent_context", {{"a:b", nullptr}}}});
}

TEST_CASE("ovos-wire 1.3: who was active, and who waits for an answer, in both forms") {
  OvosPeer peer;
  Json session = older_form("kitchen");
  session["active_skills"] =
      Json::array({Json::array({"timer.test", 990.5}), Json::array({"tea.test", 900})});
  session["utterance_states"] = {{"tea.test", "intent"}, {"timer.test", "response"}};
  const Json current = session_said(peer, session);
  const Json handlers = Json::array({{{"skill_id", "timer.test"}, {"activated_at", 990.5}},
                                     {{"skill_id", "tea.test"}, {"activated_at", 900.0}}});
  CHECK(current.at("converse_handlers") == handlers);
  CHECK(current.at("active_handlers") == handlers);
  CHECK(current.at("response_mode") == Json{{"skill_id", "timer.test"}, {"expires_at", 1060.0}});
  CHECK_FALSE(current.contains("active_skills"));
  CHECK_FALSE(current.contains("utterance_states"));
  CHECK(current.at("system_unit") == "metric");  // S-2

  const Json older = to_json(*older_session(session_of(current)));
  CHECK(older.at("active_skills") ==
        Json::array({Json::array({"timer.test", 990.5}), Json::array({"tea.test", 900.0})}));
  CHECK(older.at("utterance_states") == Json{{"timer.test", "response"}});
  CHECK(older.at("converse_handlers") == handlers);
}

TEST_CASE("ovos-wire 1.3: what an older session has no name for is not lost from one turn to the next") {
  OvosPeer peer;
  session_said(peer, older_form("kitchen"));
  const Json told = {{"session_id", "kitchen"},
                     {"converse_handlers", Json::array({{{"skill_id", "a.test"}, {"activated_at", 990}},
                                                        {{"skill_id", "b.test"}, {"activated_at", 980}}})},
                     {"active_handlers", Json::array({{{"skill_id", "b.test"}, {"activated_at", 980}}})},
                     {"response_mode", {{"skill_id", "a.test"}, {"expires_at", 1'015}}},
                     {"intent_context", {{"a.test:size", {{"value", "large"}}}}}};
  peer.hears(OvosPeer::message("ovos.utterance.handled", Json::object(), {{"session", told}}));
  Json again = older_form("kitchen");
  SUBCASE("the client hands on what it was told") {
    again["active_skills"] = Json::array({Json::array({"a.test", 990}), Json::array({"b.test", 980})});
    again["utterance_states"] = {{"a.test", "response"}};
    const Json current = session_said(peer, again);
    CHECK(current.at("active_handlers") == Json::array({{{"skill_id", "b.test"}, {"activated_at", 980.0}}}));
    CHECK(current.at("response_mode") == Json{{"skill_id", "a.test"}, {"expires_at", 1'015.0}});
    CHECK(current.at("intent_context") == told.at("intent_context"));
  }
  SUBCASE("the client says that nobody is active any more") {
    const Json current = session_said(peer, again);
    CHECK(current.at("active_handlers") == Json::array());
    CHECK_FALSE(current.contains("response_mode"));
  }
  SUBCASE("the question is over: what the client still says of it is old") {
    Json over = told;
    over.erase("response_mode");
    peer.hears(OvosPeer::message("ovos.utterance.handled", Json::object(), {{"session", over}}));
    again["utterance_states"] = {{"a.test", "response"}};
    CHECK_FALSE(session_said(peer, again).contains("response_mode"));
    SUBCASE("until a skill, over whatever connection, asks again") {
      peer.hears(OvosPeer::message("ovos.utterance.speak", {{"utterance", "How many?"}}, {{"session", told}}),
                 false);
      CHECK(session_said(peer, again).at("response_mode") == told.at("response_mode"));
    }
  }
}

TEST_CASE("ovos-wire 1.3: a session that a client holds in current form is its own") {
  OvosPeer peer;
  const Json session = {
      {"session_id", "kitchen"},
      {"pipeline", {"intent_high"}},
      {"converse_handlers", Json::array({{{"skill_id", "a.test"}, {"activated_at", 990.0}}})},
      {"response_mode", {{"skill_id", "a.test"}, {"expires_at", 1'015.0}}}};
  CHECK(session_said(peer, session) == session);
  Json both = session;
  both["active_skills"] = Json::array({Json::array({"b.test", 1})});
  CHECK(session_said(peer, both).at("converse_handlers") == session.at("converse_handlers"));
}

TEST_CASE(
    "ovos-wire 1.4: the report of a skill changes what it was given, and adds nothing of the skill's own") {
  OvosPeer peer;
  const Json given = {
      {"session_id", "kitchen"},
      {"lang", "en-US"},
      {"converse_handlers", Json::array({{{"skill_id", OvosPeer::kSkill}, {"activated_at", 990.0}}})},
      {"response_mode", {{"skill_id", OvosPeer::kSkill}, {"expires_at", 1'030.0}}}};
  peer.hears_dispatch("cook.intent", Json::object(), given);
  Json own = older_form("kitchen");
  own["lang"] = "de-DE";
  own["output_lang"] = "fr-FR";
  const Json report = peer.becomes("mycroft.skill.handler.complete", {{"name", "Pasta.cook"}},
                                   OvosPeer::context_of_turn(own));
  Json expected = given;
  expected["lang"] = "de-DE";
  expected["output_lang"] = "fr-FR";
  CHECK(report.at("context").at("session") == expected);
}

TEST_CASE("ovos-wire 1.3: what a skill asks the user tells whoever keeps the session that it waits") {
  OvosPeer peer;
  peer.hears_dispatch("cook.intent");
  Json own = older_form("kitchen");
  own["utterance_states"] = {{OvosPeer::kSkill, "response"}};
  const Json asks = {{"utterance", "how many people?"}, {"expect_response", true}};
  const Json asked = peer.becomes("speak", asks, OvosPeer::context_of_turn(own));
  CHECK(asked.at("context").at("session").at("response_mode") ==
        Json{{"skill_id", OvosPeer::kSkill}, {"expires_at", 1'060.0}});
  own["utterance_states"] = {{OvosPeer::kSkill, "intent"}};
  const Json said = peer.becomes("speak", {{"utterance", "well"}}, OvosPeer::context_of_turn(own));
  CHECK_FALSE(said.at("context").at("session").contains("response_mode"));
}

TEST_CASE("ovos-wire 1.3: the second question of a skill is answered as the first, whoever's turn it is in") {
  OvosPeer peer;
  session_said(peer, older_form("kitchen"));
  Json told = {{"session_id", "kitchen"},
               {"converse_handlers", Json::array({{{"skill_id", "a.test"}, {"activated_at", 990}}})}};
  peer.hears(OvosPeer::message("ovos.utterance.handled", Json::object(), {{"session", told}}), false);
  told["response_mode"] = {{"skill_id", "a.test"}, {"expires_at", 1'040}};
  peer.hears(OvosPeer::message("ovos.utterance.speak", {{"utterance", "and?"}}, {{"session", told}}), false);
  Json again = older_form("kitchen");
  again["active_skills"] = Json::array({Json::array({"a.test", 990})});
  again["utterance_states"] = {{"a.test", "response"}};
  CHECK(session_said(peer, again).at("response_mode") ==
        Json{{"skill_id", "a.test"}, {"expires_at", 1'040.0}});
}

TEST_CASE("ovos-wire 1.5: the location, in both forms") {
  OvosPeer peer;
  const Json place = session_said(peer, older_form("kitchen")).at("location");
  CHECK(place.at("lat") == 38.97);
  CHECK(place.at("lon") == -95.25);
  CHECK(place.at("tz") == "America/Chicago");
  CHECK(place.at("city") == Json{{"name", "Lawrence"}});

  const Json older = to_json(*older_session(
      session_of({{"session_id", "s"}, {"location", {{"lat", 1.5}, {"lon", 2.5}, {"tz", "UTC"}}}})));
  CHECK(older.at("location").at("coordinate") == Json{{"latitude", 1.5}, {"longitude", 2.5}});
  CHECK(older.at("location").at("timezone").at("code") == "UTC");
}

TEST_CASE("ovos-wire 1: what is malformed in an older session counts as not said") {
  OvosPeer peer;
  const Json current = session_said(
      peer, {{"session_id", "kitchen"},
             {"active_skills",
              Json::array({"x", Json::array({1, 2}), Json::array({"a.test"}), Json::array({"b.test", 7})})},
             {"utterance_states", Json::array({"response"})},
             {"location", {{"coordinate", "here"}, {"timezone", 7}}}});
  CHECK(current.at("converse_handlers") == Json::array({{{"skill_id", "b.test"}, {"activated_at", 7.0}}}));
  CHECK_FALSE(current.contains("response_mode"));
  CHECK_FALSE(current.at("location").contains("tz"));
}

TEST_CASE("ovos-wire 1: of so many sessions the last words are remembered, no more") {
  OvosPeer peer;
  for (std::size_t i = 0; i <= Translator::kMostSessions; ++i) {
    const std::string id = "s" + std::to_string(i);
    session_said(peer, older_form(id));
    const Json told = {{"session_id", id}, {"intent_context", {{"a", {{"value", "x"}}}}}};
    peer.hears(OvosPeer::message("ovos.utterance.handled", Json::object(), {{"session", told}}));
  }
  CHECK_FALSE(session_said(peer, older_form("s0")).contains("intent_context"));
  CHECK(session_said(peer, older_form("s5")).contains("intent_context"));
}
