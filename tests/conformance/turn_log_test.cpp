// What is written down of turns.
#include <doctest/doctest.h>

#include "store/lasting.hpp"
#include "store/schema.hpp"
#include "store/sqlite.hpp"
#include "store/store.hpp"
#include "store/turn_log.hpp"
#include "store/turn_rows.hpp"
#include "support/spoken_fixture.hpp"

using namespace parley::testing;
using namespace std::chrono_literals;
using parley::Json;
using parley::TurnFilter;
using parley::TurnRow;

namespace {

std::unique_ptr<parley::Skill> talks() {
  return std::make_unique<LambdaSkill>([](LambdaSkill& self) {
    self.on_intent("go", echoes());
    self.on_intent("fail", [](parley::Turn) -> parley::Task<> {
      throw std::runtime_error("no luck");
      co_return;
    });
    self.on_intent("later", [](parley::Turn turn) -> parley::Task<> {
      turn.speak("soon");
      co_return;
    });
    self.on_intent("ask", [](parley::Turn turn) -> parley::Task<> {
      const auto answer = co_await turn.ask("added");
      turn.speak(answer ? "so be it" : "never mind");
    });
    self.on_intent("shrug", [](parley::Turn turn) -> parley::Task<> {
      turn.not_understood();
      turn.speak("no idea");
      co_return;
    });
    self.on_intent("ring", [&self](parley::Turn turn) -> parley::Task<> {
      self.at(self.clock().wall() + 1min, [turn]() mutable { turn.speak("ring"); });
      co_return;
    });
  });
}

const Names& spoken_intents() {
  static const Names all{"go", "fail", "later", "ask", "shrug", "ring"};
  return all;
}

std::vector<TurnRow> kept_turns(Spoken& run, TurnFilter filter = TurnFilter()) {
  std::vector<TurnRow> rows;
  std::string failure = "nobody called back";
  run.core().store().read([&](parley::Database& database) { rows = parley::turns::latest(database, filter); },
                          [&](const std::string& what) { failure = what; });
  CHECK(failure.empty());
  return rows;
}

std::vector<std::string> kinds(Spoken& run) {
  std::vector<std::string> found;
  run.core().store().read(
      [&](parley::Database& database) {
        auto rows = database.query("SELECT kind FROM event WHERE utterance_id <> '' ORDER BY lsn");
        while (rows.step()) found.push_back(rows.text(0));
      },
      [](const std::string& failure) { CHECK(failure.empty()); });
  return found;
}

TurnFilter of_session(const std::string& id, const std::string& owner = "local") {
  TurnFilter filter;
  filter.session_id = id;
  filter.owner = owner;
  return filter;
}

}  // namespace

TEST_CASE("log: a turn is kept whole: who said what, what matched, what was said and how it ended") {
  const TemporaryFolder folder;
  Spoken run(talks(), spoken_intents(), folder.path() / "parley.db");
  const auto anna = std::make_shared<const parley::Sender>(7, "client", "anna");
  run.say("please go", called("kitchen"), anna);
  run.say("please fail", called("kitchen"));
  const auto rows = kept_turns(run);
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].said == "please go");
  CHECK(rows[0].owner == "anna");
  CHECK(rows[0].session_id == "kitchen");
  CHECK(rows[0].lang == "en-US");
  CHECK(rows[0].outcome == "answered");
  CHECK(rows[0].skill_id == "keeper.test");
  CHECK(rows[0].intent_name == "go");
  CHECK(rows[0].pipeline_id == "test");
  REQUIRE(rows[0].answers.size() == 1);
  CHECK(rows[0].answers[0].first == "please go");
  CHECK(rows[1].outcome == "error");
  CHECK(rows[1].error == "no luck");
  CHECK(kept_turns(run, of_session("kitchen")).size() == 1);
  CHECK(kept_turns(run, of_session("kitchen", "anna")).size() == 1);
  CHECK(kept_turns(run, of_session("hall")).empty());
}

