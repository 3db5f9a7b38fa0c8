// What becomes of events: every type of edge and of memory, by the event that makes it; and all of it again.
#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <parley/session.hpp>
#include <sstream>

#include "evidence/answer.hpp"
#include "evidence/derive.hpp"
#include "evidence/ingest.hpp"
#include "evidence/objects.hpp"
#include "evidence/tellings.hpp"
#include "store/admin.hpp"
#include "store/forget.hpp"
#include "store/open.hpp"
#include "store/schema.hpp"
#include "store/turn_rows.hpp"
#include "support/temporary_folder.hpp"

using parley::Database;
using parley::EventKind;
using parley::testing::TemporaryFolder;
namespace evidence = parley::evidence;

namespace {

using Rows = std::vector<std::string>;

/// A store, with turns that are logged and derived from.
class Life {
 public:
  Life() : file(folder_.path() / "parley.db"), database(parley::open_store_file(file)) {}

  void happened(EventKind kind, const std::string& id, parley::Json data, std::int64_t time,
                const std::string& session = "kitchen") {
    parley::Context context;
    context.utterance_id = id;
    context.session = std::make_shared<const parley::Session>(session);
    rows_.add(*database, parley::Happened(kind, parley::Message("test", std::move(data), context), time));
  }
  /// A turn that a skill answers.
  void turn(const std::string& id, const std::string& said, const std::string& answer,
            std::int64_t time = 1000, const std::string& session = "kitchen") {
    happened(EventKind::kUtterance, id, {{"utterances", {said}}, {"lang", "en-US"}}, time, session);
    happened(EventKind::kMatch, id,
             {{"skill_id", "tea.test"},
              {"intent_name", "brew"},
              {"pipeline_id", "intent_high"},
              {"utterance", said},
              {"lang", "en-US"}},
             time, session);
    const parley::Json who = {{"skill_id", "tea.test"}, {"intent_name", "brew"}};
    happened(EventKind::kStart, id, who, time, session);
    happened(EventKind::kSpeech, id, {{"utterance", answer}, {"lang", "en-US"}}, time, session);
    happened(EventKind::kComplete, id, who, time, session);
    happened(EventKind::kHandled, id, parley::Json::object(), time + 10, session);
    derive();
  }
  evidence::Json tell(const std::string& id, const std::string& text, const char* memory_type = "semantic",
                      const evidence::Json& more = evidence::Json::object()) {
    evidence::Json event = {{"event_id", id},
                            {"event_type", "told"},
                            {"time", "2026-05-01T10:00:00Z"},
                            {"agent_id", "local"},
                            {"session_id", "kitchen"},
                            {"text", text},
                            {"memory_type", memory_type}};
    event.update(more);
    return evidence::ingest(*database, evidence::Caller(), {{"events", {event}}}, 2000).at("results").at(0);
  }
  void derive() {
    while (evidence::catch_up(*database, 100)) {
    }
  }

  bool has_edge(const std::string& src, const std::string& type, const std::string& dst) const {
    const auto edges = evidence::edges_of(*database, "local", src, 100);
    return std::any_of(edges.begin(), edges.end(), [&](const auto& edge) {
      return edge.src == src && edge.type == type && edge.dst == dst && !edge.cause.empty() && edge.time > 0;
    });
  }
  evidence::Object object(const std::string& id) const {
    return evidence::find_object(*database, "local", id).value_or(evidence::Object());
  }
  /// All rows by their keys, as text.
  Rows all() const {
    Rows rows;
    for (const char* const sql :
         {"SELECT owner || id || type || memory_type || summary || scope || agent_id || session_id || time "
          "|| "
          "logged || kept || version || lsn || sources || topic || value || superseded_by || importance || "
          "scopes || terms FROM object ORDER BY owner, id",
          "SELECT owner || src || type || dst || weight || cause || time FROM edge ORDER BY owner, src, "
          "type, dst",
          "SELECT owner || object_id || version || event_id || time || summary FROM object_version ORDER BY "
          "owner, object_id, version"}) {
      auto found = database->query(sql);
      while (found.step()) rows.push_back(found.text(0));
    }
    return rows;
  }

 private:
  TemporaryFolder folder_;
  parley::TurnRows rows_;

 public:
  const std::filesystem::path file;
  std::unique_ptr<Database> database;
};

bool has_part(const std::string& text, std::string_view part) {
  return text.find(part) != text.npos;
}

std::string first_event(const Life& life, const std::string& kind) {
  auto found = life.database->query("SELECT lsn FROM event WHERE kind = ? ORDER BY lsn LIMIT 1");
  return found.bind(kind).step() ? evidence::event_id(found.number(0)) : std::string();
}

}  // namespace

TEST_CASE("evidence: every event of the log becomes an object of type event") {
  Life life;
  life.turn("u1", "make some tea", "here it is");
  CHECK(life.database->number("SELECT count(*) FROM object WHERE type = 'event'") ==
        life.database->number("SELECT count(*) FROM event"));
  const auto object = life.object(first_event(life, "utterance"));
  CHECK(object.summary == "utterance: make some tea");
  CHECK(object.version == 1);
  CHECK(object.sources == std::vector<std::string>{object.id});
}

