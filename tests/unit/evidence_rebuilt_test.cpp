// What evidence is when it is built anew, cleared, forgotten and brought to a newer version.
#include <fstream>
#include <sstream>

#include "store/admin.hpp"
#include "store/forget.hpp"
#include "store/schema.hpp"
#include "support/evidence_life.hpp"

using parley::Database;
using parley::testing::has_part;
using parley::testing::Life;
using parley::testing::Rows;
using parley::testing::TemporaryFolder;
namespace evidence = parley::evidence;

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