TEST_CASE("log: events come in the order in which they happened, and each names what it came of") {
  const TemporaryFolder folder;
  Spoken run(talks(), spoken_intents(), folder.path() / "parley.db");
  run.say("go");
  CHECK(kinds(run) == Names{"utterance", "match", "start", "speech", "complete", "handled"});
  run.core().store().read(
      [](parley::Database& database) {
        CHECK(database.number(
                  "SELECT count(*) FROM event AS e WHERE kind IN ('match', 'start', 'speech', 'complete') "
                  "AND cause IN (SELECT lsn FROM event AS c WHERE c.lsn < e.lsn AND c.utterance_id = "
                  "e.utterance_id)") == 4);
        CHECK(database.number("SELECT count(*) FROM event WHERE kind = 'skill_arrived'") == 1);
      },
      [](const std::string& failure) { CHECK(failure.empty()); });
}

TEST_CASE(
    "log: who shares turns gets each that is over, as another log can take it, and none that is not kept") {
  for (const auto keep : {parley::StoreKeep::kTraces, parley::StoreKeep::kNothing}) {
    const TemporaryFolder folder;
    Spoken run(talks(), spoken_intents(), folder.path() / "parley.db", std::nullopt, keep);
    std::vector<parley::LoggedTurn> over;
    run.core().lasting()->turns_over->on_told([&](std::vector<parley::LoggedTurn> turns) {
      for (auto& turn : turns) over.push_back(std::move(turn));
    });
    run.say("go", called("kitchen"), std::make_shared<const parley::Sender>(7, "client", "anna"));
    run.core().lasting()->turns_over->on_told(nullptr);
    run.say("fail");
    REQUIRE(over.size() == (keep == parley::StoreKeep::kNothing ? 0 : 1));
    if (over.empty()) continue;
    const auto told = parley::Json::parse(over[0].json);
    const auto other = parley::make_memory_store();
    other->write(
        [&](parley::Database& database) {
          auto damaged = told;
          damaged["events"].back()["kind"] = 1;
          CHECK_THROWS_AS(parley::turns::take(database, damaged, true), parley::Json::exception);
          CHECK(database.number("SELECT count(*) FROM event") == 0);  // not the half of it
          CHECK(parley::turns::take(database, told, true));
          CHECK_FALSE(parley::turns::take(database, told, true));
          CHECK_THROWS_AS(parley::turns::take(database, {{"owner", 1}}, true), parley::Json::exception);
          const auto rows = parley::turns::latest(database, of_session("kitchen", "anna"));
          REQUIRE(rows.size() == 1);
          CHECK(rows[0].said == "go");
          CHECK(parley::turns::find(database, rows[0].utterance_id)->trace.find("\"handled\"") !=
                std::string::npos);
          CHECK(rows[0].outcome == "answered");
          CHECK(rows[0].answers == kept_turns(run, of_session("kitchen", "anna"))[0].answers);
          CHECK(database.number("SELECT count(*) FROM event WHERE owner = 'anna'") == 6);
          const auto again = parley::turns::copy_of(database, over[0].utterance_id);
          REQUIRE(again);
          CHECK(again->json == over[0].json);
        },
        [](const std::string& failure) { CHECK(failure.empty()); });
    parley::make_memory_store()->write(  // of one where store.keep says turns
        [&](parley::Database& database) {
          CHECK(parley::turns::take(database, told, false));
          CHECK(parley::turns::find(database, over[0].utterance_id)->trace.empty());
        },
        [](const std::string& failure) { CHECK(failure.empty()); });
  }
}

TEST_CASE("log: a trace is kept with its turn, and not where store.keep says turns") {
  for (const auto keep :
       {parley::StoreKeep::kTraces, parley::StoreKeep::kTurns, parley::StoreKeep::kNothing}) {
    const TemporaryFolder folder;
    Spoken run(talks(), spoken_intents(), folder.path() / "parley.db", std::nullopt, keep);
    run.say("go");
    const auto rows = kept_turns(run);
    REQUIRE(rows.size() == (keep == parley::StoreKeep::kNothing ? 0 : 1));
    if (rows.empty()) continue;
    std::optional<TurnRow> found;
    run.core().store().read(
        [&](parley::Database& database) { found = parley::turns::find(database, rows[0].utterance_id); },
        [](const std::string& failure) { CHECK(failure.empty()); });
    REQUIRE(found);
    if (keep == parley::StoreKeep::kTurns) {
      CHECK(found->trace.empty());
    } else {
      const Json trace = Json::parse(found->trace);
      CHECK(trace.at("outcome") == "complete");
      CHECK(trace.at("steps").size() > 3);
    }
  }
  TemporaryFolder folder;
  Spoken run(talks(), spoken_intents(), folder.path() / "parley.db");
  run.say("go");
  CHECK(run.count("parley.turn.trace") == 0);  // nobody asked for it on the bus
}

