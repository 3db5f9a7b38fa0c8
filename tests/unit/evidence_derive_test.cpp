// What becomes of the events of turns: every type of edge and of memory, by the event that makes it.
#include <fmt/format.h>
#include <sqlite3.h>

#include <array>
#include <functional>

#include "evidence/terms.hpp"
#include "store/sqlite.hpp"
#include "store/turn_copy.hpp"
#include "support/evidence_life.hpp"

using parley::EventKind;
using parley::testing::first_event;
using parley::testing::has_part;
using parley::testing::Life;
using parley::testing::Rows;
namespace evidence = parley::evidence;

TEST_CASE("evidence: each object is found by the words of what it says itself, in its language") {
  Life life;
  life.tell("e1", "the kettle was boiling", "episodic",
            {{"event_type", "note.kitchen"}, {"scope", "shared"}});
  life.tell("e2", "die Kannen standen da", "episodic", {{"lang", "de"}, {"event_type", "state.oven"}});
  parley::Statement rows = life.database->query("SELECT summary, lang, terms FROM object");
  int count = 0;
  for (; rows.step(); ++count) {
    const std::string summary = rows.text(0);
    CAPTURE(summary);
    CHECK(rows.text(2) == evidence::index_terms(summary, rows.text(1)));
  }
  CHECK(count == 6);
}

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

TEST_CASE("evidence: a routine's hour is one of the user's day, on whichever side of a clock change") {
  Life life;
  constexpr std::int64_t kMinute = 60'000;
  constexpr std::int64_t kDay = 1'440 * kMinute;
  // Clocks in Vienna went forward on March 29, 2026: 7:30 was 6:30 UTC before, and 5:30 UTC after.
  const std::int64_t first = 1'774'679'400'000;  // 2026-03-28T06:30:00Z
  life.time_zone = "Europe/Vienna";
  life.turn("u1", "make some tea", "yes", first);
  life.turn("u2", "make some tea", "yes", first + kDay - 60 * kMinute);
  life.turn("u3", "make some tea", "yes", first + 2 * kDay - 60 * kMinute);
  auto found = life.database->query("SELECT id FROM object WHERE id LIKE 'parley:routine:%'");
  REQUIRE(found.step());
  CHECK(has_part(life.object(found.text(0)).summary, "between 7:00 and 7:59 Europe/Vienna"));
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

namespace {

/// Counts SQLite's own steps, by the hundred.
class Steps {
 public:
  explicit Steps(parley::Database& database) : database_(database) {
    constexpr int kEvery = 100;
    sqlite3_progress_handler(
        database_.handle(), kEvery, [](void* count) { return ++*static_cast<std::int64_t*>(count), 0; },
        &count_);
    database_.run("BEGIN");  // a commit each would only take its time
  }
  ~Steps() { sqlite3_progress_handler(database_.handle(), 0, nullptr, nullptr); }
  Steps(const Steps&) = delete;
  Steps& operator=(const Steps&) = delete;

  /// Whether doing it a fourth time takes hardly more than the first.
  bool stay_the_same(const std::function<void()>& work) {
    std::array<std::int64_t, 4> taken{};
    for (auto& one : taken) {
      count_ = 0;
      work();
      one = count_;
    }
    INFO("steps: ", taken[0], ", ", taken[1], ", ", taken[2], ", ", taken[3]);
    REQUIRE(taken[0] > 0);
    return taken[3] < taken[0] * 5 / 4;
  }

 private:
  parley::Database& database_;
  std::int64_t count_ = 0;
};

}  // namespace

TEST_CASE(
    "evidence: what deriving a turn and a telling takes does not grow with what there is of their owner") {
  Life life;
  Steps steps(*life.database);
  int number = 0;
  CHECK(steps.stay_the_same([&] {
    for (int i = 0; i < 20; ++i, ++number) {
      const std::string id = fmt::format("u{}", number);
      life.turn(id, fmt::format("brew tea number {}", number), "Done.", 1000 + number,
                fmt::format("session{}", number));
      life.tell("t" + id, fmt::format("the key number {} is in the drawer", number));
      life.derive();
      evidence::edges_of(*life.database, "local", "mem_" + id, 10);
    }
  }));
}

TEST_CASE("evidence: what is said again and again in one session takes no more each time") {
  Life life;
  Steps steps(*life.database);
  int number = 0;
  CHECK(steps.stay_the_same([&] {
    for (int i = 0; i < 60; ++i, ++number) {
      const std::string id = fmt::format("u{}", number);
      life.turn(id, "turn on the light", "Done.", 1000 + number, "kitchen");
      life.derive();
      const auto copy = parley::turns::copy_of(*life.database, id);
      REQUIRE(copy);
      // As if it came back from another instance.
      CHECK_FALSE(parley::turns::take(*life.database, parley::Json::parse(copy->json), true));
    }
  }));
}