TEST_CASE("evidence: caused_by is made by an event that comes of another") {
  Life life;
  life.turn("u1", "make some tea", "here it is");
  CHECK(life.has_edge(first_event(life, "match"), "caused_by", first_event(life, "utterance")));
}

TEST_CASE(
    "evidence: a turn that is handled becomes one episodic memory, with derived_from, summarizes and "
    "uses_tool") {
  Life life;
  life.turn("u1", "make some tea", "here it is");
  const auto memory = life.object("mem_u1");
  CHECK(memory.memory_type == "episodic");
  CHECK(memory.summary ==
        "local said \"make some tea\"; tea.test (brew, found by intent_high) answered \"here it is\"");
  CHECK(memory.agent_id == "tea.test");
  CHECK(memory.sources == std::vector<std::string>{first_event(life, "utterance")});
  CHECK(life.has_edge("mem_u1", "derived_from", first_event(life, "utterance")));
  CHECK(life.has_edge("mem_u1", "summarizes", first_event(life, "speech")));
  CHECK(life.has_edge("mem_u1", "uses_tool", "parley:skill:tea.test"));
  CHECK(life.object("parley:session:kitchen").type == "state");
  CHECK(life.object("parley:transcript:kitchen").type == "artifact");
}

TEST_CASE("evidence: a turn that nobody takes, and one that fails, say so") {
  Life life;
  life.happened(EventKind::kUtterance, "u1", {{"utterances", {"fly me home"}}, {"lang", "en"}}, 1000);
  life.happened(EventKind::kUnmatched, "u1", {{"utterances", {"fly me home"}}, {"lang", "en"}}, 1000);
  life.happened(EventKind::kHandled, "u1", parley::Json::object(), 1000);
  life.derive();
  CHECK(life.object("mem_u1").summary == "local said \"fly me home\"; nobody had an answer");
  life.happened(EventKind::kUtterance, "u2", {{"utterances", {"make tea"}}, {"lang", "en"}}, 1000);
  life.happened(EventKind::kMatch, "u2", {{"skill_id", "tea.test"}, {"intent_name", "brew"}}, 1000);
  life.happened(EventKind::kError, "u2", {{"skill_id", "tea.test"}, {"exception", "no water"}}, 1000);
  life.happened(EventKind::kHandled, "u2", parley::Json::object(), 1000);
  life.derive();
  CHECK(has_part(life.object("mem_u2").summary, "failed: no water"));
}

TEST_CASE("evidence: a handler that completes makes a procedural memory of its task, with belongs_to_task") {
  Life life;
  life.turn("u1", "make some tea", "here it is");
  life.turn("u2", "make more tea", "here it is", 2000);
  const auto task = life.object("parley:task:tea.test:brew");
  CHECK(task.memory_type == "procedural");
  CHECK(task.version == 2);
  CHECK(task.sources.size() == 2);
  CHECK(life.has_edge("mem_u1", "belongs_to_task", task.id));
  CHECK(evidence::versions_of(*life.database, "local", task.id, 10).size() == 2);
}

