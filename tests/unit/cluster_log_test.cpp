// What happened at one instance of a cluster, the others know and forget.
#include <doctest/doctest.h>

#include "evidence/asking.hpp"
#include "evidence/derive.hpp"
#include "evidence/objects.hpp"
#include "store/turn_rows.hpp"
#include "support/rows_of.hpp"
#include "turn/trace_record.hpp"

using namespace parley;
using namespace parley::testing;
using std::chrono_literals::operator""s;

namespace {

constexpr std::int64_t kMorning = 1'767'312'000'000;  ///< 2 January 2026.

/// The log of an instance.
struct LogOf {
  explicit LogOf(RowsOf& whose) : rows(whose) {}

  /// Somebody says something there and is answered. It is over as soon as it has begun.
  void turn(const std::string& id, const std::string& said, const std::string& session = "kitchen",
            std::int64_t time = kMorning) {
    const Json who = {{"skill_id", "tea.test"}, {"intent_name", "brew"}, {"pipeline_id", "intent"}};
    happened(id, session, time,
             {{EventKind::kUtterance, {{"utterances", {said}}, {"lang", "en-US"}}},
              {EventKind::kMatch, who},
              {EventKind::kStart, who},
              {EventKind::kSpeech, {{"utterance", "tea is ready"}, {"lang", "en-US"}}},
              {EventKind::kComplete, who},
              {EventKind::kHandled, Json::object()}});
  }
  /// A minute later its skill says something more.
  void later(const std::string& id, const std::string& text) {
    happened(id, "kitchen", kMorning + 60'000,
             {{EventKind::kSpeech, {{"utterance", text}, {"lang", "en-US"}}}});
  }
  /// A turn of which it is known how it came about, in so many words at least.
  void traced_turn(const std::string& id, std::size_t words) {
    const JumpingClock clock;
    const auto record = std::make_shared<TraceRecord>(clock, id, "kitchen", std::vector<std::string>{"tea"});
    std::string text;
    for (std::size_t i = 0; i < words; ++i) text += "kettle ";
    Trace(record).step(TraceKind::kMatch, "intent", text);
    Happened trace(EventKind::kTrace, Message("parley.turn.trace"), 0);
    trace.trace = record;
    Context context;
    context.utterance_id = id;
    context.session = std::make_shared<Session>("kitchen");
    const Json said = {{"utterances", {"make some tea"}}, {"lang", "en-US"}};
    write({Happened(EventKind::kUtterance, Message("test", said, context), kMorning), trace,
           Happened(EventKind::kHandled, Message("test", Json::object(), context), kMorning)});
  }
  std::string trace(const std::string& id) const {
    std::string trace;
    read([&](Database& database) {
      if (const auto turn = turns::find(database, id)) trace = turn->trace;
    });
    return trace;
  }
  /// What was said, in the order in which it is in its log.
  std::string said(const std::string& session = "") const {
    TurnFilter filter;
    filter.owner = session.empty() ? "" : "local";
    filter.session_id = session;
    filter.limit = 500;
    std::string all;
    read([&](Database& database) {
      for (const auto& row : turns::latest(database, filter)) all += (all.empty() ? "" : ", ") + row.said;
    });
    return all;
  }
  std::string found(const std::string& id) const {
    std::string came = "nothing";
    read([&](Database& database) {
      if (const auto object = evidence::find_object(database, "local", id)) came = object->summary;
    });
    return came;
  }
  std::int64_t number(const char* sql) const {
    std::int64_t found = 0;
    read([&](Database& database) { found = database.number(sql); });
    return found;
  }
  std::string forget(const ForgetWhat& what) const {
    const auto came = std::make_shared<std::string>("no answer");
    rows.lasting.rows().forget(what, true, [came](const Forgotten&, const std::string& why) { *came = why; });
    rows.loops.settle();
    return *came;
  }
  std::string forget(const std::vector<std::string>& ids) const {
    const auto came = std::make_shared<std::string>("no answer");
    const evidence::Source source(std::shared_ptr<Lasting>(std::shared_ptr<void>(), &rows.lasting), true,
                                  nullptr);
    evidence::answer(source, Message("parley.evidence.forget", {{"object_ids", ids}}), evidence::Caller(), {},
                     1'000, [came](const Json& answer, unsigned) { *came = answer.dump(); });
    rows.loops.settle();
    return *came;
  }
  std::uint64_t count(const std::string& what) const {
    return rows.counters.of("parley_cluster_log_total{what=\"" + what + "\"}");
  }

  RowsOf& rows;
  TurnRows log;

 private:
  void happened(const std::string& id, const std::string& session, std::int64_t time,
                const std::vector<std::pair<EventKind, Json>>& events) {
    Context context;
    context.utterance_id = id;
    context.skill_id = "tea.test";
    context.session = std::make_shared<Session>(session);
    std::vector<Happened> all;
    for (const auto& [kind, data] : events) all.emplace_back(kind, Message("test", data, context), time);
    write(all);
  }
  void write(const std::vector<Happened>& events) {
    std::vector<LoggedTurn> over;
    rows.lasting.store->write(
        [&](Database& database) {
          for (const auto& event : events) {
            if (!log.add(database, event)) continue;
            const std::string& id = event.message.context().utterance_id;
            if (auto copy = turns::copy_of(database, id)) over.push_back(std::move(*copy));
          }
          evidence::catch_up(database, 1'000);
        },
        [](const std::string& failure) { CHECK(failure.empty()); });
    rows.lasting.turns_over->tell(std::move(over));
  }
  void read(const std::function<void(Database&)>& work) const {
    rows.lasting.store->read(work, [](const std::string& failure) { CHECK(failure.empty()); });
  }
};

ForgetWhat of_session(const std::string& id) {
  ForgetWhat what;
  what.owner = "local";
  what.session_id = id;
  return what;
}

}  // namespace

TEST_CASE("cluster: what happened at one instance is in the log and the evidence of all, once") {
  RowsWorld world;
  LogOf one(world.add()), two(world.add());
  one.rows.fabric->log().loses_answers = true;
  one.turn("t1", "make some tea");
  world.loops.settle();
  one.rows.fabric->log().loses_answers = false;
  world.loops.pass(2s);  // it is told again
  CHECK(world.cloud.logged == 2);
  CHECK(world.cloud.log.size() == 1);
  two.turn("t2", "more tea", "garden");
  world.loops.settle();
  for (const auto* const each : {&one, &two}) {
    CHECK(each->said("kitchen") == "make some tea");
    CHECK(each->said("garden") == "more tea");
    CHECK(each->found("mem_t1") == one.found("mem_t1"));
    CHECK(each->found("mem_t1").find("tea is ready") != std::string::npos);
    CHECK(each->number("SELECT count(*) FROM event") == 12);
    CHECK(each->number("SELECT count(*) FROM event WHERE cause IS NOT NULL") == 10);
    CHECK(each->number("SELECT sum(turns) FROM session") == 2);
    CHECK(each->number("SELECT count(*) FROM object WHERE session_id = 'garden' AND id = 'mem_t2'") == 1);
  }
  CHECK(two.count("taken") == 1);
}

TEST_CASE("cluster: what is said in a turn that is over, others know as well, and forget with it") {
  RowsWorld world;
  LogOf one(world.add()), two(world.add());
  one.turn("t1", "set a timer");
  world.loops.settle();
  one.later("t1", "the egg is done");
  world.loops.settle();
  LogOf three(world.add());
  for (const auto* const each : {&one, &two, &three}) {
    CHECK(each->number("SELECT count(*) FROM turn WHERE answers LIKE '%tea is ready%egg is done%'") == 1);
    CHECK(each->number("SELECT count(*) FROM event") == 7);
    CHECK(each->number("SELECT sum(turns) FROM session") == 1);
  }
  CHECK(three.forget({"mem_t1"}).find("\"objects\":1") != std::string::npos);
  CHECK_FALSE(world.logs("egg"));
  CHECK_FALSE(world.logs("timer"));
  for (const auto* const each : {&one, &two, &three}) CHECK(each->number("SELECT count(*) FROM event") == 0);
}

TEST_CASE("cluster: how a turn came about is known at every instance, if it is not too long to tell") {
  RowsWorld world;
  LogOf one(world.add()), two(world.add());
  one.traced_turn("t1", 1);
  constexpr std::size_t kMany = 5'000;
  one.traced_turn("t2", kMany);
  world.loops.settle();
  LogOf late(world.add());
  for (const auto* const each : {&two, &late}) {
    CHECK(each->said() == "make some tea, make some tea");
    CHECK(each->trace("t1").find("kettle") != std::string::npos);
    CHECK(each->trace("t1") == one.trace("t1"));
    CHECK(each->trace("t2").empty());
  }
  CHECK(one.trace("t2").size() > kMany);
  CHECK(two.forget({"mem_t1"}).find("\"objects\":1") != std::string::npos);
  CHECK_FALSE(world.logs("kettle"));
}

TEST_CASE("cluster: an instance that comes later gets all that happened, one that comes back what is new") {
  RowsWorld world;
  LogOf one(world.add());
  constexpr int kMany = 200;
  for (int i = 0; i < kMany; ++i) one.turn("t" + std::to_string(i), "tea number " + std::to_string(i));
  world.loops.settle();
  const auto store = make_memory_store();
  RowsOf& rows = world.add(true, store);
  {
    LogOf late(rows);
    CHECK(late.said() == one.said());
    CHECK(late.count("taken") == kMany);
  }
  world.kill(rows);
  one.turn("new", "some cake");
  world.loops.settle();
  LogOf back(world.add(true, store));
  CHECK(back.said() == one.said());
  CHECK(back.count("taken") == 1);
}

TEST_CASE(
    "cluster: what an instance has logged before it joins it tells once, and nothing that is forgotten") {
  RowsWorld world;
  LogOf there(world.add());
  const auto store = make_memory_store();
  constexpr int kMany = 120;
  {
    RowsOf alone(world.loops, nullptr, true, store);
    LogOf before(alone);
    before.turn("garden", "where are the truffles", "garden");
    for (int i = 0; i < kMany; ++i) before.turn("t" + std::to_string(i), "tea number " + std::to_string(i));
  }
  CHECK(there.forget(of_session("garden")).empty());  // what was said before then it forgets when it joins
  SUBCASE("it tells all") {
    RowsOf& rows = world.add(true, store);
    world.loops.pass(10s);
    CHECK(there.said() == LogOf(rows).said());
    CHECK(there.count("taken") == kMany);
    CHECK(there.found("mem_t7") != "nothing");
    world.kill(rows);
    world.add(true, store);
    world.loops.pass(10s);
    CHECK(world.cloud.logged == kMany);
  }
  SUBCASE("it is killed while it does") {
    RowsOf& rows = world.add(true, store);
    world.loops.pass(std::chrono::milliseconds(110));
    CHECK(there.count("taken") < kMany);
    world.kill(rows);
    world.add(true, store);
    world.loops.pass(10s);
    CHECK(there.count("taken") == kMany);
  }
  SUBCASE("all of it is forgotten while it does") {
    LogOf came(world.add(true, store));
    bool waits = false;
    SUBCASE("by another") {
      world.loops.pass(std::chrono::milliseconds(110));
    }
    SUBCASE("by another, and it hears that late") {
      waits = true;
      came.rows.fabric->deaf_to = "state";
    }
    CHECK(there.count("taken") < kMany);
    CHECK(there.forget(of_session("kitchen")).empty());
    if (waits) {
      world.loops.pass(10s);
      came.rows.fabric->deaf_to.clear();
      came.rows.fabric->set_up(false);
      came.rows.fabric->set_up(true);
    }
    world.loops.pass(10s);
    for (const auto* const each : {&there, &came}) CHECK(each->said().empty());
    CHECK_FALSE(world.logs("tea number"));
  }
  for (const auto& one : world.all) CHECK(LogOf(*one).said().find("truffles") == std::string::npos);
  CHECK_FALSE(world.logs("truffles"));
}

TEST_CASE("K-6 cluster: a turn that is forgotten is nowhere any more, whatever says which") {
  RowsWorld world;
  LogOf one(world.add()), two(world.add());
  one.turn("t1", "make some tea");
  one.turn("t2", "where are the truffles", "garden");
  one.turn("t3", "call the plumber", "garden", kMorning - 86'400'000);
  one.turn("t4", "sing a song", "attic");
  two.turn("t5", "buy some milk", "attic");
  world.loops.settle();
  CHECK(two.said("garden") == "where are the truffles, call the plumber");
  std::vector<const char*> gone;
  SUBCASE("its id") {
    CHECK(two.forget({"mem_t1"}).find("\"objects\":1") != std::string::npos);
    gone = {"t1"};
  }
  SUBCASE("one of its events") {
    const auto lsn = two.number("SELECT lsn FROM event WHERE utterance_id = 't4' AND kind = 'utterance'");
    CHECK(two.forget({evidence::event_id(lsn)}).find("\"objects\":1") != std::string::npos);
    CHECK(one.found("mem_t4") == "nothing");
    CHECK(one.found("mem_t1") != "nothing");  // whose event has that number there
    CHECK_FALSE(world.logs("sing a song"));
    return;
  }
  SUBCASE("its session") {
    CHECK(two.forget(of_session("garden")).empty());
    gone = {"t2", "t3"};
  }
  SUBCASE("its time") {
    ForgetWhat what;
    what.until = kMorning;
    CHECK(two.forget(what).empty());
    gone = {"t3"};
  }
  SUBCASE("its owner") {
    ForgetWhat what;
    what.owner = "local";
    CHECK(two.forget(what).empty());
    gone = {"t1", "t2", "t3", "t4", "t5"};
  }
  SUBCASE("everything") {
    ForgetWhat what;
    what.everything = true;
    CHECK(two.forget(what).empty());
    gone = {"t1", "t2", "t3", "t4", "t5"};
  }
  const std::map<std::string, std::string> words{
      {"t1", "some tea"}, {"t2", "truffles"}, {"t3", "plumber"}, {"t4", "song"}, {"t5", "milk"}};
  LogOf late(world.add());
  for (const auto& [turn, word] : words) {
    const std::string id = turn;  // clang 14 lets no lambda have it
    const bool is_gone = std::find(gone.begin(), gone.end(), id) != gone.end();
    INFO(id);
    CHECK(world.logs(word) == !is_gone);
    for (const auto* const each : {&one, &two, &late}) {
      CHECK((each->found("mem_" + id) == "nothing") == is_gone);
      CHECK((each->said().find(word) == std::string::npos) == is_gone);
    }
  }
  one.turn("after", "some more tea");
  world.loops.settle();
  for (const auto* const each : {&one, &two, &late}) CHECK(each->found("mem_after") != "nothing");
}

TEST_CASE("K-6 cluster: what was on its way when it was forgotten elsewhere stays nowhere") {
  RowsWorld world;
  LogOf one(world.add()), two(world.add());
  LogOf three(world.add());
  SUBCASE("it could not be told") {
    two.rows.fabric->set_up(false);
    two.turn("t1", "where are the truffles");
    world.loops.pass(1s);
    CHECK(one.forget(of_session("kitchen")).empty());
    two.rows.fabric->set_up(true);
  }
  SUBCASE("it was told, and nobody confirmed it") {
    two.rows.fabric->log().loses_answers = true;
    two.turn("t1", "where are the truffles");
    CHECK(one.forget(of_session("kitchen")).empty());
    two.rows.fabric->log().loses_answers = false;
  }
  SUBCASE("an instance has heard of it, and not yet that it is forgotten") {
    three.rows.fabric->deaf_to = "state";
    two.turn("t1", "where are the truffles");
    world.loops.settle();
    CHECK(one.forget(of_session("kitchen")).empty());
    three.rows.fabric->deaf_to.clear();
    three.rows.fabric->set_up(false);
    three.rows.fabric->set_up(true);
  }
  world.loops.pass(5s);
  LogOf late(world.add());
  CHECK_FALSE(world.logs("truffles"));
  for (const auto* const each : {&one, &two, &three, &late}) {
    CHECK(each->said().empty());
    CHECK(each->found("mem_t1") == "nothing");
  }
}

TEST_CASE(
    "cluster: while NATS is away turns wait, so many at most, and forgetting says that it can't be sure") {
  RowsWorld world;
  LogOf one(world.add()), two(world.add());
  one.rows.fabric->set_up(false);
  constexpr std::uint64_t kMore = 1'100;
  for (std::uint64_t i = 0; i < kMore; ++i) one.turn("t" + std::to_string(i), "some tea");
  world.loops.pass(3s);
  CHECK(one.count("dropped") > 0);
  CHECK(one.count("dropped") <= 100);
  CHECK(two.said().empty());
  std::string answer;
  one.rows.lasting.rows().forget(of_session("nowhere"), true,
                                 [&](const Forgotten&, const std::string& why) { answer = why; });
  world.loops.pass(25s);
  CHECK(answer.find("NATS did not confirm") != std::string::npos);
  one.rows.fabric->set_up(true);
  world.loops.pass(5s);
  CHECK(two.count("taken") == kMore - one.count("dropped"));
  std::string failure = "no answer";
  one.rows.shared->stop([&] { failure.clear(); });
  world.loops.settle();
  CHECK(failure.empty());
}

TEST_CASE("cluster: an instance that ends while it has turns forgotten leaves nothing behind that goes on") {
  RowsWorld world;
  LogOf one(world.add());
  for (int i = 0; i < 100; ++i) one.turn("t" + std::to_string(i), "some tea");
  world.loops.settle();
  RowsOf& rows = world.add();
  bool is_done = false;
  SUBCASE("NATS does not answer") {
    rows.fabric->set_up(false);
  }
  SUBCASE("it is in the middle of it") {
    rows.fabric->sleep();
  }
  rows.lasting.rows().forget(of_session("kitchen"), true,
                             [&](const Forgotten&, const std::string&) { is_done = true; });
  world.loops.settle();
  world.kill(rows);
  world.loops.pass(30s);
  CHECK_FALSE(is_done);
  CHECK(one.found("mem_t7") != "nothing");
}

TEST_CASE("cluster: a turn that is too long is known at its instance alone") {
  RowsWorld world;
  LogOf one(world.add()), two(world.add());
  one.turn("long", std::string(70'000, 'x'));
  one.turn("short", "some tea");
  world.loops.settle();
  CHECK(one.found("mem_long") != "nothing");
  CHECK(two.said() == "some tea");
  CHECK(one.count("dropped") == 1);
}

TEST_CASE("cluster: an instance that keeps no turns takes none, and makes the others forget theirs") {
  RowsWorld world;
  LogOf one(world.add()), two(world.add(false));
  one.turn("t1", "make some tea");
  two.turn("t2", "never mind");
  world.loops.settle();
  CHECK(two.said() == "never mind");  // as a test has written it
  CHECK(one.said() == "make some tea");
  CHECK_FALSE(world.logs("never mind"));
  CHECK(two.forget(of_session("kitchen")).empty());
  CHECK(one.said().empty());
  CHECK_FALSE(world.logs("make some tea"));
}
