// What becomes of what was told, and of what comes from outside.
#include "evidence/tellings.hpp"
#include "support/evidence_life.hpp"

using parley::testing::Life;
namespace evidence = parley::evidence;

TEST_CASE("evidence: what was told is semantic; told otherwise it contradicts, updates and supersedes") {
  Life life;
  const auto first = life.tell("t1", "the spare key is under the pot");
  CHECK(first.at("status") == "accepted");
  CHECK(first.at("object_ids") == evidence::Json{"t1", "mem_t1"});
  CHECK(life.object("mem_t1").memory_type == "semantic");
  CHECK(life.object("mem_t1").kept);
  CHECK(life.has_edge("mem_t1", "derived_from", "t1"));
  life.tell("t2", "the spare key is in the drawer");
  CHECK(life.has_edge("mem_t2", "contradicts", "mem_t1"));
  CHECK(life.has_edge("mem_t2", "updates", "mem_t1"));
  CHECK(life.object("mem_t1").superseded_by == "mem_t2");
  CHECK(life.object("mem_t2").superseded_by.empty());
}

TEST_CASE("evidence: what is told again is a new version, and the event supports it") {
  Life life;
  life.tell("t1", "my wife is called Ana");
  life.tell("t2", "My wife is called Ana.");
  CHECK(life.object("mem_t1").version == 2);
  CHECK(life.object("mem_t1").sources == std::vector<std::string>{"t1", "t2"});
  CHECK(life.has_edge("t2", "supports", "mem_t1"));
  CHECK(life.object("mem_t2").id.empty());
}

TEST_CASE("evidence: what is told late, of a time before, supersedes nothing that was told since") {
  Life life;
  life.tell("t1", "the spare key is in the drawer");
  life.tell("t2", "the spare key is under the pot", "semantic", {{"time", "2026-04-30T10:00:00Z"}});
  CHECK(life.object("mem_t1").superseded_by.empty());
  CHECK(life.object("mem_t2").superseded_by == "mem_t1");
  CHECK(life.has_edge("mem_t1", "contradicts", "mem_t2"));
  CHECK(life.has_edge("mem_t1", "updates", "mem_t2"));
  CHECK_FALSE(life.has_edge("mem_t2", "updates", "mem_t1"));
  const auto time = life.object("mem_t1").time;
  life.tell("t3", "the spare key is in the drawer", "semantic", {{"time", "2026-04-29T10:00:00Z"}});
  CHECK(life.object("mem_t1").version == 2);
  CHECK(life.object("mem_t1").time == time);
  life.tell("t4", "the spare key is at Eva's", "semantic", {{"time", "2026-05-01T09:55:00Z"}});  // by a clock
  CHECK(life.object("mem_t1").superseded_by == "mem_t4");
}

TEST_CASE("evidence: what has no one subject stands beside the others and supersedes nothing") {
  Life life;
  life.tell("t1", "I'm allergic to nuts");
  life.tell("t2", "I'm tired");
  CHECK(life.object("mem_t1").superseded_by.empty());
  CHECK_FALSE(life.has_edge("mem_t2", "contradicts", "mem_t1"));
}

TEST_CASE("evidence: social and reflective memories, states, artifacts and sharing come from outside") {
  Life life;
  life.tell("t1", "Ana and Ben are friends", "social");
  life.tell("t2", "asking twice helps", "reflective");
  life.tell("t3", "the oven is at 200", "episodic", {{"event_type", "state.oven"}});
  life.tell("t4", "flour, eggs, milk", "episodic", {{"event_type", "artifact.recipe"}, {"scope", "shared"}});
  CHECK(life.object("mem_t1").memory_type == "social");
  CHECK(life.object("mem_t2").memory_type == "reflective");
  CHECK(life.object("parley:state:local:state.oven").type == "state");
  CHECK(life.database->number("SELECT count(*) FROM object WHERE type = 'artifact'") == 1);
  CHECK(life.has_edge("mem_t4", "shared_with", "parley:workspace:household"));
}

TEST_CASE("evidence: causes and edges of an event from outside are taken as they are") {
  Life life;
  life.tell("t1", "the kettle boiled", "episodic");
  const evidence::Json edge = {{"dst", "mem_t1"}, {"edge_type", "supports"}, {"weight", 0.5}};
  life.tell("t2", "it was hot", "episodic", {{"causes", {"t1"}}, {"edges", {edge}}});
  CHECK(life.has_edge("t2", "caused_by", "t1"));
  CHECK(life.has_edge("mem_t2", "supports", "mem_t1"));
  const auto edges = evidence::edges_of(*life.database, "local", "mem_t2", 10);
  const auto found =
      std::find_if(edges.begin(), edges.end(), [](const auto& one) { return one.type == "supports"; });
  REQUIRE(found != edges.end());
  CHECK(found->weight == 500);
}

