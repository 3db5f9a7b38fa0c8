// W-6: questions of fact put to older skills (ovos-wire 7).
#include "support/ovos_peer.hpp"

using namespace parley;
using namespace parley::net::ovos;
using parley::testing::OvosPeer;
using parley::testing::topics;

namespace {

constexpr const char* kPhrase = "what is pasta";
using Topics = std::vector<std::string>;

/// Two skills with questions, and one without any.
void discover_in(OvosPeer& peer) {
  for (const char* id : {"a.test", "b.test"})
    peer.says("ovos.common_query.pong", {{"skill_id", id}, {"is_classic_cq", false}}, {{"skill_id", id}});
  peer.says("mycroft.skills.loaded", {{"id", "plain.test"}});
}

Message put_to(const std::string& topic) {
  return OvosPeer::message(
      topic, {{"utterance", kPhrase}, {"lang", "en-US"}},
      {{"session", {{"session_id", "kitchen"}}}, {"utterance_id", "t"}, {"source", "me"}});
}

Json in_turn_of(const char* skill) {
  return {{"session", {{"session_id", "kitchen"}}}, {"utterance_id", "t"}, {"skill_id", skill}};
}

Json answer_of(const char* skill, const std::string& text, double conf) {
  return {{"phrase", kPhrase},
          {"skill_id", skill},
          {"answer", text},
          {"conf", conf},
          {"callback_data", {{"answer", text}, {"x", 1}}}};
}

Message won_by(const std::string& text) {
  return OvosPeer::message(
      "ovos.intent.matched",
      {{"skill_id", "common_query"}, {"intent_name", "common_query"}, {"slots", {{"answer", text}}}},
      {{"session", {{"session_id", "kitchen"}}}, {"utterance_id", "t"}});
}

}  // namespace

TEST_CASE("ovos-wire 7.1: who has questions is known from what skills say at load, and said at once") {
  OvosPeer peer;
  discover_in(peer);
  const Heard heard = peer.hears(put_to("ovos.common_query.ping"), false);
  REQUIRE(heard.passed.size() == 3);
  for (const auto& pong : heard.passed) {
    CHECK(pong.type() == "ovos.common_query.pong");
    CHECK(pong.text("utterance") == kPhrase);
    CHECK(pong.context().skill_id == pong.text("skill_id"));
    CHECK(pong.context().utterance_id == "t");
    CHECK(pong.data().at("can_answer") == (pong.text("skill_id") != "plain.test"));
  }
}

TEST_CASE("ovos-wire 7.1: what older skills say to a ping is no claim, a pong of today is one") {
  OvosPeer peer;
  CHECK(peer.says("ovos.common_query.pong", {{"skill_id", "a.test"}, {"is_classic_cq", true}},
                  {{"skill_id", "a.test"}})
            .passed.empty());
  const Json claim = {{"skill_id", "c.test"}, {"can_answer", true}, {"utterance", kPhrase}};
  CHECK(peer.becomes("ovos.common_query.pong", claim, {{"skill_id", "c.test"}}).at("data") == claim);
}

TEST_CASE("ovos-wire 7.2: one question for all skills of a connection, and an answer of each") {
  OvosPeer peer;
  discover_in(peer);
  const Heard first = peer.hears(put_to("a.test:common_query"));
  REQUIRE(topics(first.after) == Topics{"question:query"});
  CHECK(first.after.front().data() == Json{{"phrase", kPhrase}, {"lang", "en-US"}});
  CHECK(peer.hears(put_to("b.test:common_query")).after.empty());

  const std::string topic = "question:query.response";
  const Json searching = {{"phrase", kPhrase}, {"skill_id", "a.test"}, {"searching", true}};
  CHECK(peer.says(topic, searching, in_turn_of("a.test")).passed.empty());
  const Json response = peer.becomes(topic, answer_of("a.test", "Food.", 0.8), in_turn_of("a.test"));
  CHECK(response.at("type") == "a.test.common_query.response");
  CHECK(response.at("data") ==
        Json{{"skill_id", "a.test"}, {"utterance", kPhrase}, {"answer", "Food."}, {"conf", 0.8}});
  CHECK(response.at("context").at("skill_id") == "a.test");
  const Json none = peer.becomes(topic, {{"phrase", kPhrase}, {"skill_id", "b.test"}, {"searching", false}},
                                 in_turn_of("b.test"));
  CHECK(none.at("data") == Json{{"skill_id", "b.test"}, {"utterance", kPhrase}});
  CHECK(peer.says(topic, answer_of("a.test", "No, wait.", 0.9), in_turn_of("a.test")).passed.empty());
}