TEST_CASE("log: a question waits as asked, and its answer is a turn of its own") {
  const TemporaryFolder folder;
  Spoken run(talks(), spoken_intents(), folder.path() / "parley.db");
  run.say("ask");
  auto rows = kept_turns(run);
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].outcome == "asked");
  CHECK(rows[0].answers.size() == 1);
  std::optional<TurnRow> found;
  run.core().store().read(
      [&](parley::Database& database) { found = parley::turns::find(database, rows[0].utterance_id); },
      [](const std::string& failure) { CHECK(failure.empty()); });
  REQUIRE(found);
  CHECK(Json::parse(found->trace).at("outcome") == "waiting");  // why it asks may be asked while it waits
}

TEST_CASE("log: what a handler says after its end is added to its turn") {
  const TemporaryFolder folder;
  Spoken run(talks(), spoken_intents(), folder.path() / "parley.db");
  run.say("ring");
  CHECK(kept_turns(run).front().answers.empty());
  run.core().run_for(2min);
  REQUIRE(kept_turns(run).size() == 1);
  REQUIRE(kept_turns(run).front().answers.size() == 1);
  CHECK(kept_turns(run).front().answers.front().first == "ring");
}

TEST_CASE("log: it is there after a restart") {
  const TemporaryFolder folder;
  const auto file = folder.path() / "parley.db";
  {
    Spoken run(talks(), spoken_intents(), file);
    run.say("go");
    run.say("fail");
  }
  Spoken run(talks(), spoken_intents(), file);
  run.say("later");
  const auto rows = kept_turns(run);
  REQUIRE(rows.size() == 3);
  CHECK(rows[0].said == "go");
  CHECK(rows[2].answers.front().first == "soon");
}

TEST_CASE(
    "U-10 log: what only somebody without an answer took is unmatched, and listed with what nobody took") {
  const TemporaryFolder folder;
  Spoken run(talks(), spoken_intents(), folder.path() / "parley.db");
  run.say("please shrug", called("kitchen"));
  const auto rows = kept_turns(run, of_session("kitchen"));
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].outcome == "unmatched");
  CHECK(rows[0].answers.front().first == "no idea");
  run.core().store().read(
      [](parley::Database& database) {
        const auto list = parley::turns::unmatched(database, TurnFilter());
        REQUIRE(list.size() == 1);
        CHECK(list[0].said == "please shrug");
      },
      [](const std::string& failure) { CHECK(failure.empty()); });
}

TEST_CASE("log: what nobody understood is listed by how often it was said") {
  parley::Database database(parley::Database::kMemory, parley::Database::Access::kCreate);
  parley::migrate(database);
  parley::TurnRows rows;
  const auto unmatched = [&](const std::string& said, const std::string& id) {
    parley::Context context;
    context.utterance_id = id;
    const Json data = {{"utterances", {said}}, {"lang", "en-US"}};
    rows.add(database, parley::Happened(parley::EventKind::kUnmatched,
                                        parley::Message("ovos.intent.unmatched", data, context), 5));
    rows.add(database,
             parley::Happened(parley::EventKind::kHandled,
                              parley::Message("ovos.utterance.handled", Json::object(), context), 6));
  };
  unmatched("flurb", "1");
  unmatched("grommet", "2");
  unmatched("grommet", "3");
  const auto list = parley::turns::unmatched(database, TurnFilter());
  REQUIRE(list.size() == 2);
  CHECK(list[0].said == "grommet");
  CHECK(list[0].count == 2);
  CHECK(list[1].said == "flurb");
  CHECK_FALSE(parley::TurnRows::forget_before(database, 6));
  CHECK(parley::turns::latest(database, TurnFilter()).empty());
  CHECK(database.number("SELECT count(*) FROM event") == 3);  // those at 6
}

