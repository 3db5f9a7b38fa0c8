// What somebody tells one instance of a cluster, the others know, correct and forget.
#include <doctest/doctest.h>

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

/// The evidence of an instance.
struct EvidenceOf {
  explicit EvidenceOf(RowsOf& whose) : rows(whose) {}

  std::string ask(const char* topic, const Json& data) {
    const auto came = std::make_shared<std::string>("no answer");
    const evidence::Source source(std::shared_ptr<Lasting>(std::shared_ptr<void>(), &rows.lasting), true,
                                  nullptr);
    evidence::answer(source, Message(topic, data), evidence::Caller(), {}, 1'000,
                     [came](const Json& answer, unsigned) { *came = answer.dump(); });
    rows.loops.settle();
    return *came;
  }
  void told(const std::string& id, const std::string& text,
            const std::string& time = "2026-01-03T12:00:00Z") {
    const std::string answer = ask("parley.evidence.ingest", {{"events", {event(id, text, time)}}});
    CHECK_MESSAGE(answer.find("\"accepted\":1") != std::string::npos, answer);
  }
  /// What there is, and what it was superseded by.
  std::string found(const std::string& id) {
    std::string came = "nothing";
    rows.lasting.store->read(
        [&](Database& database) {
          if (const auto object = evidence::find_object(database, "local", id))
            came = object->summary + (object->superseded_by.empty() ? "" : "; now " + object->superseded_by);
        },
        [](const std::string& failure) { CHECK(failure.empty()); });
    return came;
  }
  RowsOf& rows;
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