TEST_CASE("evidence: the same words in the same hour on three days running make a routine, with supports") {
  Life life;
  constexpr std::int64_t kDay = 86'400'000;
  life.turn("u1", "make some tea", "yes", 5 * kDay + 1000);
  life.turn("u2", "make some tea", "yes", 6 * kDay + 60'000);
  CHECK(life.database->number("SELECT count(*) FROM object WHERE id LIKE 'parley:routine:%'") == 0);
  life.turn("u3", "make some tea", "yes", 7 * kDay + 2000);
  auto found = life.database->query("SELECT id FROM object WHERE id LIKE 'parley:routine:%'");
  REQUIRE(found.step());
  const auto routine = life.object(found.text(0));
  CHECK(routine.memory_type == "procedural");
  CHECK(has_part(routine.summary, "between 0:00 and 0:59 UTC"));
  for (const char* const memory : {"mem_u1", "mem_u2", "mem_u3"})
    CHECK_MESSAGE(life.has_edge(memory, "supports", routine.id), memory);
}

TEST_CASE("evidence: a skill that comes and goes, and a session that changes, are states with versions") {
  Life life;
  parley::Context context;
  context.skill_id = "tea.test";
  parley::TurnRows rows;
  for (const auto kind : {EventKind::kSkillArrived, EventKind::kSkillLeft})
    rows.add(*life.database,
             parley::Happened(kind, parley::Message("parley.skill", parley::Json::object(), context), 5));
  life.happened(EventKind::kSessionChange, "", parley::Json::object(), 1000);
  life.derive();
  CHECK(life.object("parley:skill:tea.test").summary == "tea.test has left");
  CHECK(life.object("parley:skill:tea.test").version == 2);
  CHECK(life.object("parley:session:kitchen").type == "state");
}

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

TEST_CASE("evidence: built anew from the log it has the same rows") {
  Life life;
  life.turn("u1", "make some tea", "here it is");
  life.tell("t1", "the spare key is under the pot");
  life.turn("u2", "make some tea", "once more", 3000, "hall");
  life.tell("t2", "the spare key is in the drawer");
  life.tell("t3", "the oven is at 200", "episodic", {{"event_type", "state.oven"}, {"scope", "workspace"}});
  const Rows before = life.all();
  CHECK(before.size() > 40);
  CHECK(evidence::rebuild(life.file) == 15);
  CHECK(life.all() == before);
}

TEST_CASE("evidence: what was told stays when the log is cleared by age, and when it is built anew") {
  Life life;
  life.tell("t1", "the spare key is under the pot");
  life.turn("u1", "make some tea", "here it is");
  while (parley::TurnRows::forget_before(*life.database, 1'000'000)) {
  }
  CHECK(life.object("mem_t1").summary == "the spare key is under the pot");
  CHECK(life.object("mem_u1").id.empty());
  CHECK(life.database->number("SELECT count(*) FROM edge") == 0);
  evidence::rebuild(life.file);  // of a log that has nothing any more
  CHECK(life.object("mem_t1").summary == "the spare key is under the pot");
  life.turn("u2", "make more tea", "here it is", 2'000'000);
  evidence::rebuild(life.file);
  CHECK(life.object("mem_t1").summary == "the spare key is under the pot");
  CHECK(life.object("mem_u2").memory_type == "episodic");
}

TEST_CASE("forgetting: no word of a session is left in its evidence, its index and beside the file") {
  Life life;
  for (int i = 0; i < 30; ++i) {
    life.turn("k" + std::to_string(i), "where is my zebrafinch", "in the aviary", 1000 + i, "attic");
    life.turn("h" + std::to_string(i), "feed the armadillo", "it is fed", 1000 + i, "hall");
  }
  life.tell("t1", "the aviary is under the roof", "semantic", {{"session_id", "attic"}});
  life.database.reset();
  const auto is_there = [&](const std::string& word) {
    for (const char* const beside : {"", "-wal", "-shm"}) {
      std::ifstream in(life.file.string() + beside, std::ios::binary);
      std::ostringstream bytes;
      bytes << in.rdbuf();
      if (has_part(bytes.str(), word)) return true;
    }
    return false;
  };
  CHECK(is_there("zebrafinch"));
  parley::ForgetWhat what;
  what.session_id = "attic";
  parley::forget(life.file, what);
  for (const char* const word : {"zebrafinch", "aviary", "aviari"}) CHECK_MESSAGE(!is_there(word), word);
  CHECK(is_there("armadillo"));
  what = parley::ForgetWhat();
  what.since = 1000;
  what.until = 2000;
  parley::forget(life.file, what);
  CHECK_FALSE(is_there("armadillo"));
}

TEST_CASE("tellings: subject, relation and value, in five languages") {
  const auto read = [](const char* text, const char* lang) {
    const auto telling = evidence::read_telling(text, lang);
    return telling ? telling->topic + " = " + telling->value : std::string();
  };
  CHECK(read("the spare key is under the pot", "en-US") == "spare key|where = under the pot");
  CHECK(read("my wife is called Ana", "en-US") == "my wife|name = ana");
  CHECK(read("the wifi password is 1234", "en") == "wifi password|what = 1234");
  CHECK(read("I am tired", "en").empty());
  CHECK(read("buy milk", "en").empty());
  CHECK(read("der Ersatzschlüssel liegt unter dem Topf", "de-DE") ==
        "ersatzschlussel|where = unter dem topf");
  CHECK(read("der Ersatzschlüssel unter dem Topf liegt", "de-DE") ==
        "ersatzschlussel|where = unter dem topf");
  CHECK(read("meine Frau heißt Ana", "de-DE") == "meine frau|name = ana");
  CHECK(read("la clé est sous le pot", "fr-FR") == "cle|where = sous le pot");
  CHECK(read("la llave está bajo la maceta", "es-ES") == "llave|where = bajo la maceta");
  CHECK(read("a chave está sob o vaso", "pt-PT") == "chave|where = sob o vaso");
  CHECK(read("it is x", "xx").empty());
}

TEST_CASE("store: a file of version 1 gets the tables of evidence, and what it logged is derived from") {
  const TemporaryFolder folder;
  const auto file = folder.path() / "old.db";
  {
    Database old(file, Database::Access::kCreate);
    old.run(parley::schema_step(1));
    old.run("PRAGMA user_version = 1");
    old.run("PRAGMA application_id = 1885434476");
    old.run(
        "INSERT INTO event (time, owner, session_id, utterance_id, kind, actor, data) VALUES (1, 'local', "
        "'s', '', 'stop', 'me', '{}')");
  }
  const auto database = parley::open_store_file(file);
  CHECK(database->number("PRAGMA user_version") == parley::kSchemaVersion);
  CHECK_FALSE(evidence::catch_up(*database, 10));
  CHECK(database->number("SELECT count(*) FROM object") == 1);
  CHECK(parley::check_store(file).empty());
}