TEST_CASE(
    "ingest: the same event again is a duplicate, with other content a conflict, a wrong one is rejected") {
  Life life;
  const auto first = life.tell("t1", "it rains", "episodic");
  CHECK(first.at("status") == "accepted");
  const auto again = life.tell("t1", "it rains", "episodic");
  CHECK(again.at("status") == "duplicate");
  CHECK(again.at("lsn") == first.at("lsn"));
  CHECK(again.at("object_ids") == first.at("object_ids"));
  CHECK(life.tell("t1", "it snows", "episodic").at("error_code") == "CONFLICT");
  const auto rejected = [&](const char* field, const evidence::Json& value) {
    return life.tell("t2", "x", "episodic", {{field, value}}).at("error_code").get<std::string>();
  };
  CHECK(rejected("event_id", "") == "MISSING_FIELD");
  CHECK(rejected("event_id", "log_7") == "RESERVED_EVENT_ID");
  CHECK(rejected("event_id", "parley:x") == "RESERVED_EVENT_ID");
  CHECK(rejected("agent_id", 7) == "INVALID_FIELD_TYPE");
  CHECK(rejected("time", "noon") == "INVALID_TIME");
  CHECK(rejected("scope", "galaxy") == "INVALID_QUERY_SCOPE");
  CHECK(rejected("memory_type", "vague") == "INVALID_MEMORY_TYPE");
  CHECK(rejected("causes", "t1") == "INVALID_FIELD_TYPE");
  CHECK(rejected("edges", {{{"dst", "t1"}, {"edge_type", "knows"}}}) == "INVALID_EDGE");
  CHECK(rejected("text", std::string(70'000, 'x')) == "TOO_LONG");
  CHECK(life.database->number("SELECT count(*) FROM event") == 1);
}

TEST_CASE("ingest: a body without a list of events, or with too many, is refused as a whole") {
  using evidence::body_fault;
  CHECK(body_fault(evidence::Json::array()).at("code") == "INVALID_FIELD_TYPE");
  CHECK(body_fault({{"events", 7}}).at("code") == "INVALID_FIELD_TYPE");
  CHECK(body_fault({{"events", std::vector<int>(1001)}}).at("code") == "TOO_MANY_EVENTS");
  CHECK(body_fault({{"events", evidence::Json::array()}}).is_null());
}

TEST_CASE("tellings: subject, relation and value, in five languages") {
  const auto read = [](const char* text, const char* lang) {
    const auto telling = evidence::read_telling(text, lang);
    return telling ? telling->topic + " = " + telling->value : std::string();
  };
  CHECK(read("the spare key is under the pot", "en-US") == "spare key|where = under the pot");
  CHECK(read("my wife is called Ana", "en-US") == "wife|name = ana");
  CHECK(read("the wifi password is 1234", "en") == "wifi password|what = 1234");
  CHECK(read("I am tired", "en").empty());
  CHECK(read("buy milk", "en").empty());
  CHECK(read("der Ersatzschlüssel liegt unter dem Topf", "de-DE") ==
        "ersatzschlussel|where = unter dem topf");
  CHECK(read("der Ersatzschlüssel unter dem Topf liegt", "de-DE") ==
        "ersatzschlussel|where = unter dem topf");
  CHECK(read("meine Frau heißt Ana", "de-DE") == "frau|name = ana");
  CHECK(read("la clé est sous le pot", "fr-FR") == "cle|where = sous le pot");
  CHECK(read("la llave está bajo la maceta", "es-ES") == "llave|where = bajo la maceta");
  CHECK(read("a chave está sob o vaso", "pt-PT") == "chave|where = sob o vaso");
  CHECK(read("I put the spare key in the drawer", "en") == "spare key|where = in the drawer");
  CHECK(read("I parked on level three", "en") == "parked|where = on level three");
  CHECK(read("the left shoe is under the bed", "en") == "left shoe|where = under the bed");
  CHECK(read("ich habe den Schlüssel in die Lade gelegt", "de") == "schlussel|where = in die lade");
  CHECK(read("j'ai mis la clé dans le tiroir", "fr") == "cle|where = dans le tiroir");
  CHECK(read("he dejado la llave en el cajón", "es") == "llave|where = en el cajon");
  CHECK(read("deixei a chave na gaveta", "pt") == "chave|where = na gaveta");
  CHECK(read("it is x", "xx").empty());
}
