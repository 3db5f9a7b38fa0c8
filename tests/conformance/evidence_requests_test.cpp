// What skills here ask of the evidence on the bus (K-6).
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <parley/session.hpp>

#include "support/assistant_fixture.hpp"

using namespace parley;
using namespace parley::testing;

namespace {

/// Skills that speak with turns of several people, and what they are answered.
class Asking {
 public:
  Asking() {
    core_.start();
    for (const char* const who : {"ana", "ben"})
      senders_.emplace(who, std::make_shared<const Sender>(senders_.size() + 1, who, who));
  }

  Json ask(const std::string& who, const std::string& topic, Json data, const std::string& session = "s") {
    auto carried = std::make_shared<Session>();
    carried->session_id = session;
    Context context;
    context.sender = senders_.at(who);
    context.session = std::move(carried);
    context.skill_id = "asking.test";
    core_.heard.clear();
    core_.send(Message(topic, std::move(data), std::move(context)));
    return core_.one(topic + ".response").data();
  }
  Json tell(const std::string& who, const std::string& id, const std::string& text, const Json& more = {}) {
    Json event = {{"event_id", id},  {"event_type", "told"}, {"time", "2026-01-02T10:00:00Z"},
                  {"agent_id", who}, {"session_id", "s"},    {"memory_type", "semantic"},
                  {"text", text},    {"lang", "en"}};
    if (more.is_object()) event.update(more);
    return ask(who, "parley.evidence.ingest", {{"events", {std::move(event)}}});
  }
  Json query(const std::string& who, const std::string& text, const std::string& agent,
             const std::string& session = "s") {
    return ask(who, "parley.evidence.query",
               {{"query_text", text},
                {"query_scope", "private"},
                {"agent_id", agent},
                {"session_id", session},
                {"top_k", 5},
                {"object_types", {"memory"}},
                {"response_mode", "objects_only"}});
  }

 private:
  TestAssistant core_;
  std::map<std::string, std::shared_ptr<const Sender>> senders_;
};

}  // namespace

TEST_CASE("K-6: a skill reaches what is the owner's of its turn, and nothing else") {
  Asking asking;
  CHECK(asking.tell("ana", "t1", "the spare key is under the pot").at("accepted") == 1);
  const Json found = asking.query("ana", "spare key", "ana");
  REQUIRE(found.at("objects").size() == 1);
  CHECK(found.at("objects").at(0).at("coverage") == 1.0);
  CHECK(found.at("objects").at(0).at("told").at("subject") == "spare key");
  CHECK(asking.query("ben", "spare key", "ben").at("objects").empty());
  CHECK(asking.query("ben", "spare key", "ana").at("error_code") == "FORBIDDEN_SCOPE");
  CHECK(asking.query("ana", "spare key", "ana", "another").at("error_code") == "FORBIDDEN_SCOPE");
}

TEST_CASE("K-6: what is forgotten takes its event along, and what it superseded") {
  Asking asking;
  asking.tell("ana", "t1", "the spare key is under the pot");
  asking.tell("ana", "t2", "the spare key is in the drawer");
  CHECK(asking.ask("ben", "parley.evidence.forget", {{"object_ids", {"mem_t2"}}}).at("objects") == 0);
  const Json gone = asking.ask("ana", "parley.evidence.forget", {{"object_ids", {"mem_t2"}}});
  CHECK(gone.at("objects") == 2);
  CHECK(gone.at("event_ids") == Json{"t2", "t1"});
  CHECK(asking.query("ana", "spare key", "ana").at("objects").empty());
  CHECK(asking.ask("ana", "parley.evidence.forget", Json::object()).at("error").at("code") == "bad_request");
  CHECK(asking.tell("ana", "t1", "the spare key is at Eva's").at("accepted") == 1);  // its id is free again
}

TEST_CASE("K-6: what an edge contradicts does not hold any more") {
  Asking asking;
  asking.tell("ana", "t1", "I'm allergic to nuts");
  const Json edges = {{{"dst", "mem_t1"}, {"edge_type", "contradicts"}}};
  asking.tell("ana", "t2", "I'm allergic to peanuts", {{"edges", edges}});
  const Json found = asking.query("ana", "allergic", "ana");
  REQUIRE(found.at("objects").size() == 2);
  CHECK(found.at("objects").at(0).at("object_id") == "mem_t2");
  CHECK(found.at("objects").at(1).at("superseded_by") == "mem_t2");
  CHECK(asking.ask("ana", "parley.evidence.forget", {{"object_ids", {"mem_t2"}}}).at("objects") == 2);
}

TEST_CASE("K-6: what was told over and over is forgotten with each time it was") {
  Asking asking;
  constexpr std::size_t kTimes = 40;
  for (std::size_t i = 0; i < kTimes; ++i)
    asking.tell("ana", "t" + std::to_string(i), "the spare key is under the pot");
  const Json gone = asking.ask("ana", "parley.evidence.forget", {{"object_ids", {"mem_t0"}}});
  CHECK(gone.at("event_ids").size() == kTimes);
}
