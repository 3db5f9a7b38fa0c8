// What somebody tells one instance of a cluster, the others know, correct and forget.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "evidence/asking.hpp"
#include "evidence/objects.hpp"
#include "support/rows_of.hpp"

using namespace parley;
using namespace parley::testing;
using std::chrono_literals::operator""s;

namespace {

Json event(const std::string& id, const std::string& text, const std::string& time = "2026-01-03T12:00:00Z") {
  return {{"event_id", id},       {"event_type", "told"},      {"time", time}, {"agent_id", "local"},
          {"session_id", "home"}, {"memory_type", "semantic"}, {"text", text}};
}

/// Nobody told it: another program says what happened.
Json happening(const std::string& id, const std::string& text, const std::string& session = "home",
               const std::string& time = "2026-01-03T12:00:00Z", const std::string& agent = "local") {
  return {{"event_id", id},        {"event_type", "seen"},      {"time", time}, {"agent_id", agent},
          {"session_id", session}, {"memory_type", "episodic"}, {"text", text}};
}

/// The evidence of an instance.
struct EvidenceOf {
  explicit EvidenceOf(RowsOf& whose) : rows(whose) {}

  std::string ask(const char* topic, const Json& data, const std::string& owner = "local") {
    const auto came = std::make_shared<std::string>("no answer");
    const evidence::Source source(std::shared_ptr<Lasting>(std::shared_ptr<void>(), &rows.lasting), true,
                                  nullptr);
    evidence::Caller caller;
    caller.owner = owner;
    evidence::answer(source, Message(topic, data), caller, {}, 1'000,
                     [came](const Json& answer, unsigned) { *came = answer.dump(); });
    rows.loops.settle();
    return *came;
  }
  void happened(const Json& event, const std::string& owner = "local") {
    const std::string answer = ask("parley.evidence.ingest", {{"events", {event}}}, owner);
    CHECK_MESSAGE(answer.find("\"accepted\":1") != std::string::npos, answer);
  }
  void told(const std::string& id, const std::string& text,
            const std::string& time = "2026-01-03T12:00:00Z") {
    const std::string answer = ask("parley.evidence.ingest", {{"events", {event(id, text, time)}}});
    CHECK_MESSAGE(answer.find("\"accepted\":1") != std::string::npos, answer);
  }
  /// What there is, and what it was superseded by.
  std::string found(const std::string& id, const std::string& owner = "local") {
    std::string came = "nothing";
    rows.lasting.store->read(
        [&](Database& database) {
          if (const auto object = evidence::find_object(database, owner, id))
            came = object->summary + (object->superseded_by.empty() ? "" : "; now " + object->superseded_by);
        },
        [](const std::string& failure) { CHECK(failure.empty()); });
    return came;
  }
  std::int64_t events() const { return number("SELECT count(*) FROM event"); }
  /// Whether its log does.
  bool holds(const std::string& word) const {
    return number(("SELECT count(*) FROM event WHERE data LIKE '%" + word + "%'").c_str()) > 0;
  }
  RowsOf& rows;

 private:
  std::int64_t number(const char* sql) const {
    std::int64_t found = 0;
    rows.lasting.store->read([&](Database& database) { found = database.number(sql); },
                             [](const std::string& failure) { CHECK(failure.empty()); });
    return found;
  }
};

}  // namespace

TEST_CASE("cluster: what one instance is told the others know, and what corrects it holds at all") {
  RowsWorld world;
  EvidenceOf one(world.add()), two(world.add());
  one.told("e1", "the spare key is under the pot");
  CHECK(two.found("mem_e1") == "the spare key is under the pot");
  two.told("e2", "the spare key is in the drawer");
  for (auto* const each : {&one, &two}) {
    CHECK(each->found("mem_e1") == "the spare key is under the pot; now mem_e2");
    CHECK(each->found("mem_e2") == "the spare key is in the drawer");
  }
  EvidenceOf three(world.add());
  CHECK(three.found("mem_e1") == "the spare key is under the pot; now mem_e2");
  CHECK(three.ask("parley.evidence.ingest", Json::object()).find("error") != std::string::npos);
}

