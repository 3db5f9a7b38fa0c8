// Who may say which topic, and what is read of its data.
#include "message/topics.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

using namespace parley;

TEST_CASE("W-2 topics: only the core says what became of an utterance") {
  using topic::Speaker;
  for (const char* const one :
       {"ovos.utterance.handled", "ovos.intent.matched", "ovos.intent.unmatched", "ovos.session.rejected",
        "ovos.core.ready", "ovos.intent.list.response", "ovos.intent.describe.response",
        "ovos.converse.active.list.response", "ovos.pipeline.converse.intents.list.response",
        "parley.turn.trace", "timer.parley:start"})
    CHECK_MESSAGE(topic::speaker_of(one) == Speaker::kCore, one);
  for (const char* const one :
       {"ovos.utterance.handle", "ovos.intent.list", "ovos.pipeline.converse.intents.list",
        "ovos.utterance.speak", "my.intents.list.response", "ovos.stop.ping"})
    CHECK_MESSAGE(topic::speaker_of(one) == Speaker::kAnybody, one);
  CHECK(topic::speaker_of("ovos.intent.handler.start") == Speaker::kReportsStart);
  CHECK(topic::speaker_of("ovos.intent.handler.complete") == Speaker::kReportsEnd);
  CHECK(topic::speaker_of("ovos.intent.handler.error") == Speaker::kReportsEnd);
  for (const char* const one : {"ovos.stop.pong", "ovos.common_query.pong", "a.b.converse.pong",
                                "a.b.fallback.pong", "a.b.common_query.response"})
    CHECK_MESSAGE(topic::speaker_of(one) == Speaker::kPolledSkill, one);
}

TEST_CASE("topics: what the core composes is what it recognises") {
  using topic::Speaker;
  CHECK(topic::speaker_of(topic::converse_pong("a.b")) == Speaker::kPolledSkill);
  CHECK(topic::speaker_of(topic::fallback_pong("a.b")) == Speaker::kPolledSkill);
  CHECK(topic::speaker_of(topic::question_answer("a.b")) == Speaker::kPolledSkill);
  CHECK(topic::speaker_of(topic::dispatch("a.b", "c")) == Speaker::kCore);
  CHECK(topic::speaker_of(topic::list_of_stage("stop") + ".response") == Speaker::kCore);
}

TEST_CASE("D-1 topics: five names of intents are reserved") {
  for (const char* const one : {"converse", "response", "stop", "fallback", "common_query"})
    CHECK(is_reserved(one));
  CHECK_FALSE(is_reserved("stop_it"));
}

TEST_CASE("topics: a field of another type is as if it were missing") {
  const Utterance said(
      Message("ovos.utterance.handle", {{"utterances", {"  ", 7, "good morning"}}, {"lang", 3}}));
  CHECK(said.utterances == std::vector<std::string>{"good morning"});
  CHECK(said.lang.empty());
  CHECK(said.is_list);
  CHECK_FALSE(Utterance(Message("ovos.utterance.handle", {{"utterances", "good morning"}})).is_list);
  const Speech speech(Message("ovos.utterance.speak", {{"utterance", "hello"}, {"listen", "yes"}}));
  CHECK(speech.utterance == "hello");
  CHECK_FALSE(speech.listen);
  CHECK(synced_session(Message("ovos.session.sync", {{"session", "default"}})) == nullptr);
}

TEST_CASE("W-5 topics: of an utterance so many candidates are taken, and so many bytes") {
  Json many = Json::array();
  for (int i = 0; i < 1000; ++i) many.push_back("say " + std::to_string(i));
  const Utterance candidates(Message("ovos.utterance.handle", {{"utterances", std::move(many)}}));
  CHECK(candidates.is_cut);
  CHECK(candidates.utterances.size() == Utterance::kMostCandidates);
  CHECK(candidates.utterances.front() == "say 0");
  const std::string half(Utterance::kMostBytes / 2, 'a');
  const Utterance long_ones(Message("ovos.utterance.handle", {{"utterances", {half, half, half}}}));
  CHECK(long_ones.is_cut);
  CHECK(long_ones.utterances.size() == 2);
  CHECK_FALSE(Utterance(Message("ovos.utterance.handle", {{"utterances", {half, half}}})).is_cut);
}

TEST_CASE("D-6 topics: an error without words has some") {
  CHECK(HandlerReport(Message("ovos.intent.handler.error", Json::object())).exception ==
        "an error without words");
  CHECK_FALSE(HandlerReport(Message("ovos.intent.handler.complete", {{"exception", "no"}})).exception);
}