TEST_CASE("ovos-wire 7.2: how sure a skill is lies between 0 and 1") {
  const std::vector<std::pair<Json, double>> rows{
      {4.55, 1}, {-1, 0}, {0.25, 0.25}, {"high", 0}, {nullptr, 0}};
  for (const auto& [said, meant] : rows) {
    OvosPeer peer;
    discover_in(peer);
    peer.hears(put_to("a.test:common_query"));
    Json data = answer_of("a.test", "Food.", 0);
    data["conf"] = said;
    CHECK(peer.becomes("question:query.response", data, in_turn_of("a.test"))["data"]["conf"] == meant);
  }
}

TEST_CASE("ovos-wire 7.2 and 0.6: a question that somebody else asks is relayed, with its answers") {
  OvosPeer peer;
  discover_in(peer);
  CHECK(topics(peer.says("question:query", {{"phrase", kPhrase}}).relayed) == Topics{"question:query"});
  CHECK(topics(peer.says("question:query.response", answer_of("a.test", "Food.", 1), in_turn_of("a.test"))
                   .relayed) == Topics{"question:query.response"});
}

TEST_CASE("ovos-wire 7.3: the skill that won is told, and what it then says of the answer is heard once") {
  OvosPeer peer;
  discover_in(peer);
  peer.hears(put_to("a.test:common_query"));
  peer.hears(put_to("b.test:common_query"));
  peer.says("question:query.response", answer_of("a.test", "Food.", 0.8), in_turn_of("a.test"));
  peer.says("question:query.response", answer_of("b.test", "Noodles.", 0.9), in_turn_of("b.test"));
  const Heard heard = peer.hears(won_by("Noodles."), false);
  REQUIRE(topics(heard.after) == Topics{"question:action.b.test"});
  CHECK(heard.after.front().data() == Json{{"phrase", kPhrase},
                                           {"answer", "Noodles."},
                                           {"callback_data", {{"answer", "Noodles."}, {"x", 1}}},
                                           {"lang", "en-US"},
                                           {"skill_id", "b.test"}});
  CHECK(peer.says("speak", {{"utterance", "Noodles."}}, in_turn_of("b.test")).passed.empty());
  CHECK(peer.says("speak", {{"utterance", "More of it?"}}, in_turn_of("b.test")).passed.size() == 1);
  CHECK(peer.says("speak", {{"utterance", "Noodles."}}, in_turn_of("b.test")).passed.size() == 1);
  CHECK(peer.hears(won_by("Noodles."), false).after.empty());
}

TEST_CASE(
    "ovos-wire 7.3: a classic skill hears of it under the topic of all, and speaks what it gave along") {
  OvosPeer peer;
  peer.says("ovos.common_query.pong", {{"skill_id", "a.test"}, {"is_classic_cq", true}},
            {{"skill_id", "a.test"}});
  peer.hears(put_to("a.test:common_query"));
  Json said = answer_of("a.test", "Food.", 4.5);
  said["callback_data"]["answer"] = "It is food.";
  peer.says("question:query.response", said, in_turn_of("a.test"));
  const Heard heard = peer.hears(won_by("Food."), false);
  REQUIRE(topics(heard.after) == Topics{"question:action"});
  CHECK(heard.after.front().text("skill_id") == "a.test");
  CHECK(peer.says("speak", {{"utterance", "It is food."}}, in_turn_of("a.test")).passed.empty());
}