TEST_CASE("cluster: what an instance was told before it joins all know, and what was told since stands") {
  RowsWorld world;
  EvidenceOf there(world.add());
  const auto store = make_memory_store();
  {
    RowsOf alone(world.loops, nullptr, true, store);
    EvidenceOf before(alone);
    before.told("e1", "the spare key is under the pot", "2026-01-02T12:00:00Z");
    before.told("e2", "the boiler is in the attic");
    before.happened(happening("seen1", "the postman rang"));
  }
  there.told("e3", "the spare key is in the drawer");
  EvidenceOf came(world.add(true, store));
  world.loops.pass(5s);
  EvidenceOf late(world.add());
  for (auto* const each : {&there, &came, &late}) {
    CHECK(each->found("mem_e1") == "the spare key is under the pot; now mem_e3");
    CHECK(each->found("mem_e2") == "the boiler is in the attic");
    CHECK(each->found("mem_e3") == "the spare key is in the drawer");
    CHECK(each->found("mem_seen1") == "the postman rang");
  }
}

TEST_CASE("K-6 cluster: what is forgotten of what was told is nowhere any more, by its ids or by its time") {
  RowsWorld world;
  EvidenceOf one(world.add()), two(world.add());
  one.told("e1", "the spare key is under the pot");
  two.told("e2", "the spare key is in the drawer");
  CHECK(world.holds("drawer"));
  CHECK(one.ask("parley.evidence.forget", {{"object_ids", {"mem_e2"}}}).find("\"objects\":2") !=
        std::string::npos);
  for (const char* const word : {"drawer", "pot"}) CHECK_FALSE(world.holds(word));
  for (auto* const each : {&one, &two}) {
    CHECK(each->found("mem_e1") == "nothing");
    CHECK(each->found("mem_e2") == "nothing");
  }
  two.told("e3", "the truffles are in the cellar", "2026-01-02T12:00:00Z");
  ForgetWhat day;
  day.since = 1'767'312'000'000;  // 2 January 2026
  day.until = day.since + 86'400'000;
  std::string failure = "no answer";
  one.rows.lasting.rows().forget(day, true, [&](const Forgotten&, const std::string& why) { failure = why; });
  world.loops.settle();
  CHECK(failure.empty());
  CHECK_FALSE(world.holds("cellar"));
  EvidenceOf late(world.add());
  for (const char* const id : {"mem_e1", "mem_e2", "mem_e3"}) CHECK(late.found(id) == "nothing");
}

TEST_CASE("cluster: an instance that was away learns what was told, and that it is to forget") {
  RowsWorld world;
  EvidenceOf one(world.add()), two(world.add());
  one.told("e1", "the spare key is under the pot");
  two.rows.fabric->set_up(false);
  CHECK(two.found("mem_e1") == "the spare key is under the pot");
  one.told("e2", "the boiler is in the attic");
  one.ask("parley.evidence.forget", {{"object_ids", {"mem_e1"}}});
  two.rows.fabric->set_up(true);
  world.loops.pass(2s);
  CHECK(two.found("mem_e1") == "nothing");
  CHECK(two.found("mem_e2") == "the boiler is in the attic");
}