namespace {

/// A store whose disk takes nothing until it is told to.
class SlowStore final : public parley::Store {
 public:
  void write(Work work, Done done, Lasts lasts) override {
    if (is_slow) {
      waiting.emplace_back(std::move(work), std::move(done));
    } else {
      inner->write(std::move(work), std::move(done), lasts);
    }
  }
  void scrub(Done done) override { inner->scrub(std::move(done)); }
  void read(Work work, Done done) override { inner->read(std::move(work), std::move(done)); }
  void close() override { inner->close(); }
  const std::filesystem::path& file() const noexcept override { return inner->file(); }
  void go_on() {
    is_slow = false;
    for (auto& [work, done] : std::exchange(waiting, {})) inner->write(work, done, Lasts::kAlways);
  }

  std::shared_ptr<parley::Store> inner = parley::make_memory_store();
  bool is_slow = true;
  std::vector<std::pair<Work, Done>> waiting;
};

}  // namespace

TEST_CASE(
    "log: when turns come faster than the disk takes them, traces go first, then events, counted and told") {
  std::vector<std::string> warnings;
  const parley::LogListener log(
      [&](parley::LogLevel, std::string_view, std::string_view text) { warnings.emplace_back(text); });
  parley::JumpingClock clock;
  parley::Timers timers(clock);
  parley::Bus bus(timers);
  parley::Counters counters;
  const auto store = std::make_shared<SlowStore>();
  {
    parley::TurnLogSettings settings;
    settings.max_queue = 100;
    parley::TurnLog turns(store, bus, counters, settings);
    const auto record = std::make_shared<parley::TraceRecord>(clock, "1", "s", Names{"go"});
    for (int i = 0; i < 80; ++i) {
      parley::Context context;
      context.utterance_id = std::to_string(i);
      bus.publish(parley::Message("ovos.utterance.handled", Json::object(), context));
      turns.traced(record, "complete");
    }
    CHECK(counters.of("parley_store_dropped_total{what=\"trace\"}") == 55);
    CHECK(counters.of("parley_store_dropped_total{what=\"event\"}") == 5);
    REQUIRE(warnings.size() == 1);  // however many are dropped within ten seconds
    CHECK(warnings.front().find("1 events or traces") != std::string::npos);
    clock.advance_to(clock.now() + std::chrono::seconds(10));
    turns.traced(record, "complete");
    turns.traced(record, "complete");
    REQUIRE(warnings.size() == 2);
    CHECK(warnings.back().find("61 events or traces") != std::string::npos);
    CHECK(warnings.front().find("store.max_queue is 100") != std::string::npos);
    CHECK(store->waiting.size() == 1);  // one piece of work, whatever waits
    store->go_on();
  }
  store->read([](parley::Database& database) { CHECK(database.number("SELECT count(*) FROM event") == 75); },
              [](const std::string& failure) { CHECK(failure.empty()); });
}

TEST_CASE("log: a trace that is there before its turn has ended is kept with it") {
  parley::Database database(parley::Database::kMemory, parley::Database::Access::kCreate);
  parley::migrate(database);
  parley::TurnRows rows;
  parley::Context context;
  context.utterance_id = "9";
  const Json said = {{"utterances", {"flurb"}}};
  rows.add(database, parley::Happened(parley::EventKind::kUtterance,
                                      parley::Message("ovos.utterance.handle", said, context), 5));
  const parley::JumpingClock clock;
  parley::Happened trace(parley::EventKind::kTrace, parley::Message("parley.turn.trace"), 5);
  trace.trace = std::make_shared<parley::TraceRecord>(clock, "9", "s", Names{"flurb"});
  trace.outcome = "unmatched";
  rows.add(database, trace);
  rows.add(database, parley::Happened(parley::EventKind::kHandled,
                                      parley::Message("ovos.utterance.handled", Json::object(), context), 6));
  const auto found = parley::turns::find(database, "9");
  REQUIRE(found);
  CHECK(found->trace.find("\"outcome\":\"unmatched\"") != std::string::npos);
}
