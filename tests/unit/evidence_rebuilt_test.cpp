// What evidence is when it is built anew, cleared, forgotten and brought to a newer version.
#include "store/admin.hpp"
#include "store/forget.hpp"
#include "store/schema.hpp"
#include "support/evidence_life.hpp"
#include "support/store_bytes.hpp"

using parley::Database;
using parley::testing::asked;
using parley::testing::has_part;
using parley::testing::is_in_files;
using parley::testing::Life;
using parley::testing::TemporaryFolder;
namespace evidence = parley::evidence;

TEST_CASE("evidence: built anew from the log it has the same rows") {
  Life life;
  life.turn("u1", "make some tea", "here it is");
  life.tell("t1", "the spare key is under the pot");
  life.turn("u2", "make some tea", "once more", 3000, "hall");
  life.tell("t2", "the spare key is in the drawer");
  life.tell("t3", "the oven is at 200", "episodic", {{"event_type", "state.oven"}, {"scope", "workspace"}});
  const parley::testing::Rows before = life.all();
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
  CHECK(is_in_files(life.file, "zebrafinch"));
  parley::ForgetWhat what;
  what.session_id = "attic";
  parley::forget(life.file, what);
  for (const char* const word : {"zebrafinch", "aviary", "aviari"})
    CHECK_MESSAGE(!is_in_files(life.file, word), word);
  CHECK(is_in_files(life.file, "armadillo"));
  what = parley::ForgetWhat();
  what.since = 1000;
  what.until = 2000;
  parley::forget(life.file, what);
  CHECK_FALSE(is_in_files(life.file, "armadillo"));
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

TEST_CASE(
    "store: a file of any earlier version becomes one of today's, whose indexes are those of a new one") {
  const TemporaryFolder folder;
  const auto indexes = [](Database& database) {
    std::string all;
    auto found =
        database.query("SELECT sql FROM sqlite_master WHERE type = 'index' AND sql <> '' ORDER BY sql");
    while (found.step()) all += found.text(0) + '\n';
    return all;
  };
  Database fresh(Database::kMemory, Database::Access::kCreate);
  parley::migrate(fresh);
  for (std::int64_t version = 1; version < parley::kSchemaVersion; ++version) {
    CAPTURE(version);
    const auto file = folder.path() / ("of_" + std::to_string(version) + ".db");
    {
      Database old(file, Database::Access::kCreate);
      for (std::int64_t step = 1; step <= version; ++step) old.run(parley::schema_step(step));
      old.run(("PRAGMA user_version = " + std::to_string(version)).c_str());
      old.run("PRAGMA application_id = 1885434476");
    }
    const auto database = parley::open_store_file(file);
    CHECK(database->number("PRAGMA user_version") == parley::kSchemaVersion);
    CHECK(indexes(*database) == indexes(fresh));
    CHECK(indexes(*database).find("(owner, topic, time)") != std::string::npos);
    CHECK(parley::check_store(file).empty());
  }
}

TEST_CASE("store: what a file of version 5 knows is found after it, and nobody else's") {
  const TemporaryFolder folder;
  const auto file = folder.path() / "old.db";
  {
    Database old(file, Database::Access::kCreate);
    for (std::int64_t version = 1; version <= 5; ++version) old.run(parley::schema_step(version));
    old.run("PRAGMA user_version = 5");
    old.run("PRAGMA application_id = 1885434476");
    for (const std::string owner : {"ana", "ben"}) {
      const std::string scopes = "o" + evidence::digest(owner) + " a" +
                                 evidence::digest(owner + "\n" + owner) + " s" +
                                 evidence::digest(owner + "\ns") + " n" +
                                 evidence::digest("default\nhousehold") + " ymemory mepisodic";
      auto put = old.query(
          "INSERT INTO object (owner, id, type, memory_type, summary, scope, tenant_id, workspace_id, "
          "agent_id, "
          "session_id, lang, time, logged, kept, version, lsn, sources, topic, value, superseded_by, "
          "importance, "
          "scopes, terms) VALUES (?1, 'mem_' || ?1, 'memory', 'episodic', 'a kettle', 'private', 'default', "
          "'household', ?1, 's', 'en', 1, 1, 0, 2, 1, '[]', '', '', '', 1, ?2, 'a kettl')");
      put.bind(owner).bind(scopes).run();
      old.query("INSERT INTO object_version VALUES (?1, 'mem_' || ?1, 1, 'e1', 1, 's', 'no kettle')")
          .bind(owner)
          .run();
      old.query("INSERT INTO object_version VALUES (?1, 'mem_' || ?1, 2, 'e2', 1, 's', 'a kettle')")
          .bind(owner)
          .run();
    }
  }
  const auto database = parley::open_store_file(file);
  for (const char* const scope : {"private", "session", "workspace"}) {
    const auto answer = asked(*database, "ana", "kettle", scope);
    REQUIRE_MESSAGE(answer.at("objects").size() == 1, scope);
    CHECK(answer.at("objects").at(0).at("object_id") == "mem_ana");
    CHECK(answer.at("versions").at(0).at("mutation_event_id") == "e2");
  }
  CHECK(asked(*database, "ana", "kettle", "shared").at("objects").empty());
  const auto versions = evidence::versions_of(*database, "ana", "mem_ana", 10);
  REQUIRE(versions.size() == 2);
  CHECK(versions.at(1).summary == "no kettle");
  CHECK(versions.at(1).event_id == "e1");
}

TEST_CASE("store import: evidence from another store is found, and what was there before still is") {
  Life from, to;
  from.tell("t1", "the spare key is under the pot");
  from.turn("u1", "feed the armadillo", "it is fed");
  to.tell("h1", "the oven is at 200", "episodic", {{"scope", "shared"}});
  to.tell("t2", "the zebrafinch is in the aviary");
  std::string lines;
  parley::export_store(from.file, [&](std::string_view line) {
    if (has_part(std::string(line), R"("table":"object)")) lines += std::string(line) + "\n";
  });
  to.database.reset();
  std::istringstream in(lines);
  CHECK(parley::import_store(to.file, in) > 0);
  to.database = parley::open_store_file(to.file);
  for (const char* const word : {"key", "armadillo"}) {
    const auto answer = asked(*to.database, "local", word, "private");
    CHECK_MESSAGE(!answer.at("objects").empty(), word);
  }
  to.tell("t3", "the parrot is in the kitchen");
  CHECK_FALSE(asked(*to.database, "local", "parrot", "private").at("objects").empty());
  CHECK(parley::check_store(to.file).empty());
}

TEST_CASE("forgetting: with all that an owner has the name goes, too") {
  Life life;
  evidence::Caller caller;
  caller.owner = "zebediah";
  const evidence::Json event = {
      {"event_id", "e"},        {"event_type", "said"}, {"time", "2026-05-01T10:00:00Z"},
      {"agent_id", "zebediah"}, {"session_id", "s"},    {"text", "the kettle"}};
  evidence::ingest(*life.database, caller, evidence::make_ready({{"events", {event}}}), 2000);
  CHECK(life.database->number("SELECT count(*) FROM domain WHERE owner = 'zebediah'") == 1);
  parley::ForgetWhat what;
  what.owner = "zebediah";
  parley::erase_kept(*life.database, what);
  CHECK(life.database->number("SELECT count(*) FROM domain WHERE owner = 'zebediah'") == 0);
}