TEST_CASE("cluster: what is too long, or too much of one owner, is known where it was told") {
  RowsWorld world;
  EvidenceOf one(world.add()), two(world.add());
  one.told("long", std::string(9'000, 'x'));
  one.told("short", "the boiler is in the attic");
  CHECK(one.found("mem_long") != "nothing");
  CHECK(two.found("mem_long") == "nothing");
  CHECK(two.found("mem_short") == "the boiler is in the attic");
  constexpr int kAtOnce = 1'000;
  constexpr int kMost = 4'096;  // the short one is one of them
  for (int first = 1; first < kMost + kAtOnce; first += kAtOnce) {
    Json events = Json::array();
    for (int i = first; i < first + kAtOnce; ++i) events.push_back(event("n" + std::to_string(i), "a thing"));
    CHECK(one.ask("parley.evidence.ingest", {{"events", events}}).find("\"accepted\":1000") !=
          std::string::npos);
  }
  CHECK(one.found("mem_n4999") == "a thing");
  CHECK(two.found("mem_n4095") == "a thing");
  CHECK(two.found("mem_n4096") == "nothing");
}

TEST_CASE("cluster: what other programs write at one instance is at all, and at one that comes later, once") {
  RowsWorld world;
  EvidenceOf one(world.add()), two(world.add());
  one.happened(happening("seen1", "the postman rang"));
  two.happened(happening("seen2", "the cat came in", "garden"));
  CHECK(two.ask("parley.evidence.ingest", {{"events", {happening("seen1", "the postman rang")}}})
            .find("\"duplicates\":1") != std::string::npos);
  EvidenceOf late(world.add());
  for (auto* const each : {&one, &two, &late}) {
    CHECK(each->found("mem_seen1").find("the postman rang") != std::string::npos);
    CHECK(each->found("mem_seen2") == one.found("mem_seen2"));
    CHECK(each->found("seen2") == one.found("seen2"));
    CHECK(each->events() == 2);
  }
  CHECK(world.cloud.log.size() == 2);
}

TEST_CASE(
    "K-6 cluster: what other programs wrote is nowhere any more when it is forgotten, whatever says which") {
  RowsWorld world;
  EvidenceOf one(world.add()), two(world.add());
  one.happened(happening("seen1", "the postman rang"));
  one.happened(happening("seen2", "the cat came in", "garden"));
  one.happened(happening("seen3", "the plumber was here", "attic", "2020-05-01T12:00:00Z"));
  std::vector<std::string> gone;
  const auto forget = [&](const ForgetWhat& what) {
    std::string failure = "no answer";
    two.rows.lasting.rows().forget(what, true,
                                   [&](const Forgotten&, const std::string& why) { failure = why; });
    world.loops.settle();
    CHECK(failure.empty());
  };
  SUBCASE("its id") {
    CHECK(two.ask("parley.evidence.forget", {{"object_ids", {"seen1"}}}).find("\"objects\":2") !=
          std::string::npos);
    gone = {"seen1"};
  }
  SUBCASE("its memory") {
    CHECK(two.ask("parley.evidence.forget", {{"object_ids", {"mem_seen1"}}}).find("\"objects\":1") !=
          std::string::npos);
    gone = {"seen1"};
  }
  SUBCASE("its session") {
    ForgetWhat what;
    what.owner = "local";
    what.session_id = "garden";
    forget(what);
    gone = {"seen2"};
  }
  SUBCASE("the time when it happened") {
    ForgetWhat what;
    what.until = 1'600'000'000'000;
    what.since = 1'500'000'000'000;
    forget(what);
    gone = {"seen3"};
  }
  SUBCASE("a time between when it happened and when it was told") {
    ForgetWhat what;
    what.since = -1'000;
    what.until = 500;
    forget(what);
  }
  SUBCASE("everything") {
    ForgetWhat what;
    what.everything = true;
    forget(what);
    gone = {"seen1", "seen2", "seen3"};
  }
  EvidenceOf late(world.add());
  for (const auto& [event, word] :
       std::map<std::string, std::string>{{"seen1", "postman"}, {"seen2", "cat"}, {"seen3", "plumber"}}) {
    const std::string id = event;  // clang 14 lets no lambda have it
    const bool is_gone = std::find(gone.begin(), gone.end(), id) != gone.end();
    CAPTURE(id);
    CHECK(world.logs(word) == !is_gone);
    for (auto* const each : {&one, &two, &late}) {
      CHECK((each->found(id) == "nothing") == is_gone);
      CHECK((each->found("mem_" + id) == "nothing") == is_gone);
      CHECK(each->holds(word) == !is_gone);
    }
  }
}

TEST_CASE("cluster: a program that writes without end while NATS is away costs other owners nothing") {
  RowsWorld world;
  EvidenceOf one(world.add()), two(world.add());
  one.rows.fabric->set_up(false);
  Json many = Json::array();
  for (int i = 0; i < 1'000; ++i)
    many.push_back(happening(fmt::format("flood{}", i), std::string(12'000, 'x'), "home"));
  const std::string answer = one.ask("parley.evidence.ingest", {{"events", many}});
  CHECK(answer.find("\"accepted\":1000") != std::string::npos);
  one.happened(happening("seen1", "the postman rang"), "anna");
  one.rows.fabric->set_up(true);
  world.loops.pass(10s);
  CHECK(two.found("mem_seen1", "anna").find("the postman rang") != std::string::npos);
  CHECK(one.rows.counters.of("parley_cluster_log_total{what=\"dropped\"}") > 100);
  CHECK(two.events() > 500);
  CHECK(two.events() < 1'000);
}
